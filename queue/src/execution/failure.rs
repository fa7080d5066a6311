//! Why work did not go well, for programs and for administrators.

use model::TaskErrorCode;
use sea_orm::DbErr;

/// Why a chunk did not work. Everything it wrote is rolled back.
#[derive(Clone, Debug)]
pub enum Failure {
    /// May well work later: tried again after a wait, within the budget.
    Transient(TaskError),
    /// Will never work.
    Permanent(TaskError),
    /// The database refused a statement. What that means depends on what it says: if it was away, the chunk is done again and
    /// no failure is counted.
    Database(DbErr),
}

/// A code for programs and a detail for administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskError {
    pub code: TaskErrorCode,
    pub detail: String,
}

/// The longest detail that is kept, in characters.
const DETAIL: usize = 4_000;

impl TaskError {
    /// The detail is cut to what is worth reading, and freed of the one character that no text column takes.
    pub fn new(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        let detail = detail.into().chars().filter(|c| *c != '\0').take(DETAIL).collect();
        TaskError { code, detail }
    }
}

impl std::fmt::Display for TaskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl Failure {
    pub fn permanent(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Failure::Permanent(TaskError::new(code, detail))
    }

    pub fn transient(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Failure::Transient(TaskError::new(code, detail))
    }
}

impl From<DbErr> for Failure {
    fn from(error: DbErr) -> Self {
        Failure::Database(error)
    }
}
