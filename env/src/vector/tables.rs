//! What the kernel looks up: the rules of a game, laid out for it.

use super::block::{LANES, Octet};
use super::groups::Group;
use super::split::{high_from, origin_words};
use crate::action::{Action, ActionKind, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::ruleset::{Capture, King, KingLanding, ManSteps, Priority, Promotion, Removal};

/// The square number of no square.
pub(super) const NOWHERE: u8 = 255;

/// A game as the kernel reads it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the rules")]
pub(super) struct Tables {
    /// By action: what it does.
    pub(super) actions: Vec<Deed>,
    /// By distance less one and direction: the actions.
    pub(super) groups: Box<[[Group; 8]; 9]>,
    /// The first action that is no move.
    pub(super) first_huff: u16,
    /// By victim: the huff.
    pub(super) huffs: Vec<u16>,
    pub(super) stop: Option<u16>,
    pub(super) directions: [Way; 8],
    /// By direction and square: the points that follow, and how many.
    pub(super) rays: Box<[[Bitboard; 128]; 8]>,
    pub(super) lengths: [[u8; 128]; 8],
    /// By direction: the points from which a line goes on.
    pub(super) lines: Octet,
    /// By direction: by how much squares move down, and up, against it; one of the two is 0.
    pub(super) downs: [u64; LANES],
    pub(super) ups: [u64; LANES],
    /// Bits from a point to the one above.
    pub(super) stride: u32,
    /// The square with which the high word of a split set begins.
    pub(super) high_from: u32,
    pub(super) squares: Bitboard,
    pub(super) far_rank: Bitboard,
    /// Shifts that bring a reversed board back to its place, the second 0 if one is enough.
    pub(super) flip: [u32; 2],
    pub(super) greatest_distance: usize,
    pub(super) huff: bool,
    pub(super) chains: bool,
    pub(super) kings: bool,
    pub(super) flying: bool,
    pub(super) short: bool,
    pub(super) lands_anywhere: bool,
    /// Points behind its victim at most where a flying king lands.
    pub(super) greatest_landing: usize,
    pub(super) maximum: bool,
    /// Whether the next hop of a man or a short king can be told from the board before the last.
    pub(super) looks_ahead: bool,
    pub(super) removes_at_turn_end: bool,
    pub(super) promotes_at_once: bool,
    /// Whether a man's step is irreversible.
    pub(super) irreversible: bool,
    pub(super) no_progress_limit: u16,
    /// From this many reversible turns on a repetition can draw.
    pub(super) repetition_from: u16,
    pub(super) lone_kings_draw: bool,
    pub(super) max_turns: u32,
}

/// What an action does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deed {
    /// The points between, or the victim of a huff, as low and high word.
    pub(super) between: [u64; 2],
    /// Origin and destination, or twice [`NOWHERE`].
    pub(super) ends: [u8; 2],
}

/// One direction: the way to it, and from where it can be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Bits to the next point.
    pub(super) offset: i8,
    /// Whether the offset is above zero.
    pub(super) rising: bool,
    /// The offset without its sign.
    pub(super) by: u32,
    /// Whether the board has lines in it.
    pub(super) used: bool,
    /// Whether a man or a short king can step in it.
    pub(super) steps: bool,
    /// The origins, each only in the word where its moves are found; the same on each board.
    pub(super) man_steps: Octet,
    pub(super) man_hops: Octet,
    pub(super) king_steps: Octet,
    pub(super) king_hops: Octet,
}

