//! Makes tasks run: waits for a hint, the next due date or the poll, claims up to its free slots, and owns every run it
//! starts until it has ended.

use std::{sync::Arc, time::Duration};

use sea_orm::ConnectionTrait;
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{Queue, Result, claim, occupancy, occupancy::Occupancy, process, rescue};

/// The runner of a queue in this process.
pub struct Runtime {
    queue: Queue,
    process: String,
    slots: Arc<Semaphore>,
    runs: TaskTracker,
    /// Asks the runs to put their tasks back after the chunk that is under way.
    stop: CancellationToken,
    _occupancy: Option<Occupancy>,
}

impl Runtime {
    /// Takes the database for this process, registers it, and takes back what a former process left behind.
    pub async fn start(queue: &Queue) -> Result<Runtime> {
        let occupancy = occupancy::occupy(queue.db()).await?;
        let runtime = Runtime::beside_others(queue, Some(occupancy)).await?;
        process::forget_others(queue.db(), &runtime.process).await?;
        for task in rescue::rescue(queue.db(), &runtime.process).await? {
            queue.tell(&task);
        }
        Ok(runtime)
    }

    /// A runtime that does not keep others out and takes nothing back, for tests of what several do to each other.
    pub async fn unguarded(queue: &Queue) -> Result<Runtime> {
        Runtime::beside_others(queue, None).await
    }

    async fn beside_others(queue: &Queue, occupancy: Option<Occupancy>) -> Result<Runtime> {
        let id = process::identity(queue.db(), queue.settings());
        process::register(queue.db(), queue.settings(), &id).await?;
        Ok(Runtime {
            queue: queue.clone(),
            process: id,
            slots: Arc::new(Semaphore::new(queue.settings().slots as usize)),
            runs: TaskTracker::new(),
            stop: CancellationToken::new(),
            _occupancy: occupancy,
        })
    }

    /// This start's identity in the table of processes.
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Takes back what other processes hold; see [`Runtime::start`].
    pub async fn rescue(&self) -> Result<usize> {
        Ok(rescue::rescue(self.queue.db(), &self.process).await?.len())
    }

    /// Claims what is due, up to the free slots, and starts it. Returns how many.
    pub async fn tick(&self) -> Result<usize> {
        let mut claimed = 0;
        loop {
            let free = u32::try_from(self.slots.available_permits()).unwrap_or(u32::MAX);
            let limit = free.min(self.queue.settings().max_per_tick);
            if limit == 0 || self.stop.is_cancelled() {
                return Ok(claimed);
            }
            let count = self.claim(limit).await?;
            claimed += count;
            if count < limit as usize {
                return Ok(claimed);
            }
        }
    }

    /// Ticks until `stop`, then drains.
    pub async fn run(&self, stop: CancellationToken) {
        let settings = self.queue.settings();
        while !stop.is_cancelled() {
            // Registered before looking, so that a hint between the look and the wait is not lost.
            let mut hint = std::pin::pin!(self.queue.inner.wake.notified());
            hint.as_mut().enable();
            let wait = match self.tick().await {
                Ok(_) => self.until_next_due().await.unwrap_or(settings.poll_interval).min(settings.poll_interval),
                Err(error) => {
                    tracing::error!(%error, "cannot claim; trying again after the poll interval");
                    settings.poll_interval
                }
            };
            tokio::select! {
                () = hint => {}
                () = tokio::time::sleep(wait) => {}
                () = stop.cancelled() => {}
            }
        }
        self.drain().await;
    }

    /// Asks every run to put its task back, waits for that within the grace time, and leaves.
    pub async fn drain(&self) {
        self.stop.cancel();
        self.runs.close();
        if let Err(error) = process::stopping(self.queue.db(), &self.process).await {
            tracing::warn!(%error, "cannot say that this process is stopping");
        }
        let drained = tokio::time::timeout(self.queue.settings().drain, self.runs.wait()).await.is_ok();
        if !drained {
            tracing::warn!(
                running = self.runs.len(),
                "the grace time is over; what still runs is taken back at the next start"
            );
            return;
        }
        if let Err(error) = process::forget(self.queue.db(), &self.process).await {
            tracing::warn!(%error, "cannot take this process off the list");
        }
    }

    /// Waits until nothing runs. For tests.
    pub async fn idle(&self) {
        self.runs.close();
        self.runs.wait().await;
        self.runs.reopen();
    }

    async fn claim(&self, limit: u32) -> Result<usize> {
        let (db, inner) = (self.queue.db(), &self.queue.inner);
        let kinds: Vec<&str> = inner.registry.kinds().collect();
        let txn = db.begin_write().await?;
        let tasks = claim::claim(db, &txn, &inner.settings, &kinds, &self.process, limit).await?;
        txn.commit().await?;
        let count = tasks.len();
        for task in tasks {
            // Never waits: the claim was limited to the free slots, and nobody else takes them.
            let Ok(slot) = self.slots.clone().acquire_owned().await else { break };
            let (queue, stop) = (self.queue.clone(), self.stop.clone());
            // Joined by the tracker, at drain.
            self.runs.spawn(async move {
                queue.run(task, &stop).await;
                drop(slot);
                queue.wake();
            });
        }
        Ok(count)
    }

    /// How long until the next task that waits for its date. The index is `queued_task_due`.
    async fn until_next_due(&self) -> Option<Duration> {
        let db = self.queue.db();
        let statement = db.statement(
            "SELECT trigger_date, {now} AS now FROM queued_task
             WHERE workflow_status = 'QUEUED' AND trigger_date > {now} ORDER BY trigger_date LIMIT 1",
            [],
        );
        let row = db.reader().query_one_raw(statement).await.ok()??;
        let due: model::Instant = row.try_get("", "trigger_date").ok()?;
        let now: model::Instant = row.try_get("", "now").ok()?;
        (due - now).to_std().ok()
    }
}
