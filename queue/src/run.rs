//! One attempt at a task, from the claim to its end: the runner alone moves `workflow_status`, the executor alone the
//! bookmark. Every step is a transaction of its own.

use std::{panic::AssertUnwindSafe, time::Instant};

use futures::FutureExt;
use sea_orm::DbErr;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    Chunk, Failure, Queue, Run, Step, Task, Trouble, fence,
    pace::Pace,
    probe::Point,
    progress::Spacing,
    random,
    settle::{self, Ending},
};

/// How a chunk left the task.
enum Went {
    /// There is more to do.
    On(Task),
    Completed(Task),
    /// The task is no longer this attempt's.
    Fenced,
    Failed(Failure),
}

impl Queue {
    /// Runs a claimed task until it ends, or until `stop` asks for it back after the chunk that is under way.
    pub(crate) async fn run(&self, task: Task, stop: &CancellationToken) {
        let id = task.id;
        if let Err(error) = self.attempt(task, stop).await {
            // The row stays claimed by this process; it is put back when that is noticed, at the latest at the next start.
            tracing::error!(task = %id, %error, "cannot write how the attempt ended");
        }
    }

    async fn attempt(&self, claimed: Task, stop: &CancellationToken) -> Result<(), DbErr> {
        (self.inner.probe)(Point::Claimed, &claimed).await;
        let mut run = match self.build(&claimed) {
            Ok(run) => run,
            Err(trouble) => return self.end(&claimed, Ending::CouldNotStart(trouble)).await,
        };
        let Some(mut task) = self.start(&claimed).await? else { return fenced(&claimed) };
        self.tell(&task);
        let mut pace = Pace::new(self.inner.settings.chunk, self.inner.db.is_postgres());
        let mut spacing = Spacing::default();
        loop {
            (self.inner.probe)(Point::BetweenChunks, &task).await;
            if stop.is_cancelled() {
                return self.end(&task, Ending::PutBack).await;
            }
            run.before_chunk().await;
            let began = Instant::now();
            match self.chunk(&mut *run, &task, pace.size()).await {
                Went::On(next) => {
                    task = next;
                    pace.took(began.elapsed());
                    if spacing.is_due(Instant::now()) {
                        self.tell(&task);
                    }
                }
                Went::Completed(done) => {
                    self.tell(&done);
                    return Ok(());
                }
                Went::Fenced => return fenced(&task),
                Went::Failed(Failure::Permanent(trouble)) => return self.end(&task, Ending::Failed(trouble)).await,
                Went::Failed(Failure::Transient(trouble)) => {
                    let ending = settle::after_failure(&task, trouble, &self.inner.settings, random::fraction());
                    return self.end(&task, ending).await;
                }
            }
        }
    }

    fn build(&self, task: &Task) -> Result<Box<dyn Run>, Trouble> {
        let kind = &task.execution_component_name;
        let executor = self.inner.registry.get(kind).ok_or_else(|| Trouble::new("unknown_kind", kind.as_str()))?;
        let spec: Value = serde_json::from_str(task.execution_spec.as_deref().unwrap_or("null"))
            .map_err(|error| Trouble::new("bad_spec", error.to_string()))?;
        executor.build(&spec).map_err(|why| Trouble::new("bad_spec", why))
    }

    async fn start(&self, task: &Task) -> Result<Option<Task>, DbErr> {
        let txn = self.inner.db.begin_write().await?;
        let started = fence::start(&self.inner.db, &txn, task).await?;
        txn.commit().await?;
        Ok(started)
    }

    async fn chunk(&self, run: &mut dyn Run, task: &Task, size: u64) -> Went {
        // A panic rolls back with the transaction it unwinds through.
        match AssertUnwindSafe(self.fenced_chunk(run, task, size)).catch_unwind().await {
            Ok(Ok(went)) => went,
            Ok(Err(error)) => Went::Failed(error.into()),
            Err(panic) => Went::Failed(Failure::transient("panic", panic_text(&*panic))),
        }
    }

    async fn fenced_chunk(&self, run: &mut dyn Run, task: &Task, size: u64) -> Result<Went, DbErr> {
        let (db, settings) = (&self.inner.db, &self.inner.settings);
        let deadline = settings.deadline_per_kind.get(&task.execution_component_name).unwrap_or(&settings.deadline);
        let bookmark: Value = serde_json::from_str(&task.execution_state).unwrap_or_default();
        let open = db.begin_chunk().await?;
        let Some(now) = fence::pass(db, &open.txn, task, *deadline).await? else {
            open.rollback().await?;
            return Ok(Went::Fenced);
        };
        let chunk = Chunk { db, txn: &open.txn, task, bookmark: &bookmark, size, now };
        let (progress, done) = match run.chunk(&chunk).await {
            Ok(Step::More(progress)) => (progress, false),
            Ok(Step::Done(progress)) => (progress, true),
            Err(failure) => {
                open.rollback().await?;
                return Ok(Went::Failed(failure));
            }
        };
        let Some(task) = fence::record(db, &open.txn, task, &progress, done).await? else {
            open.rollback().await?;
            return Ok(Went::Fenced);
        };
        if done {
            settle::close_attempt(db, &open.txn, &task, "COMPLETED", None).await?;
        }
        open.commit().await?;
        Ok(if done { Went::Completed(task) } else { Went::On(task) })
    }

    async fn end(&self, task: &Task, ending: Ending) -> Result<(), DbErr> {
        let txn = self.inner.db.begin_write().await?;
        let settled = settle::settle(&self.inner.db, &txn, task, &ending).await?;
        txn.commit().await?;
        let Some(settled) = settled else { return fenced(task) };
        tracing::info!(task = %task.id, attempt = task.attempt, ending = ?ending, "attempt ended");
        self.tell(&settled);
        Ok(())
    }
}

fn fenced(task: &Task) -> Result<(), DbErr> {
    tracing::warn!(task = %task.id, attempt = task.attempt, "fenced: the task is no longer this attempt's");
    Ok(())
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
