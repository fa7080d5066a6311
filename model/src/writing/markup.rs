//! Markup that text cannot become a part of: what is added to it is either a constant of this program or escaped.

use serde::{Serialize, Serializer};

/// A piece of HTML. There is no way to make one from a text without escaping it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Adds markup of our own.
    pub fn ours(mut self, markup: &'static str) -> Markup {
        self.push_ours(markup);
        self
    }

    /// Adds a text of anybody's.
    pub fn text(mut self, text: &str) -> Markup {
        self.push_text(text);
        self
    }

    /// Adds a text of anybody's with its line breaks.
    pub fn lines(mut self, text: &str) -> Markup {
        for (n, line) in text.lines().enumerate() {
            self.push_ours(if n > 0 { "<br>" } else { "" });
            self.push_text(line);
        }
        self
    }

    /// As [`Markup::ours`].
    pub fn push_ours(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// As [`Markup::text`].
    pub fn push_text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(c),
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// It leaves as a text and never comes back as one.
impl Serialize for Markup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ours_is_escaped() {
        let markup = Markup::default().ours("<p>").text("<b>&\"'</b>").ours("</p>");
        assert_eq!(markup.as_str(), "<p>&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;</p>");
        assert_eq!(Markup::default().lines("<\r\n\n>").as_str(), "&lt;<br><br>&gt;");
        assert_eq!(serde_json::to_string(&markup).unwrap(), "\"<p>&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;</p>\"");
    }
}
