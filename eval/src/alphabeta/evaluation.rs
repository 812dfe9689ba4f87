//! What a quiet position is worth without looking ahead.
//!
//! In hundredths of a man, from the decider's view; linear in a few features. What pieces are
//! worth where they stand changes by little with each action, so the search carries that sum
//! along; the other features are computed where they are asked for.

use damma_env::{Action, ActionKind, Bitboard, Capture, Direction, Game, Lines, ManSteps, Position, Square};

use super::weights::{MAN, Weights};

/// The evaluation of a game's positions, compiled from its ruleset and weights.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What the decider's men and kings are worth, by square.
    own: [Box<[i32; 128]>; 2],
    /// What the other player's are worth, by square.
    enemy: [Box<[i32; 128]>; 2],
    share: i32,
    tempo: i32,
    mobility: i32,
    exposure: i32,
    huff: bool,
    fault: [i32; 2],
    geometry: Geometry,
}

impl Evaluation {
    /// Compiles weights for a game.
    #[must_use]
    pub fn new(game: &Game, weights: &Weights) -> Self {
        let geometry = Geometry::new(game);
        let man = |square: Square| {
            MAN + weights.rank(game.coordinates(square).1, game.size())
                + weights.man_centre * geometry.edge_distance(game, square)
                + if geometry.off_diagonal.contains(square) { weights.man_off_diagonal } else { 0 }
        };
        let king = |square: Square| {
            weights.king
                + weights.king_centre * geometry.ring(game, square)
                + if geometry.off_diagonal.contains(square) { weights.king_off_diagonal } else { 0 }
        };
        let (own_men, own_kings) = (table(game, man), table(game, king));
        let turned = |value: &[i32; 128]| table(game, |square| value[game.flip_square(square).index()]);
        Self {
            enemy: [turned(&own_men), turned(&own_kings)],
            own: [own_men, own_kings],
            share: weights.share,
            tempo: weights.tempo,
            mobility: weights.mobility,
            exposure: weights.exposure,
            huff: game.ruleset().capture == Capture::Huff,
            fault: [weights.fault, weights.fault + weights.fault_king],
            geometry,
        }
    }

    /// Sums what the decider's pieces are worth where they stand, less the other player's.
    #[must_use]
    pub fn placement(&self, position: &Position) -> i32 {
        let sum = |set: Bitboard, values: &[Box<[i32; 128]>; 2]| -> i32 {
            set.into_iter().map(|square| values[usize::from(position.kings().contains(square))][square.index()]).sum()
        };
        sum(position.own(), &self.own) - sum(position.enemy().without(position.waiting()), &self.enemy)
    }

    /// Says by how much an action raises the decider's placement.
    pub(super) fn gain(&self, game: &Game, before: &Position, action: Action, after: &Position) -> i32 {
        let king = |square: Square| usize::from(before.kings().contains(square));
        let taken = |victim: Option<Square>| victim.map_or(0, |victim| self.enemy[king(victim)][victim.index()]);
        let (from, to, victim) = match game.action_kind(action).expect("legal actions are the game's own numbers") {
            ActionKind::Huff { victim } => return taken(Some(victim)),
            ActionKind::Stop => {
                let at = before.chain().expect("only a chain can be stopped");
                (at, at, None)
            }
            ActionKind::Move { from, to, between, .. } => (from, to, (between & before.enemy()).first()),
        };
        let seen = if after.side() == before.side() { to } else { game.flip_square(to) };
        let king_now = usize::from(after.kings().contains(seen));
        self.own[king_now][to.index()] - self.own[king(from)][from.index()] + taken(victim)
    }

    /// Says how much better the decider stands at the beginning of a turn, whose placement is known.
    #[must_use]
    pub fn evaluate(&self, game: &Game, position: &Position, placement: i32) -> i32 {
        let (own, enemy) = (position.own().len() as i32, position.enemy().len() as i32);
        let mut score = placement + self.tempo + self.share * (own - enemy) / (own + enemy).max(1);
        if self.mobility != 0 {
            score += self.mobility * self.geometry.mobility(game, position);
        }
        if self.exposure != 0 {
            score += self.exposure * position.threats(game).len() as i32;
        }
        if self.huff && !position.at_fault().is_empty() {
            score += self.fault[usize::from(!(position.at_fault() & position.kings()).is_empty())];
        }
        score
    }

    /// Gives what it costs to leave a man open to a huff, as a quiet step does where a capture is due.
    pub(super) const fn fault(&self) -> i32 {
        self.fault[0]
    }
}

fn table(game: &Game, value: impl Fn(Square) -> i32) -> Box<[i32; 128]> {
    let mut table = Box::new([0; 128]);
    for square in game.squares() {
        table[square.index()] = value(square);
    }
    table
}

