//! Analysis without a session: a position, and what a bot thinks of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use damma_env::{Action, Game, Side, State};
use damma_eval::{BotLevel, turn_words};
use damma_trainer::Value;
use damma_trainer::search::Proof;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::searcher::{Budget, Found};
use crate::spec::{Colour, GameSpec, Line};
use crate::thinker::{Choosing, Thought, Who};
use crate::view::Places;

/// Simulations where a request says nothing.
const VISITS: u32 = 400;

/// What a bot is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// Comes back in the answer.
    #[schema(max_length = 100)]
    pub id: Option<String>,
    /// Who is asked: a bot's name, or `ab-1` to `ab-8`.
    #[schema(example = "zamma")]
    pub bot: String,
    /// The game; a bot's own unless given.
    pub game: Option<GameSpec>,
    /// The position as text; the start unless given.
    pub position: Option<String>,
    /// Turns or actions from there on.
    pub moves: Vec<String>,
    /// Simulations of a decision, 1 to 60,000; 1 is the network alone. 400 unless this, `milliseconds` or `level` is given.
    #[schema(minimum = 1, maximum = 60000)]
    pub visits: Option<u32>,
    /// Time of the first decision, 1 to 60,000.
    #[schema(minimum = 1, maximum = 60000)]
    pub milliseconds: Option<u32>,
    /// A level of play, 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    pub level: Option<u8>,
    /// How many lines of play are wanted, 1 to 20; 1 unless given.
    #[schema(minimum = 1, maximum = 20)]
    pub lines: Option<u8>,
    /// Whose values are told; the decider's unless given.
    pub side: Option<Colour>,
    /// Milliseconds between updates of a stream, 10 to 60,000; none unless given.
    #[schema(minimum = 10, maximum = 60000)]
    pub report_every: Option<u32>,
}

/// What a bot thinks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// The query's.
    pub id: Option<String>,
    /// Who thinks so.
    pub bot: String,
    /// The position as text.
    pub position: String,
    /// Who decides in it.
    pub decider: Colour,
    /// Whose values these are.
    pub side: Colour,
    /// The best whole turn.
    pub turn: String,
    /// Its actions.
    pub best: Vec<String>,
    /// Simulations.
    pub visits: u32,
    /// Time from the request.
    pub milliseconds: u64,
    /// The expected result, -1 (lost) to 1 (won).
    pub value: f32,
    /// The probability of a win.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability of a loss.
    pub loss: f32,
    /// `win`, `draw` or `loss` where that is proved.
    pub proved: Option<String>,
    /// Lines of play, best first.
    pub lines: Vec<Variation>,
    /// Every legal action, best first.
    pub actions: Vec<Candidate>,
    /// Whether the search has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
}

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Variation {
    /// The turns; the last may be unfinished.
    pub turns: Vec<String>,
    /// Its first action.
    pub action: String,
    /// Simulations that took it.
    pub visits: u32,
    /// What the network alone gives it.
    pub prior: f32,
    /// The expected result.
    pub value: f32,
    /// The probability of a win.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability of a loss.
    pub loss: f32,
    /// `win`, `draw` or `loss` where that is proved.
    pub proved: Option<String>,
}

/// A legal action and what the search found of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Candidate {
    /// The action.
    pub action: String,
    /// The place of the piece that moves or is huffed.
    pub from: Option<usize>,
    /// Where it goes.
    pub to: Option<usize>,
    /// What the network alone gives it.
    pub prior: f32,
    /// Simulations that took it.
    pub visits: u32,
    /// The expected result; null where it was not tried.
    pub value: Option<f32>,
}

/// A query that was checked.
pub struct Asked {
    query: Query,
    who: Who,
    game: Arc<Game>,
    state: State,
    budget: Budget,
    level: Option<BotLevel>,
    begun: Instant,
}

