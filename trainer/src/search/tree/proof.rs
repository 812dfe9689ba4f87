//! What the search proved: values that no more simulations can change (Winands et al. 2008, MCTS-Solver).

use damma_env::{EndgameValue, Outcome, Side};

use super::{Node, Tree, edge_range};
use crate::value::Value;

/// How a game ends if both play their best.
///
/// It belongs to one tree: a draw by repetition holds with the history that its root has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// 1 where White wins, 0 of a draw, -1 where Black wins.
    white: i8,
    /// Choices to the end, those that tables know counted in turns: good enough to prefer the quicker win.
    length: u16,
}

impl Proof {
    /// Makes the proof of a game that is over; a truncated game counts as drawn.
    pub(super) fn of_outcome(outcome: Outcome) -> Self {
        Self { white: outcome.winner().map_or(0, |winner| if winner == Side::White { 1 } else { -1 }), length: 0 }
    }

    /// Makes the proof that endgame tables give for a position in which `side` decides.
    pub(crate) fn of_endgame(side: Side, value: EndgameValue) -> Self {
        let own = match value {
            EndgameValue::Win(_) => 1,
            EndgameValue::Draw => 0,
            EndgameValue::Loss(_) => -1,
        };
        let white = if side == Side::White { own } else { -own };
        Self { white, length: value.distance().unwrap_or_default() }
    }

    /// Gives the result as `side` sees it: 1 won, 0 drawn, -1 lost.
    #[must_use]
    pub const fn for_side(self, side: Side) -> i8 {
        if matches!(side, Side::White) { self.white } else { -self.white }
    }

    /// Gives the result as a value.
    #[must_use]
    pub fn value(self) -> Value {
        match self.white {
            0 => Value::from_wdl(Side::White, [0.0, 1.0, 0.0]),
            1 => Value::from_wdl(Side::White, [1.0, 0.0, 0.0]),
            _ => Value::from_wdl(Side::White, [0.0, 0.0, 1.0]),
        }
    }

    /// The same result at another's length.
    #[cfg(test)]
    pub(crate) fn with_length_of(self, other: Self) -> Self {
        Self { length: other.length, ..self }
    }

    /// Says whether `side` has lost.
    #[must_use]
    pub const fn is_lost(self, side: Side) -> bool {
        self.for_side(side) < 0
    }

    /// Ranks proofs as `side` likes them: a quick win first, a slow loss before a quick one.
    pub(super) fn rank(self, side: Side) -> i32 {
        match self.for_side(side) {
            1 => 200_000 - i32::from(self.length),
            0 => 100_000,
            _ => i32::from(self.length),
        }
    }
}

impl Tree {
    /// Notes that the last edge of the path is proved, and all that follows from it.
    pub(super) fn settle(&mut self, mut proof: Proof) {
        for &(node, edge) in self.path.iter().rev() {
            self.edges[edge as usize].proof = Some(proof);
            let Node { side, .. } = self.nodes[node as usize];
            let edges = &self.edges[edge_range(&self.nodes[node as usize])];
            let wins = proof.for_side(side) > 0;
            if !wins && !edges.iter().all(|edge| edge.proof.is_some()) {
                return;
            }
            let proofs = edges.iter().filter_map(|edge| edge.proof);
            let best = proofs.max_by_key(|proof| proof.rank(side)).expect("the edge just noted has one");
            proof = Proof { length: best.length.saturating_add(1), ..best };
            self.nodes[node as usize].proof = Some(proof);
        }
    }
}
