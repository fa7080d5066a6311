//! Ends an attempt in every way but completion: tried again later, given up, put back, or not startable. Where the move cannot
//! be made, the task is somebody else's and nothing happens.

use model::{AttemptOutcome, TaskErrorCode, WorkflowStatus};
use sea_orm::{DbErr, EntityTrait, QueryFilter, QuerySelect};

use super::{
    dead_task_notice,
    transition::{
        COMPENSATE, FAIL, FAIL_AS_POISON, FAIL_TO_START, GIVE_UP, Move, Mover, PUT_BACK, TAKE_BACK,
        TAKE_BACK_AFTER_CRASH, TRY_LATER,
    },
};
use crate::{
    Database, Error, NewTask, Queue, Result, Task, TaskColumn, TaskEntity, TaskError, Transaction,
    execution::verdict::{EndedBy, Ending},
    is_outage, metrics,
};

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
                Some(TaskError::new(TaskErrorCode::ProcessDied, "its process stopped; what it did is being undone"))
            }
            Ending::GivenUp => Some(TaskError::new(
                TaskErrorCode::ProcessDied,
                "its process stopped, and tasks of this kind are not retried",
            )),
            Ending::PutBack | Ending::Rescued { .. } => None,
        }
    }
}

const NOT_TRIED_AGAIN: &str = "Its process stopped, and tasks of this kind are not retried";

impl Queue {
    /// Writes what becomes of a task by the way in which an attempt at it has ended, with what follows from it, in a transaction
    /// of its own, and tells of it: how the attempt ended. Nothing: the task was no longer this attempt's, and nothing was written.
    pub(crate) async fn settle(&self, mover: Mover<'_>, by: EndedBy) -> Result<Option<AttemptOutcome>> {
        let (mut by, mut announced) = (by, true);
        // Whatever else cannot be written, the ending is: a task that never ends is worse.
        loop {
            match self.try_settle(mover, &by, announced).await? {
                Settled::As(outcome) => return Ok(Some(outcome)),
                Settled::NotOurs => return Ok(None),
                Settled::Unannounced => announced = false,
                Settled::NotCompensated(error) => {
                    let why = format!("its process stopped, and its undo could not be started: {error}");
                    by = EndedBy::PermanentFailure(TaskError::new(TaskErrorCode::ProcessDied, why));
                }
            }
        }
    }

    async fn try_settle(&self, mover: Mover<'_>, by: &EndedBy, announced: bool) -> Result<Settled> {
        let db = self.db();
        let txn = db.begin_write().await?;
        if !matches!(mover, Mover::Attempt(_)) {
            db.wait_for_rows(&txn, db.limits().locked_at_rescue).await?;
        }
        // As it is now, if it is still the one that was looked at: for any other nobody waits until it is not locked any more.
        let locked = match mover.looked_at(db, WorkflowStatus::RUNNING) {
            Some(looked_at) => TaskEntity::find().filter(looked_at).lock_exclusive().one(&txn).await?,
            None => None,
        };
        let ending = locked.map(|task| self.verdict(&task, by));
        let written = match &ending {
            Some(ending) => write(db, &txn, ending, mover).await?,
            None => None,
        };
        let (Some(ending), Some(settled)) = (ending, written) else {
            txn.rollback().await?;
            return Ok(Settled::NotOurs);
        };
        let mut followed = None;
        if let Ending::Compensated(with) = &ending {
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
        Ok(Settled::As(ending.outcome()))
    }
}

/// What became of an ending.
enum Settled {
    As(AttemptOutcome),
    NotOurs,
    /// Nothing was written: its notice could not be.
    Unannounced,
    /// Nothing was written: the task that undoes it was refused.
    NotCompensated(Error),
}

/// Writes the ending, with which the attempt ends. `None`: the task was no longer this attempt's, and nothing was written.
async fn write(db: &Database, txn: &Transaction, ending: &Ending, mover: Mover<'_>) -> Result<Option<Task>, DbErr> {
    let error = ending.error();
    let making = ending.transition().made_by(db, mover).because(error.as_ref());
    let making = match ending {
        Ending::Retry { wait, .. } => making.starting_at(db.instant_after(wait.as_secs_f64())),
        Ending::GivenUp => making.write(TaskColumn::FinishReason, NOT_TRIED_AGAIN),
        _ => making,
    };
    making.make_one(txn).await
}
