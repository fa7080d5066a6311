//! Faults that tests ask for: the n-th statement fails, or the answer to the n-th COMMIT is lost.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use sea_orm::{DbErr, RuntimeErr};

/// A statement that no database understands.
pub const BROKEN: &str = "SELECT broken_by_a_test FROM nowhere";

/// What becomes of a COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    Answered,
    /// It never arrives.
    Refused,
    /// It is done, and its answer is lost.
    Unanswered,
}

/// What shall go wrong, counted from 1 in the order in which it happens; 0 is never.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub statement: u64,
    pub commit: u64,
    /// What becomes of that commit.
    pub how: Option<Commit>,
}

/// A plan and how far it has come.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    plan: Plan,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    statements: AtomicU64,
    commits: AtomicU64,
}

impl Faults {
    pub fn new(plan: Plan) -> Faults {
        Faults { plan, seen: Arc::default() }
    }

    /// Lets nothing go wrong from here on, and says how many statements and commits there were until now.
    pub fn end(&self) -> (u64, u64) {
        let far = u64::MAX / 2;
        (self.seen.statements.swap(far, Ordering::SeqCst), self.seen.commits.swap(far, Ordering::SeqCst))
    }

    pub(crate) fn breaks_statement(&self) -> bool {
        self.seen.statements.fetch_add(1, Ordering::SeqCst) + 1 == self.plan.statement
    }

    pub(crate) fn commit(&self) -> Commit {
        let now = self.seen.commits.fetch_add(1, Ordering::SeqCst) + 1;
        self.plan.how.filter(|_| now == self.plan.commit).unwrap_or(Commit::Answered)
    }
}

/// The error of a connection that was cut.
pub(crate) fn cut() -> DbErr {
    let cut = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "the connection was cut");
    DbErr::Conn(RuntimeErr::Internal(cut.to_string()))
}
