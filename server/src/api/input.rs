//! How requests are read: bodies, query strings and the header that makes a request repeatable. Whatever cannot be read is
//! refused with the name of the field.

use axum::{
    body::Bytes,
    extract::{FromRef, FromRequest, FromRequestParts, Path, RawPathParams, Request},
    http::{HeaderMap, header, request::Parts},
};
use caseload::{Actor, Caseload};
use model::{Code, FieldError, PersonId, Problem, TaskId, account::Right, parameters};
use serde::de::DeserializeOwned;

use crate::api::strict;
use crate::{
    web::problem::{self, ProblemAnswer},
    web::text_input,
};

/// What may be sent as a body. Who may send it and how long it is at most is asked before any of it is parsed.
pub trait Body: DeserializeOwned {
    const BY: MaySend;
    /// In bytes.
    const LONGEST: usize = SHORT;
}

/// Who may send a body. Whoever is let through here is still asked by the use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaySend {
    /// Also who is not signed in.
    Anybody,
    Those(Right),
    /// Whoever may act on the task that the path names, and has this right if any is needed.
    OfTask(Option<Right>),
    /// Whoever could decide on the task that the path names, which waits for a second person.
    WhoDecides,
}

/// The longest body that names nobody, in bytes: a few words.
const SHORT: usize = 64 * 1024;

impl MaySend {
    async fn admit<S>(self, parts: &mut Parts, state: &S) -> Result<(), ProblemAnswer>
    where
        S: Send + Sync,
        Caseload: FromRef<S>,
    {
        let known = parts.extensions.get::<Actor>().cloned().ok_or_else(|| ProblemAnswer(Problem::signed_out()));
        match self {
            MaySend::Anybody => {}
            MaySend::Those(right) => known?.require(right)?,
            MaySend::WhoDecides => {
                let actor = known?;
                let task = named_task(parts, state).await?;
                Caseload::from_ref(state).approvals().may_decide_on(&actor, task).await?;
            }
            MaySend::OfTask(right) => {
                let actor = known?;
                let task = named_task(parts, state).await?;
                Caseload::from_ref(state).tasks().may_act_on(&actor, task).await?;
                if let Some(right) = right {
                    actor.require(right)?;
                }
            }
        }
        Ok(())
    }
}

/// The task that a path names by `{id}`, whatever else it names.
async fn named_task<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<TaskId, ProblemAnswer> {
    let nothing = || ProblemAnswer(Problem::not_found("task"));
    let named = RawPathParams::from_request_parts(parts, state).await.map_err(|_| nothing())?;
    let id = named.iter().find(|(name, _)| *name == "id").and_then(|(_, id)| id.parse().ok());
    id.ok_or_else(nothing)
}

/// The bytes of a body, of whoever may send it.
async fn bytes<S>(request: Request, state: &S, by: MaySend, longest: usize) -> Result<Bytes, ProblemAnswer>
where
    S: Send + Sync,
    Caseload: FromRef<S>,
{
    let (mut parts, body) = request.into_parts();
    by.admit(&mut parts, state).await?;
    let bytes = axum::body::to_bytes(body, longest).await;
    Ok(bytes.map_err(|error| text_input::unread(error, longest))?)
}

/// A JSON body, every field of it known.
pub struct Json<T>(pub T);

impl<T: Body, S: Send + Sync> FromRequest<S> for Json<T>
where
    Caseload: FromRef<S>,
{
    type Rejection = ProblemAnswer;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemAnswer> {
        read(&json(request, state, T::BY, T::LONGEST).await?).map(Json).map_err(ProblemAnswer)
    }
}

/// A JSON body of whoever may send it, in two: some of its members, and all others.
pub async fn parted<S, A, B>(
    request: Request,
    state: &S,
    by: MaySend,
    longest: usize,
    some: &[&str],
) -> Result<(A, B), ProblemAnswer>
where
    S: Send + Sync,
    Caseload: FromRef<S>,
    A: DeserializeOwned,
    B: DeserializeOwned,
{
    let parts = strict::settled(&json(request, state, by, longest).await?, some).map_err(ProblemAnswer)?;
    let others = meant(&parts.others).map_err(ProblemAnswer)?;
    Ok((meant(&parts.some).map_err(ProblemAnswer)?, others))
}

