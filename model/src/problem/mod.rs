//! A refusal, in the form of RFC 9457 (`application/problem+json`). It is the only error that leaves the server: its texts
//! are written for people and carry no SQL, path or library name.

mod code;

use std::{collections::BTreeMap, fmt};

pub use code::{Code, Conflict};

use serde::{Deserialize, Serialize};

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A stable word for programs: `confirmation_required`. On its way out it also becomes `type`, the address of what it means.
    pub code: String,
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened and what to do, for people.
    pub detail: String,
    /// The fields at fault, if the request's fields are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Further members that belong to the code, such as `total` or `currentStatus`.
    #[serde(flatten)]
    pub more: BTreeMap<String, serde_json::Value>,
}

/// One field that cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// The field as the request names it: `programStatus`.
    pub field: String,
    pub code: String,
    pub message: String,
}

impl FieldError {
    pub fn new(field: &str, code: &str, message: impl Into<String>) -> Self {
        FieldError { field: field.to_owned(), code: code.to_owned(), message: message.into() }
    }
}

impl Problem {
    pub fn new(status: u16, code: Code, title: &str, detail: impl Into<String>) -> Self {
        Problem {
            code: code.name().to_owned(),
            title: title.to_owned(),
            status,
            detail: detail.into(),
            errors: Vec::new(),
            request_id: None,
            more: BTreeMap::new(),
        }
    }

    /// 400: one field is wrong.
    pub fn field(field: &str, code: &str, message: impl Into<String>) -> Self {
        Self::fields(vec![FieldError::new(field, code, message)])
    }

    /// 400: these fields are wrong.
    pub fn fields(errors: Vec<FieldError>) -> Self {
        let detail = errors.iter().map(|e| e.message.as_str()).collect::<Vec<_>>().join(" ");
        Problem { errors, ..Self::new(400, Code::INVALID, "Check what you entered", detail) }
    }

    /// 400: the request is wrong as a whole.
    pub fn bad_request(code: Code, detail: impl Into<String>) -> Self {
        Self::new(400, code, "This cannot be done", detail)
    }

    /// 401: nobody is signed in.
    pub fn signed_out() -> Self {
        Self::new(401, Code::SIGNED_OUT, "Sign in", "You are not signed in, or your session has ended.")
    }

    /// 403: this person may not do that.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(403, Code::FORBIDDEN, "You do not have permission", detail)
    }

    /// 404, also for what exists but is not the caller's to see.
    pub fn not_found(what: &str) -> Self {
        Self::new(
            404,
            Code::NOT_FOUND,
            "Not found",
            format!("This {what} does not exist, or you do not have access to it."),
        )
    }

    /// 409: somebody or something was there first.
    pub fn conflict(conflict: Conflict, detail: impl Into<String>) -> Self {
        Self::new(409, conflict.code(), conflict.title(), detail)
    }

    /// 422: understood, but refused as it stands.
    pub fn refused(code: Code, title: &str, detail: impl Into<String>) -> Self {
        Self::new(422, code, title, detail)
    }

    /// 500. The cause is in the log under the request's id, never here.
    pub fn internal() -> Self {
        Self::new(
            500,
            Code::INTERNAL,
            "Something went wrong",
            "Docket could not do that. Nothing was changed; please try again.",
        )
    }

    /// 503: a part that is needed does not answer just now.
    pub fn unavailable() -> Self {
        Self::new(
            503,
            Code::UNAVAILABLE,
            "Docket is not available right now",
            "Docket cannot reach its database. Try again in a moment.",
        )
    }

    /// What is wrong with the fields of one form, by this refusal and another one.
    pub fn and(mut self, other: Problem) -> Self {
        if self.errors.is_empty() || other.errors.is_empty() {
            return self;
        }
        self.errors.extend(other.errors);
        Self::fields(self.errors)
    }

    /// The same of two that there may be.
    pub fn both(one: Option<Problem>, other: Option<Problem>) -> Option<Problem> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        }
    }

    /// Adds a member that belongs to the code.
    pub fn with(mut self, key: &str, value: impl Into<serde_json::Value>) -> Self {
        self.more.insert(key.to_owned(), value.into());
        self
    }

    /// The message for a field, if it is at fault.
    pub fn message_for(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|e| e.field == field).map(|e| e.message.as_str())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.title, self.detail)
    }
}

impl std::error::Error for Problem {}
