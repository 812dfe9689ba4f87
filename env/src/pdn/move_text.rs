//! The shape of a move's text: which squares it names and how they are joined.
//!
//! Knows no board: whether the squares exist and the move is legal, `resolve` finds out.

/// The parts of a move's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MoveText<'t> {
    /// The square of `~d4`.
    pub(super) huff: Option<&'t str>,
    /// The squares, first the origin; none, or at least two.
    pub(super) points: Vec<&'t str>,
    /// Whether any sign says that it captures.
    pub(super) captures: bool,
    /// Whether it ends with the `.` of a stopped chain.
    pub(super) stopped: bool,
}

impl<'t> MoveText<'t> {
    /// Takes a text apart; `None` if it has not the shape of a move.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (huff, path) = match text.strip_prefix('~') {
            Some(rest) => {
                let (huff, path) = rest.split_once([',', ' ']).map_or((rest, None), |(huff, path)| (huff, Some(path)));
                (Some(huff), path)
            }
            None => (None, Some(text)),
        };
        let Some(path) = path else {
            return huff.is_some_and(is_point).then_some(Self {
                huff,
                points: vec![],
                captures: false,
                stopped: false,
            });
        };
        let bare = path.strip_suffix('.').unwrap_or(path);
        let points: Vec<&str> = bare.split(['-', 'x', 'X', ':', '×']).collect();
        let captures = bare.contains(['x', 'X', ':', '×']);
        // A capture may end where it began; nothing else stays on a square.
        let moves = points.windows(2).all(|pair| pair[0] != pair[1] || points.len() == 2 && captures);
        let shaped = points.len() >= 2 && moves && points.iter().chain(&huff).all(|point| is_point(point));
        shaped.then_some(Self { huff, points, captures, stopped: bare.len() < path.len() })
    }
}

/// Says whether a word looks like a square: a number, or a letter and a number.
fn is_point(word: &str) -> bool {
    let digits = word.strip_prefix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(word);
    (1..=3).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huff_joins_the_move_behind_it_with_a_comma() {
        let text = MoveText::parse("~d4,a3xa5xc7.").unwrap();
        assert_eq!(text, MoveText { huff: Some("d4"), points: vec!["a3", "a5", "c7"], captures: true, stopped: true });
    }

    #[test]
    fn words_that_are_no_moves_have_no_shape() {
        for word in [
            "", "9", "9-", "-14", "9--14", "1-1", "1x1x2", "hello", "~", "~d4,", "~d4,a3", "a3-a4-", "9-14,", "1/2-1/2",
        ] {
            assert_eq!(MoveText::parse(word), None, "{word}");
        }
    }
}
