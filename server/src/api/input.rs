//! How requests are read: bodies, query strings and the header that makes a request repeatable. Whatever cannot be read is
//! refused with the name of the field.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{HeaderMap, header, request::Parts},
};
use model::{FieldError, Problem};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::problem::{self, Refusal};

/// A JSON body, every field of it known.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        if !is_json(request.headers()) {
            return Err(Refusal(problem::unsupported()));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|_| Refusal(problem::too_large()))?;
        read(&bytes).map(Json).map_err(Refusal)
    }
}

/// A JSON body that may be left out altogether.
pub struct MaybeJson<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for MaybeJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let typed = is_json(request.headers());
        let bytes = Bytes::from_request(request, state).await.map_err(|_| Refusal(problem::too_large()))?;
        match typed {
            _ if bytes.is_empty() => Ok(MaybeJson(T::default())),
            true => read(&bytes).map(MaybeJson).map_err(Refusal),
            false => Err(Refusal(problem::unsupported())),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body. What is wrong with it is named by the path of the field: `target.personIds[3]`.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| b"[\"0123456789-tfn".contains(first)) {
        return Err(Problem::bad_request("invalid", "The body has to be a JSON object."));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| named(&error))?;
    json.end().map_err(|_| Problem::bad_request("malformed", "There is something after the JSON of the body."))?;
    Ok(value)
}

/// Reads a part of a body that was read before.
pub fn from_value<T: DeserializeOwned>(value: serde_json::Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| named(&error))
}

/// What is wrong, named by where it is.
fn named(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    let cause = error.inner();
    if !cause.is_data() {
        return Problem::bad_request("malformed", "The body is not well-formed JSON.");
    }
    let said = cause.to_string();
    // The position within the body says less than the path does.
    let said = said.split(" at line ").next().unwrap_or_default();
    match quoted(said, "unknown field `") {
        Some(name) => unknown(&within(&path, name)),
        None => match quoted(said, "missing field `") {
            Some(name) => Problem::field(&within(&path, name), "required", format!("{name} is required.")),
            None if path == "." => {
                Problem::bad_request("invalid", "The body does not have the form that is wanted here.")
            }
            None => Problem::field(&path, "invalid", format!("{path} does not have the form that is wanted here.")),
        },
    }
}

fn quoted<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.split('`').next()
}

/// A field in the object at `path`; the path of an unknown field may already end with it.
fn within(path: &str, name: &str) -> String {
    match path {
        "." => name.to_owned(),
        path if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// The refusal of a field, or parameter, that does not exist.
pub fn unknown(name: &str) -> Problem {
    Problem::field(name, "unknown", format!("There is no field called “{name}” here."))
}

/// The pairs of a query string, decoded, without the empty ones.
pub struct Pairs(Vec<(String, String)>);

impl Pairs {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl<S: Sync> FromRequestParts<S> for Pairs {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
        Ok(Pairs(pairs.filter(|(_, value)| !value.is_empty()).collect()))
    }
}

/// The id in a path. One that is no id names nothing, like one that does not exist.
pub struct TaskId(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for TaskId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let id = Path::<Uuid>::from_request_parts(parts, state).await;
        id.map(|Path(id)| TaskId(id)).map_err(|_| Refusal(Problem::not_found("task")))
    }
}

/// The same for a person.
pub struct PersonId(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for PersonId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let id = Path::<Uuid>::from_request_parts(parts, state).await;
        id.map(|Path(id)| PersonId(id)).map_err(|_| Refusal(Problem::not_found("person")))
    }
}

/// The header `Idempotency-Key`.
pub struct IdempotencyKey(pub Option<String>);

/// The name of that header, and of the field in a refusal of it.
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The longest key, in bytes: room for any id and a prefix.
pub const LONGEST_KEY: usize = 200;

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let Some(given) = parts.headers.get(IDEMPOTENCY_KEY) else { return Ok(IdempotencyKey(None)) };
        match given.to_str() {
            Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(IdempotencyKey(Some(key.to_owned()))),
            _ => {
                let message = format!("Use 1 to {LONGEST_KEY} plain characters.");
                Err(Refusal(Problem::fields(vec![FieldError::new(IDEMPOTENCY_KEY, "invalid", message)])))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Outer {
        #[allow(dead_code)]
        target: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Inner {
        #[allow(dead_code)]
        person_ids: Vec<Uuid>,
    }

    fn field(body: &str) -> (String, String) {
        let problem = read::<Outer>(body.as_bytes()).unwrap_err();
        match problem.errors.into_iter().next() {
            Some(error) => (error.field, error.code),
            None => (String::new(), problem.code),
        }
    }

    #[test]
    fn what_is_wrong_with_a_body_is_named_by_its_path() {
        let cases = [
            (r#"{"target":{"personIds":["7"]}}"#, "target.personIds[0]", "invalid"),
            (r#"{"target":{"personIds":7}}"#, "target.personIds", "invalid"),
            (r#"{"target":{"personIds":[],"all":1}}"#, "target.all", "unknown"),
            (r#"{"target":{"personIds":[]},"role":"administrator"}"#, "role", "unknown"),
            (r#"{"target":{}}"#, "target.personIds", "required"),
            (r#"{}"#, "target", "required"),
            (r#"[]"#, "", "invalid"),
            (r#"{"target""#, "", "malformed"),
            (r#"{"target":{"personIds":[]}} x"#, "", "malformed"),
            ("", "", "malformed"),
        ];
        for (body, at, code) in cases {
            assert_eq!(field(body), (at.to_owned(), code.to_owned()), "{body}");
        }
    }
}
