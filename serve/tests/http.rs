//! The server over real sockets, in this process.

use std::net::SocketAddr;
use std::path::Path;

use damma_serve::{ServeConfig, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// A server with the shipped bots that stops when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    done: tokio::task::JoinHandle<()>,
}

async fn start(folder: &Path, more: &str) -> Running {
    start_with(folder, more, &["zamma", "damma8", "kharberg"]).await
}

async fn start_with(folder: &Path, more: &str, bots: &[&str]) -> Running {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let text = format!("listen = \"127.0.0.1:0\"\ndatabase = \"games.sqlite\"\nreload_seconds = 0\n{more}");
    let mut config = ServeConfig::from_toml(&text, folder).unwrap();
    config.bots = bots.iter().map(|name| ((*name).to_owned(), models.join(name))).collect();
    config.search.threads = 1;
    let server = Server::bind(config).await.unwrap();
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    let done = tokio::spawn(server.run(async { drop(stopped.await) }));
    Running { address, stop: Some(stop), done }
}

impl Running {
    /// Sends a request and gives status and body.
    async fn send(&self, request: String) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head[9..12].parse().unwrap();
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        (status, if is_chunked { joined(body) } else { body.to_owned() })
    }

    async fn get(&self, path: &str) -> (u16, String) {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await
    }

    async fn post_text(&self, path: &str, body: &str) -> (u16, String) {
        let head = "Host: x\r\nConnection: close\r\nContent-Type: application/json";
        self.send(format!("POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())).await
    }

    async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, text) = self.post_text(path, &body.to_string()).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Opens a WebSocket and gives the connection once the server has agreed.
    async fn socket(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let head = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        stream.write_all(format!("GET {path}/socket HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        assert_eq!(&status, b"HTTP/1.1 101");
        stream
    }

    async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.done.await.unwrap();
    }
}

/// Joins the chunks of a body.
fn joined(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        text.push_str(&rest[..size]);
        body = &rest[(size + 2).min(rest.len())..];
    }
    text
}

fn person_against(bot: &str) -> Value {
    json!({ "game": { "preset": bot }, "white": { "kind": "human" }, "black": { "kind": "bot", "bot": bot, "level": 1 } })
}

#[tokio::test]
async fn a_whole_game_is_played_to_its_end_and_written_as_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let (status, created) = server.post("/api/sessions", person_against("kharberg")).await;
    assert_eq!(status, 201);
    let (token, path) = (created["tokens"]["white"].clone(), session_path(&created));

    let mut session = created["session"].clone();
    for _ in 0..400 {
        if session["status"] == "over" {
            break;
        }
        assert_eq!((&session["view"]["side"], &session["thinking"]), (&json!("white"), &json!(false)));
        let action = session["view"]["actions"][0]["action"].clone();
        let command = json!({ "token": token, "type": "move", "ply": session["ply"], "move": action, "wait": true });
        let (status, next) = server.post(&format!("{path}/commands"), command).await;
        assert_eq!(status, 200, "{next}");
        session = next;
    }

    assert_eq!(session["status"], "over");
    let (_, pdn) = server.get(&format!("{path}/pdn")).await;
    let record = damma_env::PdnReader::new(&pdn).next().unwrap().unwrap();
    let game = damma_env::Game::new(damma_env::Ruleset::preset("kharberg").unwrap()).unwrap();
    assert!(game.replay_pdn(&record).is_ok(), "{pdn}");
    server.stop().await;
}

#[tokio::test]
async fn a_game_goes_on_where_it_was_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let (_, created) = server.post("/api/sessions", person_against("zamma")).await;
    let (token, path) = (created["tokens"]["white"].clone(), session_path(&created));
    let command = json!({ "token": token, "type": "move", "ply": 0, "move": "d4-e5", "wait": true });
    let (_, before) = server.post(&format!("{path}/commands"), command.clone()).await;
    server.stop().await;

    let server = start(folder.path(), "").await;
    let (status, after) = server.get(&path).await;
    assert_eq!((status, serde_json::from_str::<Value>(&after).unwrap()), (200, before.clone()));
    let (status, stale) = server.post(&format!("{path}/commands"), command).await;
    assert_eq!((status, &stale["type"]), (409, &json!("stale-ply")));
    let action = before["view"]["actions"][0]["action"].clone();
    let command = json!({ "token": token, "type": "move", "ply": before["ply"], "move": action });
    assert_eq!(server.post(&format!("{path}/commands"), command).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_that_is_gone_after_a_restart_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let (_, created) = server.post("/api/sessions", person_against("kharberg")).await;
    let path = session_path(&created);
    server.stop().await;

    let server = start_with(folder.path(), "", &["zamma"]).await;
    let action = &created["session"]["view"]["actions"][0]["action"];
    let token = &created["tokens"]["white"];
    let command = json!({ "token": token, "type": "move", "ply": 0, "move": action, "wait": true });
    let (status, session) = server.post(&format!("{path}/commands"), command).await;

    assert_eq!((status, &session["status"], &session["thinking"]), (200, &json!("playing"), &json!(false)));
    server.stop().await;
}

