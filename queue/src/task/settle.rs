//! Ends an attempt in every way but completion: tried again later, given up, put back, or not startable. Each is an update
//! fenced on (id, attempt, a running state), and on the fence where the attempt itself writes it; when it changes no row, the
//! task is somebody else's and nothing happens.

use std::time::Duration;

use model::{TroubleCode, WorkflowStatus};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};

use crate::{
    Database, Error, NewTask, Queue, Result, Settings, Task, Trouble, claim::line::starts_at, database::binds,
    inspect::cause, is_outage, meters, run::backoff::backoff, task::notice,
};

/// How an attempt ended; the outcomes of `task_attempt`.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Failed, to be tried again after a wait.
    Retry { trouble: Trouble, wait: Duration },
    /// Failed for good.
    Failed(Trouble),
    /// Never began: the spec cannot be read.
    CouldNotStart(Trouble),
    /// Put back by a process that stops; no failure is counted.
    PutBack,
    /// Taken from a process that died; a crash is counted if it had committed nothing.
    Rescued { crash: bool },
    /// Taken from a process that died, for the last time.
    Poison(Trouble),
    /// Taken from a process that died, to be undone by this task.
    Compensated(NewTask),
    /// Taken from a process that died, of a kind that is not tried again.
    GivenUp,
}

impl Ending {
    /// The word in `task_attempt.outcome`.
    pub fn word(&self) -> &'static str {
        match self {
            Ending::Retry { .. } => "RETRY",
            Ending::Failed(_) => "FAILED",
            Ending::CouldNotStart(_) => "COULD_NOT_START",
            Ending::PutBack => "PUT_BACK",
            Ending::Rescued { .. } => "RESCUED",
            Ending::Poison(_) => "POISON",
            Ending::Compensated(_) => "COMPENSATED",
            Ending::GivenUp => "GIVEN_UP",
        }
    }

    /// The state the task goes to.
    pub fn status(&self) -> WorkflowStatus {
        match self {
            Ending::Retry { .. } | Ending::PutBack | Ending::Rescued { .. } => WorkflowStatus::Queued,
            Ending::Failed(_) | Ending::Poison(_) | Ending::Compensated(_) => WorkflowStatus::Failure,
            Ending::CouldNotStart(_) => WorkflowStatus::Error,
            Ending::GivenUp => WorkflowStatus::Abandoned,
        }
    }

    fn trouble(&self) -> Option<Trouble> {
        match self {
            Ending::Retry { trouble, .. }
            | Ending::Failed(trouble)
            | Ending::CouldNotStart(trouble)
            | Ending::Poison(trouble) => Some(trouble.clone()),
            Ending::Compensated(_) => {
                Some(Trouble::new(TroubleCode::ProcessDied, "its process died; what it did is undone"))
            }
            Ending::GivenUp => {
                Some(Trouble::new(TroubleCode::ProcessDied, "its process died, and this kind is not tried again"))
            }
            Ending::PutBack | Ending::Rescued { .. } => None,
        }
    }
}

/// On whose behalf an ending is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The process that the task is with.
    Owner,
    /// Whoever takes it from a process that is gone.
    Rescue,
    /// Whoever takes it from an attempt that is overdue, unless its deadline has been moved since.
    RescueIfOverdue,
}

/// How long a rescue waits for a row that somebody has locked, who may be frozen. It comes again at the next sweep, and
/// meanwhile there are others.
const LOCKED: &str = "SET LOCAL lock_timeout = '250ms'";

impl Queue {
    /// Writes how an attempt ended in a transaction of its own, with what follows from it, and tells of it. False: the task
    /// was no longer this attempt's, and nothing was written.
    pub(crate) async fn settle(&self, task: &Task, ending: &Ending, by: By) -> Result<bool> {
        let (mut ending, mut announced) = (ending.clone(), true);
        // Whatever else cannot be written, the ending is: a task that never ends is worse.
        loop {
            match self.try_settle(task, &ending, by, announced).await? {
                Settled::Yes => return Ok(true),
                Settled::NotOurs => return Ok(false),
                Settled::Unannounced(error) => {
                    tracing::error!(task = %task.id, %error, "cannot tell of a task that is dead");
                    announced = false;
                }
                Settled::NotCompensated(error) => {
                    let why = format!("its process died, and what undoes it was refused: {error}");
                    ending = Ending::Failed(Trouble::new(TroubleCode::ProcessDied, why));
                }
            }
        }
    }