/// Where things are on the board, as far as features ask.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    /// The points without diagonals, on boards that have both kinds.
    pub(super) off_diagonal: Bitboard,
    /// By direction in which men step: from where, and how far the square ahead is in bits.
    steps: Vec<(Bitboard, i8)>,
}

impl Geometry {
    pub(super) fn new(game: &Game) -> Self {
        let mixed = game.ruleset().lines == Lines::Alquerque;
        let off = |square: &Square| {
            let (file, rank) = game.coordinates(*square);
            (file + rank) % 2 == 1
        };
        let forward_only = game.ruleset().man_steps == ManSteps::Forward;
        let steps = Direction::ALL.into_iter().filter(|direction| direction.is_forward() || !forward_only);
        let offset = |direction: Direction| {
            let (file, rank) = direction.delta();
            rank * (game.size() as i8 + 1) + file
        };
        Self {
            off_diagonal: game.squares().into_iter().filter(off).filter(|_| mixed).collect(),
            steps: steps.map(|direction| (game.origins(direction, 1), offset(direction))).collect(),
        }
    }

    /// Counts the files between a square and the nearest edge.
    #[expect(clippy::unused_self, reason = "beside its likes")]
    pub(super) fn edge_distance(&self, game: &Game, square: Square) -> i32 {
        let file = i32::from(game.coordinates(square).0);
        file.min(game.size() as i32 - 1 - file)
    }

    /// Counts the rings of points between a square and the edge.
    pub(super) fn ring(&self, game: &Game, square: Square) -> i32 {
        let rank = i32::from(game.coordinates(square).1);
        rank.min(game.size() as i32 - 1 - rank).min(self.edge_distance(game, square))
    }

    /// Counts the steps that the decider's men could make, less those of the other player's.
    pub(super) fn mobility(&self, game: &Game, position: &Position) -> i32 {
        let empty = game.squares().without(position.own() | position.enemy());
        let (own, enemy) = (position.own().without(position.kings()), position.enemy().without(position.kings()));
        let (enemy, turned) = (game.flip(enemy), game.flip(empty));
        let count = |origins: Bitboard, offset: i8, men: Bitboard, empty: Bitboard| {
            (men & origins & empty.shift(-offset)).len() as i32
        };
        self.steps.iter().map(|&(on, by)| count(on, by, own, empty) - count(on, by, enemy, turned)).sum()
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{PRESETS, Ruleset};

    use super::*;

    fn evaluation(preset: &str) -> (std::sync::Arc<Game>, Evaluation) {
        let game = Game::new(Ruleset::preset(preset).unwrap()).unwrap();
        let evaluation = Evaluation::new(&game, &Weights::frozen(&game));
        (game, evaluation)
    }

    fn value(game: &Game, evaluation: &Evaluation, text: &str) -> i32 {
        let position = game.parse_position(text).unwrap();
        evaluation.evaluate(game, &position, evaluation.placement(&position))
    }

    #[test]
    fn the_start_is_even_but_for_the_tempo_and_what_is_exposed_in_every_preset() {
        for preset in PRESETS {
            let (game, evaluation) = evaluation(preset.name);
            let start = game.start();
            assert_eq!(evaluation.placement(&start), 0, "{}", preset.name);
            assert_eq!(evaluation.geometry.mobility(&game, &start), 0, "{}", preset.name);
        }
    }

    #[test]
    fn a_position_is_worth_the_opposite_to_the_other_side_but_for_the_tempo() {
        let (game, evaluation) = evaluation("damma8");
        let board = "8/8/3W4/8/5b2/8/1w6/8";
        let white = value(&game, &evaluation, &format!("{board} w"));
        let black = value(&game, &evaluation, &format!("{board} b"));
        assert!(white > MAN);
        assert_eq!(white - evaluation.tempo, evaluation.tempo - black);
    }

    #[test]
    fn a_piece_at_fault_is_good_for_whoever_may_huff_it() {
        let (game, evaluation) = evaluation("kharberg");
        let quiet = value(&game, &evaluation, "5/1b3/5/3w1/5 w - -");
        let open = value(&game, &evaluation, "5/1b3/5/3w1/5 w - b4");
        assert_eq!(open - quiet, evaluation.fault());
        assert!(open > quiet);
    }

    #[test]
    fn mobility_counts_the_steps_of_men() {
        let (game, evaluation) = evaluation("damma8");
        let position = game.parse_position("8/8/8/4b3/8/8/1w6/w7 w").unwrap();
        // White: b2 has two steps, a1 is shut in; Black: two.
        assert_eq!(evaluation.geometry.mobility(&game, &position), 0);
        let position = game.parse_position("8/8/8/4b3/8/8/3w4/w7 w").unwrap();
        assert_eq!(evaluation.geometry.mobility(&game, &position), 1);
    }
}
