//! Games out of PDN text.
//!
//! Lenient where real files are: results alone may part games, numbers and comments may be glued
//! to moves, tags may be missing. What is neither is an error, and reading goes on behind it.

use super::lexer::{Lexer, Placed, Token, shown};
use super::move_text::MoveText;
use super::{PdnError, PdnGame, PdnMove, PdnResult};

/// The games of a text, one by one; after an error it goes on with the next game.
///
/// ```
/// use damma_env::PdnReader;
/// let text = "[Event \"a\"]\n1. 9-14 oops 1-0\n\n[Event \"b\"]\n1. 9-14 1-0\n";
/// let games: Vec<_> = PdnReader::new(text).collect();
/// assert_eq!(games[0].as_ref().unwrap_err().line, 2);
/// assert_eq!(games[1].as_ref().unwrap().tag("Event"), Some("b"));
/// ```
#[derive(Clone, Debug)]
pub struct PdnReader<'t> {
    lexer: Lexer<'t>,
    /// The place of the last token of [`PdnReader::game`], to know what an error was in.
    last: Lexer<'t>,
}

impl<'t> PdnReader<'t> {
    /// Reads from the beginning of a text; a byte order mark is skipped.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let lexer = Lexer::new(text);
        Self { lexer, last: lexer }
    }

    fn game(&mut self) -> Result<Option<PdnGame>, PdnError> {
        let mut game = PdnGame::default();
        loop {
            self.last = self.lexer;
            if !game.moves.is_empty() && self.lexer.at_tag() {
                break;
            }
            let Some(Placed { token, line, column }) = self.lexer.next_token()? else {
                game.is_cut = game.line > 0;
                break;
            };
            match token {
                Token::Tag(name, value) => {
                    game.begin(line);
                    game.tags.push((name, value));
                }
                Token::Comment(text) => game.say(text),
                Token::Nag(number) => {
                    if let Some(last) = game.moves.last_mut() {
                        last.nags.push(number);
                    }
                }
                Token::Open => self.skip_variation(line, column)?,
                Token::Close => {
                    let what = "`)` closes no variation".to_owned();
                    return Err(PdnError { line, column, what, remedy: "remove it, or open the variation with (" });
                }
                Token::Word(word) => match Word::parse(word) {
                    Some(Word::Number) => {}
                    Some(Word::Move { skipped, text, strength }) => {
                        game.begin(line);
                        game.go(text, strength, line, column + skipped);
                    }
                    Some(Word::Result(_)) if game.tags.is_empty() && game.moves.is_empty() => {}
                    Some(Word::Result(result)) => {
                        game.result = Some(result);
                        self.last_words(&mut game, line);
                        break;
                    }
                    None => {
                        let what = format!("`{}` is no move, move number or result", shown(word));
                        let remedy = "write moves as 9-14, 9x18x27 or a3xa5, and remarks in {braces}";
                        return Err(PdnError { line, column, what, remedy });
                    }
                },
            }
        }
        game.result = game.result.or_else(|| PdnResult::parse(game.tag("Result")?));
        Ok((game.line > 0).then_some(game))
    }

    /// Skips a variation and those in it.
    fn skip_variation(&mut self, line: usize, column: usize) -> Result<(), PdnError> {
        let mut depth = 1_usize;
        while depth > 0 {
            let before = self.lexer;
            match self.lexer.next_token()?.map(|placed| placed.token) {
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth -= 1,
                None | Some(Token::Tag(..)) => {
                    self.lexer = before;
                    let what = "this variation has no end".to_owned();
                    return Err(PdnError { line, column, what, remedy: "close it with )" });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Takes the comments behind a result, on its line, as the game's.
    fn last_words(&mut self, game: &mut PdnGame, line: usize) {
        let mut ahead = self.lexer;
        while let Ok(Some(Placed { token: Token::Comment(text), line: at, .. })) = ahead.next_token() {
            if at != line {
                break;
            }
            game.say(text);
            self.lexer = ahead;
        }
    }

    /// Goes to the end of a game that cannot be read.
    fn recover(&mut self, mut in_tags: bool) {
        loop {
            let before = self.lexer;
            match self.lexer.next_token() {
                Ok(None) => return,
                Ok(Some(Placed { token: Token::Tag(..), .. })) if !in_tags => {
                    self.lexer = before;
                    return;
                }
                Ok(Some(Placed { token: Token::Tag(..), .. })) => {}
                Ok(Some(Placed { token: Token::Word(word), .. })) => {
                    in_tags = false;
                    if matches!(Word::parse(word), Some(Word::Result(_))) {
                        return;
                    }
                }
                Ok(Some(_)) => in_tags = false,
                Err(_) => in_tags &= before.at_tag(),
            }
        }
    }
}

impl Iterator for PdnReader<'_> {
    type Item = Result<PdnGame, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.game() {
            Ok(game) => game.map(Ok),
            Err(error) => {
                self.recover(self.last.at_tag());
                Some(Err(error))
            }
        }
    }
}

impl PdnGame {
    const fn begin(&mut self, line: usize) {
        if self.line == 0 {
            self.line = line;
        }
    }

    /// Adds a remark behind the last move, or before the first.
    fn say(&mut self, text: String) {
        let comment = self.moves.last_mut().map_or(&mut self.comment, |last| &mut last.comment);
        match comment {
            Some(before) => before.extend([" ", &text]),
            None => *comment = Some(text),
        }
    }

    /// Adds a move; one behind a lone huff is the rest of the same turn.
    fn go(&mut self, text: &str, strength: &str, line: usize, column: usize) {
        if let Some(huff) = self.moves.last_mut()
            && huff.text.starts_with('~')
            && !huff.text.contains(',')
            && !text.starts_with('~')
        {
            huff.text.extend([",", text]);
            strength.clone_into(&mut huff.strength);
            return;
        }
        let (text, strength) = (text.to_owned(), strength.to_owned());
        self.moves.push(PdnMove { text, strength, line, column, ..PdnMove::default() });
    }
}

/// What a word of the moves is.
enum Word<'t> {
    /// `1.`, `1...`, `...` or a bare number.
    Number,
    /// A move, behind `skipped` letters of a number glued to it.
    Move { skipped: usize, text: &'t str, strength: &'t str },
    /// A result, which ends the game.
    Result(PdnResult),
}

