//! What a use case can end in: a refusal written for people, or a fault of ours that is logged and not shown.

use model::{Code, Conflict, Problem};
use sea_orm::DbErr;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Refused(Box<Problem>),
    #[error(transparent)]
    Database(#[from] DbErr),
    #[error("{0}")]
    Internal(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Error::Refused(Box::new(problem))
    }
}

impl From<queue::Error> for Error {
    fn from(error: queue::Error) -> Self {
        match error {
            queue::Error::NoSuchTask => Problem::not_found("task").into(),
            queue::Error::Conflict(status) => Problem::conflict(
                Conflict::CONFLICT,
                format!("The task is {} now, so this is no longer possible.", status.label().to_lowercase()),
            )
            .with("currentStatus", status.name())
            .into(),
            queue::Error::KeyReused => Problem::refused(
                Code::IDEMPOTENCY_KEY_REUSED,
                "That key was used before",
                "The Idempotency-Key was used for another request. Use a new key for a new request.",
            )
            .into(),
            queue::Error::BadSpec { why, .. } => Problem::bad_request(Code::INVALID, why).into(),
            queue::Error::Database(error) => Error::Database(error),
            other => Error::Internal(other.to_string()),
        }
    }
}

/// The edge: whatever is not a refusal is logged here, once, and leaves as a plain 500 or 503.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(problem) => *problem,
            Error::Database(error) if queue::is_outage(&error) => {
                tracing::error!(%error, "the database is not available");
                Problem::unavailable()
            }
            // Requests are looked at as they come in; this is what came in by a file.
            Error::Database(error) if queue::is_unstorable(&error) => {
                tracing::warn!(%error, "a text could not be kept");
                Problem::bad_request(Code::NOT_TEXT, "This contains a character that cannot be saved. Remove it.")
            }
            Error::Database(error) => {
                tracing::error!(%error, "a statement failed");
                Problem::internal()
            }
            Error::Internal(error) => {
                tracing::error!(%error, "a use case failed");
                Problem::internal()
            }
        }
    }
}
