//! The seven presets, embedded as TOML.

/// A named ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name that `--preset` takes.
    pub name: &'static str,
    /// What the game is, in one line.
    pub title: &'static str,
    /// The options as TOML, with their sources as comments.
    pub toml: &'static str,
}

macro_rules! presets {
    ($($name:literal, $title:literal;)+) => {
        /// The presets, in the order that lists show them.
        pub const PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            title: $title,
            toml: include_str!(concat!("../../presets/", $name, ".toml")),
        },)+];
    };
}

presets! {
    "damma", "Dâmma, 9x9 with all diagonals, huffing";
    "dhamet", "Dhamet of Mauritania read literally, 9x9 alquerque, huffing";
    "zamma", "Zamma after Monod, 9x9 alquerque, huffing, removal at turn end";
    "srand", "Srand, the Mauritanian national game, 9x9 alquerque, maximum capture forced";
    "kharberg", "Kharberg, 5x5 with all diagonals, men only, huffing";
    "khreibga", "Khreibga, 5x5 alquerque, flying kings, capture forced";
    "damma8", "The Arabic Damma, 8x8: English draughts";
}
