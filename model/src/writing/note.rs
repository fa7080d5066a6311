//! Free texts that people add to what they do: a comment, a reason.

use serde::Serialize;

use crate::{FieldError, Problem};

/// Why somebody does something, in their own words. There is no other way to one than through the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Reason(String);

impl Reason {
    /// From what was typed; nothing where that is blank.
    pub fn read(text: Option<&str>) -> Result<Option<Reason>, Problem> {
        Ok(checked_note("reason", text)?.map(Reason))
    }

    /// From what was typed where it has to be given; `ask` says so.
    pub fn required(text: Option<&str>, ask: &str) -> Result<Reason, Problem> {
        Reason::read(text)?.ok_or_else(|| Problem::field("reason", "required", ask))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_text(self) -> String {
        self.0
    }
}

/// The longest comment or reason, in characters.
pub const MAX_NOTE: usize = 500;

/// A free text of at most [`MAX_NOTE`] characters, without control characters but line breaks and tabs; blank counts as
/// absent.
pub fn note(field: &str, text: &str, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > MAX_NOTE {
        errors.push(FieldError::new(
            field,
            "too_long",
            format!("Use at most {MAX_NOTE} characters; this has {length}."),
        ));
    }
    if crate::enum_words::has_control(text) {
        errors.push(FieldError::new(field, "invalid", "Remove the characters that cannot be shown."));
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// The same for a text that stands alone.
pub fn checked_note(field: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let mut errors = Vec::new();
    let text = note(field, text.unwrap_or_default(), &mut errors);
    if errors.is_empty() { Ok(text) } else { Err(Problem::fields(errors)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_checked_and_not_blank() {
        assert_eq!(Reason::read(Some(" Mia asked ")).unwrap().unwrap().as_str(), "Mia asked");
        assert_eq!(Reason::read(Some(" \n ")).unwrap(), None);
        assert_eq!(Reason::read(Some("a\u{0}b")).unwrap_err().errors[0].field, "reason");
        assert_eq!(Reason::read(Some(&"x".repeat(501))).unwrap_err().errors[0].code, "too_long");
        let missing = Reason::required(None, "Enter a reason.").unwrap_err();
        assert_eq!(missing.errors[0].message, "Enter a reason.");
    }
}
