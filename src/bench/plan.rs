//! Which combinations of game, boards, threads and outputs are measured.

use damma_env::{Observations, VectorOptions};

use super::games::NamedGame;

/// The numbers of boards of a full sweep.
const SWEEP: [usize; 5] = [1, 64, 1024, 4096, 16384];

/// The number of boards where one is enough: steps are as fast as they get, and the state of all
/// boards fits in the caches of one core.
const BOARDS: usize = 4096;

/// What a batch writes after each step beside rewards and endings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Packed masks.
    Packed,
    /// Packed and dense masks.
    Dense,
    /// Packed masks and observations of `f32`.
    Planes,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Packed, Self::Dense, Self::Planes];

    /// Gives what rows call the masks.
    pub const fn mask(self) -> &'static str {
        match self {
            Self::Packed | Self::Planes => "packed",
            Self::Dense => "dense",
        }
    }

    /// Gives what rows call the observations.
    pub const fn observations(self) -> &'static str {
        match self {
            Self::Packed | Self::Dense => "off",
            Self::Planes => "f32",
        }
    }

    /// Gives the options of a batch of this kind.
    pub fn options(self, threads: usize) -> VectorOptions {
        let observations = if self == Self::Planes { Observations::Planes } else { Observations::Off };
        VectorOptions { seed: 1, dense_masks: self == Self::Dense, observations, threads, ..VectorOptions::default() }
    }
}

/// One thing to measure.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'g> {
    /// The game.
    pub game: &'g NamedGame,
    /// How many boards are stepped together.
    pub boards: usize,
    /// How many threads step them.
    pub threads: usize,
    /// What is written after each step.
    pub kind: Kind,
}

/// What narrows or widens a plan; an empty list says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Wishes<'a> {
    /// Numbers of boards.
    pub boards: &'a [usize],
    /// Numbers of threads.
    pub threads: &'a [usize],
    /// Whether every combination is wanted.
    pub full: bool,
    /// How many threads the machine runs at once.
    pub cores: usize,
}

/// Lists what is measured, game by game.
///
/// Without wishes: a full sweep of boards and threads for the first game, and one number of boards
/// on one thread for the others. With numbers of boards or threads: all of these, for every game.
pub fn plan<'g>(games: &'g [NamedGame], wishes: &Wishes<'_>) -> Vec<Setting<'g>> {
    let cores: &[usize] = if wishes.cores > 1 { &[1, wishes.cores] } else { &[1] };
    let narrowed = !wishes.boards.is_empty() || !wishes.threads.is_empty();
    let mut settings = Vec::new();
    for (place, game) in games.iter().enumerate() {
        let sweep = wishes.full || place == 0 && !narrowed;
        let all_boards = given_or(wishes.boards, if sweep { &SWEEP } else { &[BOARDS] });
        let all_threads = given_or(wishes.threads, if sweep { cores } else { &[1] });
        for &boards in all_boards {
            for &threads in all_threads {
                settings.extend(Kind::ALL.map(|kind| Setting { game, boards, threads, kind }));
            }
        }
    }
    settings
}

const fn given_or<'a>(given: &'a [usize], default: &'a [usize]) -> &'a [usize] {
    if given.is_empty() { default } else { given }
}
