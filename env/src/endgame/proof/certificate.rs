//! Strategies against a win: what makes a disproof certain where positions can come back.
//!
//! A certificate is a set of positions, the one asked about among them, in none of which the target
//! has won: where the target decides, all that it can play leads into the set; where the opponent
//! decides, something does. Whoever stays in the set is never beaten, however often positions come
//! back. The set is grown from what the search believes, and a belief that proves wrong is undone.

use std::collections::HashMap;

use super::{Numbers, Search, table};
use crate::position::Position;

/// A position of the set.
struct Member {
    position: Position,
    /// Members that count on this one.
    counting: Vec<usize>,
    /// Found to be a win after all.
    won: bool,
}

/// What a member needs.
enum Need {
    /// These positions in the set.
    Members(Vec<Position>),
    /// It cannot be a member: the target wins.
    Won,
}

impl Search<'_> {
    /// Makes a certificate that the target cannot win, or finds that it can; `None` where a limit
    /// was too low.
    pub(super) fn certify(&mut self, root: &Position) -> Option<bool> {
        let mut members = Members::default();
        members.add(root, None);
        while let Some(number) = members.open.pop() {
            self.nodes += 1;
            if self.nodes >= self.limit || members.bytes() > self.memory {
                return None;
            }
            if members.list[number].won {
                continue;
            }
            let position = members.list[number].position;
            match self.need(&members, &position)? {
                Need::Members(needed) => {
                    for position in needed {
                        members.add(&position, Some(number));
                    }
                }
                Need::Won if number == 0 => return Some(true),
                Need::Won => {
                    members.list[number].won = true;
                    self.table.store(table::key(&position), Numbers::PROVED, 1);
                    let counting = std::mem::take(&mut members.list[number].counting);
                    members.open.extend(counting);
                }
            }
        }
        Some(false)
    }

    /// Says what keeps the target from winning at a position; `None` where the limit was too low.
    fn need(&mut self, members: &Members, position: &Position) -> Option<Need> {
        let actions = position.legal_actions(self.game);
        let children: Vec<Position> = actions.into_iter().map(|action| position.play(self.game, action)).collect();
        if position.side() == self.target {
            if children.iter().any(|child| self.believes(members, child) == Some(true)) {
                return Some(Need::Won);
            }
            let open = children.into_iter().filter(|child| self.decided(child).is_none());
            return Some(Need::Members(open.collect()));
        }
        // A table too small may have forgotten the answer even when it was found again.
        for _ in 0..2 {
            if children.iter().any(|child| self.decided(child) == Some(false)) {
                return Some(Need::Members(Vec::new()));
            }
            let believed = |child: &&Position| self.believes(members, child) == Some(false);
            let inside = |child: &&Position| members.numbers.contains_key(&table::key(child));
            let found = children.iter().filter(believed).max_by_key(|child| inside(child));
            if let Some(found) = found {
                return Some(Need::Members(vec![*found]));
            }
            if self.answer(position)? {
                return Some(Need::Won);
            }
        }
        None
    }

    /// Says what is believed of a position.
    fn believes(&self, members: &Members, position: &Position) -> Option<bool> {
        if let Some(answer) = self.decided(position) {
            return Some(answer);
        }
        let key = table::key(position);
        if members.numbers.get(&key).is_some_and(|&number| members.list[number].won) {
            return Some(true);
        }
        self.table.find(key).filter(|numbers| numbers.is_final()).map(|numbers| numbers.proof == 0)
    }
}

/// The set so far.
#[derive(Default)]
struct Members {
    numbers: HashMap<(u64, u64), usize, rustc_hash::FxBuildHasher>,
    list: Vec<Member>,
    /// Members still to look at.
    open: Vec<usize>,
    /// How often members count on others.
    counted: usize,
}

/// Bytes of a member: itself, its place among the numbers, and a place in the list of open ones.
/// Vectors and maps may hold twice what they need.
const MEMBER: usize = 2 * (size_of::<Member>() + size_of::<((u64, u64), usize, usize)>());

impl Members {
    /// Gives the memory that the set takes, roughly and not too little.
    fn bytes(&self) -> u64 {
        (self.list.len() * MEMBER + self.counted * 2 * size_of::<usize>()) as u64
    }

    fn add(&mut self, position: &Position, counting: Option<usize>) {
        let next = self.list.len();
        let number = *self.numbers.entry(table::key(position)).or_insert(next);
        if number == next {
            self.list.push(Member { position: *position, counting: Vec::new(), won: false });
            self.open.push(number);
        }
        self.counted += usize::from(counting.is_some());
        self.list[number].counting.extend(counting);
    }
}
