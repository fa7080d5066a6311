//! The task queue of Docket: persistent, transactional, and ignorant of people and HTTP.
//!
//! # What it promises
//! Nothing lost: a task whose enqueue committed reaches a final state while one process lives. Nothing from nothing: a task
//! whose enqueue rolled back never was. One owner: at most one live claim. Fenced: nothing of a former attempt changes
//! anything. Effectively once: a chunk's work and its bookmark are one transaction. Bounded, ordered, prompt, truthful, and
//! quiet when it is told to stop.
//!
//! # The life of a task
//! ```text
//!            claim              run                last chunk
//!   QUEUED ────────► SCHEDULING ────► EXECUTING ───────────────► COMPLETED
//!     ▲                  │                │
//!     │   failure, rescue, shutdown       │  permanent, budget spent, poison
//!     ├◄─────────────────┴────────────────┤───────────────► FAILURE ─┐
//!     │                  └── bad spec ───────► ERROR ────────────────┤
//!     └◄───────────────────────── retry by a person ────────────────-┘
//!   EXECUTING ──► QUEUED again without a failure: nothing to do before an instant, or the process stops
//!                    abandon, from anywhere but COMPLETED ──► ABANDONED
//!   UNAPPROVED ──► QUEUED when somebody approves it, or ──► ABANDONED when nobody does
//! ```
//! One room for each role: [`task`], [`claim`], [`execution`], [`runtime`], [`process`], [`inspect`], [`schedule`], [`lock`], [`wake`], [`database`].

mod claim;
mod clock;
mod database;
mod entity;
mod error;
mod execution;
mod inspect;
pub mod lock;
pub mod metrics;
mod process;
mod queue;
mod random;
mod runtime;
pub mod schedule;
mod settings;
mod task;
mod wake;

pub use claim::stopped_owners;
pub use clock::Clock;
pub use database::{
    Connection, Database, DatabaseLimits, Transaction, backup::backup, compose::row_of, file_of, test_faults,
    transactions::ChunkTransaction,
};
pub(crate) use entity::queued_task::{Column as TaskColumn, Entity as TaskEntity};
pub use entity::{
    process::Model as Process,
    queued_task::Model as Task,
    task_attempt::Model as Attempt,
    task_table::{TaskTable, id_of, ids_of_kind},
};
pub use error::{Error, Result};
pub use execution::{
    backoff,
    changed_tasks::{Following, TaskChange},
    error_class::{is_outage, is_refusal, is_unstorable, patiently},
    executor::{Chunk, ChunkContext, Executor, Progress, Recovery, Registry, Run, Step},
    failure::{Failure, TaskError},
    self_test, test_hooks,
};
pub use inspect::{
    blockers::{Blocker, ClaimConditions},
    cause::{Cause, Causes, Dead},
    family::{CHILDREN, children_that_count, family, repetitions, succeeded_after},
    health::{Health, KindRow, Paused, ProcessRow, ProcessState},
    search::{COUNTED, COUNTED_PER_STATE, TaskPage, TaskSearch, TaskVersion, failed_in, state_of},
    statistics,
    tasks::{has_failed_of, has_seen},
    unfinished,
    writer_holds::Hold,
};
pub use process::{cleaner::Clean, scaler::Scaler};
pub use queue::Queue;
pub use random::{new_id, secret_bytes, secret_id};
pub use runtime::{
    Runtime,
    permit::{Gate, Permit},
};
pub use settings::{Broker, ChunkSize, Cleaning, Hints, Scaling, Settings};
pub use task::{
    approval,
    control::{NewStart, may_abandon, may_retry},
    dead_task_notice,
    fence::{add_late, find_locked},
    new::{Enqueued, Idempotency, NewTask},
    prune,
    redact::replace_texts,
};
pub use wake::test_hints::ByHand;

/// Whether this build can use a broker.
pub const HAS_RABBITMQ: bool = cfg!(feature = "rabbitmq");
