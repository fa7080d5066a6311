//! What may be given to `inner_html`, which writes markup as it is: nothing else is, in any page. It is a constant, or was
//! escaped when it was made.

use model::Markup;

/// Markup of our own.
pub fn fixed(markup: &'static str) -> &'static str {
    markup
}

/// A letter, or what else the server has put together.
pub fn made(markup: Markup) -> String {
    markup.into_string()
}

/// Text as the content of a text area. A parser drops one line break at its beginning, so that there is one to drop.
pub fn area(text: &str) -> String {
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_text_stays_text() {
        assert_eq!(area("</textarea><script>&"), "\n&lt;/textarea&gt;&lt;script&gt;&amp;");
        assert_eq!(area("\nlater"), "\n\nlater");
    }
}
