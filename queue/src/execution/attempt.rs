//! One attempt at a task, from the claim to its end: the runner alone moves `workflow_status`, the executor alone the
//! bookmark. Every step is a transaction of its own.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use futures::FutureExt;
use model::{AttemptOutcome, TaskErrorCode};
use sea_orm::DbErr;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    Chunk, ChunkContext, Error, Failure, Queue, Result, Run, Step, Task, TaskError,
    database::SQLITE_ACQUIRE,
    execution::changed_tasks::Spacing,
    execution::chunk_size::Pace,
    execution::error_class::{is_hopeless, is_outage},
    execution::test_hooks::Point,
    execution::verdict::EndedBy,
    metrics,
    process::identity::OwnProcess,
    task::fence::{self, Next},
    task::reread,
    task::reread::Reread,
    task::transition::Mover,
};

/// How long the work of one chunk may take at most, and never more than half of the deadline: it holds locks, and those who wait
/// for them have a deadline, too.
const LONGEST_CHUNK: Duration = Duration::from_secs(120);
/// On SQLite it holds the only writer, and nobody waits for that so long that they give up.
const LONGEST_OF_THE_WRITER: Duration = Duration::from_secs(20);
const _: () = assert!(LONGEST_OF_THE_WRITER.as_secs() < SQLITE_ACQUIRE.as_secs());

/// How a chunk left the task.
enum ChunkEnd {
    /// There is more to do, of the same sort unless it `turned`.
    On {
        task: Task,
        turned: bool,
    },
    Completed(Task),
    /// There is nothing to do for a while, so it is back in the queue.
    Waits(Task),
    /// The task is no longer this attempt's.
    Fenced,
    Failed(Failure),
    /// The database did not answer, or not in a way that says what is there now.
    Unknown(DbErr),
}

impl Queue {
    /// Runs a claimed task until it ends, or until `stop` asks for it back after the chunk that is under way.
    pub(crate) async fn run(&self, task: Task, process: &OwnProcess, stop: &CancellationToken) {
        let id = task.id;
        if let Err(error) = self.attempt(task, process, stop).await {
            // The row stays claimed by this process, which puts it back at a later tick.
            tracing::error!(task = %id, %error, "cannot write how the attempt ended");
        }
    }

    async fn attempt(&self, claimed: Task, process: &OwnProcess, stop: &CancellationToken) -> Result<()> {
        (self.inner.probe)(Point::Claimed, &claimed).await;
        let mut run = match self.ready(&claimed) {
            Ok(run) => run,
            Err(error) => return self.end(&claimed, EndedBy::UnreadableSpec(error), process).await,
        };
        let Some(mut task) = self.start(&claimed, process).await? else { return fenced(&claimed) };
        tracing::info!(task = %task.id, attempt = task.attempt, kind = task.execution_component_name, "task started");
        self.notify(&task);
        let mut pace = Pace::new(self.inner.settings.chunk, self.db().has_one_writer());
        let mut spacing = Spacing::default();
        let mut doubts = reread::Doubts::default();
        loop {
            (self.inner.probe)(Point::BetweenChunks, &task).await;
            if !process.may_write() {
                // Others may have taken it for dead by now; the task is theirs.
                tracing::warn!(task = %task.id, "left alone: this process could not say that it lives");
                return Ok(());
            }
            if stop.is_cancelled() && !run.owes() {
                return self.end(&task, EndedBy::Stop, process).await;
            }
            let began = Instant::now();
            let owes = run.owes();
            let prepared = tokio::select! {
                biased;
                prepared = self.prepare(&mut *run, &task) => prepared,
                () = stop.cancelled(), if !owes => continue,
            };
            let chunk_end = match prepared {
                Ok(()) => self.chunk(&mut *run, &task, &pace, stop).await,
                Err(chunk_end) => chunk_end,
            };
            match chunk_end {
                ChunkEnd::On { task: next, turned } => {
                    doubts.clear();
                    match turned {
                        true => pace.begin_anew(),
                        false => pace.took(began.elapsed()),
                    }
                    task = next;
                    if spacing.is_due(Instant::now()) {
                        self.notify(&task);
                    }
                }
                ChunkEnd::Completed(done) => {
                    self.completed(&done);
                    return Ok(());
                }
                ChunkEnd::Waits(waiting) => {
                    metrics::ended(&waiting, AttemptOutcome::Waits);
                    self.announce(&waiting);
                    return Ok(());
                }
                ChunkEnd::Fenced => {
                    self.take_away(&mut *run, &task).await;
                    return fenced(&task);
                }
                ChunkEnd::Failed(Failure::Permanent(error)) => {
                    return self.end(&task, EndedBy::PermanentFailure(error), process).await;
                }
                ChunkEnd::Failed(Failure::Transient(error)) => {
                    return self.end(&task, EndedBy::Failure(error), process).await;
                }
                ChunkEnd::Failed(Failure::Database(error)) | ChunkEnd::Unknown(error) => {
                    tracing::warn!(task = %task.id, %error, "looking at what the database has of the last chunk");
                    match doubts.find_out(self.db(), &task, process).await? {
                        Reread::Ours(now) => task = *now,
                        Reread::Completed(done) => {
                            self.completed(&done);
                            return Ok(());
                        }
                        Reread::NotOurs => {
                            self.take_away(&mut *run, &task).await;
                            return fenced(&task);
                        }
                    }
                    if doubts.are_too_many() {
                        let error = TaskError::new(TaskErrorCode::Database, error.to_string());
                        return self.end(&task, EndedBy::Failure(error), process).await;
                    }
                    if !run.owes() {
                        // What the run remembers may be ahead of its bookmark.
                        run = match self.ready(&task) {
                            Ok(run) => run,
                            Err(error) => return self.end(&task, EndedBy::UnreadableSpec(error), process).await,
                        };
                    }
                }
            }
        }
    }

