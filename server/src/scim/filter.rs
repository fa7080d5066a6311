//! What the directory looks for: `userName eq "ana@north.example" and externalId eq "7"`. There are no other operators and no brackets.

use model::Problem;
use serde_json::Deserializer;

use super::answers::refused;

/// The most terms of one filter.
const TERMS: usize = 10;

/// An attribute, in small letters and without the name of its schema, with the text that it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterTerm {
    pub attribute: String,
    pub value: String,
}

/// The terms of a filter, of which all have to be so.
pub fn terms(text: &str, longest: usize) -> Result<Vec<FilterTerm>, Problem> {
    if text.len() > longest {
        let most = model::grouped(longest as u64);
        return Err(wrong(&format!(
            "The filter is longer than {most} bytes, which is the limit of scim.filter_bytes."
        )));
    }
    let (mut terms, mut rest) = (Vec::new(), text.trim());
    loop {
        let (term, after) = term(rest)?;
        terms.push(term);
        if after.is_empty() {
            return Ok(terms);
        }
        let Some(next) = word(after, "and") else {
            return Err(wrong("After a value there can only be “and” and the next term."));
        };
        if terms.len() == TERMS {
            return Err(wrong(&format!("The filter has more than {TERMS} terms.")));
        }
        rest = next;
    }
}

/// The first term, and what comes after it.
fn term(text: &str) -> Result<(FilterTerm, &str), Problem> {
    let (attribute, rest) = text.split_once(' ').ok_or_else(|| wrong("A term is written: attribute eq \"value\"."))?;
    let value = word(rest.trim_start(), "eq").ok_or_else(|| wrong("Docket knows no other operator than “eq”."))?;
    let mut json = Deserializer::from_str(value).into_iter::<String>();
    match json.next() {
        Some(Ok(read)) => {
            let after = value[json.byte_offset()..].trim_start();
            Ok((FilterTerm { attribute: plain(attribute).to_lowercase(), value: read }, after))
        }
        _ => Err(wrong("A value stands between double quotes.")),
    }
}

/// What comes after a word, whatever its capitals.
fn word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = text.split_once(' ')?;
    first.eq_ignore_ascii_case(word).then(|| rest.trim_start())
}

/// An attribute without the name of the schema of users or groups.
pub fn plain(attribute: &str) -> &str {
    const SCHEMAS: [&str; 2] =
        ["urn:ietf:params:scim:schemas:core:2.0:User:", "urn:ietf:params:scim:schemas:core:2.0:Group:"];
    let without = |schema: &str| {
        let (before, rest) = attribute.split_at_checked(schema.len())?;
        before.eq_ignore_ascii_case(schema).then_some(rest)
    };
    SCHEMAS.into_iter().find_map(without).unwrap_or(attribute)
}

/// 400: the filter is not understood.
pub fn wrong(detail: &str) -> Problem {
    refused("invalidFilter", detail)
}

/// 400: nobody is looked for by this attribute.
pub fn unknown(attribute: &str, known: &str) -> Problem {
    let attribute = model::enum_words::quoted(attribute);
    wrong(&format!("Docket does not look for {attribute}. It looks for {known}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        terms(text, 500).unwrap().into_iter().map(|term| (term.attribute, term.value)).collect()
    }

    fn pair(attribute: &str, value: &str) -> (String, String) {
        (attribute.to_owned(), value.to_owned())
    }

    #[test]
    fn what_directories_ask_is_read() {
        assert_eq!(read("userName eq \"Ana@north.example\""), [pair("username", "Ana@north.example")]);
        let both = "externalId Eq \"a \\\"b\\\" and c\"  AND id eq \"7\"";
        assert_eq!(read(both), [pair("externalid", "a \"b\" and c"), pair("id", "7")]);
        let long = "urn:ietf:params:scim:schemas:core:2.0:User:userName eq \"x\"";
        assert_eq!(read(long), [pair("username", "x")]);
    }

    #[test]
    fn whatever_else_it_is_is_refused() {
        let long = format!("userName eq \"{}\"", "x".repeat(500));
        let many = ["id eq \"x\""; 11].join(" and ");
        for text in [
            "",
            "userName",
            "userName pr",
            "userName co \"x\"",
            "userName eq x",
            "userName eq \"x",
            "userName eq true",
            "(userName eq \"x\")",
            "not (userName eq \"x\")",
            "userName eq \"x\" or id eq \"y\"",
            "userName eq \"x\" and",
            "userName eq \"x\" y",
            "emails[type eq \"work\"].value eq \"x\"",
            &long,
            &many,
        ] {
            let problem = terms(text, 500);
            // The one with a space in its attribute is no term at all.
            let problem = problem.expect_err(text);
            assert_eq!((problem.status, problem.more["scimType"].as_str()), (400, Some("invalidFilter")), "{text}");
        }
    }
}
