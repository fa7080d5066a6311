//! What is put into every field, and whether a page took any of it for markup.

use std::collections::BTreeSet;

use scraper::{ElementRef, Html};
use serde_json::Value;

/// Markup for every place that a text may stand in: within an element, an attribute, a title, a text area, a script, a style,
/// a comment; and what else has been taken for something that it is not. It names its field.
pub fn hostile(field: &str) -> String {
    format!(
        "¤{field}¤\"' evil=1 '></title></textarea></noscript></script></style></select></template>-->\
         <form data-draft action=/evil method=post data-evil><input name=evil></form><img src=evil onerror=evil()>\
         <evil-{0} data-evil onclick=evil()></evil-{0}><svg onload=evil()><base href=//evil.example>javascript:evil() ${{evil}} \
         \u{2028}\u{2029}\u{202e}\r\nX-Evil: 1\r\n\r\n<script>evil()</script>&lt;evil-{0}&gt;&amp;",
        field.replace(|c: char| !c.is_ascii_lowercase(), "-")
    )
}

/// As much of it as the doors take: one line, short, and no merge field.
pub fn short(field: &str) -> String {
    format!(
        "¤{field}¤\"' evil=1 '></title></textarea></script><form data-draft action=/evil data-evil>\
         <img src=evil onerror=evil()>"
    )
}

/// The drawings of all icons.
const SPRITE: &str = include_str!("../../../../app/src/components/sprite.svg");

/// What was shown: the fields that were on the page, and what of the page was not ours or is not as it has to be.
#[derive(Default)]
pub struct Judged {
    pub fields: BTreeSet<String>,
    pub foreign: Vec<String>,
    pub elements: usize,
}

impl Judged {
    /// Reads a whole document.
    pub fn page(html: &str) -> Judged {
        let mut judged = Judged::default();
        judged.tree(&Html::parse_document(html));
        judged
    }

    /// Reads the answer of a server function: data, of which some texts are markup that a page puts in place.
    pub fn answer(text: &str) -> Judged {
        let mut judged = Judged::default();
        judged.data(&Value::String(text.to_owned()));
        judged
    }

    fn data(&mut self, value: &Value) {
        match value {
            // All of ours begins with an element; whatever anybody typed begins with the name of its field.
            Value::String(text) if text.starts_with('<') => self.tree(&Html::parse_fragment(text)),
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner @ (Value::Object(_) | Value::Array(_) | Value::String(_))) => self.data(&inner),
                _ => self.note(text),
            },
            Value::Array(values) => values.iter().for_each(|value| self.data(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.data(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn tree(&mut self, html: &Html) {
        for node in html.tree.nodes() {
            if let Some(text) = node.value().as_text() {
                self.note(text);
            }
            if let Some(element) = ElementRef::wrap(node) {
                self.elements += 1;
                self.element(element);
            }
        }
    }

    fn element(&mut self, element: ElementRef) {
        let name = element.value().name();
        if name.contains("evil") || name == "base" {
            self.foreign.push(format!("<{name}>"));
        }
        if name == "table" {
            self.foreign.extend(uneven_row(element));
        }
        if let Some(drawing) = element.attr("href").filter(|_| name == "use").and_then(|href| href.strip_prefix('#')) {
            let is_drawn = SPRITE.contains(&format!("id=\"{drawing}\""));
            self.foreign.extend((!is_drawn).then(|| format!("an icon that nobody has drawn: {drawing}")));
        }
        for (attribute, value) in element.value().attrs() {
            self.note(value);
            // Ours have none, and all of ours lead to paths of ours.
            let runs = attribute.contains("evil") || attribute.starts_with("on");
            let leads = ["href", "src", "action", "formaction", "srcset", "style"].contains(&attribute);
            let value = value.trim_start();
            let elsewhere = leads
                && (value.starts_with("javascript:") || value.starts_with("//") || value == "evil" || value == "/evil");
            if runs || elsewhere {
                self.foreign.push(format!("<{name} {attribute}={value}>"));
            }
        }
    }

    fn note(&mut self, text: &str) {
        let is_name = |part: &&str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '.' | '_' | '-'))
        };
        self.fields.extend(text.split('¤').filter(is_name).filter(|_| text.contains('¤')).map(str::to_owned));
    }
}

/// A row of this table that has more or fewer cells than its head.
fn uneven_row(table: ElementRef) -> Option<String> {
    let wide = |row: ElementRef| -> usize {
        let cells = row.child_elements().filter(|cell| matches!(cell.value().name(), "th" | "td"));
        cells.map(|cell| cell.attr("colspan").map_or(1, |columns| columns.parse().unwrap())).sum()
    };
    let rows: Vec<ElementRef> = table.descendent_elements().filter(|element| element.value().name() == "tr").collect();
    let head = wide(*rows.first()?);
    let uneven = rows.into_iter().find(|row| wide(*row) != head)?;
    Some(format!("{} cells below a head of {head}: {}", wide(uneven), uneven.html()))
}

#[test]
fn a_row_with_a_cell_too_few_is_noticed() {
    let page = Judged::page("<table><tr><th>a<th>b</tr><tr><td colspan=2></tr><tr><td>c</tr></table>");
    assert_eq!(page.foreign, ["1 cells below a head of 2: <tr><td>c</td></tr>"]);
}

#[test]
fn an_icon_that_is_not_drawn_is_noticed() {
    let page = Judged::page("<svg><use href='#i-done'></use></svg><svg><use href='#i-nothing'></use></svg>");
    assert_eq!(page.foreign, ["an icon that nobody has drawn: i-nothing"]);
}

#[test]
fn markup_that_is_not_ours_is_noticed() {
    let text = hostile("a");
    for page in [
        format!("<title>{text}</title>"),
        format!("<p>{text}</p>"),
        format!("<input value=\"{text}\">"),
        format!("<input value='{text}'>"),
        format!("<textarea>{text}</textarea>"),
        format!("<script>{text}</script>"),
        format!("<!-- {text} -->"),
    ] {
        assert!(!Judged::page(&page).foreign.is_empty(), "{page}");
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let page = Judged::page(&format!("<title>{escaped}</title><p class=\"{escaped}\">{escaped}"));
    assert_eq!((page.foreign, page.fields.len()), (Vec::new(), 1));
}
