//! What there is: games, options, boards, bots.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use damma_env::{Game, OPTIONS, PRESETS, Ruleset};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Shared;
use super::extract::{Body, Segment};
use crate::bots::BotInfo;
use crate::problem::Problem;
use crate::spec::GameSpec;
use crate::view::{Board, Places};

/// A game that can be played.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct GameInfo {
    /// Its name, as requests write it.
    #[schema(example = "zamma")]
    pub preset: String,
    /// What game it is, in one line.
    pub title: String,
    /// Points a side.
    pub size: u8,
    /// The rules: every option's value.
    pub options: BTreeMap<String, String>,
    /// The bots that play it.
    pub bots: Vec<String>,
}

/// An option of the rules.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// The values that it takes.
    pub values: String,
    /// What it means.
    pub about: String,
}

/// Asks for a board.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardQuery {
    /// Of which game.
    pub game: GameSpec,
}

/// A bot and how it was trained.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct BotCard {
    /// In short.
    #[serde(flatten)]
    pub info: BotInfo,
    /// Its card.
    #[schema(value_type = Object)]
    pub card: serde_json::Value,
}

/// The program.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Version {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Lists the games.
#[utoipa::path(get, path = "/api/games", tag = "catalogue", responses((status = 200, body = Vec<GameInfo>)))]
pub async fn games(State(app): State<Shared>) -> Json<Vec<GameInfo>> {
    let bots = app.bots.all();
    let info = |preset: &damma_env::Preset| {
        let ruleset = Ruleset::preset(preset.name).expect("a preset");
        let bots = bots.iter().filter(|bot| *bot.game.ruleset() == ruleset).map(|bot| bot.name.clone()).collect();
        GameInfo {
            preset: preset.name.to_owned(),
            title: preset.title.to_owned(),
            size: ruleset.size,
            options: options_of(&ruleset),
            bots,
        }
    };
    Json(PRESETS.iter().map(info).collect())
}

/// Writes every option of a ruleset.
fn options_of(ruleset: &Ruleset) -> BTreeMap<String, String> {
    let value = serde_json::to_value(ruleset).expect("a ruleset is plain data");
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let options = value.as_object().expect("a ruleset has options");
    options.iter().map(|(name, value)| (name.clone(), text(value))).collect()
}

/// Lists the options of the rules.
#[utoipa::path(get, path = "/api/options", tag = "catalogue", responses((status = 200, body = Vec<OptionInfo>)))]
pub async fn options() -> Json<Vec<OptionInfo>> {
    let info = |option: &damma_env::OptionDoc| OptionInfo {
        name: option.name.to_owned(),
        values: option.values.to_owned(),
        about: option.meaning.trim().to_owned(),
    };
    Json(OPTIONS.iter().map(info).collect())
}

/// Gives the board of a game.
#[utoipa::path(post, path = "/api/boards", tag = "catalogue", request_body = BoardQuery, responses(
    (status = 200, body = Board),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn boards(Body(query): Body<BoardQuery>) -> Result<Json<Board>, Problem> {
    let game: std::sync::Arc<Game> = query.game.game()?;
    Ok(Json(Places::new(&game).board()))
}

/// Lists the bots.
#[utoipa::path(get, path = "/api/bots", tag = "catalogue", responses((status = 200, body = Vec<BotInfo>)))]
pub async fn bots(State(app): State<Shared>) -> Json<Vec<BotInfo>> {
    Json(app.bots.all().iter().map(|bot| bot.info.clone()).collect())
}

/// Gives a bot with its card: how it was trained, how strong it is.
#[utoipa::path(get, path = "/api/bots/{name}", tag = "catalogue", params(("name" = String, Path, description = "Its name")), responses(
    (status = 200, body = BotCard),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn bot(State(app): State<Shared>, Segment(name): Segment<String>) -> Result<Json<BotCard>, Problem> {
    let bot = app.bots.get(&name).ok_or_else(|| Problem::not_found(format!("there is no bot `{name:.100}`")))?;
    Ok(Json(BotCard { info: bot.info.clone(), card: bot.card.clone() }))
}

/// Gives the program's name and version.
#[utoipa::path(get, path = "/api/version", tag = "server", responses((status = 200, body = Version)))]
pub async fn version() -> Json<Version> {
    Json(Version { name: "damma".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}
