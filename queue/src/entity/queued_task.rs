//! `queued_task`: one row for each task, for its whole life.

use model::{AccountId, Instant, TaskId, WorkflowStatus};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "queued_task")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TaskId,
    pub created_date: Instant,
    pub created_by: AccountId,
    pub modified_date: Instant,
    pub modified_by: AccountId,
    /// Who asked.
    pub owner_id: AccountId,
    /// As whom it runs: the owner, except for system tasks.
    pub run_as_id: AccountId,
    /// The kind: names the executor.
    pub execution_component_name: String,
    /// The original request, as JSON; never changed.
    pub execution_spec: Option<String>,
    /// The bookmark, as JSON: written with the work it covers.
    pub execution_state: String,
    pub workflow_status: WorkflowStatus,
    /// `code: detail` of the last error; for administrators only.
    pub workflow_status_desc: Option<String>,
    /// Earliest start.
    pub trigger_date: Instant,
    pub scheduling_started_date: Option<Instant>,
    pub execution_started_date: Option<Instant>,
    pub workflow_stopped_date: Option<Instant>,
    /// The owning process; null when nobody's.
    pub scheduled_by_process: Option<String>,
    /// Grows at every claim and is never reset.
    pub attempt: i32,
    /// Drawn by each claim, and one more with each chunk: with the id and the attempt, the fence. A number of before tells a
    /// database that an older backup was put back into from the one that a run has worked on.
    pub fence: i64,
    /// Whether the attempt has committed a chunk; a death after that is no crash.
    pub progressed: bool,
    /// Toward giving up; reset by an operator's retry, as are the crashes.
    pub failures: i32,
    pub max_failures: i32,
    pub crashes: i32,
    /// Taken back from a process that died; goes before new work.
    pub rescued: bool,
    /// Higher first.
    pub priority: i32,
    pub idempotency_key: Option<String>,
    pub request_hash: Option<String>,
    /// How many people or steps; null until known.
    pub total: Option<i64>,
    pub succeeded: i64,
    pub skipped: i64,
    pub failed: i64,
    pub uncertain: i64,
    /// Of the running attempt; moved by each fence.
    pub deadline: Option<Instant>,
    /// Waits for a person's second thoughts, as opposed to scheduled.
    pub held: bool,
    pub finish_reason: Option<String>,
    pub abandoned_by: Option<AccountId>,
    /// Given up while it waited for an approval, and not by its owner.
    pub declined: bool,
    pub parent_task_id: Option<TaskId>,
    /// Given at the submit, growing by the database's own count: who was first.
    pub submit_order: i64,
    /// Whether its date has come, as far as a claim has seen: those are walked along. A queued one that may be due and is not in
    /// line is let in by the next claim.
    pub in_line: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
