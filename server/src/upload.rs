//! Forms with files: what they have in common is that they may be long.

use axum::extract::{Multipart, multipart::Field};
use model::{Problem, length::TooLong};

/// Reads a refused form to its end without keeping it: a browser that cannot send all it has shows no answer.
pub async fn discard(mut form: Multipart) {
    while let Ok(Some(mut field)) = form.next_field().await {
        while let Ok(Some(_)) = field.chunk().await {}
    }
}

/// The text of a field, if it has at most so many bytes; what comes beyond them is not kept.
pub async fn text<const MOST: usize>(field: &mut Field<'_>, name: &str) -> Result<String, Problem> {
    let unreadable = || Problem::field(name, "unreadable", "This is not text in UTF-8, or too large.");
    let mut text = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|_| unreadable())? {
        if text.len() + piece.len() > MOST {
            return Err(TooLong { most: MOST }.of(name));
        }
        text.extend_from_slice(&piece);
    }
    // What no text of a database can hold is no text here, either.
    String::from_utf8(text).ok().filter(|text| !text.contains('\0')).ok_or_else(unreadable)
}