impl<'t> Word<'t> {
    fn parse(word: &'t str) -> Option<Self> {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let behind = digits.trim_start_matches('.');
        if behind.is_empty() {
            return Some(Self::Number);
        }
        let numbered = behind.len() < digits.len();
        let rest = if numbered { behind } else { word };
        if let Some(result) = PdnResult::parse(rest) {
            return Some(Self::Result(result));
        }
        let text = rest.trim_end_matches(['!', '?', '*']);
        MoveText::parse(text)?;
        Some(Self::Move { skipped: word.len() - rest.len(), text, strength: &rest[text.len()..] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(game: &PdnGame) -> Vec<&str> {
        game.moves.iter().map(|played| played.text.as_str()).collect()
    }

    #[test]
    fn numbers_comments_marks_and_variations_may_be_glued() {
        let text =
            "1.9-14!{good [%clk 0:05]}23-19?!$4$5(1... 22-18 {) } (2. 5-9) 2. 14x23)2...5-9*; end\n3. ... 24x15 *";
        let game = PdnGame::read_all(text).unwrap().remove(0);
        assert_eq!(texts(&game), ["9-14", "23-19", "5-9", "24x15"]);
        assert_eq!(game.moves[0].comment.as_deref(), Some("good [%clk 0:05]"));
        assert_eq!((game.moves[1].strength.as_str(), &game.moves[1].nags[..]), ("?!", &[4, 5][..]));
        assert_eq!((game.moves[2].strength.as_str(), game.moves[2].comment.as_deref()), ("*", Some("end")));
        assert_eq!((game.moves[0].line, game.moves[0].column), (1, 3));
        assert_eq!(game.result, Some(PdnResult::Unknown));
    }

    #[test]
    fn results_alone_part_games_and_are_no_moves() {
        let games =
            PdnGame::read_all("1-5 9-14 1-0 2-6 0-1 1-6 1/2-1/2 1-5 2-0\r\n1-5 0-2 1-5 1-1 1-5 * * 1-5").unwrap();
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        let (first, second, draw) = (Some(PdnResult::First), Some(PdnResult::Second), Some(PdnResult::Draw));
        assert_eq!(results, [first, second, draw, first, second, draw, Some(PdnResult::Unknown), None]);
        assert_eq!(texts(&games[0]), ["1-5", "9-14"]);
    }

    #[test]
    fn tags_begin_a_game_even_where_a_result_is_missing() {
        let games = PdnGame::read_all("[Event \"a\"]\n[Result \"0-1\"]\n9-14\n[Event \"b\"]\n").unwrap();
        assert_eq!((games.len(), games[0].result, games[1].line), (2, Some(PdnResult::Second), 4));
    }

    #[test]
    fn a_text_that_ends_before_the_result_of_its_last_game_is_cut() {
        let cut = |text: &str| PdnGame::read_all(text).unwrap().iter().map(|game| game.is_cut).collect::<Vec<_>>();
        assert_eq!(cut("[Result \"1-0\"]\n9-14 23-18"), [true]);
        assert_eq!(cut("9-14\n[Event \"b\"]\n9-14 *\n"), [false, false]);
    }

    #[test]
    fn a_remark_behind_the_result_belongs_to_the_game_before() {
        let games = PdnGame::read_all("{first} 9-14 1-0 {White resigns}\n{second} 9-14 1-0").unwrap();
        assert_eq!(games[0].moves[0].comment.as_deref(), Some("White resigns"));
        assert_eq!(games[1].comment.as_deref(), Some("second"));
    }

    #[test]
    fn a_huff_and_a_move_behind_it_are_one_turn() {
        let game = PdnGame::read_all("1. a3-a4 ~a4 i7-i6! 2. ~d4,a3xa5.").unwrap().remove(0);
        assert_eq!(texts(&game), ["a3-a4", "~a4,i7-i6", "~d4,a3xa5."]);
    }

    #[test]
    fn reading_goes_on_behind_a_game_that_cannot_be_read() {
        let text = "[Event \"a\"]\n[Site unquoted]\n[Date \"c\"]\n9-14 1-0\n\n\
                    [Event \"b\"]\n9-14 (23-19\n\n[Event \"c\"]\n9-14 {open\n\n[Event \"d\"]\n9-14 ) 23-19 1-0 9-13 0-1\n";
        let games: Vec<_> = PdnReader::new(text).collect();
        let lines: Vec<_> = games.iter().map(|game| game.as_ref().map_or_else(|e| e.line, |game| game.line)).collect();
        assert_eq!(lines, [2, 7, 10, 13, 13]);
        assert!(games[..4].iter().all(Result::is_err) && games[4].is_ok());
    }

    #[test]
    fn rubbish_is_an_error_with_place_and_remedy() {
        let error = PdnGame::read_all("fn main() {\n}").unwrap_err();
        let remedy = "write moves as 9-14, 9x18x27 or a3xa5, and remarks in {braces}";
        assert_eq!(error.to_string(), format!("line 1, column 1: `fn` is no move, move number or result; {remedy}"));
        assert!(PdnGame::read_all(" \r\n\n").unwrap().is_empty());
    }
}