#[tokio::test]
async fn a_clock_runs_on_where_nobody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "[limits]\nsessions = 1").await;
    let human = json!({ "kind": "human" });
    let begin = json!({
        "game": { "preset": "kharberg" }, "white": human, "black": human, "clock": { "seconds": 1 }
    });
    let (_, created) = server.post("/api/sessions", begin.clone()).await;
    let path = session_path(&created);
    let action = created["session"]["view"]["actions"][0]["action"].clone();
    let command = json!({ "token": created["tokens"]["white"], "type": "move", "ply": 0, "move": action });
    let (_, moved) = server.post(&format!("{path}/commands"), command).await;
    assert_eq!(moved["clock"]["running"], "black");

    // The next session takes the place of this one in memory.
    let (status, _) = server.post("/api/sessions", begin).await;
    assert_eq!(status, 201);
    let (_, session) = server.get(&format!("{path}?after={}", moved["version"])).await;
    let session: Value = serde_json::from_str(&session).unwrap();

    assert_eq!(session["outcome"], json!({ "winner": "white", "cause": "time" }));
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "[limits]\nbody_bytes = 2048\nvisits = 500").await;
    let analyze = async |body: Value| server.post("/api/analyze", body).await;
    for (body, status, field) in [
        (json!({ "bot": "nobody" }), 422, "bot"),
        (json!({ "bot": "zamma", "visits": 501 }), 422, "visits"),
        (json!({ "bot": "zamma", "visits": 5, "level": 3 }), 422, "visits"),
        (json!({ "bot": "zamma", "level": 11 }), 422, "level"),
        (json!({ "bot": "zamma", "position": "rubbish" }), 422, "position"),
        (json!({ "bot": "zamma", "moves": ["d4-e5", "a1-a9"] }), 422, "moves[1]"),
        (json!({ "bot": "zamma", "game": { "preset": "srand" } }), 422, "game"),
        (json!({ "bot": "ab-2" }), 422, "game"),
        (json!({ "bot": "ab-2", "game": { "preset": "srand" }, "visits": 5 }), 422, "visits"),
        (json!({ "bot": "ab-2", "game": { "preset": "srand" }, "level": 5 }), 422, "level"),
    ] {
        let (found, problem) = analyze(body.clone()).await;
        assert_eq!((found, &problem["field"]), (status, &json!(field)), "{body}: {problem}");
    }
    let (status, text) = server.post_text("/api/analyze", "{").await;
    assert!(status == 400 && text.contains("no-json"), "{status} {text}");
    assert_eq!(server.post_text("/api/analyze", &"x".repeat(3_000)).await.0, 413);
    assert_eq!(analyze(json!({ "bot": "zamma", "visit": 5 })).await.0, 422);
    assert_eq!(server.get("/api/nothing").await.0, 404);
    assert_eq!(server.get("/../Cargo.toml").await.0, 404);
    assert_eq!(server.get("/api/analyze").await.0, 405);
    assert_eq!(server.post("/api/nothing", json!({})).await.0, 404);
    assert_eq!(server.post("/index.html", json!({})).await.0, 405);

    let (_, created) = server.post("/api/sessions", person_against("zamma")).await;
    let path = format!("{}/commands", session_path(&created));
    let foreign = json!({ "token": "0", "type": "resign" });
    assert_eq!(server.post(&path, foreign).await.0, 403);
    let illegal = json!({ "token": created["tokens"]["white"], "type": "move", "ply": 0, "move": "a1-a2" });
    assert_eq!(server.post(&path, illegal).await.1["type"], "illegal-move");
    let unknown = json!({ "token": created["tokens"]["white"], "type": "resign", "pyl": 0 });
    assert_eq!(server.post(&path, unknown).await.0, 422);
    let (_, now) = server.get(&session_path(&created)).await;
    assert_eq!(serde_json::from_str::<Value>(&now).unwrap(), created["session"]);
    server.stop().await;
}

#[tokio::test]
async fn sockets_keep_their_places_among_the_connections() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "[limits]\nconnections = 2").await;
    let (_, created) = server.post("/api/sessions", person_against("zamma")).await;
    let path = session_path(&created);
    let first = server.socket(&path).await;
    let second = server.socket(&path).await;

    let mut waiting = Box::pin(server.get("/health"));
    let early = tokio::time::timeout(std::time::Duration::from_millis(200), &mut waiting).await;
    assert!(early.is_err(), "a third connection waits: {early:?}");
    drop(first);
    assert_eq!(waiting.await.0, 200);
    drop(second);
    server.stop().await;
}

