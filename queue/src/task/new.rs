//! What becomes a task when it is put in, and what then became of it.

use model::{AccountId, Instant, TaskId};
use serde_json::Value;

use crate::Task;

/// A task to be.
#[derive(Clone, Debug)]
pub struct NewTask {
    /// Given when the caller has already used it; otherwise a new one.
    pub id: Option<TaskId>,
    pub kind: String,
    /// The request, as the kind's executor reads it.
    pub spec: Value,
    pub owner_id: AccountId,
    pub run_as_id: AccountId,
    /// `None`: at once.
    pub trigger_date: Option<Instant>,
    /// Whether it waits until then for a person's second thoughts, and not because somebody wants it later.
    pub held: bool,
    /// Whether it waits for an approval first, see [`approval`](crate::approval).
    pub unapproved: bool,
    pub priority: i32,
    /// How many people or steps, if known.
    pub total: Option<i64>,
    pub idempotency: Option<Idempotency>,
    pub parent_task_id: Option<TaskId>,
}

impl NewTask {
    /// A task that runs at once, as its owner.
    pub fn new(kind: &str, spec: Value, owner_id: AccountId) -> Self {
        NewTask {
            id: None,
            kind: kind.to_owned(),
            spec,
            owner_id,
            run_as_id: owner_id,
            trigger_date: None,
            held: false,
            unapproved: false,
            priority: 0,
            total: None,
            idempotency: None,
            parent_task_id: None,
        }
    }
}

/// A caller's name for a request: with the same hash the same task, with another a refusal.
#[derive(Clone, Debug)]
pub struct Idempotency {
    pub key: String,
    pub request_hash: String,
}

/// What became of an enqueue.
#[derive(Clone, Debug)]
pub enum Enqueued {
    New(Task),
    /// The request was made before, under the same key or the same id.
    Existing(Task),
}

impl Enqueued {
    pub fn task(self) -> Task {
        match self {
            Enqueued::New(task) | Enqueued::Existing(task) => task,
        }
    }
}
