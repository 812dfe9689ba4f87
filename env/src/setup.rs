//! Positions from outside: checked before they become a [`Position`].

use thiserror::Error;

use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::{Capture, Chain, King, Removal};

/// A position that may be illegal, from White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// White's pieces.
    pub white: Bitboard,
    /// Black's pieces.
    pub black: Bitboard,
    /// Which of them are kings.
    pub kings: Bitboard,
    /// Whose decision it is.
    pub side: Side,
    /// The piece that must go on capturing.
    pub chain: Option<Square>,
    /// The pieces that may be huffed.
    pub huffable: Bitboard,
    /// The pieces captured in this turn and not yet removed.
    pub captured: Bitboard,
    /// Turns in a row without progress.
    pub no_progress: u16,
}

/// Why a setup is no position of the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A piece stands where no point is, or two on one point.
    #[error("pieces stand on points that this board does not have, or on one another")]
    Misplaced,
    /// There are no pieces.
    #[error("the board is empty; at least one side needs a piece")]
    NoPieces,
    /// A king in a game without kings.
    #[error("there is a king on {0}, and this game has none (king = \"none\")")]
    KingWithoutKings(String),
    /// A man where it would have been promoted.
    #[error("the man on {0} stands on its far rank, where men become kings")]
    UnpromotedMan(String),
    /// The chaining piece is not the decider's, or cannot go on.
    #[error("the chaining piece on {point} {reason}")]
    BadChain {
        /// Where it stands.
        point: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Pieces at fault that cannot be.
    #[error("the pieces at fault are impossible: {0}")]
    BadFault(&'static str),
    /// Pieces waiting for removal that cannot be.
    #[error("the captured pieces are impossible: {0}")]
    BadCaptured(&'static str),
}

impl Setup {
    /// Checks the setup and makes it a position.
    ///
    /// # Errors
    /// The first thing that cannot be in this game.
    pub fn position(&self, game: &Game) -> Result<Position, SetupError> {
        let all = self.white | self.black;
        if !(self.white & self.black).is_empty()
            || !all.without(game.squares()).is_empty()
            || !self.kings.without(all).is_empty()
        {
            return Err(SetupError::Misplaced);
        }
        if all.is_empty() {
            return Err(SetupError::NoPieces);
        }
        let (us, them) = match self.side {
            Side::White => (self.white, self.black),
            Side::Black => (self.black, self.white),
        };
        let view = |set| game.view(self.side, set);
        let mut position = Position {
            us: view(us),
            them: view(them),
            kings: view(self.kings),
            waiting: view(self.captured),
            fault: view(self.huffable),
            chain: self.chain.map(|square| game.view_square(self.side, square)),
            quiet_turns: self.no_progress,
            ..Position::empty(self.side)
        };
        self.check_kings(game)?;
        self.check_open_turn(game, &position)?;
        position.key = position.full_key(game.zobrist());
        Ok(position)
    }

    fn check_kings(&self, game: &Game) -> Result<(), SetupError> {
        if game.ruleset().king == King::None {
            return match self.kings.first() {
                Some(king) => Err(SetupError::KingWithoutKings(game.point(king))),
                None => Ok(()),
            };
        }
        let men = |set: Bitboard| set.without(self.kings);
        let far = men(self.white) & game.far_rank() | men(self.black) & game.flip(game.far_rank());
        let chaining = self.chain.map_or(Bitboard::EMPTY, Square::bit);
        far.without(chaining).first().map_or(Ok(()), |man| Err(SetupError::UnpromotedMan(game.point(man))))
    }

    fn check_open_turn(&self, game: &Game, position: &Position) -> Result<(), SetupError> {
        let ruleset = game.ruleset();
        if !position.waiting.is_empty() && ruleset.removal != Removal::TurnEnd {
            return Err(SetupError::BadCaptured("in this game they leave at once (removal = \"hop\")"));
        }
        if !position.waiting.without(position.them).is_empty() {
            return Err(SetupError::BadCaptured("they must be pieces of the player who does not decide"));
        }
        if !position.waiting.is_empty() && position.chain.is_none() {
            return Err(SetupError::BadCaptured("they leave when the turn ends, and no chain is going on"));
        }
        if !position.fault.is_empty() && ruleset.capture != Capture::Huff {
            return Err(SetupError::BadFault("this game has no huff (capture = \"forced\")"));
        }
        if !position.fault.without(position.them).is_empty() {
            return Err(SetupError::BadFault("they must be pieces of the player who does not decide"));
        }
        let (Some(absolute), Some(chain)) = (self.chain, position.chain) else { return Ok(()) };
        let bad = |reason| Err(SetupError::BadChain { point: game.point(absolute), reason });
        if ruleset.chain == Chain::None {
            return bad("cannot be: one hop ends the turn (chain = \"none\")");
        }
        if !position.us.contains(chain) {
            return bad("is not a piece of the player who decides");
        }
        if !position.fault.is_empty() {
            return bad("has made a hop, with which the right to huff lapsed");
        }
        if ruleset.removal == Removal::TurnEnd && position.waiting.is_empty() {
            return bad("has captured nothing that waits for removal");
        }
        if !position.hopper(chain).can_hop(game) {
            return bad("has no further capture, so its turn is over");
        }
        Ok(())
    }
}

impl Position {
    /// Gives the position from White's view.
    #[must_use]
    pub fn setup(&self, game: &Game) -> Setup {
        let view = |set| game.view(self.side, set);
        let (us, them) = (view(self.us), view(self.them));
        let (white, black) = match self.side {
            Side::White => (us, them),
            Side::Black => (them, us),
        };
        Setup {
            white,
            black,
            kings: view(self.kings),
            side: self.side,
            chain: self.chain.map(|square| game.view_square(self.side, square)),
            huffable: view(self.fault),
            captured: view(self.waiting),
            no_progress: if self.has_progressed() { 0 } else { self.quiet_turns },
        }
    }
}
