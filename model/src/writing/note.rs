//! Free texts that people add to what they do: a comment, a reason.

use crate::{FieldError, Problem};

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
    if crate::text::has_control(text) {
        errors.push(FieldError::new(
            field,
            "invalid",
            "Use letters, digits and signs only; this has characters that cannot be shown.",
        ));
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// The same for a text that stands alone.
pub fn checked_note(field: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let mut errors = Vec::new();
    let text = note(field, text.unwrap_or_default(), &mut errors);
    if errors.is_empty() { Ok(text) } else { Err(Problem::fields(errors)) }
}
