//! Ends an attempt in every way but completion: tried again later, given up, put back, or not startable. Where the move cannot
//! be made, the task is somebody else's and nothing happens.

use std::time::Duration;

use model::{AttemptOutcome, TaskErrorCode};
use sea_orm::{ColumnTrait, DbErr};

use super::{
    dead_task_notice,
    transition::{
        COMPENSATE, FAIL, FAIL_AS_POISON, FAIL_TO_START, GIVE_UP, Move, Mover, PUT_BACK, TAKE_BACK,
        TAKE_BACK_AFTER_CRASH, TRY_LATER,
    },
};
use crate::{
    Database, Error, NewTask, Queue, Result, Settings, Task, TaskColumn, TaskError, Transaction,
    execution::backoff::backoff, is_outage, metrics,
};

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

impl Ending {
    /// How the attempt ends with it. Each of these moves ends one.
    pub fn outcome(&self) -> AttemptOutcome {
        self.transition().outcome().unwrap_or(AttemptOutcome::Failed)
    }

    /// The move that it is.
    fn transition(&self) -> &'static Move {
        match self {
            Ending::Retry { .. } => &TRY_LATER,
            Ending::Failed(_) => &FAIL,
            Ending::CouldNotStart(_) => &FAIL_TO_START,
            Ending::PutBack => &PUT_BACK,
            Ending::Rescued { crash: false } => &TAKE_BACK,
            Ending::Rescued { crash: true } => &TAKE_BACK_AFTER_CRASH,
            Ending::Poison(_) => &FAIL_AS_POISON,
            Ending::Compensated(_) => &COMPENSATE,
            Ending::GivenUp => &GIVE_UP,
        }
    }

    fn error(&self) -> Option<TaskError> {
        match self {
            Ending::Retry { error, .. }
            | Ending::Failed(error)
            | Ending::CouldNotStart(error)
            | Ending::Poison(error) => Some(error.clone()),
            Ending::Compensated(_) => {
                Some(TaskError::new(TaskErrorCode::ProcessDied, "its process died; what it did is undone"))
            }
            Ending::GivenUp => {
                Some(TaskError::new(TaskErrorCode::ProcessDied, "its process died, and this kind is not tried again"))
            }
            Ending::PutBack | Ending::Rescued { .. } => None,
        }
    }
}

const NOT_TRIED_AGAIN: &str = "Its process died, and this kind is not tried again";

impl Queue {
    /// Writes how an attempt ended in a transaction of its own, with what follows from it, and tells of it. False: the task
    /// was no longer this attempt's, and nothing was written.
    pub(crate) async fn settle(&self, mover: Mover<'_>, ending: &Ending) -> Result<bool> {
        let (mut ending, mut announced) = (ending.clone(), true);
        // Whatever else cannot be written, the ending is: a task that never ends is worse.
        loop {
            match self.try_settle(mover, &ending, announced).await? {
                Settled::Yes => return Ok(true),
                Settled::NotOurs => return Ok(false),
                Settled::Unannounced => announced = false,
                Settled::NotCompensated(error) => {
                    let why = format!("its process died, and what undoes it was refused: {error}");
                    ending = Ending::Failed(TaskError::new(TaskErrorCode::ProcessDied, why));
                }
            }
        }
    }

    async fn try_settle(&self, mover: Mover<'_>, ending: &Ending, announced: bool) -> Result<Settled> {
        let db = self.db();
        let txn = db.begin_write().await?;
        if !matches!(mover, Mover::Attempt(_)) {
            db.wait_for_rows(&txn, db.limits().locked_at_rescue).await?;
        }
        let Some(settled) = write(db, &txn, ending, mover).await? else {
            txn.rollback().await?;
            return Ok(Settled::NotOurs);
        };
        let mut followed = None;
        if let Ending::Compensated(with) = ending {
            let undoing = NewTask { parent_task_id: Some(settled.id), ..with.clone() };
            match self.enqueue(&txn, undoing).await {
                Ok(enqueued) => followed = Some(enqueued.task()),
                Err(Error::Database(error)) => return Err(error.into()),
                Err(refused) => {
                    txn.rollback().await?;
                    return Ok(Settled::NotCompensated(refused));
                }
            }
        }
        if announced && settled.workflow_status.is_finished() {
            match self.inner.notices.dead(db, &txn, &settled, ending.outcome()).await {
                Err(error) if !is_outage(&error) => {
                    tracing::error!(task = %settled.id, %error, "cannot tell of a task that is dead");
                    txn.rollback().await?;
                    return Ok(Settled::Unannounced);
                }
                told => told?,
            }
        }
        db.commit(txn).await?;
        metrics::ended(&settled, ending.outcome());
        if settled.workflow_status.is_finished() {
            dead_task_notice::log(&settled, ending.outcome());
            self.notify(&settled);
            self.wake();
            let kind = settled.execution_component_name.clone();
            self.inner.messages.notify_dead(settled.id, kind, ending.outcome());
            followed.iter().for_each(|task| self.announce(task));
        } else {
            self.announce(&settled);
        }
        Ok(Settled::Yes)
    }
}

/// What became of an ending.
enum Settled {
    Yes,
    NotOurs,
    /// Nothing was written: its notice could not be.
    Unannounced,
    /// Nothing was written: the task that undoes it was refused.
    NotCompensated(Error),
}

/// A transient failure: tried again after a backoff, or given up when the budget is spent.
pub fn after_failure(task: &Task, error: TaskError, settings: &Settings, random: f64) -> Ending {
    let failures = task.failures + 1;
    if failures >= task.max_failures {
        return Ending::Failed(error);
    }
    let wait = backoff(settings.backoff, settings.backoff_max, failures.unsigned_abs(), random);
    Ending::Retry { error, wait }
}

/// Writes the ending, with which the attempt ends. `None`: the task was no longer this attempt's, and nothing was written.
async fn write(db: &Database, txn: &Transaction, ending: &Ending, mover: Mover<'_>) -> Result<Option<Task>, DbErr> {
    let error = ending.error();
    let making = ending.transition().made_by(db, mover).because(error.as_ref());
    let making = match ending {
        Ending::Retry { wait, .. } => making.starting_at(db.instant_after(wait.as_secs_f64())),
        Ending::GivenUp => making.write(TaskColumn::FinishReason, NOT_TRIED_AGAIN),
        // It may have committed something since it was looked at, and then it is no crash of the task's own.
        Ending::Rescued { crash: true } | Ending::Poison(_) => making.only(TaskColumn::Progressed.eq(false)),
        _ => making,
    };
    making.make_one(txn).await
}
