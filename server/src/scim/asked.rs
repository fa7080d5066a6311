//! Who asks, and what they send: the directory shows a token of its own, and is within the share of it, before anything is read, and how long a
//! body is is asked before it is parsed.

use axum::{
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{HeaderMap, header, request::Parts},
};
use caseload::{Limited, directory::DirectoryCaller};
use model::Problem;
use serde::de::DeserializeOwned;

use super::answers;
use crate::{
    api::input,
    auth::actor::bearer,
    state::AppState,
    web::client_address::Source,
    web::problem::{self, ProblemAnswer},
    web::text_input,
};

/// The directory, for whoever answers it.
pub struct FromDirectory(pub DirectoryCaller);

impl FromRequestParts<AppState> for FromDirectory {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ProblemAnswer> {
        // Whoever answers a body asks twice, and it is one request.
        if let Some(caller) = parts.extensions.get::<DirectoryCaller>() {
            return Ok(FromDirectory(*caller));
        }
        let source = parts.extensions.get::<Source>().copied().unwrap_or_default();
        let unknown = || {
            let detail = "Send a token of the directory, as Authorization: Bearer. “docket directory token” makes one.";
            ProblemAnswer(Problem { detail: detail.to_owned(), ..Problem::signed_out() })
        };
        let token = bearer(&parts.headers).ok_or_else(unknown)?;
        let caller = state.caseload.directory().caller(token, source.address).await?.ok_or_else(unknown)?;
        if let Some(wait) = state.shares.wait_of_directory(&caller) {
            return Err(ProblemAnswer(state.caseload.limits().refusal(Limited::Requests, Some(wait))));
        }
        parts.extensions.insert(caller);
        Ok(FromDirectory(caller))
    }
}

/// What the directory sends.
pub struct SentBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for SentBody<T> {
    type Rejection = ProblemAnswer;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ProblemAnswer> {
        let longest = state.directory.bounds.body as usize * 1024;
        let (mut parts, body) = request.into_parts();
        FromDirectory::from_request_parts(&mut parts, state).await?;
        if !is_theirs(&parts.headers) {
            return Err(ProblemAnswer(problem::unsupported()));
        }
        let bytes = axum::body::to_bytes(body, longest).await.map_err(|error| text_input::unread(error, longest))?;
        input::read(&bytes).map(SentBody).map_err(ProblemAnswer)
    }
}

/// Whether a body calls itself what it has to be: of the standard's own type, or JSON.
fn is_theirs(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    ["application/scim+json", "application/json"].contains(&kind.as_str())
}

/// The id in a path, of a user or a group, and the version of it that is meant. What is no id names nothing.
pub struct NamedResource<Id> {
    id: Option<Id>,
    known: Option<i64>,
}

impl<Id: DeserializeOwned + Send> FromRequestParts<AppState> for NamedResource<Id> {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ProblemAnswer> {
        let id = Path::<Id>::from_request_parts(parts, state).await;
        Ok(NamedResource { id: id.ok().map(|Path(id)| id), known: answers::known(&parts.headers) })
    }
}

impl<Id> NamedResource<Id> {
    /// The id, or the refusal of one that nobody has.
    pub fn id(self, what: &str) -> Result<Id, ProblemAnswer> {
        let unknown = || {
            let detail = format!("There is no {what} with this id.");
            ProblemAnswer(Problem { detail, ..Problem::not_found(what) })
        };
        self.id.ok_or_else(unknown)
    }

    /// The same with the version that the request is about, if it names one.
    pub fn version(self, what: &str) -> Result<(Id, Option<i64>), ProblemAnswer> {
        let known = self.known;
        Ok((self.id(what)?, known))
    }
}
