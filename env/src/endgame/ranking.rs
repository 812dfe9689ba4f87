//! The numbering of a class's positions, without gaps.
//!
//! Pieces are placed in the order own men, enemy men, own kings, enemy kings; each group is a
//! combination of the squares still free that it may stand on, numbered in the combinatorial
//! number system. How many squares the enemy's men find free depends on how many own men stand on
//! their squares, so the own men's number is looked up in a table of running sums; the kings'
//! choices are equally many for all men.

use std::sync::Arc;

use super::class::Class;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::ruleset::King;

/// Points of the largest board, and pieces of the largest group.
const POINTS: usize = 101;
const GROUP: usize = 8;

/// What stands where, from the decider's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// The decider's pieces.
    pub own: Bitboard,
    /// The other player's pieces.
    pub enemy: Bitboard,
    /// The kings of both.
    pub kings: Bitboard,
}

/// What is the same for all classes of a game: which squares there are, and binomials.
#[derive(Debug)]
pub(super) struct Squares {
    /// Of own men, enemy men, and kings.
    sets: [Bitboard; 3],
    /// By square, how many squares of the set come before it.
    before: [[u8; 128]; 3],
    binomials: Box<[[u64; GROUP + 1]; POINTS]>,
}

const OWN_MEN: usize = 0;
const ENEMY_MEN: usize = 1;
const KINGS: usize = 2;

impl Squares {
    pub(super) fn new(game: &Game) -> Self {
        let all = game.squares();
        let far = if game.ruleset().king == King::None { Bitboard::EMPTY } else { game.far_rank() };
        let sets = [all.without(far), all.without(game.flip(far)), all];
        let mut before = [[0; 128]; 3];
        for (before, set) in before.iter_mut().zip(sets) {
            for (number, square) in set.into_iter().enumerate() {
                before[square.index()] = number as u8;
            }
        }
        let mut binomials = Box::new([[0; GROUP + 1]; POINTS]);
        for n in 0..POINTS {
            binomials[n][0] = 1;
            for k in 1..=GROUP.min(n) {
                binomials[n][k] = binomials[n - 1][k - 1] + binomials[n - 1][k];
            }
        }
        Self { sets, before, binomials }
    }

    /// Counts the positions of a class, without making its numbering.
    pub(super) fn count(&self, class: Class) -> u64 {
        let [own, enemy, all] = self.sets;
        let shared = (own & enemy).len();
        let men = (0..=class.own_men).map(|inside| {
            let own_men = self.choose(shared, inside) * self.choose(own.len() - shared, class.own_men - inside);
            own_men * self.choose(enemy.len().saturating_sub(u32::from(inside)), class.enemy_men)
        });
        let (own_kings, enemy_kings) = self.kings(class, all.len());
        men.sum::<u64>() * own_kings * enemy_kings
    }

    /// Gives the bytes that the numbering of a class takes.
    pub(super) fn bytes(&self, class: Class) -> u64 {
        self.choose(self.sets[OWN_MEN].len(), class.own_men) * 8
    }

    /// Counts the placements of own kings for given men, and of enemy kings for given others.
    fn kings(&self, class: Class, points: u32) -> (u64, u64) {
        let free = points.saturating_sub(class.men() as u32);
        let left = free.saturating_sub(u32::from(class.own_kings));
        (self.choose(free, class.own_kings), self.choose(left, class.enemy_kings))
    }

    fn choose(&self, n: u32, k: u8) -> u64 {
        self.binomials[n as usize][k as usize]
    }

    /// Numbers a group among the combinations of its squares that are not `taken`.
    fn rank(&self, set: usize, group: Bitboard, taken: Bitboard) -> u64 {
        let taken = taken & self.sets[set];
        group.into_iter().enumerate().fold(0, |rank, (index, square)| {
            let below = Bitboard(taken.0 & (square.bit().0 - 1));
            let place = self.before[set][square.index()] as usize - below.len() as usize;
            rank + self.binomials[place][index + 1]
        })
    }

    /// Gives the group of a number among the combinations of the squares in `free`.
    fn group(&self, mut rank: u64, size: u8, free: &[Square]) -> Bitboard {
        let mut group = Bitboard::EMPTY;
        let mut place = free.len();
        for count in (1..=size as usize).rev() {
            place -= 1;
            while self.binomials[place][count] > rank {
                place -= 1;
            }
            rank -= self.binomials[place][count];
            group |= free[place].bit();
        }
        group
    }
}

