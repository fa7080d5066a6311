//! What a letter is made of, and whose names are merged into it.

/// A name that can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamePart {
    First,
    Middle,
    Last,
}

impl NamePart {
    pub const ALL: [NamePart; 3] = [NamePart::First, NamePart::Middle, NamePart::Last];

    /// As it stands between the braces.
    pub fn label(self) -> &'static str {
        match self {
            NamePart::First => "first name",
            NamePart::Middle => "middle name",
            NamePart::Last => "last name",
        }
    }
}

/// Whose names are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Addressee<'a> {
    pub first: &'a str,
    pub middle: &'a str,
    pub last: &'a str,
}

impl Addressee<'_> {
    pub(super) fn name(&self, part: NamePart) -> &str {
        match part {
            NamePart::First => self.first,
            NamePart::Middle => self.middle,
            NamePart::Last => self.last,
        }
    }
}

/// A text that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub(super) lines: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Field { part: NamePart, fallback: String },
    Emphasis(Vec<Piece>),
    Link(String),
}

/// What looks like a merge field and is none: `frist name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField(pub String);

impl std::error::Error for UnknownField {}

impl std::fmt::Display for UnknownField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "There is no field {{{}}}. There are {{first name}}, {{middle name}} and {{last name}}.", self.0)
    }
}
