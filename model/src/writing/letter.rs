//! A letter to many: a text with merge fields and a little formatting, made out to one person at a time. Only the three names
//! of a person can be merged, and what is merged is never read as formatting or as another field.
//!
//! The notation: `{first name}` or `{first name | there}` with what stands in for a missing name, `*emphasis*` within a line,
//! `- ` before the lines of a list, an empty line between paragraphs, and addresses of web pages as they are. Everything else
//! is text.

mod braces;
mod parts;
mod read;

use parts::Piece;
pub use parts::{Addressee, Letter, NamePart, UnknownField};

use crate::{
    Markup,
    length::{TooLong, within},
};

/// The longest message, in characters.
pub const BODY: usize = 20_000;
/// The longest text that is read, in bytes: any message that may be sent.
const LONGEST: usize = 4 * BODY;

/// Why a text is no letter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error(transparent)]
    Unknown(#[from] UnknownField),
}

impl Letter {
    /// Reads a text, unless it is too long to be read at all.
    pub fn read(text: &str) -> Result<Letter, Unreadable> {
        Ok(read::LetterReader::default().letter(within::<LONGEST>(text)?)?)
    }

    /// As plain text.
    pub fn plain(&self, to: &Addressee) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|piece| piece.plain(to)).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// As plain text that is about nobody: each name is left out.
    pub fn without_names(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(Piece::without_names).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// As HTML, escaped: paragraphs and lists. With `marked`, what was merged is in `<mark>`.
    pub fn html(&self, to: &Addressee, marked: bool) -> Markup {
        let mut html = Markup::default();
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            match line {
                line if is_blank(line) => {}
                line if item(line).is_some() => {
                    html.push_ours("<ul>");
                    push_item(&mut html, line, to, marked);
                    while let Some(line) = lines.next_if(|line| item(line).is_some()) {
                        push_item(&mut html, line, to, marked);
                    }
                    html.push_ours("</ul>");
                }
                line => {
                    html.push_ours("<p>");
                    push(&mut html, line, to, marked);
                    while let Some(line) = lines.next_if(|line| !is_blank(line) && item(line).is_none()) {
                        html.push_ours("<br>");
                        push(&mut html, line, to, marked);
                    }
                    html.push_ours("</p>");
                }
            }
        }
        html
    }
}

impl Piece {
    fn plain(&self, to: &Addressee) -> String {
        match self {
            Piece::Text(text) | Piece::Link(text) => text.clone(),
            Piece::Field { part, fallback } => merged(to.name(*part), fallback),
            Piece::Emphasis(pieces) => {
                let inner: String = pieces.iter().map(|piece| piece.plain(to)).collect();
                format!("*{inner}*")
            }
        }
    }

    fn without_names(&self) -> String {
        match self {
            Piece::Text(text) | Piece::Link(text) => text.clone(),
            Piece::Field { .. } => "…".to_owned(),
            Piece::Emphasis(pieces) => format!("*{}*", pieces.iter().map(Piece::without_names).collect::<String>()),
        }
    }

    fn push(&self, html: &mut Markup, to: &Addressee, marked: bool) {
        match self {
            Piece::Text(text) => html.push_text(text),
            Piece::Link(url) => {
                html.push_ours("<a href=\"");
                html.push_text(url);
                html.push_ours("\">");
                html.push_text(url);
                html.push_ours("</a>");
            }
            Piece::Field { part, fallback } => {
                html.push_ours(if marked { "<mark>" } else { "" });
                html.push_text(&merged(to.name(*part), fallback));
                html.push_ours(if marked { "</mark>" } else { "" });
            }
            Piece::Emphasis(pieces) => {
                html.push_ours("<em>");
                push(html, pieces, to, marked);
                html.push_ours("</em>");
            }
        }
    }
}

/// A name as it is merged: on one line, without control characters.
fn merged(name: &str, fallback: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match name.trim() {
        "" => fallback.to_owned(),
        name => name.to_owned(),
    }
}

fn is_blank(line: &[Piece]) -> bool {
    line.iter().all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty()))
}

