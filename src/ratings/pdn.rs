//! Results out of PDN: players and results of the tags, paired by openings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use damma_env::{Game, PdnGame, PdnReader, PdnResult, Ruleset, Side};
use damma_eval::PairTable;

use super::Read;

/// How many first moves two games must share to be a pair of one opening.
const SHARED: usize = 4;

/// A game as ratings see it.
struct Scored {
    white: String,
    black: String,
    /// What White scored, 0 to 2.
    half_points: u8,
    fen: Option<String>,
    moves: Vec<String>,
}

/// Adds the games of a text. A game and the next one are a pair if the same two players swap
/// colours and share the opening; other games count alone.
///
/// # Errors
/// The first thing that is no PDN, or a game without players, with file and line.
pub fn add(read: &mut Read, path: &Path, text: &str) -> anyhow::Result<()> {
    let (mut games, mut unfinished) = (Vec::new(), 0);
    let english = Game::new(Ruleset::preset("damma8")?)?;
    for (index, pdn) in PdnReader::new(text).enumerate() {
        let pdn = pdn.map_err(|e| anyhow::anyhow!("{}, line {}: {}; {}", path.display(), e.line, e.what, e.remedy))?;
        if pdn.is_cut {
            read.warnings.push(format!("{}: {}", path.display(), crate::replay::CUT));
        }
        let place = || format!("{}, line {}: game {}", path.display(), pdn.line, index + 1);
        match scored(&pdn, &english).with_context(place)? {
            Some(game) => games.push(game),
            None => unfinished += 1,
        }
    }
    if games.is_empty() && unfinished == 0 {
        bail!("{}, line 1: there is no game; give match reports as JSON, or PDN", path.display());
    }
    if unfinished > 0 {
        read.warnings.push(format!("{}: {unfinished} games without a result are left out", path.display()));
    }
    let repeated = add_games(read, &games);
    if repeated > 0 {
        read.warnings.push(format!("{}: {repeated} games or pairs repeat others and are left out", path.display()));
    }
    Ok(())
}

/// Reads players and result; nothing of a game without a result.
fn scored(pdn: &PdnGame, english: &Arc<Game>) -> anyhow::Result<Option<Scored>> {
    let player = |tag: &str| match pdn.tag(tag).map(str::trim) {
        None | Some("" | "?") => bail!("no player is named as {tag}; add a tag such as [{tag} \"ab-2\"]"),
        Some(name) => Ok(name.to_owned()),
    };
    let half_points = match (pdn.result, pdn.winner(english)) {
        (Some(PdnResult::Draw), _) => 1,
        (_, Some(winner)) => 2 * u8::from(winner == Side::White),
        _ => return Ok(None),
    };
    Ok(Some(Scored {
        white: player("White")?,
        black: player("Black")?,
        half_points,
        fen: pdn.tag("FEN").map(str::to_owned),
        moves: pdn.moves.iter().map(|action| action.text.clone()).collect(),
    }))
}

/// Adds games in pairs or alone; gives how many were seen before.
fn add_games(read: &mut Read, games: &[Scored]) -> usize {
    let (mut seen, mut repeated, mut place) = (BTreeSet::new(), 0, 0);
    while let Some(game) = games.get(place) {
        let partner = games.get(place + 1).filter(|next| is_pair(game, next));
        place += 1 + usize::from(partner.is_some());
        let key = (&game.white, &game.black, &game.fen, &game.moves, partner.map(|partner| &partner.moves));
        // Games without moves are all alike, and say nothing of being the same.
        let told = !game.moves.is_empty() && partner.is_none_or(|partner| !partner.moves.is_empty());
        if told && !seen.insert(key) {
            repeated += 1;
        } else if let Some(partner) = partner {
            let mut table = PairTable::default();
            table.add(game.half_points, 2 - partner.half_points);
            read.results.add_pairs(&game.white, &game.black, &table);
        } else {
            read.results.add_game(&game.white, &game.black, game.half_points);
        }
    }
    repeated
}

fn is_pair(one: &Scored, next: &Scored) -> bool {
    let swapped = one.white == next.black && one.black == next.white && one.white != one.black;
    let shared = one.moves.len().min(next.moves.len()).min(SHARED);
    swapped && one.fen == next.fen && (one.fen.is_some() || shared > 0 && one.moves[..shared] == next.moves[..shared])
}
