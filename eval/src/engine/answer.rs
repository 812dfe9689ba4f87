//! What an engine says while it thinks and when it has chosen.

use crate::player::Opinion;

/// What an engine chose.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Answer {
    /// The turn, one word.
    pub turn: String,
    /// How the engine thinks that it stands.
    pub opinion: Option<Opinion>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
}

/// Reads lines until the choice comes.
#[derive(Default)]
pub(super) struct Reader {
    opinion: Option<Opinion>,
    nodes: Option<u64>,
}

impl Reader {
    /// Takes a line; gives the answer once it is complete.
    pub fn read(&mut self, line: &str) -> Option<Answer> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "bestmove" => {
                let turn = words.next().unwrap_or("nothing").to_owned();
                Some(Answer { turn, opinion: self.opinion, nodes: self.nodes })
            }
            "info" => {
                self.note(words);
                None
            }
            _ => None,
        }
    }

    fn note<'l>(&mut self, mut words: impl Iterator<Item = &'l str>) {
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => return,
                "nodes" => self.nodes = words.next().and_then(|number| number.parse().ok()).or(self.nodes),
                "score" => {
                    let (unit, number) = (words.next(), words.next());
                    let number = number.and_then(|number| number.parse::<i32>().ok());
                    self.opinion = match (unit, number) {
                        (Some("cp"), Some(number)) => Some(Opinion::Hundredths(number)),
                        (Some("expected"), Some(number)) => Some(Opinion::Expected(number as f32 / 1_000.0)),
                        _ => self.opinion,
                    };
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_and_nodes_count_and_unknown_words_do_not() {
        let mut reader = Reader::default();
        for line in
            ["info depth 1 score cp 30 nodes 40", "hello", "", "info score expected -250 nodes 90 pv a3-b4 nodes 1"]
        {
            assert_eq!(reader.read(line), None);
        }
        let opinion = Some(Opinion::Expected(-0.25));
        assert_eq!(
            reader.read("bestmove a3-b4 ponder x"),
            Some(Answer { turn: "a3-b4".to_owned(), opinion, nodes: Some(90) })
        );
    }
}
