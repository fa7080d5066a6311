//! Braces that are no merge field and so are sent as they are: whoever meant one has mistyped it.

use super::parts::{Letter, Piece};

/// So many places are named.
const NAMED: usize = 3;
/// Of each, so many characters.
const SHORT: usize = 24;

impl Letter {
    /// The braces that stay text, each with what stands with it: `{first name` or `{{x}`.
    pub fn braces(&self) -> Vec<String> {
        let mut found = Vec::new();
        for line in &self.lines {
            look(line, &mut found);
        }
        found
    }
}

fn look(pieces: &[Piece], found: &mut Vec<String>) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => text_of(text, found),
            Piece::Emphasis(inner) => look(inner, found),
            Piece::Field { .. } | Piece::Link(_) => {}
        }
    }
}

fn text_of(text: &str, found: &mut Vec<String>) {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']).filter(|_| found.len() < NAMED) {
        let (before, from) = rest.split_at(at);
        if let Some(after) = from.strip_prefix('}') {
            let words: Vec<char> = before.chars().rev().take(SHORT).collect();
            found.push(format!("{}}}", words.into_iter().rev().collect::<String>().trim_start()));
            rest = after;
        } else {
            let end = from.find('}').map_or(from.len(), |end| end + 1);
            let (own, after) = from.split_at(end);
            found.push(own.chars().take(SHORT).collect::<String>().trim_end().to_owned());
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn braces(text: &str) -> Vec<String> {
        Letter::read(text).unwrap().braces()
    }

    #[test]
    fn braces_that_are_sent_as_they_are_are_told() {
        assert_eq!(braces("Hello {first name},\nsee you"), [""; 0]);
        assert_eq!(braces("Hello {first name,\nsee you"), ["{first name,"]);
        assert_eq!(braces("Hello first name},"), ["Hello first name}"]);
        assert_eq!(braces("*{{first name}}* and {% x %}"), ["{", "}", "{% x %}"]);
        assert_eq!(braces(&"{".repeat(10_000)).len(), 1, "one text is one place");
    }
}
