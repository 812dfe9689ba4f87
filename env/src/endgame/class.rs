//! Material classes: how many men and kings each player has, from the decider's view.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::position::Position;

/// A text that names no class.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is no class; write men and kings of both, like 2m1k-0m1k")]
pub struct NotAClass {
    /// The text.
    pub text: String,
}

/// How many pieces of each kind stand on the board, from the decider's view.
///
/// Written `2m1k-0m1k`, the decider first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// The decider's men.
    pub own_men: u8,
    /// The decider's kings.
    pub own_kings: u8,
    /// The other player's men.
    pub enemy_men: u8,
    /// The other player's kings.
    pub enemy_kings: u8,
}

impl Class {
    /// Gives the class of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let (own, enemy, kings) = (position.own(), position.enemy(), position.kings());
        let (own_kings, enemy_kings) = ((own & kings).len() as u8, (enemy & kings).len() as u8);
        Self {
            own_men: own.len() as u8 - own_kings,
            own_kings,
            enemy_men: enemy.len() as u8 - enemy_kings,
            enemy_kings,
        }
    }

    /// Gives the class from the other player's view: where the turn passes to.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self {
            own_men: self.enemy_men,
            own_kings: self.enemy_kings,
            enemy_men: self.own_men,
            enemy_kings: self.own_kings,
        }
    }

    /// Counts the pieces.
    #[must_use]
    pub const fn pieces(self) -> usize {
        (self.own_men + self.own_kings + self.enemy_men + self.enemy_kings) as usize
    }

    /// Counts the men.
    #[must_use]
    pub const fn men(self) -> usize {
        (self.own_men + self.enemy_men) as usize
    }

    /// Lists the classes with up to `pieces` pieces, both players having some, in an order in which
    /// all that a class can become but its mirror comes before it. Of a class and its mirror, which
    /// are solved together, only the first is listed.
    #[must_use]
    pub fn in_order(pieces: usize, kings: bool) -> Vec<Self> {
        let most = pieces as u8;
        let mut classes = Vec::new();
        for own_men in 0..=most {
            for own_kings in 0..=most {
                for enemy_men in 0..=most {
                    for enemy_kings in 0..=most {
                        let class = Self { own_men, own_kings, enemy_men, enemy_kings };
                        let both = own_men + own_kings > 0 && enemy_men + enemy_kings > 0;
                        let fits = both && class.pieces() <= pieces && (kings || own_kings + enemy_kings == 0);
                        if fits && class >= class.mirror() {
                            classes.push(class);
                        }
                    }
                }
            }
        }
        classes.sort_by_key(|class| (class.pieces(), class.men(), std::cmp::Reverse(*class)));
        classes
    }

    /// Gives a number below 4096, for classes with up to 7 pieces of a kind.
    pub(super) const fn slot(self) -> usize {
        (self.own_men as usize & 7) << 9
            | (self.own_kings as usize & 7) << 6
            | (self.enemy_men as usize & 7) << 3
            | self.enemy_kings as usize & 7
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}m{}k-{}m{}k", self.own_men, self.own_kings, self.enemy_men, self.enemy_kings);
        f.pad(&text)
    }
}

impl FromStr for Class {
    type Err = NotAClass;

    fn from_str(text: &str) -> Result<Self, NotAClass> {
        let side = |text: &str| -> Option<(u8, u8)> {
            let (men, kings) = text.strip_suffix('k')?.split_once('m')?;
            Some((men.parse().ok()?, kings.parse().ok()?))
        };
        let class = || {
            let (own, enemy) = text.split_once('-')?;
            let ((own_men, own_kings), (enemy_men, enemy_kings)) = (side(own)?, side(enemy)?);
            Some(Self { own_men, own_kings, enemy_men, enemy_kings })
        };
        let found = class().filter(|class| class.to_string() == text);
        found.ok_or_else(|| NotAClass { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_class_can_become_comes_before_it() {
        let classes = Class::in_order(5, true);
        let place = |class: Class| {
            classes.iter().position(|other| *other == class || *other == class.mirror()).expect("all are listed")
        };
        for &class in &classes {
            for class in [class, class.mirror()] {
                let less = |men: u8, kings: u8| Class { enemy_men: men, enemy_kings: kings, ..class };
                if class.own_men > 0 {
                    let promoted = Class { own_men: class.own_men - 1, own_kings: class.own_kings + 1, ..class };
                    assert!(place(promoted) < place(class));
                }
                if class.enemy_men > 0 && class.enemy_men + class.enemy_kings > 1 {
                    assert!(place(less(class.enemy_men - 1, class.enemy_kings)) < place(class));
                }
            }
        }
        assert_eq!(Class::in_order(4, false).len(), 4, "1-1, 2-1, 3-1, 2-2");
    }

    #[test]
    fn names_are_read_back() {
        for class in Class::in_order(4, true) {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        let error = "2m1k-+1m0k".parse::<Class>().expect_err("no class");
        assert_eq!(error.to_string(), "`2m1k-+1m0k` is no class; write men and kings of both, like 2m1k-0m1k");
    }
}