async fn json<S>(request: Request, state: &S, by: MaySend, longest: usize) -> Result<Bytes, ProblemAnswer>
where
    S: Send + Sync,
    Caseload: FromRef<S>,
{
    let typed = is_json(request.headers());
    let bytes = bytes(request, state, by, longest).await?;
    if typed { Ok(bytes) } else { Err(ProblemAnswer(problem::unsupported())) }
}

/// A JSON body that may be left out altogether.
pub struct MaybeJson<T>(pub T);

impl<T: Body + Default, S: Send + Sync> FromRequest<S> for MaybeJson<T>
where
    Caseload: FromRef<S>,
{
    type Rejection = ProblemAnswer;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemAnswer> {
        let typed = is_json(request.headers());
        let bytes = bytes(request, state, T::BY, T::LONGEST).await?;
        match typed {
            _ if bytes.is_empty() => Ok(MaybeJson(T::default())),
            true => read(&bytes).map(MaybeJson).map_err(ProblemAnswer),
            false => Err(ProblemAnswer(problem::unsupported())),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    meant(&strict::settled(bytes, &[])?.others)
}

/// Reads the text of an object that is settled. What is wrong with it is named by the path of the field:
/// `target.personIds[3]`.
fn meant<T: DeserializeOwned>(settled: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(settled);
    serde_path_to_error::deserialize(&mut json).map_err(|error| named(&error))
}

/// What is wrong, named by where it is.
fn named(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    let cause = error.inner();
    let said = cause.to_string();
    // The position within the body says less than the path does.
    let said = said.split(" at line ").next().unwrap_or_default();
    match quoted(said, "unknown field `") {
        Some(name) => unknown(&within(&path, name)),
        None => match quoted(said, "missing field `") {
            Some(name) => Problem::field(&within(&path, name), "required", format!("{name} is required.")),
            None if path == "." => Problem::bad_request(Code::INVALID, "The body does not have the expected form."),
            None => Problem::field(&path, "invalid", format!("{path} does not have the expected form.")),
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

/// A parameter that is yes or no.
pub fn flag(name: &str, value: &str) -> Result<bool, Problem> {
    let neither = |_| Problem::field(name, "invalid", format!("{name}: choose true or false."));
    value.parse().map_err(neither)
}

/// The pairs of a query string, decoded, without the empty ones. What has one value is there once.
pub struct Pairs(Vec<(String, String)>);

impl Pairs {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl<S: Sync> FromRequestParts<S> for Pairs {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ProblemAnswer> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
        let pairs = Pairs(pairs.filter(|(_, value)| !value.is_empty()).collect());
        parameters::once(pairs.iter().map(|(name, _)| name))?;
        Ok(pairs)
    }
}

/// The id in a path. One that is no id names nothing, like one that does not exist.
pub struct Named<Id>(pub Id);

/// What a path can name by its id.
pub trait Nameable: DeserializeOwned + Send {
    /// What it is said to be when it is not there.
    const WHAT: &str;
}

impl Nameable for TaskId {
    const WHAT: &str = "task";
}

impl Nameable for PersonId {
    const WHAT: &str = "person";
}

impl<Id: Nameable, S: Send + Sync> FromRequestParts<S> for Named<Id> {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ProblemAnswer> {
        let id = Path::<Id>::from_request_parts(parts, state).await;
        id.map(|Path(id)| Named(id)).map_err(|_| ProblemAnswer(Problem::not_found(Id::WHAT)))
    }
}

/// The header `Idempotency-Key`.
pub struct IdempotencyKey(pub Option<String>);

/// The name of that header, and of the field in a refusal of it.
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The longest key, in bytes: room for any id and a prefix.
pub const LONGEST_KEY: usize = 200;

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ProblemAnswer> {
        let Some(given) = parts.headers.get(IDEMPOTENCY_KEY) else { return Ok(IdempotencyKey(None)) };
        match given.to_str() {
            Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(IdempotencyKey(Some(key.to_owned()))),
            _ => {
                let message = format!("Use 1 to {LONGEST_KEY} plain characters.");
                Err(ProblemAnswer(Problem::fields(vec![FieldError::new(IDEMPOTENCY_KEY, "invalid", message)])))
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
        person_ids: Vec<PersonId>,
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
