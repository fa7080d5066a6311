//! Descriptions are the comments of the code. What only its readers can follow, they lose here: where their lines end, links,
//! and what refers to the code or to a file in parentheses.

use serde_json::Value;

/// The document with every description tidied.
pub fn tidied(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                *member = match member.take() {
                    Value::String(text) if name == "description" => plain(&text).into(),
                    other => tidied(other),
                };
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = tidied(value.take())),
        _ => {}
    }
    value
}

fn plain(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| without_asides(&paragraph.replace('\n', " ")));
    paragraphs.collect::<Vec<_>>().join("\n\n").replace("[`", "`").replace("`]", "`")
}

fn without_asides(text: &str) -> String {
    let mut parts = text.split(" (");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((aside, rest)) if aside.contains(".md") || aside.contains("[`") => plain.push_str(rest),
            _ => plain.extend([" (", part]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_for_readers_of_the_code_goes() {
        assert_eq!(plain("One is open (ARCHITECTURE.md, Invariants)."), "One is open.");
        assert_eq!(plain("Counted here (see [`crate::submission::FROZEN`])."), "Counted here.");
        assert_eq!(plain("One line,\ncontinued.\n\nAnother."), "One line, continued.\n\nAnother.");
        assert_eq!(
            plain("A number (zeros included) for each [`Reason`]"),
            "A number (zeros included) for each `Reason`"
        );
    }
}
