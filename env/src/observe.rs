//! Observation planes: what a network sees, from the decider's view.

use std::ops::Range;

use ndarray::{Array1, Array3};

use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::{Capture, Chain, King, Removal};
use crate::state::State;

impl Game {
    /// Gives the action mask of a position, `[A]`: whether each action is legal for the decider.
    #[must_use]
    pub fn action_mask(&self, position: &Position) -> Array1<bool> {
        let mut mask = Array1::from_elem(self.action_count(), false);
        for action in position.legal_actions(self) {
            mask[action.index()] = true;
        }
        mask
    }
}

/// One plane of an observation, `[H, W]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plane {
    /// 1 where the decider has a man.
    OwnMen,
    /// 1 where the decider has a king.
    OwnKings,
    /// 1 where the opponent has a man.
    EnemyMen,
    /// 1 where the opponent has a king.
    EnemyKings,
    /// 1 where the piece stands that must go on capturing.
    Chain,
    /// 1 where an enemy piece may be huffed.
    AtFault,
    /// 1 where a captured piece waits for removal.
    Waiting,
    /// Everywhere the no-progress counter as it will stand after a quiet end of this turn, over
    /// the limit: 0 once the turn has made progress, 1 where a quiet turn draws.
    NoProgress,
    /// Everywhere how often this position has stood before, over the limit less one.
    Repetition,
    /// Everywhere the turns played over `max_turns`.
    Turns,
}

impl Plane {
    /// Says whether the plane holds one number everywhere.
    #[must_use]
    pub const fn is_constant(self) -> bool {
        matches!(self, Self::NoProgress | Self::Repetition | Self::Turns)
    }
}

/// The planes of a game and how to write them.
///
/// A game has only the planes that can differ in it: no king planes without kings, and so on.
/// [`Encoder::new`] writes whole planes for convolutions; [`Encoder::flat`] writes the same
/// numbers without the points that the board does not have and without repeating constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoder {
    planes: Vec<Plane>,
    size: usize,
    /// Where each square's number lies within a plane.
    places: Vec<u8>,
    /// Numbers of a plane of squares, and of a constant one.
    widths: (usize, usize),
    flat: bool,
}

impl Encoder {
    /// Writes observations as planes `[C, H, W]`.
    ///
    /// Row 0 is the decider's own first rank, column 0 the leftmost file as the decider sits.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let size = game.size();
        let places = (0..128).map(|square| {
            let (file, rank) = game.coordinates(Square(square));
            rank as usize * size + file as usize
        });
        Self { planes: planes(game), size, places: narrow(places), widths: (size * size, size * size), flat: false }
    }

    /// Writes observations as a list of `C` features, `[C, 1, 1]`: for each plane the points of the
    /// board by rank and file, or its one number.
    #[must_use]
    pub fn flat(game: &Game) -> Self {
        let points = game.squares();
        let places = (0..128).map(|square| (points & Bitboard((1 << square) - 1)).len() as usize);
        Self { planes: planes(game), size: 1, places: narrow(places), widths: (points.len() as usize, 1), flat: true }
    }

    /// Gives the planes in their order.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Gives C, H and W.
    #[must_use]
    pub fn shape(&self) -> [usize; 3] {
        let channels = if self.flat { self.len() } else { self.planes.len() };
        [channels, self.size, self.size]
    }

    /// Counts the numbers of one observation, C * H * W.
    #[must_use]
    pub fn len(&self) -> usize {
        self.planes.iter().map(|plane| self.width(*plane)).sum()
    }

    /// Says whether an observation has no numbers; it never does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    const fn width(&self, plane: Plane) -> usize {
        if plane.is_constant() { self.widths.1 } else { self.widths.0 }
    }

    /// Gives the observation of a state as an array `[C, H, W]`, from the decider's view.
    ///
    /// ```
    /// use damma_env::{Encoder, Game, Ruleset, State};
    /// let game = Game::new(Ruleset::preset("kharberg")?)?;
    /// let observation = Encoder::new(&game).observation(&game, &State::new(&game));
    /// assert_eq!(observation.dim(), (6, 5, 5));
    /// // Plane 0 are the decider's men: 12 of them.
    /// assert_eq!(observation.index_axis(ndarray::Axis(0), 0).sum(), 12.0);
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    #[must_use]
    pub fn observation(&self, game: &Game, state: &State) -> Array3<f32> {
        let mut observation = Array3::zeros(self.shape());
        self.encode(game, state, observation.as_slice_mut().expect("a new array is contiguous"));
        observation
    }

    /// Writes the observation of a state in row-major order, from the decider's view.
    ///
    /// # Panics
    /// `out` is not [`Encoder::len`] long.
    pub fn encode(&self, game: &Game, state: &State, out: &mut [f32]) {
        self.encode_position(game, state.position(), state.repetitions(), state.turns(), out);
    }

    /// Writes the observation of a position that has stood `repetitions` times (itself included)
    /// after `turns` turns.
    ///
    /// # Panics
    /// `out` is not [`Encoder::len`] long.
    pub fn encode_position(&self, game: &Game, position: &Position, repetitions: u32, turns: u32, out: &mut [f32]) {
        self.write(game, position, [repetitions, turns], out, 1.0, |count, limit| count as f32 / limit as f32);
    }

    /// Writes the observation of a position as small counts: squares 0 or 1, the counters as they
    /// stand, 255 at most.
    ///
    /// # Panics
    /// `out` is not [`Encoder::len`] long.
    pub fn count_position(&self, game: &Game, position: &Position, repetitions: u32, turns: u32, out: &mut [u8]) {
        self.write(game, position, [repetitions, turns], out, 1, |count, _| count.min(255) as u8);
    }

    /// Lists the features of a state that are 1, by their places in an observation, and adds the numbers of the
    /// constant planes in their order: the same observation as [`Encoder::encode`], in few numbers.
    pub fn list(&self, game: &Game, state: &State, ones: &mut Vec<u16>, constants: &mut Vec<f32>) {
        let (position, history) = (state.position(), [state.repetitions(), state.turns()]);
        self.visit(game, position, history, |part| match part {
            Part::Squares { from, set } => {
                ones.extend(set.into_iter().map(|square| from as u16 + u16::from(self.places[square.index()])));
            }
            Part::Constant { count, limit, .. } => constants.push(count as f32 / limit as f32),
        });
    }

    /// Gives the places of each constant plane's numbers in an observation.
    pub fn constant_places(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.planes.iter().scan(0, |end, &plane| {
            let from = *end;
            *end += self.width(plane);
            Some((plane, from..*end))
        });
        ends.filter(|(plane, _)| plane.is_constant()).map(|(_, places)| places)
    }

    fn write<T: Copy + Default>(
        &self,
        game: &Game,
        position: &Position,
        history: [u32; 2],
        out: &mut [T],
        one: T,
        counter: impl Fn(u32, u32) -> T,
    ) {
        assert_eq!(out.len(), self.len(), "an observation has C * H * W numbers");
        out.fill(T::default());
        self.visit(game, position, history, |part| match part {
            Part::Squares { from, set } => {
                for square in set {
                    out[from + self.places[square.index()] as usize] = one;
                }
            }
            Part::Constant { places, count, limit } => out[places].fill(counter(count, limit)),
        });
    }

    /// Goes through the planes of a position that has stood `repetitions` times after `turns` turns.
    fn visit(&self, game: &Game, position: &Position, [repetitions, turns]: [u32; 2], mut see: impl FnMut(Part)) {
        let ruleset = game.ruleset();
        let mut from = 0;
        for &plane in &self.planes {
            let width = self.width(plane);
            let places = from..from + width;
            let mut constant = |count, limit| see(Part::Constant { places: places.clone(), count, limit });
            let set = match plane {
                Plane::NoProgress => {
                    let after = if position.has_progressed() { 0 } else { u32::from(position.quiet_turns()) + 1 };
                    constant(after, u32::from(ruleset.no_progress_limit));
                    None
                }
                Plane::Repetition => {
                    constant(repetitions.saturating_sub(1), u32::from(ruleset.repetition_limit - 1));
                    None
                }
                Plane::Turns => {
                    constant(turns, ruleset.max_turns);
                    None
                }
                Plane::OwnMen => Some(position.us.without(position.kings)),
                Plane::OwnKings => Some(position.us & position.kings),
                Plane::EnemyMen => Some(position.them.without(position.kings)),
                Plane::EnemyKings => Some(position.them & position.kings),
                Plane::Chain => Some(position.chain.map_or(Bitboard::EMPTY, Square::bit)),
                Plane::AtFault => Some(position.fault),
                Plane::Waiting => Some(position.waiting),
            };
            if let Some(set) = set {
                see(Part::Squares { from, set });
            }
            from += width;
        }
    }
}

