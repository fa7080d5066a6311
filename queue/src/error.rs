//! What a caller of the queue can act on.

use model::WorkflowStatus;
use sea_orm::DbErr;

/// Why the queue refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No executor of this process knows the kind.
    #[error("unknown kind “{0}”")]
    UnknownKind(String),
    /// The kind's executor cannot read the spec.
    #[error("the spec is not one of {kind}: {why}")]
    BadSpec { kind: String, why: String },
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    #[error("there is no such task")]
    NoSuchTask,
    /// The task is no longer in a state that allows this.
    #[error("the task is {0} now")]
    Conflict(WorkflowStatus),
    /// Another process runs the queue on this database.
    #[error("another Docket runs tasks on this database ({0}); stop it first, or give this one its own database")]
    Occupied(String),
    /// What is asked of a lock makes no sense.
    #[error("{0}")]
    BadLock(&'static str),
    /// A lock ended, or was taken away, while it was in use.
    #[error("the lock “{0}” is somebody else's now")]
    LockLost(String),
    #[error(transparent)]
    Database(#[from] DbErr),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
