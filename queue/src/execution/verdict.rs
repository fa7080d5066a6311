//! What becomes of a task by the way in which an attempt at it has ended: the one place that weighs failures, crashes and the
//! recovery of a kind. It judges the row as it is locked, in the transaction that writes the ending.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use model::TaskErrorCode;

use crate::{
    NewTask, Queue, Task, TaskError, claim::due::QUARANTINE, execution::backoff::backoff,
    execution::executor::Recovery, random,
};

/// Deaths without progress after which a task is poison. The last of them it died alone, so that no neighbour pays.
const POISON: i32 = QUARANTINE + 1;

/// In which way an attempt has ended, but for completion.
#[derive(Clone, Debug)]
pub enum EndedBy {
    /// A failure that may pass by itself.
    Failure(TaskError),
    /// One that will not.
    PermanentFailure(TaskError),
    /// It could not begin: the spec cannot be read.
    UnreadableSpec(TaskError),
    /// Its process stops, or does not know of it.
    Stop,
    /// Its process is gone, or silent.
    Death,
    /// It committed nothing for longer than its deadline allows.
    Deadline,
}

/// How an attempt ended, with what follows from it.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Failed, to be tried again after a wait.
    Retry { error: TaskError, wait: Duration },
    /// Failed for good.
    Failed(TaskError),
    /// Never began: the spec cannot be read.
    CouldNotStart(TaskError),
    /// Put back by a process that stops; no failure is counted.
    PutBack,
    /// Taken from a process that died; a crash is counted if it had committed nothing.
    Rescued { crash: bool },
    /// Taken from a process that died, for the last time.
    Poison(TaskError),
    /// Taken from a process that died, to be undone by this task.
    Compensated(NewTask),
    /// Taken from a process that died, of a kind that is not tried again.
    GivenUp,
}

impl Queue {
    /// What becomes of a task, whose row is locked.
    pub(crate) fn verdict(&self, task: &Task, by: &EndedBy) -> Ending {
        match by {
            EndedBy::Failure(error) => self.after_failure(task, error.clone()),
            EndedBy::PermanentFailure(error) => Ending::Failed(error.clone()),
            EndedBy::UnreadableSpec(error) => Ending::CouldNotStart(error.clone()),
            EndedBy::Stop => Ending::PutBack,
            EndedBy::Deadline => {
                let error = "it made no progress within its deadline";
                self.after_failure(task, TaskError::new(TaskErrorCode::Deadline, error))
            }
            EndedBy::Death => self.after_death(task),
        }
    }

    /// Tried again after a backoff, or given up when the budget is spent.
    fn after_failure(&self, task: &Task, error: TaskError) -> Ending {
        let (failures, settings) = (task.failures + 1, self.settings());
        if failures >= task.max_failures {
            return Ending::Failed(error);
        }
        let wait = backoff(settings.backoff, settings.backoff_max, failures.unsigned_abs(), random::fraction());
        Ending::Retry { error, wait }
    }

    fn after_death(&self, task: &Task) -> Ending {
        let recovery = self.inner.registry.get(&task.execution_component_name).map(|executor| executor.recovery());
        match recovery {
            Some(Recovery::Compensate(with)) => match catch_unwind(AssertUnwindSafe(|| with(task))) {
                Ok(undoing) => Ending::Compensated(undoing),
                Err(_) => Ending::Failed(TaskError::new(
                    TaskErrorCode::ProcessDied,
                    "its process stopped, and what undoes it panicked",
                )),
            },
            Some(Recovery::Abandon) => Ending::GivenUp,
            Some(Recovery::Retry) | None if !task.progressed && task.crashes + 1 >= POISON => {
                Ending::Poison(TaskError::new(
                    TaskErrorCode::Poison,
                    format!("{POISON} processes stopped while running it without progress; the last ran nothing else"),
                ))
            }
            Some(Recovery::Retry) | None => Ending::Rescued { crash: !task.progressed },
        }
    }
}
