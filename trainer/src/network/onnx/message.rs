//! The wire format of protocol buffers, as much of it as a model needs.
//!
//! Written here: a code generator and its runtime for one message kind would be larger than this.
//! Format: <https://protobuf.dev/programming-guides/encoding/>.

/// A message: fields in the order in which they are added.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn number(mut self, field: u32, value: i64) -> Self {
        self.varint(u64::from(field) << 3);
        self.varint(value as u64);
        self
    }

    pub(super) fn numbers(mut self, field: u32, values: impl Iterator<Item = i64>) -> Self {
        for value in values {
            self = self.number(field, value);
        }
        self
    }

    pub(super) fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn message(self, field: u32, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// A named setting of a node.
pub(super) enum Attribute<'a> {
    Number(&'a str, i64),
    Numbers(&'a str, &'a [i64]),
}

impl Attribute<'_> {
    pub(super) fn message(&self) -> Message {
        match *self {
            Self::Number(name, value) => Message::default().text(1, name).number(3, value).number(20, 2),
            Self::Numbers(name, values) => {
                Message::default().text(1, name).numbers(8, values.iter().copied()).number(20, 7)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        // The published examples: 150 as field 1, and "testing" as field 2.
        assert_eq!(Message::default().number(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().text(2, "testing").into_bytes();
        assert_eq!(text, [&[0x12, 0x07][..], b"testing"].concat());
        assert_eq!(Message::default().number(3, -1).into_bytes().len(), 11);
    }
}
