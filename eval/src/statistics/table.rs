//! Pairs of games by both results: what a pentanomial leaves out, colours and draws.

use serde::{Deserialize, Serialize};

use crate::arena::{PairCounts, Tally};

/// Pairs of games of one opening, by the first player's half points (0 to 2) with White, then
/// with Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairTable(pub [[u32; 3]; 3]);

impl PairTable {
    /// Adds a pair.
    ///
    /// # Panics
    /// Half points are above 2.
    pub fn add(&mut self, as_white: u8, as_black: u8) {
        self.0[usize::from(as_white)][usize::from(as_black)] += 1;
    }

    /// Counts the pairs by what was scored in both games.
    #[must_use]
    pub fn counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        for (white, black, count) in self.cells() {
            counts.0[usize::from(white + black)] += count;
        }
        counts
    }

    /// Counts the games as White saw them, whoever that was.
    #[must_use]
    pub fn white(&self) -> Tally {
        let mut games = [0; 3];
        for (white, black, count) in self.cells() {
            games[usize::from(white)] += count;
            games[usize::from(2 - black)] += count;
        }
        Tally { losses: games[0], draws: games[1], wins: games[2] }
    }

    /// Gives the share of drawn games, 0 to 1; 0 of no games.
    #[must_use]
    pub fn draw_rate(&self) -> f64 {
        let white = self.white();
        f64::from(white.draws) / f64::from(white.games().max(1))
    }

    /// Rebuilds the table of a report that kept sums only.
    ///
    /// Points, draws and colours leave one number open: how often the games of an opening were
    /// won by White both times rather than by Black both times, given how many were won by one
    /// colour. It changes no estimate, only how errors of colour and strength go together, and is
    /// taken in the middle of what is possible. Nothing where the sums contradict each other.
    #[must_use]
    pub fn rebuild(pairs: &PairCounts, as_white: &Tally, as_black: &Tally) -> Option<Self> {
        let sum = |number: u32| i64::from(number);
        let [lost, one, two, three, won] = pairs.0.map(i64::from);
        let draws = sum(as_white.draws) + sum(as_black.draws) - one - three;
        let both_drawn = draws / 2;
        let split = two - both_drawn;
        // Unknown are the pairs won with Black and lost with White; the rest follows from them.
        let table = |lost_won: i64| {
            let won_lost = split - lost_won;
            let won_drawn = sum(as_white.wins) - won - won_lost;
            let lost_drawn = sum(as_white.losses) - lost - lost_won;
            let cells = [
                [lost, lost_drawn, lost_won],
                [one - lost_drawn, both_drawn, three - won_drawn],
                [won_lost, won_drawn, won],
            ];
            cells.as_flattened().iter().all(|&cell| cell >= 0).then_some(cells)
        };
        let possible: Vec<[[i64; 3]; 3]> = (0..=split).filter_map(table).collect();
        let cells = possible.get(possible.len() / 2)?;
        let found = Self(cells.map(|row| row.map(|cell| cell as u32)));
        let black = |points: usize| found.0.iter().map(|row| row[points]).sum::<u32>();
        let fits = draws % 2 == 0 && Tally { losses: black(0), draws: black(1), wins: black(2) } == *as_black;
        fits.then_some(found)
    }

    /// Lists the cells: half points with White, with Black, and how many pairs.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
        (0..3_u8).flat_map(move |white| {
            (0..3_u8).map(move |black| (white, black, self.0[usize::from(white)][usize::from(black)]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_points_colours_and_draws() {
        let table = PairTable([[1, 0, 2], [0, 4, 0], [3, 5, 6]]);
        assert_eq!(table.counts(), PairCounts([1, 0, 9, 5, 6]));
        // White won: 14 games of the first player, and those that it lost with Black (1 + 3).
        assert_eq!(table.white(), Tally { wins: 18, draws: 13, losses: 11 });
        assert!((table.draw_rate() - 13.0 / 42.0).abs() < 1e-12);
    }

    #[test]
    fn a_table_comes_back_from_its_sums_with_the_same_sums() {
        let table = PairTable([[1, 2, 2], [3, 4, 1], [3, 5, 6]]);
        let row = |points: usize| table.0[points].iter().sum();
        let column = |points: usize| table.0.iter().map(|row| row[points]).sum();
        let white = Tally { losses: row(0), draws: row(1), wins: row(2) };
        let black = Tally { losses: column(0), draws: column(1), wins: column(2) };

        let found = PairTable::rebuild(&table.counts(), &white, &black).expect("the sums agree");

        assert_eq!((found.counts(), found.white(), found.0[1][1]), (table.counts(), table.white(), 4));
        let wrong = Tally { wins: 30, ..white };
        assert_eq!(PairTable::rebuild(&table.counts(), &wrong, &black), None);
    }
}
