//! How the directory is answered: `application/scim+json`, and errors in the shape that it knows.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use model::{Code, Problem};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{auth::actor::DOOR, web::problem, web::redirect};

const KIND: HeaderValue = HeaderValue::from_static("application/scim+json");
const ERROR: &str = "urn:ietf:params:scim:api:messages:2.0:Error";
/// The member of a problem that says which of the kinds of error it is that the standard names.
const TYPE: &str = "scimType";

/// An answer with a body.
pub fn answer(status: StatusCode, body: &Value) -> Response {
    let bytes = serde_json::to_vec(body).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, KIND)], bytes).into_response()
}

/// One resource as it is now.
pub fn resource(resource: &impl Serialize, version: i64) -> Response {
    let body = serde_json::to_value(resource).unwrap_or_default();
    ([(header::ETAG, tag(version))], answer(StatusCode::OK, &body)).into_response()
}

/// One that was made, and where it is.
pub fn made(made: &impl Serialize, version: i64, path: &str) -> Response {
    let mut response = (redirect::at(path), resource(made, version)).into_response();
    *response.status_mut() = StatusCode::CREATED;
    response
}

/// `W/"7"`.
pub fn tag(version: i64) -> String {
    format!("W/\"{version}\"")
}

/// The version that a request is about, by `If-Match`; one that is none stands for a version that there never was.
pub fn known(headers: &HeaderMap) -> Option<i64> {
    let given = headers.get(header::IF_MATCH)?.to_str().unwrap_or_default().trim();
    if given == "*" {
        return None;
    }
    let version = given.strip_prefix("W/").unwrap_or(given).strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    Some(version.and_then(|version| version.parse().ok()).unwrap_or(-1))
}

/// 400, of one of the kinds that the standard names.
pub fn refused(kind: &str, detail: impl Into<String>) -> Problem {
    Problem::bad_request(Code::INVALID, detail).with(TYPE, kind)
}

/// Gives every error below the directory's door, whoever made it, the shape that the directory knows.
pub async fn in_their_shape(request: Request, next: Next) -> Response {
    let is_theirs = request.uri().path().starts_with(DOOR);
    let mut response = next.run(request).await;
    if !is_theirs {
        return response;
    }
    let Some(problem) = problem::taken_from(&mut response) else { return response };
    let mut told = error(&problem);
    // How long to wait, and by what to show who one is.
    for name in [header::RETRY_AFTER, header::WWW_AUTHENTICATE, header::ALLOW] {
        if let Some(value) = response.headers().get(&name) {
            told.headers_mut().insert(name, value.clone());
        }
    }
    *told.extensions_mut() = std::mem::take(response.extensions_mut());
    told
}

fn error(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = problem.more.get(TYPE).and_then(Value::as_str).or_else(|| kind_of(problem));
    let mut body = json!({ "schemas": [ERROR], "status": status.as_u16().to_string(), "detail": problem.detail });
    if let Some(kind) = kind {
        body[TYPE] = kind.into();
    }
    answer(status, &body)
}

fn kind_of(problem: &Problem) -> Option<&'static str> {
    let is = |code: Code| problem.code == code.name();
    match problem.status {
        409 => Some("uniqueness").filter(|_| !is(Code::LIMIT_REACHED)),
        400 if is(Code::MALFORMED) => Some("invalidSyntax"),
        400 => Some("invalidValue"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_it_is_written() {
        let of = |text: &'static str| {
            let headers: HeaderMap = [(header::IF_MATCH, HeaderValue::from_static(text))].into_iter().collect();
            known(&headers)
        };
        assert_eq!([of("W/\"7\""), of("\"7\""), of("*")], [Some(7), Some(7), None]);
        assert_eq!([of("7"), of("W/\"x\"")], [Some(-1), Some(-1)]);
        assert_eq!(known(&HeaderMap::new()), None);
    }
}