    async fn try_settle(&self, task: &Task, ending: &Ending, by: By, announced: bool) -> Result<Settled> {
        let db = self.db();
        let txn = db.begin_write().await?;
        if by != By::Owner && db.is_postgres() {
            txn.execute_unprepared(LOCKED).await?;
        }
        let Some(settled) = write(db, &txn, task, ending, by).await? else {
            txn.rollback().await?;
            return Ok(Settled::NotOurs);
        };
        let mut followed = None;
        if let Ending::Compensated(with) = ending {
            let undoing = NewTask { parent_task_id: Some(task.id), ..with.clone() };
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
            match self.inner.notices.dead(db, &txn, &settled, ending.word()).await {
                Err(error) if !is_outage(&error) => {
                    txn.rollback().await?;
                    return Ok(Settled::Unannounced(error));
                }
                told => told?,
            }
        }
        db.commit(txn).await?;
        meters::ended(&settled, ending.word());
        if settled.workflow_status.is_finished() {
            notice::log(&settled, ending.word());
            self.tell(&settled);
            self.wake();
            let kind = settled.execution_component_name.clone();
            self.inner.messages.tell_dead(settled.id, kind, ending.word());
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
    Unannounced(DbErr),
    /// Nothing was written: the task that undoes it was refused.
    NotCompensated(Error),
}

/// A transient failure: tried again after a backoff, or given up when the budget is spent.
pub fn after_failure(task: &Task, trouble: Trouble, settings: &Settings, random: f64) -> Ending {
    let failures = task.failures + 1;
    if failures >= task.max_failures {
        return Ending::Failed(trouble);
    }
    let wait = backoff(settings.backoff, settings.backoff_max, failures.unsigned_abs(), random);
    Ending::Retry { trouble, wait }
}

/// Writes the ending, closing the attempt. `None`: the task was no longer this attempt's, and nothing was written.
async fn write(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    ending: &Ending,
    by: By,
) -> Result<Option<Task>, DbErr> {
    let counts = match ending {
        Ending::Retry { .. } | Ending::Failed(_) => "failures = failures + 1,",
        Ending::Rescued { crash: true } | Ending::Poison(_) => "crashes = crashes + 1,",
        _ => "",
    };
    let trouble = ending.trouble();
    let description = trouble.as_ref().map(Trouble::to_string);
    let mut values = vec![task.id.into(), task.attempt.into(), ending.status().name().into(), description.into()];
    let dates = match ending {
        Ending::Retry { wait, .. } => {
            values.push(wait.as_secs_f64().into());
            format!("{},", starts_at("{after:$5}"))
        }
        Ending::Rescued { .. } => "rescued = TRUE,".to_owned(),
        Ending::PutBack => String::new(),
        Ending::GivenUp => "workflow_stopped_date = {now}, abandoned_by = NULL,
             finish_reason = 'Its process died, and this kind is not tried again',"
            .to_owned(),
        _ => "workflow_stopped_date = {now},".to_owned(),
    };
    let still = match by {
        By::Owner => {
            values.push(task.fence.into());
            format!("AND fence = ${}", values.len())
        }
        // Whoever is late may still commit chunks, and loses the task all the same.
        By::Rescue => String::new(),
        By::RescueIfOverdue => "AND deadline < {now}".to_owned(),
    };
    let sql = format!(
        "UPDATE queued_task SET {counts} {dates} workflow_status = $3, workflow_status_desc = $4,
            scheduled_by_process = NULL, deadline = NULL, modified_date = {{now}}
         WHERE id = $1 AND attempt = $2 AND workflow_status IN ('SCHEDULING', 'EXECUTING') {still}
         RETURNING *"
    );
    let Some(row) = txn.query_one_raw(db.statement(&sql, values)).await? else { return Ok(None) };
    close_attempt(db, txn, task, ending.word(), trouble.as_ref()).await?;
    Ok(Some(Task::from_query_result(&row, "")?))
}

/// Closes the rows of the open attempts at these tasks, none of which failed.
pub async fn close_attempts(
    db: &Database,
    txn: &DatabaseTransaction,
    tasks: &[Task],
    outcome: &str,
) -> Result<(), DbErr> {
    let mut values = vec![outcome.into()];
    let these = binds::one_of(&mut values, "task_id", tasks.iter().filter(|task| task.attempt > 0).map(|task| task.id));
    let sql =
        format!("UPDATE task_attempt SET stopped_date = {{now}}, outcome = $1 WHERE {these} AND stopped_date IS NULL");
    txn.execute_raw(db.statement(&sql, values)).await.map(drop)
}

/// Closes the row of an attempt with how it ended, and remembers what went wrong.
pub async fn close_attempt(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    outcome: &str,
    trouble: Option<&Trouble>,
) -> Result<(), DbErr> {
    let (code, detail) = trouble.map(|trouble| (trouble.code.name(), trouble.detail.clone())).unzip();
    txn.execute_raw(db.statement(
        "UPDATE task_attempt SET stopped_date = {now}, outcome = $3, error_code = $4, detail = $5
         WHERE task_id = $1 AND attempt = $2 AND stopped_date IS NULL",
        [task.id.into(), task.attempt.into(), outcome.into(), code.into(), detail.into()],
    ))
    .await?;
    match trouble {
        Some(trouble) => cause::note(db, txn, task, trouble, !matches!(outcome, "RETRY" | "WAITS")).await,
        None => Ok(()),
    }
}