    fn ready(&self, task: &Task) -> Result<Box<dyn Run>, TaskError> {
        let kind = &task.execution_component_name;
        let executor =
            self.inner.registry.get(kind).ok_or_else(|| TaskError::new(TaskErrorCode::UnknownKind, kind.as_str()))?;
        let spec: Value = serde_json::from_str(task.execution_spec.as_deref().unwrap_or("null"))
            .map_err(|error| TaskError::new(TaskErrorCode::BadSpec, error.to_string()))?;
        let built = std::panic::catch_unwind(AssertUnwindSafe(|| executor.build(&spec)));
        match built {
            Ok(run) => run.map_err(|why| TaskError::new(TaskErrorCode::BadSpec, why)),
            Err(panic) => {
                Err(TaskError::new(TaskErrorCode::BadSpec, format!("its reader panicked: {}", panic_text(&*panic))))
            }
        }
    }

    /// Moves the task to EXECUTING; after an error it looks whether it did, and tries again.
    async fn start(&self, task: &Task, process: &OwnProcess) -> Result<Option<Task>> {
        let mut doubts = reread::Doubts::default();
        loop {
            let error = match self.try_start(task).await {
                Ok(started) => return Ok(started),
                Err(error) => error,
            };
            match doubts.find_out(self.db(), task, process).await? {
                Reread::Ours(now) if now.workflow_status == model::WorkflowStatus::Executing => return Ok(Some(*now)),
                Reread::Ours(_) if !doubts.are_too_many() => {}
                Reread::Ours(_) => return Err(error.into()),
                Reread::Completed(_) | Reread::NotOurs => return Ok(None),
            }
        }
    }

    async fn try_start(&self, task: &Task) -> Result<Option<Task>, DbErr> {
        let txn = self.db().begin_write().await?;
        let started = fence::start(self.db(), &txn, task).await?;
        self.db().commit(txn).await?;
        Ok(started)
    }

