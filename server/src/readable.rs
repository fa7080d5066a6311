//! What callers send is text. Bytes that are no UTF-8, and the character NUL, which no text in PostgreSQL can hold, are
//! refused here with the name of the field, so that no handler and no statement ever meets them. The bodies of programs are
//! looked at once it is known who sends them (`api/input.rs`), files by those who read them.

use std::error::Error;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use caseload::Actor;
use model::{Code, Problem};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use tower_http::timeout::TimeoutError;

use crate::{
    problem::{self, Refusal},
    router::BODY_LIMIT,
};

/// The longest form in bytes, but for those that hold a letter or name many people.
const FORM: usize = 64 * 1024;
const LONGER: [&str; 2] = ["/actions/", "/api/page/"];

/// Lets a request through if everything in it is text. A form is not read of somebody who may not send it, nor beyond its length.
pub async fn only(request: Request, next: Next) -> Response {
    if !percent_decode_str(request.uri().path()).decode_utf8().is_ok_and(|path| is_text(&path)) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match checked(request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => Refusal(problem).into_response(),
    }
}

async fn checked(request: Request) -> Result<Request, Problem> {
    pairs(request.uri().query().unwrap_or_default().as_bytes())?;
    let kind = kind(request.headers());
    let read_otherwise = kind == "multipart/form-data" || request.uri().path().starts_with("/api/1/");
    if request.method().is_safe() || read_otherwise {
        return Ok(request);
    }
    let path = request.uri().path();
    let longest = if LONGER.iter().any(|longer| path.starts_with(longer)) { BODY_LIMIT } else { FORM };
    if let Some(actor) = request.extensions().get::<Actor>().filter(|_| path.starts_with("/admin/")) {
        actor.administers().map_err(Problem::from)?;
    }
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, longest).await.map_err(|error| unread(error, longest))?;
    match kind.as_str() {
        "application/json" => json(&bytes)?,
        _ => pairs(&bytes)?,
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// The type of a body, without its parameters.
fn kind(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// A body that did not come to its end.
pub fn unread(error: axum::Error, longest: usize) -> Problem {
    let mut cause: Option<&dyn Error> = Some(&error);
    while let Some(error) = cause {
        if error.is::<TimeoutError>() {
            return Problem::new(408, Code::TIMEOUT, "That took too long", "The rest of the request did not arrive.");
        }
        cause = error.source();
    }
    problem::too_large(longest)
}

/// The pairs of a form or a query string.
fn pairs(text: &[u8]) -> Result<(), Problem> {
    for pair in text.split(|byte| *byte == b'&') {
        let (name, value) = match pair.iter().position(|byte| *byte == b'=') {
            Some(at) => (&pair[..at], &pair[at + 1..]),
            None => (pair, &[][..]),
        };
        if ![name, value].iter().all(|part| decoded(part).is_some_and(|part| is_text(&part))) {
            return Err(refused(&String::from_utf8_lossy(name)));
        }
    }
    Ok(())
}

fn decoded(part: &[u8]) -> Option<String> {
    let decoded: Vec<u8> = percent_encoding::percent_decode(part).collect();
    String::from_utf8(decoded).ok()
}

/// A body in JSON, if it is any; what is wrong with its form is said by whoever reads it.
pub fn json(body: &[u8]) -> Result<(), Problem> {
    const ESCAPED: &[u8] = b"\\u0000";
    if !body.windows(ESCAPED.len()).any(|part| part == ESCAPED) {
        return Ok(());
    }
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    match hidden_in(&value, String::new()) {
        Some(field) => Err(refused(&field)),
        None => Ok(()),
    }
}

/// Where a value holds what no text does: `target.schoolIds[3]`.
fn hidden_in(value: &Value, at: String) -> Option<String> {
    match value {
        Value::String(text) => (!is_text(text)).then_some(at),
        Value::Array(values) => values.iter().enumerate().find_map(|(n, value)| hidden_in(value, format!("{at}[{n}]"))),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
            if is_text(name) { hidden_in(value, at) } else { Some(at) }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

fn refused(field: &str) -> Problem {
    let name: String = field.chars().filter(|c| !c.is_control()).collect();
    Problem::field(&name, "not_text", format!("{name} holds bytes that are no text."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(refused: Result<(), Problem>) -> Option<String> {
        refused.err().map(|problem| problem.errors[0].field.clone())
    }

    #[test]
    fn what_is_no_text_is_named() {
        assert_eq!(named(pairs(b"q=ann&sort=-name&x")), None);
        assert_eq!(named(pairs("q=José&r=%C3%A9+%25".as_bytes())), None);
        assert_eq!(named(pairs(b"a=1&reason=x%00y")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"reason=%ff")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"reason=\xff")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"a\0b=1")).as_deref(), Some("ab"));
        assert_eq!(named(json(br#"{"a":"\\u0000","b":["x",{"c":"y"}]}"#)), None);
        assert_eq!(named(json(br#"{"a":1,"b":["x",{"c":"\u0000"}]}"#)).as_deref(), Some("b[1].c"));
        assert_eq!(named(json(br#"{"a\u0000":1}"#)).as_deref(), Some("a"));
        assert_eq!(named(json(br#"{"a":"\u0000""#)), None);
    }
}
