//! Moves as Hub writes them: `from-to`, or from, to and what was captured, in any order.

use damma_env::{Action, Game, Position};
use damma_eval::{parse_turns, turn_words};

use crate::view::{LegalKind, Places};

/// Writes a turn. One with a huff or a stop has no form in Hub; it is written as in UGI.
#[must_use]
pub fn text(game: &Game, position: &Position, turn: &[Action]) -> String {
    let places = Places::new(game);
    let own = || turn_words(game, position, turn).concat();
    let Some(last) = places.last(position, turn).filter(|last| last.huffed.is_none()) else { return own() };
    let (Some(from), Some(to)) = (last.trail.first(), last.trail.last()) else { return own() };
    if last.turn.ends_with('.') {
        return own();
    }
    let name = |place: &usize| places.name(*place);
    if last.captured.is_empty() {
        return format!("{}-{}", name(from), name(to));
    }
    let captured: Vec<String> = last.captured.iter().map(name).collect();
    format!("{}x{}x{}", name(from), name(to), captured.join("x"))
}

/// Reads a turn of a position: as Hub writes it, or else as UGI does.
///
/// Where chains with the same ends and captures go different ways, it is the first of them.
#[must_use]
pub fn parse(game: &Game, position: &Position, word: &str) -> Option<Vec<Action>> {
    captures(game, position, word).or_else(|| parse_turns(game, position, [word]).ok())
}

fn captures(game: &Game, position: &Position, word: &str) -> Option<Vec<Action>> {
    let places = Places::new(game);
    let named: Option<Vec<usize>> = word.split('x').map(|name| places.named(name)).collect();
    let named = named?;
    let [from, to, captured @ ..] = &named[..] else { return None };
    if captured.is_empty() {
        return None;
    }
    let mut actions = Vec::new();
    let wanted = Wanted { game, places: &places, to: *to };
    wanted.follow(position, *from, captured, &mut actions).then_some(actions)
}

/// A chain to find.
struct Wanted<'a> {
    game: &'a Game,
    places: &'a Places<'a>,
    to: usize,
}

impl Wanted<'_> {
    /// Finds hops from a place that capture the rest; `false`, and no action more, where there are none.
    fn follow(&self, now: &Position, from: usize, rest: &[usize], actions: &mut Vec<Action>) -> bool {
        for action in now.legal_actions(self.game) {
            let shown = self.places.legal(now, action);
            let (Some(to), Some(over)) = (shown.to, shown.over) else { continue };
            let Some(place) = rest.iter().position(|captured| *captured == over) else { continue };
            if shown.from != Some(from) {
                continue;
            }
            let mut left = rest.to_vec();
            left.swap_remove(place);
            let next = now.play(self.game, action);
            actions.push(action);
            let is_over = next.side() != now.side() || next.winner(self.game).is_some();
            let ends = left.is_empty() && to == self.to;
            if ends && (is_over || self.stops(&next, actions)) || !is_over && self.follow(&next, to, &left, actions) {
                return true;
            }
            actions.pop();
        }
        false
    }

    /// Ends a chain that may go on and need not.
    fn stops(&self, now: &Position, actions: &mut Vec<Action>) -> bool {
        let mut legal = now.legal_actions(self.game).into_iter();
        let stop = legal.find(|action| self.places.legal(now, *action).kind == LegalKind::Stop);
        actions.extend(stop);
        stop.is_some()
    }
}
