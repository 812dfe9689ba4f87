//! Who is connected with whom: without it a rating has no meaning, or no end.
//!
//! A finite maximum of the likelihood exists for exactly those players whom points connect in
//! both directions with the anchor (Ford 1957).

use super::fit::Cluster;

/// Whom points connect with one player, by place.
pub(super) struct Connected {
    /// Who has taken half a point from that player, or from somebody who has, and so on.
    pub above: Vec<bool>,
    /// Whom that player has taken half a point from, or somebody whom it has, and so on.
    pub below: Vec<bool>,
    /// Who has met the player, or somebody who has, and so on.
    pub met: Vec<bool>,
}

impl Connected {
    /// Looks from `start` at the results of `size` players.
    pub(super) fn new(clusters: &[Cluster], size: usize, start: usize) -> Self {
        let mut taken = vec![Vec::new(); size];
        let mut given = vec![Vec::new(); size];
        let mut met = vec![Vec::new(); size];
        for game in clusters.iter().flat_map(|cluster| &cluster.games) {
            let (white, black) = (game.white, game.black);
            met[white].push(black);
            met[black].push(white);
            if game.half_points > 0 {
                taken[white].push(black);
                given[black].push(white);
            }
            if game.half_points < 2 {
                taken[black].push(white);
                given[white].push(black);
            }
        }
        Self { above: reach(&given, start), below: reach(&taken, start), met: reach(&met, start) }
    }
}

fn reach(edges: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = vec![start];
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            open.extend(&edges[place]);
        }
    }
    reached
}
