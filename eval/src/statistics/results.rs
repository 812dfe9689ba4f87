//! Results of many players: what a rating list is made of.

use std::collections::BTreeMap;

use super::PairTable;
use super::fit::{Cluster, Game};

/// Pairs and single games between named players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Results {
    meetings: BTreeMap<(String, String), Meeting>,
}

/// What two players played, as the first of them sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Meeting {
    pairs: PairTable,
    /// Single games by half points, with White and with Black.
    singles: [[u32; 3]; 2],
}

impl Results {
    /// Adds pairs of games, as `a` sees them. Games of a player against itself are left out.
    pub fn add_pairs(&mut self, a: &str, b: &str, table: &PairTable) {
        if a == b {
            return;
        }
        let turned = a > b;
        let key = if turned { (b.to_owned(), a.to_owned()) } else { (a.to_owned(), b.to_owned()) };
        let meeting = self.meetings.entry(key).or_default();
        for (white, black, count) in table.cells() {
            let (white, black) = if turned { (2 - black, 2 - white) } else { (white, black) };
            meeting.pairs.0[usize::from(white)][usize::from(black)] += count;
        }
    }

    /// Adds a game that is no half of a pair: an independent one.
    ///
    /// # Panics
    /// White's half points are above 2.
    pub fn add_game(&mut self, white: &str, black: &str, half_points: u8) {
        if white == black {
            return;
        }
        let turned = white > black;
        let (key, points) = if turned { ((black, white), 2 - half_points) } else { ((white, black), half_points) };
        let meeting = self.meetings.entry((key.0.to_owned(), key.1.to_owned())).or_default();
        meeting.singles[usize::from(turned)][usize::from(points)] += 1;
    }

    /// Lists everybody who played, in the order of names.
    #[must_use]
    pub fn players(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.meetings.keys().flat_map(|(a, b)| [a.as_str(), b.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Lists everybody with the number of games, in the order of names.
    #[must_use]
    pub fn games(&self) -> Vec<(&str, u32)> {
        let games =
            |meeting: &Meeting| 2 * meeting.pairs.counts().total() + meeting.singles.as_flattened().iter().sum::<u32>();
        let of = |name: &str| {
            let own = self.meetings.iter().filter(|((a, b), _)| a == name || b == name);
            own.map(|(_, meeting)| games(meeting)).sum()
        };
        self.players().into_iter().map(|name| (name, of(name))).collect()
    }

    /// Lists the independent units with the places of the players in `names`.
    pub(super) fn clusters(&self, names: &[&str]) -> Vec<Cluster> {
        let place = |name: &str| names.binary_search(&name).expect("everybody who played is listed");
        let mut clusters = Vec::new();
        for ((a, b), meeting) in &self.meetings {
            let (a, b) = (place(a), place(b));
            let with_white = |points| Game { white: a, black: b, half_points: points };
            let with_black = |points: u8| Game { white: b, black: a, half_points: 2 - points };
            let pairs = meeting
                .pairs
                .cells()
                .map(|(white, black, count)| Cluster { games: vec![with_white(white), with_black(black)], count });
            clusters.extend(pairs);
            for points in 0..3_u8 {
                let [white, black] = meeting.singles.map(|counts| counts[usize::from(points)]);
                clusters.push(Cluster { games: vec![with_white(points)], count: white });
                clusters.push(Cluster { games: vec![with_black(points)], count: black });
            }
        }
        clusters.retain(|cluster| cluster.count > 0);
        clusters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_the_same_whoever_is_named_first() {
        let table = PairTable([[1, 0, 2], [0, 0, 0], [0, 0, 5]]);
        let turned = PairTable([[5, 0, 2], [0, 0, 0], [0, 0, 1]]);
        let (mut one, mut other) = (Results::default(), Results::default());
        one.add_pairs("a", "b", &table);
        one.add_game("b", "a", 2);
        other.add_pairs("b", "a", &turned);
        other.add_game("b", "a", 2);
        one.add_game("c", "c", 1);
        assert_eq!(one, other);
        assert_eq!(one.players(), ["a", "b"]);
        let single = one.clusters(&["a", "b"]).pop().expect("clusters");
        assert_eq!((single.count, single.games), (1, vec![Game { white: 1, black: 0, half_points: 2 }]));
    }
}
