//! A letter to many: a text with merge fields and a little formatting, made out to one person at a time. Only the three names
//! of a person can be merged, and what is merged is never read as formatting or as another field.
//!
//! The notation: `{first name}` or `{first name | there}` with what stands in for a missing name, `*emphasis*` within a line,
//! `- ` before the lines of a list, an empty line between paragraphs, and addresses of web pages as they are. Everything else
//! is text.

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
    fn name(&self, part: NamePart) -> &str {
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
    lines: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field { part: NamePart, fallback: String },
    Emphasis(Vec<Piece>),
    Link(String),
}

/// What looks like a merge field and is none: `frist name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField(pub String);

impl std::fmt::Display for UnknownField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "There is no field {{{}}}. There are {{first name}}, {{middle name}} and {{last name}}.", self.0)
    }
}

impl Letter {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Letter, UnknownField> {
        let lines = text.split('\n').map(|line| pieces(line.strip_suffix('\r').unwrap_or(line)));
        Ok(Letter { lines: lines.collect::<Result<_, _>>()? })
    }

    /// As plain text.
    pub fn plain(&self, to: &Addressee) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|piece| piece.plain(to)).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// As HTML, escaped: paragraphs and lists. With `marked`, what was merged is in `<mark>`.
    pub fn html(&self, to: &Addressee, marked: bool) -> String {
        let mut html = String::new();
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            match line {
                line if is_blank(line) => {}
                line if item(line).is_some() => {
                    html.push_str("<ul>");
                    push_item(&mut html, line, to, marked);
                    while let Some(line) = lines.next_if(|line| item(line).is_some()) {
                        push_item(&mut html, line, to, marked);
                    }
                    html.push_str("</ul>");
                }
                line => {
                    html.push_str("<p>");
                    push(&mut html, line, to, marked);
                    while let Some(line) = lines.next_if(|line| !is_blank(line) && item(line).is_none()) {
                        html.push_str("<br>");
                        push(&mut html, line, to, marked);
                    }
                    html.push_str("</p>");
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

    fn push(&self, html: &mut String, to: &Addressee, marked: bool) {
        match self {
            Piece::Text(text) => html.push_str(&escaped(text)),
            Piece::Link(url) => {
                let url = escaped(url);
                html.push_str(&format!("<a href=\"{url}\">{url}</a>"));
            }
            Piece::Field { part, fallback } => {
                let name = escaped(&merged(to.name(*part), fallback));
                html.push_str(&if marked { format!("<mark>{name}</mark>") } else { name });
            }
            Piece::Emphasis(pieces) => {
                html.push_str("<em>");
                push(html, pieces, to, marked);
                html.push_str("</em>");
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

fn push_item(html: &mut String, line: &[Piece], to: &Addressee, marked: bool) {
    html.push_str("<li>");
    html.push_str(&escaped(item(line).unwrap_or_default()));
    push(html, &line[1..], to, marked);
    html.push_str("</li>");
}

fn push(html: &mut String, pieces: &[Piece], to: &Addressee, marked: bool) {
    for piece in pieces {
        piece.push(html, to, marked);
    }
}

/// Text within HTML.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

fn pieces(line: &str) -> Result<Vec<Piece>, UnknownField> {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let opens_word = text.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let taken = match c {
            '{' => field(rest)?,
            '*' if opens_word => emphasis(rest)?,
            'h' if opens_word => link(rest),
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
            }
        }
    }
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    Ok(found)
}

/// A merge field at the beginning of a text, and its length.
fn field(text: &str) -> Result<Option<(Piece, usize)>, UnknownField> {
    let Some(end) = text.find('}') else { return Ok(None) };
    let inner = &text[1..end];
    let (name, fallback) = inner.split_once('|').unwrap_or((inner, ""));
    let name = name.trim();
    let looks_like_one = !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '_');
    if !looks_like_one || fallback.contains('{') {
        return Ok(None);
    }
    let words = name.to_lowercase().replace('_', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let part = NamePart::ALL.into_iter().find(|part| part.label() == words);
    let part = part.ok_or_else(|| UnknownField(name.to_owned()))?;
    Ok(Some((Piece::Field { part, fallback: fallback.trim().to_owned() }, end + 1)))
}

/// Emphasis at the beginning of a text, and its length.
fn emphasis(text: &str) -> Result<Option<(Piece, usize)>, UnknownField> {
    let inside = &text[1..];
    let Some(end) = inside.find('*') else { return Ok(None) };
    let inner = &inside[..end];
    let closes_word = inside[end + 1..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    if inner.trim() != inner || inner.is_empty() || !closes_word {
        return Ok(None);
    }
    Ok(Some((Piece::Emphasis(pieces(inner)?), end + 2)))
}

/// The address of a web page at the beginning of a text, and its length.
fn link(text: &str) -> Option<(Piece, usize)> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let end = text.find(|c: char| c.is_whitespace() || "<>\"{}*".contains(c)).unwrap_or(text.len());
    let url = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
    (url.len() > scheme.len()).then(|| (Piece::Link(url.to_owned()), url.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Addressee = Addressee { first: "Ada", middle: "", last: "<b>Łoś & Co</b>" };

    fn plain(text: &str) -> String {
        Letter::read(text).unwrap().plain(&ADA)
    }

    fn html(text: &str) -> String {
        Letter::read(text).unwrap().html(&ADA, false)
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
        assert_eq!(letter.html(&to, false), "<p>A  Bcc: x@y{last name}*x* https://z</p>");
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
        assert_eq!(Letter::read("Dear {frist name | you}"), Err(UnknownField("frist name".to_owned())));
        assert_eq!(Letter::read("*Dear {name}*"), Err(UnknownField("name".to_owned())));
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
        assert_eq!(Letter::read("{first name}").unwrap().html(&ADA, true), "<p><mark>Ada</mark></p>");
    }
}
