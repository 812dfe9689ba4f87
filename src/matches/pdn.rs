//! Games of a match as PDN, with what the players said of their choices.

use std::path::Path;

use damma_env::{Game, Outcome, PdnGame, PdnResult, WinCause};
use damma_eval::{Ending, MatchGame, MatchResult, Opinion, Seat, Thought};

use crate::files::write_beside;

/// Writes all games of a match.
///
/// # Errors
/// The file cannot be written.
pub fn write(game: &Game, result: &MatchResult, path: &Path) -> anyhow::Result<()> {
    let mut games = Vec::with_capacity(result.games.len());
    for (number, record) in result.games.iter().enumerate() {
        games.push(pdn(game, result, number, record)?.to_string());
    }
    write_beside(path, games.join("\n").as_bytes())
}

fn pdn(game: &Game, result: &MatchResult, number: usize, record: &MatchGame) -> anyhow::Result<PdnGame> {
    let start = record.start(game)?;
    let actions: Vec<_> = record.actions().collect();
    let (white, black) = match record.white {
        Seat::A => (&result.a, &result.b),
        Seat::B => (&result.b, &result.a),
    };
    let round =
        if result.series { format!("{}", number + 1) } else { format!("{}.{}", number / 2 + 1, number % 2 + 1) };
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let tags = [
        tag("Event", "damma match"),
        tag("Round", &round),
        tag("White", white),
        tag("Black", black),
        tag("Opening", &(record.opening + 1).to_string()),
        tag("Termination", record.ending.cause()),
    ];
    let mut pdn = game.record_pdn(&start, &actions, result_of(game, record.ending), &tags);

    let mut thoughts = record.thoughts.iter().peekable();
    let (mut turn, mut position) = (0, start);
    let mut said: Vec<Vec<&Thought>> = vec![Vec::new(); pdn.moves.len() + 1];
    for (index, &action) in actions.iter().enumerate() {
        if let Some(thought) = thoughts.next_if(|thought| thought.action == index) {
            said[turn].push(thought);
        }
        let side = position.side();
        position = position.play(game, action);
        turn += usize::from(position.side() != side);
    }
    for (played, said) in pdn.moves.iter_mut().zip(&said) {
        played.comment = comment(said);
    }
    if let Some(note) = &record.note {
        let place = pdn.moves.last_mut().map_or(&mut pdn.comment, |last| &mut last.comment);
        *place = Some(place.take().map_or_else(|| note.clone(), |before| format!("{before} {note}")));
    }
    Ok(pdn)
}

/// Gives the result of a game; one that the rules cut off has none, one that the arena did is drawn.
fn result_of(game: &Game, ending: Ending) -> PdnResult {
    let outcome = match (ending, ending.winner()) {
        (Ending::Over(outcome), _) => Some(outcome),
        // Whatever the cause, the letters are the same.
        (_, Some(winner)) => Some(Outcome::Win { winner, cause: WinCause::NoPieces }),
        (Ending::Adjudicated(_) | Ending::Capped, None) => return PdnResult::Draw,
        (Ending::Forfeited { .. }, None) => None,
    };
    PdnResult::of(game, outcome)
}

/// Writes what was said of the choices of a turn: time and nodes of all, the opinion of the first.
fn comment(said: &[&Thought]) -> Option<String> {
    let mut parts = Vec::new();
    match said.iter().find_map(|thought| thought.opinion) {
        Some(Opinion::Hundredths(score)) => parts.push(format!("[%eval {:+.2}]", f64::from(score) / 100.0)),
        Some(Opinion::Expected(result)) => parts.push(format!("[%expected {result:+.3}]")),
        None => {}
    }
    let total = |value: fn(&Thought) -> Option<u64>| {
        let values: Vec<u64> = said.iter().copied().filter_map(value).collect();
        (!values.is_empty()).then(|| values.iter().sum::<u64>())
    };
    if let Some(nodes) = total(|thought| thought.nodes) {
        parts.push(format!("[%nodes {nodes}]"));
    }
    if let Some(time) = total(|thought| thought.milliseconds) {
        let (seconds, milliseconds) = (time / 1_000, time % 1_000);
        let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        parts.push(format!("[%emt {hours}:{minutes:02}:{seconds:02}.{milliseconds:03}]"));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_sums_time_and_nodes_of_a_turn_and_takes_its_first_opinion() {
        let thought = |action, score, milliseconds| Thought {
            action,
            opinion: Some(Opinion::Hundredths(score)),
            nodes: Some(10),
            milliseconds,
        };
        let (first, second) = (thought(0, -125, Some(3_661_005)), thought(1, 7, Some(2)));
        let text = comment(&[&first, &second]).expect("there is something to say");
        assert_eq!(text, "[%eval -1.25] [%nodes 20] [%emt 1:01:01.007]");
        let expected = Thought { opinion: Some(Opinion::Expected(0.5)), nodes: None, ..thought(0, 0, None) };
        assert_eq!(comment(&[&expected]).as_deref(), Some("[%expected +0.500]"));
        assert_eq!(comment(&[]), None);
    }
}
