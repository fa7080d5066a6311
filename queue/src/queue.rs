//! The handle on the queue, and what all who have one share.

use std::sync::Arc;

use crate::{
    Database, Following, Hints, Hold, Registry, Settings, Task,
    execution::{
        background_threads::BackgroundThreads,
        changed_tasks::Changes,
        test_hooks::{self, Probe},
    },
    inspect::writer_holds::Holds,
    task::dead_task_notice::{LogOnly, Notices},
    wake::{
        hints::{Outgoing, Wake},
        outgoing::{BrokerMessage, Messages},
    },
};

/// A cheap handle on the queue: put tasks in, look at them, act on them. A [`Runtime`] makes them run.
#[derive(Clone)]
pub struct Queue {
    pub(crate) inner: Arc<QueueInner>,
    db: Database,
}

pub(crate) struct QueueInner {
    pub aside: BackgroundThreads,
    pub registry: Registry,
    pub settings: Settings,
    pub notices: Arc<dyn Notices>,
    pub probe: Probe,
    pub wake: Wake,
    /// What other processes are to be told.
    pub outgoing: Outgoing,
    /// What the broker is to be told.
    pub messages: Messages,
    pub changes: Changes,
    /// Who holds the one writer, where there is one.
    pub holds: Holds,
}

impl Queue {
    /// A queue whose dead-task notices go to the log only.
    pub fn new(db: Database, registry: Registry, settings: Settings) -> Queue {
        Queue::build(db, registry, settings, Arc::new(LogOnly), test_hooks::none())
    }

    /// A queue whose dead-task notices are taken by `notices`.
    pub fn with_notices(db: Database, registry: Registry, settings: Settings, notices: Arc<dyn Notices>) -> Queue {
        Queue::build(db, registry, settings, notices, test_hooks::none())
    }

    /// A queue whose runs can be held at named points, for tests.
    pub fn with_probe(db: Database, registry: Registry, settings: Settings, probe: Probe) -> Queue {
        Queue::build(db, registry, settings, Arc::new(LogOnly), probe)
    }

    fn build(db: Database, registry: Registry, settings: Settings, notices: Arc<dyn Notices>, probe: Probe) -> Queue {
        let messages = Messages::new(matches!(settings.hints, Hints::Rabbit(_)));
        let inner = QueueInner {
            aside: BackgroundThreads::new(),
            registry,
            settings,
            notices,
            probe,
            wake: Wake::default(),
            outgoing: Outgoing::default(),
            messages,
            changes: Changes::default(),
            holds: Holds::default(),
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
        self.notify(task);
        let due = task.trigger_date <= task.modified_date;
        if !due || !self.inner.messages.offer(BrokerMessage::Due(task.id)) {
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
    pub fn notify(&self, task: &Task) {
        self.inner.changes.notify(task);
        self.inner.outgoing.changed(task.id);
        if task.workflow_status.is_finished() {
            // Whoever misses it finds it in the table.
            self.inner.messages.offer(BrokerMessage::Ended(task.id));
        }
    }
}
