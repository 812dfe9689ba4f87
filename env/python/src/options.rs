//! The arguments of a batch: words from Python, checked once and named in errors.

use damma_env::{AutoReset, IllegalPolicy, Observations, Position, Starts};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::game::{Game, place};

/// Reads what happens to a board whose game has ended.
pub fn auto_reset(word: &str) -> PyResult<AutoReset> {
    choose(
        "autoreset",
        word,
        &[("same_step", AutoReset::SameStep), ("next_step", AutoReset::NextStep), ("off", AutoReset::Off)],
    )
}

/// Reads what an illegal action does.
pub fn illegal(word: &str) -> PyResult<IllegalPolicy> {
    choose(
        "illegal",
        word,
        &[("error", IllegalPolicy::Reject), ("resample", IllegalPolicy::Resample), ("lose", IllegalPolicy::Lose)],
    )
}

/// Reads which observations are written.
pub fn observations(word: Option<&str>) -> PyResult<Observations> {
    word.map_or(Ok(Observations::Off), |word| {
        choose("observations", word, &[("f32", Observations::Planes), ("u8", Observations::Bytes)])
    })
}

/// Reads where games start.
pub fn starts(game: &Game, random: Option<(u16, u16)>, positions: Option<Vec<String>>) -> PyResult<Starts> {
    match (random, positions) {
        (None, None) => Ok(Starts::Start),
        (Some((least, most)), None) => Ok(Starts::Random(least..=most)),
        (None, Some(texts)) => Ok(Starts::Positions(self::positions(game, &texts)?.into())),
        (Some(_), Some(_)) => Err(value_error("random_openings and start_positions exclude each other; give one")),
    }
}

/// Reads positions from text.
pub fn positions(game: &Game, texts: &[String]) -> PyResult<Vec<Position>> {
    texts.iter().map(|text| game.rules.parse_position(text).map_err(|error| place(text, &error))).collect()
}

fn choose<T: Copy>(name: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(choice, _)| *choice == word).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
        value_error(format!("`{word}` is no value of {name}; it takes {}", known.join(", ")))
    })
}