    /// The run's outside work for the next chunk.
    async fn prepare(&self, run: &mut dyn Run, task: &Task) -> Result<(), ChunkEnd> {
        let bookmark: Value = serde_json::from_str(&task.execution_state).unwrap_or_default();
        let ahead = ChunkContext { db: self.db(), task, bookmark: &bookmark, aside: &self.inner.aside };
        match AssertUnwindSafe(run.prepare(&ahead)).catch_unwind().await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(Failure::Database(error))) => Err(refused(error)),
            Ok(Err(failure)) => Err(ChunkEnd::Failed(failure)),
            Err(panic) => Err(ChunkEnd::Failed(Failure::transient(TaskErrorCode::Panic, panic_text(&*panic)))),
        }
    }

    /// Lets a run that owes say what became of what it had begun. Nothing else depends on it.
    async fn take_away(&self, run: &mut dyn Run, task: &Task) {
        if !run.owes() {
            return;
        }
        let bookmark: Value = serde_json::from_str(&task.execution_state).unwrap_or_default();
        let ahead = ChunkContext { db: self.db(), task, bookmark: &bookmark, aside: &self.inner.aside };
        match AssertUnwindSafe(run.taken_away(&ahead)).catch_unwind().await {
            Ok(Ok(())) => {
                if let Ok(Some(now)) = self.task(task.id).await {
                    self.notify(&now);
                }
            }
            Ok(Err(error)) => tracing::warn!(task = %task.id, %error, "cannot write down what was under way"),
            Err(panic) => tracing::error!(task = %task.id, panic = panic_text(&*panic), "a run panicked at its end"),
        }
    }

    fn completed(&self, done: &Task) {
        metrics::ended(done, AttemptOutcome::Completed);
        tracing::info!(task = %done.id, attempt = done.attempt, "task completed");
        self.notify(done);
    }

    async fn chunk(&self, run: &mut dyn Run, task: &Task, pace: &Pace, stop: &CancellationToken) -> ChunkEnd {
        // A panic rolls back with the transaction it unwinds through.
        match AssertUnwindSafe(self.fenced_chunk(run, task, pace, stop.is_cancelled())).catch_unwind().await {
            Ok(Ok(chunk_end)) => chunk_end,
            // What it has set in motion outside is worth another look.
            Ok(Err(error)) if run.owes() => ChunkEnd::Unknown(error),
            Ok(Err(error)) => refused(error),
            Err(panic) => ChunkEnd::Failed(Failure::transient(TaskErrorCode::Panic, panic_text(&*panic))),
        }
    }

    async fn fenced_chunk(
        &self,
        run: &mut dyn Run,
        task: &Task,
        pace: &Pace,
        stopping: bool,
    ) -> Result<ChunkEnd, DbErr> {
        let (db, settings) = (self.db(), &self.inner.settings);
        let deadline = settings.deadline_of(&task.execution_component_name);
        let bookmark: Value = serde_json::from_str(&task.execution_state).unwrap_or_default();
        let open = db.begin_chunk().await?;
        let _holding = db.has_one_writer().then(|| self.inner.holds.begin(task, pace.target()));
        let Some(fenced) = fence::pass(db, &open.txn, task, deadline).await? else {
            open.rollback().await?;
            return Ok(ChunkEnd::Fenced);
        };
        let chunk = Chunk { db, txn: &open.txn, task, bookmark: &bookmark, size: pace.size(), fenced, stopping };
        let longest = if db.has_one_writer() { LONGEST_OF_THE_WRITER } else { LONGEST_CHUNK };
        let limit = (deadline / 2).min(longest);
        let worked = tokio::time::timeout(limit, run.chunk(&chunk)).await;
        let mut error = None;
        let (progress, next) = match worked.unwrap_or_else(|_| Err(hung(limit))) {
            Ok(Step::More(progress)) => (progress, Next::On { turned: false }),
            Ok(Step::Turn(progress)) => (progress, Next::On { turned: true }),
            Ok(Step::Until(progress, at, why)) => {
                error = why;
                (progress, Next::Waits(at))
            }
            Ok(Step::Done(progress)) => (progress, Next::Ends),
            Err(failure) => {
                open.rollback().await?;
                return match failure {
                    Failure::Database(error) => Err(error),
                    failure => Ok(ChunkEnd::Failed(failure)),
                };
            }
        };
        let Some(task) = fence::record(db, &open.txn, task, &progress, next, error.as_ref()).await? else {
            open.rollback().await?;
            return Ok(ChunkEnd::Fenced);
        };
        (self.inner.probe)(Point::BeforeCommit, &task).await;
        if let Err(error) = open.commit(db).await {
            return Ok(ChunkEnd::Unknown(error));
        }
        Ok(match next {
            Next::On { turned } => ChunkEnd::On { task, turned },
            Next::Waits(_) => ChunkEnd::Waits(task),
            Next::Ends => ChunkEnd::Completed(task),
        })
    }

    /// Writes how the attempt ended, again and again while the database is away and this process may write. Where it answers and
    /// yet has no room, say, the task is left for a later tick to put back. What it refuses for another reason is not written in
    /// that way: the task fails for that reason instead.
    async fn end(&self, task: &Task, by: EndedBy, process: &OwnProcess) -> Result<()> {
        let mut doubts = reread::Doubts::default();
        let mut by = by;
        loop {
            let error = match self.settle(Mover::Attempt(task), by.clone()).await {
                Ok(Some(outcome)) => {
                    tracing::info!(task = %task.id, attempt = task.attempt, ending = outcome.name(), "attempt ended");
                    return Ok(());
                }
                Ok(None) => return fenced(task),
                Err(error) => error,
            };
            let passes = matches!(&error, Error::Database(error) if is_outage(error));
            match doubts.find_out(self.db(), task, process).await? {
                Reread::Ours(_) if !doubts.are_too_many() => {}
                Reread::Ours(_) if passes => return Err(error),
                Reread::Ours(_) if !matches!(by, EndedBy::PermanentFailure(_)) => {
                    by = EndedBy::PermanentFailure(TaskError::new(TaskErrorCode::Unwritable, error.to_string()));
                    doubts.clear();
                }
                Reread::Ours(_) => return Err(error),
                Reread::Completed(_) | Reread::NotOurs => return Ok(()),
            }
        }
    }
}

/// What an error of the database means for the chunk.
fn refused(error: DbErr) -> ChunkEnd {
    match error {
        error if is_outage(&error) => ChunkEnd::Unknown(error),
        error if is_hopeless(&error) => {
            ChunkEnd::Failed(Failure::permanent(TaskErrorCode::DatabaseRefused, error.to_string()))
        }
        error => ChunkEnd::Failed(Failure::transient(TaskErrorCode::DatabaseRefused, error.to_string())),
    }
}

fn hung(limit: Duration) -> Failure {
    Failure::transient(TaskErrorCode::Deadline, format!("one chunk took longer than {} s", limit.as_secs_f32()))
}

fn fenced(task: &Task) -> Result<()> {
    tracing::warn!(task = %task.id, attempt = task.attempt, "fenced: the task is no longer this attempt's");
    Ok(())
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
