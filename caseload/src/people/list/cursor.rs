//! Where the next page of a list begins, as it stands in an address.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{PersonId, Problem, length::within};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Result;

/// The longest place in a list that is read, in bytes: a folded name and an id, encoded twice.
const CURSOR: usize = 4 * 1024;

/// Where the next page begins: after this key, and among those of one key after this id.
pub(crate) fn cursor(key: &str, id: PersonId) -> String {
    place(&(key, id))
}

pub(crate) fn read_cursor(text: &str) -> Result<(String, PersonId)> {
    read_place(text)
}

/// A place in a list, for an address.
pub(crate) fn place(place: &impl Serialize) -> String {
    // Only maps with keys other than text cannot be written, and no place has any.
    URL_SAFE_NO_PAD.encode(serde_json::to_string(place).unwrap_or_default())
}

pub(crate) fn read_place<T: DeserializeOwned>(text: &str) -> Result<T> {
    let read = within::<CURSOR>(text).ok().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
    let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let read = read.filter(|value| !has_control(value)).and_then(|value| serde_json::from_value(value).ok());
    read.ok_or_else(|| Problem::field("after", "invalid", "That page is not there; start from the first one.").into())
}

/// Whether a text in it has characters that one of the databases refuses.
fn has_control(value: &Value) -> bool {
    match value {
        Value::String(text) => model::text::has_control(text),
        Value::Array(values) => values.iter().any(has_control),
        Value::Object(fields) => fields.values().any(has_control),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
