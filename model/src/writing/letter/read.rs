//! How a letter is read: from left to right, once. Whoever looks ahead stops at the next sign of the kind it looks for, and
//! so at what the next look would begin with; however a text is written, no part of it is looked at more than a few times.

use super::parts::{Letter, NamePart, Piece, UnknownField};

/// The longest part of an unknown field that is named, in characters.
const NAMED: usize = 40;

/// Reads one letter.
#[derive(Default)]
pub(super) struct LetterReader {
    /// Bytes that were looked at, again and again as it may be.
    looked: usize,
}

impl LetterReader {
    pub fn letter(&mut self, text: &str) -> Result<Letter, UnknownField> {
        let lines = text.split('\n').map(|line| self.pieces(line.strip_suffix('\r').unwrap_or(line)));
        Ok(Letter { lines: lines.collect::<Result<_, _>>()? })
    }

    fn pieces(&mut self, line: &str) -> Result<Vec<Piece>, UnknownField> {
        let mut found = Vec::new();
        let mut text = String::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let opens_word = text.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            let taken = match c {
                '{' => self.field(rest)?,
                '*' if opens_word => self.emphasis(rest)?,
                'h' if opens_word => self.link(rest),
                _ => None,
            };
            match taken {
                Some((piece, length)) => {
                    if !text.is_empty() {
                        found.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    found.push(piece);
                    rest = &rest[length..];
                }
                None => {
                    text.push(c);
                    rest = &rest[c.len_utf8()..];
                    self.looked += c.len_utf8();
                }
            }
        }
        if !text.is_empty() {
            found.push(Piece::Text(text));
        }
        Ok(found)
    }

    /// Where the first of these is; whatever stands before it was looked at.
    fn find(&mut self, text: &str, wanted: impl Fn(char) -> bool) -> Option<usize> {
        let found = text.find(wanted);
        self.looked += found.unwrap_or(text.len());
        found
    }

    /// A merge field at the beginning of a text, and its length.
    fn field(&mut self, text: &str) -> Result<Option<(Piece, usize)>, UnknownField> {
        let inside = &text[1..];
        // A field holds no other: at the next brace it is over, or was none.
        let end = self.find(inside, |c| matches!(c, '{' | '}'));
        let Some(end) = end.filter(|end| inside[*end..].starts_with('}')) else { return Ok(None) };
        let inner = &inside[..end];
        let (name, fallback) = inner.split_once('|').unwrap_or((inner, ""));
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '_') {
            return Ok(None);
        }
        let words = name.to_lowercase().replace('_', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let part = NamePart::ALL.into_iter().find(|part| part.label() == words);
        let part = part.ok_or_else(|| UnknownField(name.chars().take(NAMED).collect()))?;
        Ok(Some((Piece::Field { part, fallback: fallback.trim().to_owned() }, end + 2)))
    }

    /// Emphasis at the beginning of a text, and its length.
    fn emphasis(&mut self, text: &str) -> Result<Option<(Piece, usize)>, UnknownField> {
        let inside = &text[1..];
        let Some(end) = self.find(inside, |c| c == '*') else { return Ok(None) };
        let inner = &inside[..end];
        let closes_word = inside[end + 1..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if inner.trim() != inner || inner.is_empty() || !closes_word {
            return Ok(None);
        }
        Ok(Some((Piece::Emphasis(self.pieces(inner)?), end + 2)))
    }

    /// The address of a web page at the beginning of a text, and its length.
    fn link(&mut self, text: &str) -> Option<(Piece, usize)> {
        let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
        let end = self.find(text, |c| c.is_whitespace() || "<>\"{}*".contains(c)).unwrap_or(text.len());
        let url = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
        (url.len() > scheme.len()).then(|| (Piece::Link(url.to_owned()), url.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a text was looked at to read it, or to refuse it.
    fn looked(text: &str) -> usize {
        let mut reader = LetterReader::default();
        let _ = reader.letter(text);
        reader.looked
    }

    #[test]
    fn a_text_of_opening_signs_alone_is_read_in_one_go() {
        let hostile = [
            "{",
            "{a",
            "{a|",
            "{{first name",
            "{ | ",
            "*",
            "* ",
            "*a",
            "*{",
            "{*",
            " h",
            "http://",
            "*http://",
            " http://.",
            "http://a{",
            "{first name|*",
            "{first name}",
            "*a*",
            "- *{",
            "é{",
            "*{first name}*a",
        ];
        for sign in hostile {
            for times in [1_000, 10_000] {
                let text = sign.repeat(times);
                let (looked, length) = (looked(&text), text.len());
                assert!(looked <= 5 * length, "{sign:?} {times} times: {looked} looks at {length} bytes");
            }
        }
    }

    #[test]
    fn what_is_too_long_is_not_read_and_a_long_field_not_repeated() {
        assert!(Letter::read(&"{".repeat(600_000)).is_err());
        let unknown = Letter::read(&format!("{{{}}}", "a".repeat(50_000))).unwrap_err();
        assert!(unknown.to_string().len() < 200, "{unknown}");
    }
}
