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
//! ```
//! One file for each role: [`enqueue`], [`claim`], [`runtime`], [`run`], [`settle`], [`rescue`], [`control`], [`inspect`].

mod aside;
pub mod backoff;
mod backup;
mod binds;
mod blockers;
mod cause;
mod claim;
mod cleaner;
mod clock;
mod control;
mod database;
mod doubt;
mod enqueue;
mod entity;
mod error;
mod executor;
pub mod fault;
mod fence;
mod health;
mod holds;
mod inspect;
pub mod lock;
pub mod meters;
pub mod notice;
mod occupancy;
mod outage;
mod pace;
pub mod probe;
mod process;
mod progress;
pub mod prune;
mod random;
mod rescue;
mod run;
mod runtime;
mod scaler;
pub mod schedule;
mod search;
pub mod self_test;
mod settings;
mod settle;
mod slots;
pub mod statistics;
mod wake;

use std::sync::Arc;

pub use backup::backup;
pub use blockers::{Blocker, Standing};
pub use cause::{Cause, Causes, Dead};
pub use cleaner::{Clean, Cleaning};
pub use clock::Clock;
pub use control::{may_abandon, may_retry};
pub use database::{ChunkTransaction, Database, Limits, file_of};
pub use enqueue::{Enqueued, Idempotency, NewTask};
pub use entity::{
    process::Model as Process,
    queued_task::{Column as TaskColumn, Entity as TaskEntity, Model as Task},
    task_attempt::Model as Attempt,
};
pub use error::{Error, Result};
pub use executor::{Ahead, Chunk, Executor, Failure, Progress, Recovery, Registry, Run, Step, Trouble};
pub use fence::{add_late, find_locked};
pub use health::{Health, KindRow, Paused, ProcessRow, ProcessState};
pub use holds::Hold;
pub use inspect::{CHILDREN, children_that_count};
pub use outage::{is_outage, is_refusal, is_unstorable, patiently};
pub use progress::{Change, Following};
pub use random::{new_id, secret_id};
pub use runtime::{Gate, Runtime};
pub use scaler::Scaling;
pub use search::{COUNTED, COUNTED_PER_STATE, Stand, TaskPage, TaskSearch, state_of};
pub use settings::{Broker, ChunkSize, Hints, Settings};
pub use wake::ByHand;

use progress::Changes;
use wake::messages::Message;

/// Whether this build can use a broker.
pub const HAS_RABBITMQ: bool = cfg!(feature = "rabbitmq");

/// A cheap handle on the queue: put tasks in, look at them, act on them. A [`Runtime`] makes them run.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
    db: Database,
}

struct Inner {
    aside: aside::Aside,
    registry: Registry,
    settings: Settings,
    notices: Arc<dyn notice::Notices>,
    probe: probe::Probe,
    wake: wake::Wake,
    /// What other processes are to be told.
    outgoing: wake::Outgoing,
    /// What the broker is to be told.
    messages: wake::messages::Messages,
    changes: Changes,
    /// Who holds the one writer, where there is one.
    holds: holds::Holds,
}

impl Queue {
    /// A queue whose dead-task notices go to the log only.
    pub fn new(db: Database, registry: Registry, settings: Settings) -> Queue {
        Queue::build(db, registry, settings, Arc::new(notice::LogOnly), probe::none())
    }

    /// A queue whose dead-task notices are taken by `notices`.
    pub fn with_notices(
        db: Database,
        registry: Registry,
        settings: Settings,
        notices: Arc<dyn notice::Notices>,
    ) -> Queue {
        Queue::build(db, registry, settings, notices, probe::none())
    }

    /// A queue whose runs can be held at named points, for tests.
    pub fn with_probe(db: Database, registry: Registry, settings: Settings, probe: probe::Probe) -> Queue {
        Queue::build(db, registry, settings, Arc::new(notice::LogOnly), probe)
    }

