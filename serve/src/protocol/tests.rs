//! Conversations in this process.

use std::io::Write;
use std::sync::{Arc, Mutex};

use damma_env::{Game, Ruleset};
use damma_eval::Level;

use super::*;

/// Takes what is written.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn talk(preset: &str, input: &[u8]) -> Vec<String> {
    let game = Game::new(Ruleset::preset(preset).unwrap()).unwrap();
    let page = Page::default();
    let options = EngineOptions { game, level: Level::Depth(1), checkpoint: None, simulations: 16 };
    converse(input, page.clone(), options).unwrap();
    let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn hub_is_spoken_when_it_is_asked_for_first() {
    let lines = talk("damma8", b"hub\nset-param name=variant value=english\ninit\nping\nquit\nping\n");
    assert!(lines[0].starts_with("id name=Damma"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("param name=variant value=english type=enum")));
    assert_eq!(lines[lines.len() - 3..], ["wait", "ready", "pong"]);
}

#[test]
fn hub_moves_are_read_with_captures_in_any_order_and_written_back() {
    // White, who has the second turn of a game and so is Hub's Black, may take two and name them either way round.
    let mut letters = ['e'; 32];
    (letters[32 - 25], letters[32 - 22], letters[32 - 15], letters[32 - 1]) = ('b', 'w', 'w', 'w');
    let board = format!("pos pos=B{}", letters.iter().collect::<String>());
    for moves in ["25x11x22x15", "25x11x15x22", "25x18x11"] {
        let lines = talk("damma8", format!("hub\n{board} moves=\"{moves}\"\ngo think\n").as_bytes());
        assert!(lines.last().unwrap().starts_with("done move=1-"), "{moves}: {lines:?}");
    }
    let lines = talk("damma8", format!("hub\n{board}\ngo think\n").as_bytes());
    assert_eq!(lines.last().unwrap(), "done move=25x11x22x15");
}

#[test]
fn what_hub_cannot_read_is_an_error_and_the_position_stays() {
    let lines = talk("zamma", b"hub\npos start moves=\"d4-e5\"\npos start moves=\"a1-a9\"\npos pos=X\ngo think\n");
    let errors = lines.iter().filter(|line| line.starts_with("error message=")).count();
    assert_eq!(errors, 2, "{lines:?}");
    let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
    let black = game.start().play(&game, game.parse_action(&game.start(), "d4-e5").unwrap());
    let done = lines.last().unwrap().strip_prefix("done move=").unwrap();
    assert!(hub_move::parse(&game, &black, done).is_some(), "{done}");
}

#[test]
fn every_turn_of_every_game_reads_back_from_what_hub_writes() {
    for preset in damma_env::PRESETS {
        let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();
        let (mut now, mut pick) = (game.start(), 1_u64);
        for _ in 0..150 {
            if now.winner(&game).is_some() {
                break;
            }
            let Ok(turns) = game.turns(&now, 5_000) else { break };
            for turn in &turns {
                let text = hub_move::text(&game, &now, turn);
                let read = hub_move::parse(&game, &now, &text);
                let after = |turn: &[damma_env::Action]| turn.iter().fold(now, |now, action| now.play(&game, *action));
                // Another way to the same end with the same captures is the same turn.
                assert_eq!(read.map(|read| after(&read)), Some(after(turn)), "{}: {text}", preset.name);
            }
            pick = pick.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let turn = &turns[(pick >> 33) as usize % turns.len()];
            now = turn.iter().fold(now, |now, action| now.play(&game, *action));
        }
    }
}

#[test]
fn junk_is_passed_over_and_a_line_without_end_takes_no_memory() {
    let mut input = Vec::new();
    for number in 0..100_000_u32 {
        input.extend_from_slice(&number.wrapping_mul(2_654_435_761).to_le_bytes());
        input.extend_from_slice(b" = \" \xff\n");
    }
    input.extend(std::iter::repeat_n(b'x', 8 << 20));
    input.extend_from_slice(b"\nisready\n");
    assert_eq!(talk("zamma", &input).last().unwrap(), "readyok");
}
