//! Tasks that are due, as a claim looks at them, and what the process was told of.

use model::{AccountId, TaskId};
use std::time::Duration;

use sea_orm::{ColumnTrait, DbErr, QueryResult, sea_query::Expr};

use crate::{Database, Task, TaskColumn as Column};

/// Deaths without progress after which a task runs alone in its process, so that the next one shows whose fault it was.
pub const QUARANTINE: i32 = 2;

impl Task {
    /// Whether it has to run alone in its process.
    pub fn runs_alone(&self) -> bool {
        self.crashes >= QUARANTINE
    }
}

/// The condition that a task has to run alone, of the column that counts its deaths.
pub fn runs_alone(db: &Database, crashes: &'static str) -> Expr {
    db.condition("$1 >= $2", [Expr::cust(crashes), QUARANTINE.into()])
}

/// The condition of a task whose date has come.
pub fn is_due(db: &Database) -> Expr {
    db.condition("trigger_date <= $1", [db.instant()])
}

/// The condition of a task of a kind that nobody has paused.
pub fn goes_on() -> Expr {
    Expr::cust("NOT EXISTS (SELECT 1 FROM paused_kind WHERE kind = execution_component_name)")
}

/// What a process was told of, and nobody else.
#[derive(Default)]
pub struct BrokerHints {
    pub tasks: Vec<TaskId>,
    /// How long a task that was just put into the queue is left to whoever was told of it; zero, if to nobody.
    pub within: Duration,
}

impl BrokerHints {
    /// The condition of a task that is not left to others.
    pub fn condition(&self, db: &Database) -> Expr {
        if self.within.is_zero() {
            return Expr::cust("1 = 1");
        }
        let told = Column::Id.is_in(self.tasks.iter().copied());
        let before = db.instant_after(-self.within.as_secs_f64());
        db.condition("(trigger_date <= $1 OR modified_date <= $1 OR $2)", [before, told])
    }
}

/// A task in line as the claim looks at it.
pub struct Due {
    pub id: TaskId,
    pub owner: AccountId,
    pub kind: String,
    pub alone: bool,
    /// Whether it is due, of a kind that goes on, and not left to others.
    pub ready: bool,
}

impl Due {
    pub fn read(row: &QueryResult) -> Result<Due, DbErr> {
        Ok(Due {
            id: row.try_get("", "id")?,
            owner: row.try_get("", "owner_id")?,
            kind: row.try_get("", "kind")?,
            alone: row.try_get("", "alone")?,
            ready: row.try_get("", "ready")?,
        })
    }
}