    fn build(
        db: Database,
        registry: Registry,
        settings: Settings,
        notices: Arc<dyn notice::Notices>,
        probe: probe::Probe,
    ) -> Queue {
        let messages = wake::messages::Messages::new(matches!(settings.hints, Hints::Rabbit(_)));
        let inner = Inner {
            aside: aside::Aside::new(),
            registry,
            settings,
            notices,
            probe,
            wake: wake::Wake::default(),
            outgoing: wake::Outgoing::default(),
            messages,
            changes: Changes::default(),
            holds: holds::Holds::default(),
        };
        Queue { inner: Arc::new(inner), db }
    }

    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The same queue by the connections for tasks.
    pub(crate) fn for_tasks(&self) -> Queue {
        Queue { db: self.db.for_tasks(), ..self.clone() }
    }

    /// Hears hints of other processes, and tells them ours, until `stop`. A runtime hears those of a broker by itself.
    pub async fn exchange_hints(&self, stop: tokio_util::sync::CancellationToken) {
        let after = tokio_util::sync::CancellationToken::new();
        let through_broker = async {
            match &self.inner.settings.hints {
                #[cfg(feature = "rabbitmq")]
                Hints::Rabbit(broker) => wake::rabbit::publish(self, broker, &stop).await,
                _ => stop.cancelled().await,
            }
            // It leaves to the others what it could not send.
            after.cancel();
        };
        let beside = async {
            // There is one process on SQLite.
            if self.db.is_postgres() {
                wake::postgres::run(self, &random::suffix(), after.clone()).await;
            }
        };
        tokio::join!(through_broker, beside);
    }

    /// The scheduler locks that all processes on the database share; `holder` is for operators.
    pub fn locks(&self, holder: &str) -> lock::Locks {
        lock::Locks::new(Arc::new(lock::DatabaseLocks::new(self.db.clone())), holder)
    }

    /// Takes a scheduler lock from whoever holds it, in the caller's transaction. Gives the lock as it was; `None`: nobody held it.
    pub async fn break_lock(&self, txn: &sea_orm::DatabaseTransaction, name: &str) -> Result<Option<lock::LockRow>> {
        lock::break_open(&self.db, txn, name).await
    }

    /// The kinds that this process knows.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.inner.registry.kinds()
    }

    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The chunk that has kept everybody waiting for the one writer of SQLite for longest within the last hour, if it was long
    /// enough to be noticed. Also one that still does.
    pub fn longest_hold(&self) -> Option<Hold> {
        self.inner.holds.longest()
    }

    /// Whether tasks that may be due are told through a broker now.
    pub fn uses_broker(&self) -> bool {
        self.inner.messages.are_heard()
    }

    /// Whether there should be a broker and none answers this process.
    pub fn misses_broker(&self) -> bool {
        self.inner.messages.are_missed()
    }

    /// Hints to every process that there may be something to claim. Only ever a hint: polling finds it too. Call it after the
    /// commit; for a single task, [`Queue::announce`] is the better one.
    pub fn wake(&self) {
        self.inner.wake.call();
        if self.inner.settings.hints != Hints::None {
            self.inner.outgoing.due();
        }
    }

    /// Tells of a task that was put into the queue, or back into it: listeners, and one of those who could run it, or all who
    /// have to be there when it is due. Call it after the commit.
    pub fn announce(&self, task: &Task) {
        self.tell(task);
        let due = task.trigger_date <= task.modified_date;
        if !due || !self.inner.messages.offer(Message::Due(task.id)) {
            self.wake();
        }
    }

    /// Every change of a task in this process, after its commit.
    pub fn changes(&self) -> Following {
        self.follow(|_| true)
    }

    /// The changes of those tasks in this process that are wanted, after their commit. It is asked of each change, so it should
    /// cost next to nothing.
    pub fn follow(&self, wants: impl Fn(&Task) -> bool + Send + 'static) -> Following {
        self.inner.changes.follow(wants)
    }

    /// Tells listeners of a change that a caller has committed.
    pub fn tell(&self, task: &Task) {
        self.inner.changes.tell(task);
        self.inner.outgoing.changed(task.id);
        if task.workflow_status.is_finished() {
            // Whoever misses it finds it in the table.
            self.inner.messages.offer(Message::Ended(task.id));
        }
    }
}