impl Tables {
    pub(super) fn new(game: &Game) -> Self {
        let ruleset = game.ruleset();
        let count = game.action_count();
        let last_word = ((count - 1) / 64) as u8;
        let stride = game.size() as u32 + 1;
        let high_from = high_from(stride);
        let mut tables = Self {
            actions: Vec::with_capacity(count),
            groups: vec![[Group::default(); 8]; 9].try_into().expect("nine distances"),
            first_huff: count as u16,
            huffs: vec![0; 128],
            stop: game.stop().map(|action| action.0),
            directions: Direction::ALL.map(|direction| {
                let origins = |set| Octet::all(origin_words(set, game.offset(direction), high_from));
                Way {
                    offset: game.offset(direction),
                    rising: game.offset(direction) > 0,
                    by: game.offset(direction).unsigned_abs().into(),
                    used: !game.origins(direction, 1).is_empty(),
                    steps: ruleset.king == King::Short || !game.man_steps(direction).is_empty(),
                    man_steps: origins(game.man_steps(direction)),
                    man_hops: origins(game.man_hops(direction)),
                    king_steps: origins(game.origins(direction, 1)),
                    king_hops: origins(game.origins(direction, 2)),
                }
            }),
            rays: Box::new([[Bitboard::EMPTY; 128]; 8]),
            lengths: [[0; 128]; 8],
            lines: Octet::default(),
            downs: Direction::ALL.map(|direction| game.offset(direction).max(0) as u64),
            ups: Direction::ALL.map(|direction| (-game.offset(direction)).max(0) as u64),
            stride,
            high_from,
            squares: game.squares(),
            far_rank: game.far_rank(),
            flip: [game.flip_shift().min(63), game.flip_shift().saturating_sub(63)],
            greatest_distance: game.size() - 1,
            huff: ruleset.capture == Capture::Huff,
            chains: game.chains(),
            kings: ruleset.king != King::None,
            flying: game.flying(),
            short: ruleset.king == King::Short,
            greatest_landing: if ruleset.king_landing == KingLanding::Any { usize::MAX } else { 1 },
            lands_anywhere: ruleset.king_landing == KingLanding::Any,
            maximum: ruleset.priority == Priority::Maximum && game.chains(),
            looks_ahead: ruleset.priority == Priority::Maximum
                && game.chains()
                && (ruleset.king == King::None || ruleset.promotion == Promotion::TurnEnd),
            removes_at_turn_end: ruleset.removal == Removal::TurnEnd,
            promotes_at_once: ruleset.king != King::None && ruleset.promotion == Promotion::Immediate,
            irreversible: ruleset.man_steps == ManSteps::Forward,
            no_progress_limit: if ruleset.no_progress_limit == 0 { u16::MAX } else { ruleset.no_progress_limit },
            repetition_from: match ruleset.repetition_limit {
                0 => u16::MAX,
                // Each return takes both players a move away and one back.
                limit => 4u16.saturating_mul(limit - 1),
            },
            lone_kings_draw: ruleset.lone_kings_draw,
            max_turns: if ruleset.max_turns == 0 { u32::MAX } else { ruleset.max_turns },
        };
        for direction in Direction::ALL {
            let line = game.origins(direction, 1);
            tables.lines.set(direction.index(), line);
            for square in line {
                let ray = game.rays().from(square)[direction.index()];
                tables.rays[direction.index()][square.index()] = ray;
                tables.lengths[direction.index()][square.index()] = ray.len() as u8;
            }
        }
        for number in 0..count as u16 {
            let kind = game.action_kind(Action(number)).expect("the number is below the count");
            tables.add(number, kind, last_word);
        }
        tables
    }

    fn add(&mut self, number: u16, kind: ActionKind, last_word: u8) {
        let (ends, between) = match kind {
            ActionKind::Move { from, to, direction, distance, between } => {
                let group = &mut self.groups[distance as usize - 1][direction.index()];
                let words = origin_words(from.bit(), self.directions[direction.index()].offset, self.high_from);
                group.add(words, number, last_word);
                ([from, to], between)
            }
            ActionKind::Huff { victim } => {
                self.first_huff = self.first_huff.min(number);
                self.huffs[victim.index()] = number;
                ([Square(NOWHERE); 2], victim.bit())
            }
            ActionKind::Stop => ([Square(NOWHERE); 2], Bitboard::EMPTY),
        };
        self.actions.push(Deed { between: [between.0 as u64, (between.0 >> 64) as u64], ends: ends.map(|end| end.0) });
    }
}
