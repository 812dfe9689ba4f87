"""Attacks a server: broken requests, slow clients, stale and foreign moves, kills, a full disk.

    abuse.py PATH_OF_DAMMA

Ends with counts of passed and failed.
"""

import asyncio
import json
import resource
import signal
import socket
import subprocess
import sys
import time

import aiohttp

from server import ROOT, Checks, Server

FREE = "[limits]\nrequests_per_second = 0\n"
TOKEN = "0123456789abcdef0123"


def person_against(bot, **more):
    seats = {"white": {"kind": "human"}, "black": {"kind": "bot", "bot": bot, "visits": 64}}
    return {"game": {"preset": bot}, **seats, **more}


def broken_requests(checks, server):
    def answers(name, status, path, **how):
        found, fields, body = server.call(path, **how)
        is_problem = fields.get("Content-Type") == "application/problem+json" and body.get("status") == found
        checks.that(f"{name}: {status}", found == status and is_problem, (found, body))

    analyze = "/api/analyze"
    answers("no JSON", 400, analyze, raw=b"{")
    answers("not UTF-8", 400, analyze, raw=b'{"bot": "\xff\xfe"}')
    answers("not said to be JSON", 415, analyze, raw=b"{}", headers={"Content-Type": "text/plain"})
    answers("too large", 413, analyze, raw=b" " * 300_000)
    answers("nested a hundred thousand deep", 422, analyze, raw=b'{"moves":' + b"[" * 100_000)
    answers("an unknown field", 422, analyze, body={"bot": "zamma", "visit": 3})
    answers("a number beyond all measure", 422, analyze, raw=b'{"bot": "zamma", "visits": 99999999999999999999}')
    answers("a negative number", 422, analyze, body={"bot": "zamma", "visits": -1})
    answers("a NUL in a position", 422, analyze, body={"bot": "zamma", "position": "\0" * 50})
    answers("a position without end", 422, analyze, body={"bot": "zamma", "position": "w" * 100_000})
    answers("a move without end", 422, analyze, body={"bot": "zamma", "moves": ["a1x" * 20_000]})
    answers("too many moves", 422, analyze, body={"bot": "zamma", "moves": ["a1"] * 5_000})
    answers("an unknown option", 422, "/api/boards", body={"game": {"preset": "zamma", "options": {"x": "y"}}})
    answers("an unknown session", 404, "/api/sessions/" + "0" * 32)
    answers("a session that is a path", 404, "/api/sessions/..%2f..%2fetc%2fpasswd")
    answers("an unknown query", 422, "/api/sessions/" + "0" * 32 + "?x=1")
    answers("a socket without an upgrade", 400, "/api/sessions/" + "0" * 32 + "/socket")
    answers("an empty stream", 422, "/api/analyze/stream", raw=b"\n\n")
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/app/..%2f..%2fsrc/lib.rs", "/app/%00", "/" + "a" * 6_000]:
        status, _, body = raw_get(server, path)
        checks.that(f"path {path[:30]} gives nothing away", status in (400, 404, 414) and "fn " not in body and "root:" not in body, (status, body[:200]))