impl Query {
    /// Checks the query.
    ///
    /// # Errors
    /// A field is wrong, or the game is over.
    pub fn check(self, who: Who, most_visits: u32) -> Result<Asked, Problem> {
        let begun = Instant::now();
        if self.id.as_ref().is_some_and(|id| id.len() > 100) {
            return Err(Problem::invalid("id", "longer than 100 characters"));
        }
        let game = game_of(&who, self.game.as_ref())?;
        who.takes(self.visits, self.level)?;
        let (budget, level) = limits(self.visits, self.milliseconds, self.level, most_visits)?;
        let lines = in_range("lines", self.lines.unwrap_or(1).into(), (1, 20))? as usize;
        let every = self.report_every.map(|every| in_range("report_every", every, (10, 60_000))).transpose()?;
        let report_every = every.map(|every| Duration::from_millis(every.into()));
        let line = Line::read(&game, self.position.as_deref(), &self.moves)?;
        if line.state.outcome().is_some() {
            return Err(Problem::position_over());
        }
        let budget = Budget { report_every, lines, ..budget };
        Ok(Asked { query: self, who, game, state: line.state, budget, level, begun })
    }
}

/// Gives the game that a bot is asked about.
///
/// # Errors
/// The bot plays another, or a baseline is asked about none.
pub fn game_of(who: &Who, spec: Option<&GameSpec>) -> Result<Arc<Game>, Problem> {
    let wanted = spec.map(GameSpec::game).transpose()?;
    match (who, wanted) {
        (Who::Bot(bot), None) => Ok(bot.game.clone()),
        (Who::Bot(bot), Some(game)) if game.ruleset() == bot.game.ruleset() => Ok(bot.game.clone()),
        (Who::Bot(bot), Some(_)) => {
            let own = serde_json::to_string(&bot.spec).expect("a game is plain data");
            Err(Problem::invalid(
                "game",
                format!("the bot `{}` plays {own}; for other rules ask ab-1 to ab-8", bot.name),
            ))
        }
        (Who::Baseline { .. }, Some(game)) => Ok(game),
        (Who::Baseline { .. }, None) => Err(Problem::invalid("game", "the baseline plays every game: say which")),
    }
}

/// Reads how far a search may go.
///
/// # Errors
/// A number is out of its range, or more than one is given.
pub fn limits(
    visits: Option<u32>,
    milliseconds: Option<u32>,
    level: Option<u8>,
    most_visits: u32,
) -> Result<(Budget, Option<BotLevel>), Problem> {
    if usize::from(visits.is_some()) + usize::from(milliseconds.is_some()) + usize::from(level.is_some()) > 1 {
        return Err(Problem::invalid("visits", "give one of visits, milliseconds and level"));
    }
    let mut budget = Budget { visits: VISITS.min(most_visits), time: None, report_every: None, lines: 1 };
    let level = level.map(BotLevel::new).transpose().map_err(|error| Problem::invalid("level", error))?;
    if let Some(visits) = visits {
        budget.visits = in_range("visits", visits, (1, most_visits))?;
    }
    if let Some(milliseconds) = milliseconds {
        let time = in_range("milliseconds", milliseconds, (1, 60_000))?;
        budget = Budget { visits: most_visits, time: Some(Duration::from_millis(time.into())), ..budget };
    }
    if let Some(level) = level {
        budget.visits = level.visits().min(most_visits);
    }
    Ok((budget, level))
}

fn in_range(field: &str, value: u32, (least, most): (u32, u32)) -> Result<u32, Problem> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Problem::invalid(field, format!("{value} is outside {least} to {most}")))
}

impl Asked {
    /// Searches; `update` hears of what is found meanwhile.
    ///
    /// # Errors
    /// There is no room for the search.
    pub async fn answer(&self, mut update: impl FnMut(Analysis)) -> Result<Analysis, Problem> {
        let choosing = match self.level {
            Some(level) => Choosing::Level(level, Box::new(Pcg64::new(rand::random(), 0))),
            None => Choosing::Best,
        };
        let hear = |forced: &[Action], found: Found| {
            let mut turn = forced.to_vec();
            turn.extend(found.actions.first().map(|action| action.action));
            let (value, proof) = (found.value, found.proof);
            update(self.told(&Thought { turn, forced: forced.to_vec(), found: Some(found), value, proof }, false));
        };
        let thought = self.who.think(&self.game, &self.state, self.budget, choosing, hear).await?;
        Ok(self.told(&thought, true))
    }