#[tokio::test]
async fn the_baseline_values_a_position_with_one_legal_move() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    // White must capture, and has won by it.
    let query = json!({
        "bot": "ab-3", "game": { "preset": "damma8" }, "position": "8/8/8/8/3b4/2w5/1w1w4/8 w", "side": "white"
    });
    let (_, analysis) = server.post("/api/analyze", query).await;
    assert_eq!(analysis["best"].as_array().unwrap().len(), 1, "{analysis}");
    assert!(analysis["value"].as_f64().unwrap() > 0.9, "{analysis}");

    // Black must capture, and has little left.
    let query = json!({
        "bot": "ab-3", "game": { "preset": "damma8" }, "position": "8/8/8/2b5/1w6/w1w1w1w1/1w1w1w2/8 b", "side": "white"
    });
    let (_, analysis) = server.post("/api/analyze", query).await;
    assert!(analysis["value"].as_f64().unwrap() > 0.5, "{analysis}");
    server.stop().await;
}

#[tokio::test]
async fn moves_are_read_by_the_numbers_of_squares_where_there_are_some() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let query = |moves: &[&str]| json!({ "game": { "preset": "damma8" }, "moves": moves });
    let (status, numbered) = server.post("/api/positions", query(&["9-14", "24-20"])).await;
    assert_eq!(status, 200, "{numbered}");
    let turns: Vec<&str> = numbered["turns"].as_array().unwrap().iter().map(|turn| turn.as_str().unwrap()).collect();
    assert_eq!(server.post("/api/positions", query(&turns)).await.1["view"], numbered["view"]);
    assert_eq!(server.post("/api/positions", query(&["9-15"])).await.0, 422);
    server.stop().await;
}

#[tokio::test]
async fn values_belong_to_the_side_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let position = "8/8/8/4b3/8/w1w1w3/1w1w4/8 w";
    let ask = async |side: &str| {
        server
            .post("/api/analyze", json!({ "bot": "damma8", "position": position, "side": side, "visits": 200 }))
            .await
            .1
    };

    let (white, black) = (ask("white").await, ask("black").await);

    let value = |analysis: &Value| analysis["value"].as_f64().unwrap();
    assert!(value(&white) > 0.5, "{white}");
    assert!((value(&white) + value(&black)).abs() < 1e-6);
    assert_eq!((&white["turn"], &white["decider"]), (&black["turn"], &json!("white")));
    server.stop().await;
}

#[tokio::test]
async fn a_stream_answers_every_query_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "").await;
    let query =
        |id: &str, bot: &str| json!({ "id": id, "bot": bot, "milliseconds": 120, "report_every": 20 }).to_string();
    let broken = r#"{ "id": "d", "bot": 3 }"#.to_owned();
    let lines = [query("a", "zamma"), query("b", "damma8"), query("c", "nobody"), broken, "{".to_owned()];
    let body = lines.join("\n");

    let (status, text) = server.post_text("/api/analyze/stream", &body).await;

    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finals = |id: &str| lines.iter().filter(|line| line["id"] == id && line["final"] == true).count();
    let updates = lines.iter().filter(|line| line["final"] == false).count();
    assert_eq!((status, finals("a"), finals("b")), (200, 1, 1));
    assert!(updates >= 2, "{updates}");
    assert!(lines.iter().any(|line| line["id"] == "c" && line["problem"]["status"] == 422));
    let refused = |id: Value| {
        let line = lines.iter().find(|line| line["id"] == id && line["problem"]["field"] == "body").unwrap();
        line["problem"]["detail"].as_str().unwrap().to_owned()
    };
    assert!(refused(json!("d")).starts_with("line 4: ") && refused(Value::Null).starts_with("line 5: "));
    server.stop().await;
}

#[tokio::test]
async fn a_token_is_asked_for_where_the_config_has_some() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "tokens = [\"0123456789abcdef\"]").await;
    assert_eq!(server.get("/api/bots").await.0, 401);
    assert_eq!(server.get("/health").await.0, 200);
    let head = "Host: x\r\nConnection: close\r\nAuthorization: Bearer 0123456789abcdef";
    assert_eq!(server.send(format!("GET /api/bots HTTP/1.1\r\n{head}\r\n\r\n")).await.0, 200);
    server.stop().await;
}

fn session_path(created: &Value) -> String {
    format!("/api/sessions/{}", created["session"]["id"].as_str().unwrap())
}