def raw_get(server, path):
    """Asks for a path as it is, which libraries would tidy up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := link.recv(65_536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), body.decode(errors="replace")


def moves(checks, server):
    _, _, created = server.call("/api/sessions", person_against("zamma"))
    path, token = f"/api/sessions/{created['session']['id']}", created["tokens"]["white"]
    play = lambda **how: server.call(f"{path}/commands", {"type": "move", "ply": 0, "move": "d4-e5", "token": token, **how})
    checks.that("a foreign token is refused", play(token="0" * 32)[0] == 403)
    checks.that("an illegal move is refused", play(move="a1-a2")[2]["type"] == "illegal-move")
    checks.that("a move is played", play(wait=True)[0] == 200)
    checks.that("the same move again is stale", play()[2]["type"] == "stale-ply")
    before = server.call(path)[2]
    checks.that("a move of a ply to come is stale", play(ply=99)[2]["type"] == "stale-ply")
    checks.that("nothing has changed by all that", server.call(path)[2] == before)


def slow_clients(checks, server):
    links = []
    for number in range(300):
        link = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        if number % 3 == 1:
            link.sendall(b"POST /api/analyze HTTP/1.1\r\nHost: x\r\nContent-Le")
        if number % 3 == 2:
            link.sendall(b"POST /api/analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        links.append(link)
    begun = time.monotonic()
    status = server.call("/api/analyze", {"bot": "zamma"})[0]
    checks.that("others are served beside 300 slow clients", status == 200 and time.monotonic() - begun < 5)
    links[1].settimeout(20)
    checks.that("a client that does not end its head is cut off", b"200" not in links[1].recv(1_000))
    for link in links:
        link.close()


async def junk_on_sockets(checks, server):
    _, _, created = server.call("/api/sessions", person_against("zamma"))
    url = f"{server.url}/api/sessions/{created['session']['id']}/socket?token={created['tokens']['white']}"
    async with aiohttp.ClientSession() as client:
        async with client.ws_connect(url) as link:
            await link.receive_json()
            for text in ["", "{", "[]", "null", '{"type": "fly"}', '{"type": "move"}', '{"type": "move", "ply": -1, "move": ""}']:
                await link.send_str(text)
                answer = await link.receive_json()
                checks.that(f"junk `{text}` is an error", answer["type"] == "error" and answer["problem"]["status"] == 422, answer)
            await link.send_bytes(b"\0" * 100)
            checks.that("bytes are an error", (await link.receive_json())["type"] == "error")
            for _ in range(10_000):
                await link.send_str("{}")
            for _ in range(10_000):
                answer = await link.receive_json()
            await link.send_json({"type": "move", "ply": 0, "move": "d4-e5", "id": 1})
            answer = await link.receive_json()
            checks.that("after 10,000 pieces of junk a move is played", answer["type"] == "state" and answer["session"]["ply"] >= 1, answer)
        async with client.ws_connect(url, max_msg_size=0) as link:
            await link.receive()
            try:
                await link.send_str("x" * 1_000_000)
                # The bot may have moved meanwhile.
                while (answer := await link.receive()).type == aiohttp.WSMsgType.TEXT:
                    pass
                closed = answer.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
            except (aiohttp.ClientError, OSError):
                # Closed before all of it was sent.
                closed = True
            checks.that("a huge message closes the socket", closed)
        async with client.ws_connect(url.split("?")[0]) as link:
            await link.receive_json()
            await link.send_json({"type": "resign"})
            checks.that("who only watches cannot resign", (await link.receive_json())["problem"]["status"] == 403)


def rates_and_tokens(checks, damma):
    with Server(damma, f'tokens = ["{TOKEN}"]\n[limits]\nrequests_per_second = 2\nburst = 5\n') as server:
        known = {"Authorization": f"Bearer {TOKEN}"}
        checks.that("no token: 401", server.call("/api/bots")[0] == 401)
        checks.that("a wrong token: 401", server.call("/api/bots", headers={"Authorization": "Bearer x"})[0] == 401)
        checks.that("the token opens", server.call("/api/bots", headers=known)[0] == 200)
        answers = [server.call("/api/bots", headers=known) for _ in range(10)]
        refused = [fields for status, fields, _ in answers if status == 429]
        checks.that("too many requests: 429 with Retry-After", refused and all(int(fields["Retry-After"]) >= 1 for fields in refused))
        time.sleep(1.5)
        checks.that("and then served again", server.call("/api/bots", headers=known)[0] == 200)


def kills(checks, damma):
    with Server(damma, FREE) as server:
        games = []
        for bot in ["zamma", "damma8", "kharberg", "srand"]:
            _, _, created = server.call("/api/sessions", person_against(bot))
            path, token = f"/api/sessions/{created['session']['id']}", created["tokens"]["white"]
            session = created["session"]
            for _ in range(3):
                while session["thinking"]:
                    session = server.call(f"{path}?after={session['version']}")[2]
                move = session["view"]["actions"][0]["action"]
                body = {"type": "move", "ply": session["ply"], "move": move, "token": token}
                session = server.call(f"{path}/commands", body)[2]
            games.append((path, token, session))
        second = subprocess.run([server.damma, "serve", "--listen", "127.0.0.1:0", "--database", server.database],
                                cwd=ROOT, capture_output=True, text=True, timeout=30)
        checks.that("a second server with the same file is refused", second.returncode == 2 and "in use" in second.stderr, second.stderr)
        server.kill()
        server.start()
        for path, token, before in games:
            status, _, now = server.call(path)
            while now["thinking"]:
                now = server.call(f"{path}?after={now['version']}")[2]
            kept = now["turns"][:len(before["turns"]) - 1] == before["turns"][:-1] and now["ply"] >= before["ply"]
            checks.that(f"a game is there after kill -9 ({before['game']['preset']})", status == 200 and kept, (before["turns"], now["turns"]))
            body = {"type": "move", "ply": now["ply"], "move": now["view"]["actions"][0]["action"], "token": token}
            checks.that("and goes on", server.call(f"{path}/commands", body)[0] == 200)
        server.process.send_signal(signal.SIGTERM)
        checks.that("SIGTERM ends it well", server.process.wait(timeout=15) == 0)


def full_disk(checks, damma):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    with Server(damma, FREE, limit=small_files) as server:
        games, refused = [], None
        for _ in range(2_000):
            status, _, body = server.call("/api/sessions", person_against("zamma"))
            if status != 201:
                refused = body
                break
            games.append(body["session"]["id"])
        checks.that("a full disk is said", refused is not None and refused["type"] == "storage" and refused["status"] == 503, refused)
        kept = [server.call(f"/api/sessions/{name}")[0] == 200 for name in games]
        checks.that(f"the {len(games)} games before are all there", all(kept) and games)
        checks.that("analysis goes on", server.call("/api/analyze", {"bot": "zamma"})[0] == 200)
        # Whether a page more fits depends on what the log of the database has room for just now.
        checks.that("it says whether it is ready", server.call("/ready")[0] in (200, 503))


def main():
    checks, damma = Checks(), sys.argv[1]
    with Server(damma, FREE) as server:
        broken_requests(checks, server)
        moves(checks, server)
        slow_clients(checks, server)
        asyncio.run(junk_on_sockets(checks, server))
        checks.that("the server is as it was", server.call("/ready")[0] == 200 and server.process.poll() is None)
        checks.that("no request ended in a panic", "panic" not in server.log(), server.log()[-500:])
    rates_and_tokens(checks, damma)
    kills(checks, damma)
    full_disk(checks, damma)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
