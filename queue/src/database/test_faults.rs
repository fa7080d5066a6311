//! Faults that tests ask for: the n-th statement fails, or the answer to the n-th COMMIT is lost, and the process lives on or
//! dies there. It also keeps what statements there were, for tests that look at their plans, and lets tests say when each
//! transaction begins.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sea_orm::{DbErr, RuntimeErr, Statement};
use tokio::sync::watch;

/// A statement that no database understands.
pub const BROKEN: &str = "SELECT broken_by_a_test FROM nowhere";

/// How late a late COMMIT is.
pub(crate) const LATE: Duration = Duration::from_millis(300);

/// What becomes of a COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    Answered,
    /// It never arrives.
    Refused,
    /// It is done, and its answer is lost.
    Unanswered,
    /// Its answer is lost, and it is done a while later.
    Late,
}

/// What shall go wrong, counted from 1 in the order in which it happens; 0 is never.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    pub statement: u64,
    pub commit: u64,
    /// What becomes of that commit.
    pub how: Option<Commit>,
    /// Whether nothing reaches the database from there on, as if the process had been killed.
    pub dies: bool,
    /// Whether the statements are kept.
    pub keeps: bool,
}

/// Called before each transaction that writes. What it returns is awaited there, when nothing is locked yet.
pub type TakeTurn = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A plan and how far it has come.
#[derive(Clone, Default)]
pub struct Faults {
    seen: Arc<PlanUnderWay>,
    turn: Option<TakeTurn>,
}

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Faults").field("seen", &self.seen).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct PlanUnderWay {
    plan: Mutex<FaultPlan>,
    statements: AtomicU64,
    commits: AtomicU64,
    /// Whether the process has died where the plan says.
    dead: watch::Sender<bool>,
    next: Mutex<Option<Commit>>,
    kept: Mutex<Vec<Statement>>,
}

impl Faults {
    pub fn new(plan: FaultPlan) -> Faults {
        let faults = Faults::default();
        faults.begin(plan);
        faults
    }

    /// Lets this go wrong from here on and nothing else, counted anew.
    pub fn begin(&self, plan: FaultPlan) {
        *self.plan() = plan;
        self.next_commit(None);
        self.revive();
        self.seen.statements.store(0, Ordering::SeqCst);
        self.seen.commits.store(0, Ordering::SeqCst);
    }

    fn plan(&self) -> MutexGuard<'_, FaultPlan> {
        self.seen.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing goes wrong, but each transaction begins when `turn` lets it.
    pub fn in_turns(turn: TakeTurn) -> Faults {
        Faults { turn: Some(turn), ..Faults::default() }
    }

    /// What becomes of the next COMMIT, whatever the plan says. Gives what was said before and has not happened.
    pub fn next_commit(&self, how: Option<Commit>) -> Option<Commit> {
        std::mem::replace(&mut *self.seen.next.lock().unwrap_or_else(PoisonError::into_inner), how)
    }

    pub(crate) async fn turn(&self) {
        if let Some(turn) = &self.turn {
            turn().await;
        }
    }

    /// The statements since the last call, each as the database gets it.
    pub fn statements(&self) -> Vec<Statement> {
        std::mem::take(&mut *self.seen.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note(&self, statement: &Statement) {
        // These find no rows, in one way or another.
        let is_other = ["EXPLAIN", "ANALYZE", "SAVEPOINT", "RELEASE", "ROLLBACK"]
            .iter()
            .any(|word| statement.sql.starts_with(word));
        if self.plan().keeps && !is_other {
            self.seen.kept.lock().unwrap_or_else(PoisonError::into_inner).push(statement.clone());
        }
    }

    /// Lets nothing go wrong from here on, and says how many statements and commits there were until now.
    pub fn end(&self) -> (u64, u64) {
        let far = u64::MAX / 2;
        (self.seen.statements.swap(far, Ordering::SeqCst), self.seen.commits.swap(far, Ordering::SeqCst))
    }

    /// Whether the process has died where the plan says.
    pub fn died(&self) -> bool {
        *self.seen.dead.borrow()
    }

    /// Until it has died: what it was at will not end by itself.
    pub async fn death(&self) {
        // The sender is this one's own.
        let _ = self.seen.dead.subscribe().wait_for(|dead| *dead).await;
    }

    /// Lets the next process reach the database.
    pub fn revive(&self) {
        self.seen.dead.send_replace(false);
    }

    pub(crate) fn breaks_statement(&self) -> bool {
        let now = self.seen.statements.fetch_add(1, Ordering::SeqCst) + 1;
        let is_it = now == self.plan().statement;
        self.struck(is_it) || self.died()
    }

    pub(crate) fn commit(&self) -> Commit {
        if self.died() {
            return Commit::Refused;
        }
        if let Some(how) = self.next_commit(None) {
            return how;
        }
        let now = self.seen.commits.fetch_add(1, Ordering::SeqCst) + 1;
        let plan = self.plan().clone();
        let how = plan.how.filter(|_| now == plan.commit);
        self.struck(how.is_some());
        how.unwrap_or(Commit::Answered)
    }

    fn struck(&self, here: bool) -> bool {
        if here && self.plan().dies {
            self.seen.dead.send_replace(true);
        }
        here
    }
}

/// The error of a connection that was cut.
pub(crate) fn cut() -> DbErr {
    let cut = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "the connection was cut");
    DbErr::Conn(RuntimeErr::Internal(cut.to_string()))
}