/// What one plane of a position holds.
enum Part {
    /// 1 on the squares of a set; the plane begins at `from`.
    Squares { from: usize, set: Bitboard },
    /// A counter over its limit, everywhere in `places`.
    Constant { places: Range<usize>, count: u32, limit: u32 },
}

fn narrow(places: impl Iterator<Item = usize>) -> Vec<u8> {
    places.map(|place| place as u8).collect()
}

/// Lists the planes that can differ in a game.
fn planes(game: &Game) -> Vec<Plane> {
    let ruleset = game.ruleset();
    let kings = ruleset.king != King::None;
    [
        (true, Plane::OwnMen),
        (kings, Plane::OwnKings),
        (true, Plane::EnemyMen),
        (kings, Plane::EnemyKings),
        (ruleset.chain == Chain::Mandatory, Plane::Chain),
        (ruleset.capture == Capture::Huff, Plane::AtFault),
        (ruleset.removal == Removal::TurnEnd && ruleset.chain == Chain::Mandatory, Plane::Waiting),
        (ruleset.no_progress_limit > 0, Plane::NoProgress),
        (ruleset.repetition_limit > 0, Plane::Repetition),
        (ruleset.max_turns > 0, Plane::Turns),
    ]
    .into_iter()
    .filter(|(used, _)| *used)
    .map(|(_, plane)| plane)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PRESETS, Preset, Ruleset};

    #[test]
    fn the_list_of_a_state_is_its_observation() {
        for Preset { name, .. } in PRESETS {
            let game = Game::new(Ruleset::preset(name).unwrap()).unwrap();
            let mut state = State::new(&game);
            for ply in 0..200_usize {
                for encoder in [Encoder::flat(&game), Encoder::new(&game)] {
                    let (mut ones, mut constants) = (Vec::new(), Vec::new());
                    encoder.list(&game, &state, &mut ones, &mut constants);
                    let mut listed = vec![0.0; encoder.len()];
                    for place in ones {
                        listed[place as usize] = 1.0;
                    }
                    assert_eq!(encoder.constant_places().count(), constants.len());
                    for (places, constant) in encoder.constant_places().zip(constants) {
                        listed[places].fill(constant);
                    }
                    let mut encoded = vec![0.0; encoder.len()];
                    encoder.encode(&game, &state, &mut encoded);
                    assert_eq!(listed, encoded, "{name}, action {ply}");
                }
                let legal = state.position().legal_actions(&game);
                if state.outcome().is_some() {
                    break;
                }
                state.play(&game, legal[ply * 7 % legal.len()]);
            }
        }
    }
}