/// The numbering of one class's positions, from 0 to [`Ranking::len`].
#[derive(Debug)]
pub struct Ranking {
    class: Class,
    squares: Arc<Squares>,
    /// By number of the own men, how many placements of men come before.
    men_before: Vec<u64>,
    own_kings: u64,
    enemy_kings: u64,
    len: u64,
}

impl Ranking {
    pub(super) fn new(squares: &Arc<Squares>, class: Class) -> Self {
        let [own, enemy, all] = squares.sets;
        let list: Vec<Square> = own.into_iter().collect();
        let mut men_before = vec![0];
        let mut sum = 0;
        for number in 0..squares.choose(own.len(), class.own_men) {
            let men = squares.group(number, class.own_men, &list);
            sum += squares.choose(enemy.without(men).len(), class.enemy_men);
            men_before.push(sum);
        }
        let (own_kings, enemy_kings) = squares.kings(class, all.len());
        let len = sum * own_kings * enemy_kings;
        Self { class, squares: Arc::clone(squares), men_before, own_kings, enemy_kings, len }
    }

    /// Gives the class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Counts the positions.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "every class that fits on its board has positions")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Gives the number of a placement of this class.
    #[must_use]
    pub fn rank(&self, placement: &Placement) -> u64 {
        let Placement { own, enemy, kings } = *placement;
        let (own_men, enemy_men, own_kings) = (own.without(kings), enemy.without(kings), own & kings);
        let men = own_men | enemy_men;
        let mut rank = self.men_before[self.squares.rank(OWN_MEN, own_men, Bitboard::EMPTY) as usize];
        rank += self.squares.rank(ENEMY_MEN, enemy_men, own_men);
        rank = rank * self.own_kings + self.squares.rank(KINGS, own_kings, men);
        rank * self.enemy_kings + self.squares.rank(KINGS, enemy & kings, men | own_kings)
    }

    /// Makes a reader of placements, fast where numbers come in ascending order.
    #[must_use]
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            ranking: self,
            men: u64::MAX,
            own_kings: u64::MAX,
            placed: Placement::default(),
            free_of_men: Vec::with_capacity(POINTS),
            free: Vec::with_capacity(POINTS),
        }
    }
}

/// Gives placements by number, and keeps what the next one may share with the last.
#[derive(Debug)]
pub struct Cursor<'a> {
    ranking: &'a Ranking,
    men: u64,
    own_kings: u64,
    placed: Placement,
    free_of_men: Vec<Square>,
    free: Vec<Square>,
}

impl Cursor<'_> {
    /// Gives the placement of a number.
    ///
    /// # Panics
    /// The class has no such number.
    pub fn placement(&mut self, number: u64) -> Placement {
        let ranking = self.ranking;
        let (rest, enemy_kings) = (number / ranking.enemy_kings, number % ranking.enemy_kings);
        let (men, own_kings) = (rest / ranking.own_kings, rest % ranking.own_kings);
        if men != self.men {
            self.place_men(men);
        }
        if rest != self.own_kings {
            let group = ranking.squares.group(own_kings, ranking.class.own_kings, &self.free_of_men);
            let kings = self.placed.kings;
            self.placed.own = self.placed.own.without(kings) | group;
            self.placed.kings = group;
            self.free.clear();
            self.free.extend(self.free_of_men.iter().filter(|square| !group.contains(**square)));
            self.own_kings = rest;
        }
        let group = ranking.squares.group(enemy_kings, ranking.class.enemy_kings, &self.free);
        Placement { enemy: self.placed.enemy | group, kings: self.placed.kings | group, ..self.placed }
    }

    fn place_men(&mut self, men: u64) {
        let Ranking { class, squares, men_before, .. } = self.ranking;
        let own = men_before.partition_point(|before| *before <= men) - 1;
        self.free.clear();
        self.free.extend(squares.sets[OWN_MEN]);
        let own_men = squares.group(own as u64, class.own_men, &self.free);
        self.free.clear();
        self.free.extend(squares.sets[ENEMY_MEN].without(own_men));
        let enemy_men = squares.group(men - men_before[own], class.enemy_men, &self.free);
        self.free_of_men.clear();
        self.free_of_men.extend(squares.sets[KINGS].without(own_men | enemy_men));
        self.placed = Placement { own: own_men, enemy: enemy_men, kings: Bitboard::EMPTY };
        self.men = men;
        self.own_kings = u64::MAX;
    }
}
