//! The tokens of PDN text, each with its place.
//!
//! Knows tags, comments, brackets and words; what a word means is the reader's affair.

use super::PdnError;

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// `[Name "value"]`.
    Tag(String, String),
    /// Move numbers, moves and results.
    Word(&'t str),
    /// `{...}` or `;...`, runs of blanks as one.
    Comment(String),
    /// `$n`.
    Nag(u16),
    /// `(`.
    Open,
    /// `)`.
    Close,
}

/// A token and where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placed<'t> {
    pub(super) token: Token<'t>,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A place in a text, and what comes from there on. A copy is a place to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, column: 1 }
    }

    /// Reads a token; `None` at the end of the text.
    ///
    /// After an error the place is one to go on from: behind the line of a broken tag, at the
    /// next tag after a comment without end.
    pub(super) fn next_token(&mut self) -> Result<Option<Placed<'t>>, PdnError> {
        self.skip_blanks();
        let (line, column) = (self.line, self.column);
        let Some(first) = self.peek() else { return Ok(None) };
        let token = match first {
            '[' => self.tag()?,
            '{' => self.braced_comment()?,
            ';' => {
                self.bump();
                Token::Comment(one_spaced(self.take_while(|letter| letter != '\n')))
            }
            '(' | ')' => {
                self.bump();
                if first == '(' { Token::Open } else { Token::Close }
            }
            '$' => self.nag()?,
            '}' | ']' | '"' => {
                let error = self.error(format!("`{first}` closes nothing"), "remove it, or open what it closes");
                self.bump();
                return Err(error);
            }
            _ => Token::Word(self.take_while(|letter| !is_blank(letter) && !"[]{}();$\"".contains(letter))),
        };
        Ok(Some(Placed { token, line, column }))
    }

    /// Says whether a tag comes next.
    pub(super) fn at_tag(mut self) -> bool {
        self.skip_blanks();
        self.peek() == Some('[')
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = &self.rest[letter.len_utf8()..];
        if letter == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let start = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &start[..start.len() - self.rest.len()]
    }

    /// Skips blanks and the lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(is_blank);
            if self.column != 1 || self.peek() != Some('%') {
                return;
            }
            self.take_while(|letter| letter != '\n');
        }
    }

    fn tag(&mut self) -> Result<Token<'t>, PdnError> {
        let start = *self;
        self.bump();
        self.take_while(is_inline_blank);
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        self.take_while(is_inline_blank);
        let value = if name.is_empty() || self.peek() != Some('"') { None } else { self.quoted() };
        let Some(value) = value else {
            self.take_while(|letter| letter != '\n');
            let line = shown(start.rest.lines().next().unwrap_or_default());
            return Err(start.error(format!("`{line}` is no tag"), "write [Name \"value\"], on one line"));
        };
        Ok(Token::Tag(name.to_owned(), value))
    }

    /// Reads `"value"]`. A quote that `]` does not follow belongs to the value: files forget to escape.
    fn quoted(&mut self) -> Option<String> {
        self.bump();
        let mut value = String::new();
        loop {
            match self.bump()? {
                '\n' => return None,
                '\\' if matches!(self.peek(), Some('"' | '\\')) => value.extend(self.bump()),
                '"' if self.rest.trim_start_matches(is_inline_blank).starts_with(']') => {
                    self.take_while(is_inline_blank);
                    self.bump();
                    return Some(value);
                }
                '\r' => {}
                letter => value.push(letter),
            }
        }
    }

    fn braced_comment(&mut self) -> Result<Token<'t>, PdnError> {
        let start = *self;
        self.bump();
        let text = self.take_while(|letter| letter != '}');
        if self.bump().is_some() {
            return Ok(Token::Comment(one_spaced(text)));
        }
        *self = start;
        self.skip_to_tag();
        Err(start.error("this comment has no end".to_owned(), "close it with }"))
    }

    /// Goes to the next line that begins with a tag, or to the end.
    fn skip_to_tag(&mut self) {
        while self.peek().is_some() {
            self.take_while(|letter| letter != '\n');
            self.bump();
            let mut letters = self.rest.chars();
            if letters.next() == Some('[') && letters.next().is_some_and(char::is_alphabetic) {
                return;
            }
        }
    }

    fn nag(&mut self) -> Result<Token<'t>, PdnError> {
        let start = *self;
        self.bump();
        let number = self.take_while(|letter| letter.is_ascii_digit());
        number.parse().map(Token::Nag).map_err(|_| {
            start.error(format!("`${number}` is no annotation"), "write $ and a number from 0 to 65535, such as $2")
        })
    }

    fn error(&self, what: String, remedy: &'static str) -> PdnError {
        PdnError { line: self.line, column: self.column, what, remedy }
    }
}

/// Shortens a text for a message and escapes what cannot be printed.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let text = text.trim_end();
    let short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().count() > LONGEST { format!("{short}…") } else { short }
}

/// Blanks, and the sign that DOS put at the end of files.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{1a}'
}

fn is_inline_blank(letter: char) -> bool {
    letter != '\n' && letter.is_whitespace()
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.next_token().unwrap()).map(|placed| placed.token).collect()
    }

    #[test]
    fn comments_glued_to_moves_are_tokens_of_their_own() {
        let comment = Token::Comment("a b".to_owned());
        assert_eq!(tokens("9-14{a\r\n b}23-19"), [Token::Word("9-14"), comment, Token::Word("23-19")]);
    }

    #[test]
    fn quotes_in_tags_are_read_escaped_or_not() {
        let tag = |value: &str| Token::Tag("Event".to_owned(), value.to_owned());
        assert_eq!(tokens(r#"[Event "a \"b\" c\\d"]"#), [tag(r#"a "b" c\d"#)]);
        assert_eq!(tokens(r#"[ Event  "a "b" c" ]"#), [tag(r#"a "b" c"#)]);
    }

    #[test]
    fn marks_of_order_and_of_old_systems_are_skipped() {
        assert_eq!(tokens("\u{feff}% made by\r\n9-14\r\n% x\r\n\u{1a}"), [Token::Word("9-14")]);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let mut lexer = Lexer::new("é 9-14\r\n  $3");
        let places: Vec<_> =
            std::iter::from_fn(|| lexer.next_token().unwrap()).map(|placed| (placed.line, placed.column)).collect();
        assert_eq!(places, [(1, 1), (1, 3), (2, 3)]);
    }

    #[test]
    fn a_comment_without_end_is_an_error_at_its_beginning() {
        let error = Lexer::new("\n {9-14\n").next_token().unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 2: this comment has no end; close it with }");
    }
}