    fn told(&self, thought: &Thought, is_final: bool) -> Analysis {
        let (game, position) = (&*self.game, self.state.position());
        let side = self.query.side.map_or(position.side(), Side::from);
        let [win, draw, loss] = thought.value.wdl(side);
        let bot = match &self.who {
            Who::Bot(bot) => bot.name.clone(),
            Who::Baseline { depth, .. } => format!("ab-{depth}"),
        };
        Analysis {
            id: self.query.id.clone(),
            bot,
            position: game.position_text(position),
            decider: position.side().into(),
            side: side.into(),
            turn: turn_words(game, position, &thought.turn).concat(),
            best: self.words(&thought.turn),
            visits: thought.found.as_ref().map_or(0, |found| found.visits),
            milliseconds: self.begun.elapsed().as_millis() as u64,
            value: thought.value.for_side(side),
            win,
            draw,
            loss,
            proved: proved(thought.proof, side),
            lines: self.lines(thought, side),
            actions: self.candidates(thought, side),
            is_final,
        }
    }

    /// Writes actions of one turn, one a word.
    fn words(&self, turn: &[Action]) -> Vec<String> {
        let mut now = *self.state.position();
        let mut words = Vec::new();
        for action in turn {
            words.push(self.game.action_text(&now, *action));
            now = now.play(&self.game, *action);
        }
        words
    }

    fn lines(&self, thought: &Thought, side: Side) -> Vec<Variation> {
        let (game, position) = (&*self.game, self.state.position());
        let Some(found) = &thought.found else {
            let [win, draw, loss] = thought.value.wdl(side);
            return vec![Variation {
                turns: turn_words(game, position, &thought.turn),
                action: self.words(&thought.turn[..1]).concat(),
                visits: 0,
                prior: 1.0,
                value: thought.value.for_side(side),
                win,
                draw,
                loss,
                proved: proved(thought.proof, side),
            }];
        };
        let line = |(line, choice): (&Vec<Action>, &damma_trainer::search::RootAction)| {
            let all: Vec<Action> = thought.forced.iter().chain(line).copied().collect();
            let [win, draw, loss] = choice.value.wdl(side);
            Variation {
                turns: turn_words(game, position, &all),
                action: self.words(&all[..1]).concat(),
                visits: choice.visits,
                prior: choice.prior,
                value: choice.value.for_side(side),
                win,
                draw,
                loss,
                proved: proved(choice.proof, side),
            }
        };
        found.lines.iter().zip(&found.actions).map(line).collect()
    }

    fn candidates(&self, thought: &Thought, side: Side) -> Vec<Candidate> {
        let position = self.state.position();
        let places = Places::new(&self.game);
        let row = |action: Action, prior: f32, visits: u32, value: Option<Value>| {
            let shown = places.legal(position, action);
            let value = value.map(|value| value.for_side(side));
            Candidate { action: shown.action, from: shown.from, to: shown.to, prior, visits, value }
        };
        match &thought.found {
            Some(found) if thought.forced.is_empty() => {
                let tried = |choice: &damma_trainer::search::RootAction| {
                    (choice.visits > 0 || choice.proof.is_some()).then_some(choice.value)
                };
                found
                    .actions
                    .iter()
                    .map(|choice| row(choice.action, choice.prior, choice.visits, tried(choice)))
                    .collect()
            }
            _ => {
                // One legal action, or a baseline, which gives no shares.
                let legal = position.legal_actions(&self.game);
                let best = thought.turn[0];
                let rest = legal.into_iter().filter(|action| *action != best);
                let visits = thought.found.as_ref().map_or(0, |found| found.visits);
                let mut rows = vec![row(best, 1.0, visits, Some(thought.value))];
                rows.extend(rest.map(|action| row(action, 0.0, 0, None)));
                rows
            }
        }
    }
}

fn proved(proof: Option<Proof>, side: Side) -> Option<String> {
    let word = match proof?.for_side(side) {
        1 => "win",
        0 => "draw",
        _ => "loss",
    };
    Some(word.to_owned())
}
