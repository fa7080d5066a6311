//! Where the next page of a list begins, as it stands in an address.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::Cursor;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Result;

/// A place of several values, such as a key and, among those of one key, an id.
pub(crate) fn cursor(place: &impl Serialize) -> Cursor {
    // Only maps with keys other than text cannot be written, and no place has any.
    Cursor::after(URL_SAFE_NO_PAD.encode(serde_json::to_string(place).unwrap_or_default()))
}

pub(crate) fn read<T: DeserializeOwned>(cursor: &Cursor) -> Result<T> {
    let read = URL_SAFE_NO_PAD.decode(cursor.as_str()).ok();
    let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let read = read.filter(|value| !has_control(value)).and_then(|value| serde_json::from_value(value).ok());
    read.ok_or_else(|| Cursor::gone().into())
}

/// Whether a text in it has characters that one of the databases refuses.
fn has_control(value: &Value) -> bool {
    match value {
        Value::String(text) => model::enum_words::has_control(text),
        Value::Array(values) => values.iter().any(has_control),
        Value::Object(fields) => fields.values().any(has_control),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
