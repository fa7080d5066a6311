//! What this process is on, from memory: the runs that hold its slots. A run leaves when it ends, and loses its slot when
//! its task is taken away, even if it hangs.

use model::TaskId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use crate::Task;

/// The slots of a process.
#[derive(Clone, Default)]
pub struct Slots {
    runs: Arc<Mutex<HashMap<TaskId, Holder>>>,
}

struct Holder {
    attempt: i32,
    /// The fence that it was claimed with, which no other claim has.
    claim: i64,
    /// Ends the run wherever it waits.
    taken: CancellationToken,
    /// Whether it has to have the process to itself.
    alone: bool,
    /// Since when the table has said that the task is not this attempt's any more.
    doubted: Option<Instant>,
}

/// A slot in use, free again when this is dropped.
pub struct Slot {
    slots: Slots,
    id: TaskId,
    claim: i64,
    pub taken: CancellationToken,
}

impl Slots {
    /// How many are in use.
    pub fn busy(&self) -> usize {
        self.lock().len()
    }

    /// Whether a run has the process to itself.
    pub fn closed(&self) -> bool {
        self.lock().values().any(|holder| holder.alone)
    }

    /// Takes a slot for a claimed task.
    pub fn enter(&self, task: &Task, alone: bool) -> Slot {
        let taken = CancellationToken::new();
        let holder = Holder { attempt: task.attempt, claim: task.fence, taken: taken.clone(), alone, doubted: None };
        if let Some(former) = self.lock().insert(task.id, holder) {
            former.taken.cancel();
        }
        Slot { slots: self.clone(), id: task.id, claim: task.fence, taken }
    }

    /// Whether this attempt holds a slot.
    pub fn holds(&self, task: &Task) -> bool {
        self.lock().get(&task.id).is_some_and(|holder| holder.attempt == task.attempt)
    }

    /// Ends the run of this attempt, if it is here, and frees its slot at once.
    pub fn take_away(&self, id: TaskId, attempt: i32) {
        let mut runs = self.lock();
        if runs.get(&id).is_some_and(|holder| holder.attempt == attempt)
            && let Some(holder) = runs.remove(&id)
        {
            holder.taken.cancel();
        }
    }

    /// Ends every run.
    pub fn take_all_away(&self) {
        for (_, holder) in self.lock().drain() {
            holder.taken.cancel();
        }
    }

    /// Compares with what the table says is this process's. A run whose task has not been among it for longer than `leaving` is
    /// ended; until then it may be just about to leave.
    pub fn compare(&self, table: &[Task], leaving: Duration) {
        self.lock().retain(|id, holder| {
            if table.iter().any(|task| task.id == *id && task.attempt == holder.attempt) {
                holder.doubted = None;
            } else if holder.doubted.get_or_insert_with(Instant::now).elapsed() > leaving {
                holder.taken.cancel();
                return false;
            }
            true
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TaskId, Holder>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut runs = self.slots.lock();
        if runs.get(&self.id).is_some_and(|holder| holder.claim == self.claim) {
            runs.remove(&self.id);
        }
    }
}