/// What follows the dash, for a line of a list.
fn item(line: &[Piece]) -> Option<&str> {
    match line.first() {
        Some(Piece::Text(text)) => text.strip_prefix("- "),
        _ => None,
    }
}

fn push_item(html: &mut Markup, line: &[Piece], to: &Addressee, marked: bool) {
    html.push_ours("<li>");
    html.push_text(item(line).unwrap_or_default());
    push(html, &line[1..], to, marked);
    html.push_ours("</li>");
}

fn push(html: &mut Markup, pieces: &[Piece], to: &Addressee, marked: bool) {
    for piece in pieces {
        piece.push(html, to, marked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Addressee = Addressee { first: "Ada", middle: "", last: "<b>Łoś & Co</b>" };

    fn plain(text: &str) -> String {
        Letter::read(text).unwrap().plain(&ADA)
    }

    fn html(text: &str) -> String {
        Letter::read(text).unwrap().html(&ADA, false).into_string()
    }

    #[test]
    fn what_an_email_is_called_names_nobody() {
        let called = |text: &str| Letter::read(text).unwrap().without_names();
        assert_eq!(called("Welcome back, {first name | there}!"), "Welcome back, …!");
        assert_eq!(called("*{last name}*: {odd"), "*…*: {odd");
    }

    #[test]
    fn names_are_merged_and_fallbacks_stand_in() {
        assert_eq!(plain("Hello {first name | there}, {Middle Name|?} {last_name}"), "Hello Ada, ? <b>Łoś & Co</b>");
        assert_eq!(plain("{middle name}!"), "!");
    }

    #[test]
    fn a_name_brings_no_line_no_markup_and_no_field() {
        let to = Addressee { first: "A\r\nBcc: x@y", middle: "{last name}", last: "*x* https://z" };
        let letter = Letter::read("{first name}{middle name}{last name}").unwrap();
        assert_eq!(letter.plain(&to), "A  Bcc: x@y{last name}*x* https://z");
        assert_eq!(letter.html(&to, false).as_str(), "<p>A  Bcc: x@y{last name}*x* https://z</p>");
    }

    #[test]
    fn other_braces_stay_as_they_are() {
        for text in ["{{7*7}}", "{% for x in y %}", "{", "{}", "{ }", "a {1} b", "${jndi:ldap://x}"] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain("{{first name}}"), "{Ada}");
    }

    #[test]
    fn a_mistyped_field_is_named() {
        assert_eq!(Letter::read("Dear {frist name | you}"), Err(UnknownField("frist name".to_owned()).into()));
        assert_eq!(Letter::read("*Dear {name}*"), Err(UnknownField("name".to_owned()).into()));
    }

    #[test]
    fn paragraphs_lists_emphasis_and_links() {
        let text = "Hello {first name},\nwelcome.\n\n- *one*\n- two: https://a.example/?b=1&c=2.\n\nBye";
        let expected = "<p>Hello Ada,<br>welcome.</p><ul><li><em>one</em></li><li>two: \
            <a href=\"https://a.example/?b=1&amp;c=2\">https://a.example/?b=1&amp;c=2</a>.</li></ul><p>Bye</p>";
        assert_eq!(html(text), expected);
        assert_eq!(plain(text), text.replace("{first name}", "Ada"));
    }

    #[test]
    fn markup_in_a_text_stays_text() {
        assert_eq!(html("<script>alert('1')</script>"), "<p>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</p>");
        assert_eq!(
            html("javascript:alert(1) https://x\"onclick=1"),
            "<p>javascript:alert(1) <a href=\"https://x\">https://x</a>&quot;onclick=1</p>"
        );
        assert_eq!(html("2 * 3 * 4 and a*b*c and **"), "<p>2 * 3 * 4 and a*b*c and **</p>");
    }

    #[test]
    fn what_was_merged_can_be_seen() {
        assert_eq!(Letter::read("{first name}").unwrap().html(&ADA, true).as_str(), "<p><mark>Ada</mark></p>");
    }
}
