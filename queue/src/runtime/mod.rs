//! Makes tasks run: waits for a hint, the next due date or the poll, claims up to its free slots, and owns every run it
//! starts until it has ended. Beside that it says that it lives, and takes back what others have left.

#[cfg(feature = "rabbitmq")]
mod broker;
mod main_loop;
pub mod permit;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex as Guarded, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use model::{Instant, TaskId, WorkflowStatus};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use tokio::sync::{Mutex, Notify};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use permit::{AlwaysOpen, ClaimPermit, Gate, Permit};

use crate::{
    Error, Hints, Queue, Result, Task, TaskColumn, TaskEntity,
    claim::{self, Claimed, due::BrokerHints},
    execution::slots::Slots,
    is_outage, metrics, patiently,
    process::identity::OwnProcess,
    process::single_runtime::{self, Occupancy},
};

/// What came of a turn.
struct Turn {
    /// How many tasks were claimed.
    claimed: usize,
    /// Whether something due may be left that another process could start.
    left: bool,
    /// Whether something could not be put back, and is to be tried again soon.
    again: bool,
}

/// The runner of a queue in this process. A cheap handle.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<RuntimeInner>,
}

struct RuntimeInner {
    queue: Queue,
    process: Arc<OwnProcess>,
    slots: Slots,
    /// How many slots there are now.
    limit: AtomicU32,
    /// The other processes on the list that were at the broker, and whether they still are: if not, they left without a word.
    at_broker: Guarded<BTreeMap<String, bool>>,
    /// Whether somebody may have died.
    look: Notify,
    gate: Box<dyn Gate>,
    /// Whether nothing is to be claimed for now: as it was told, and by its gate. Neither ends the other.
    abstains: AtomicBool,
    shut: AtomicBool,
    /// Tasks that are due, of which the broker has told this process and nobody else.
    told: Guarded<BTreeSet<TaskId>>,
    runs: TaskTracker,
    /// Held while tasks are claimed and compared, so that a claim is in memory before the next look at the table.
    turn: Mutex<()>,
    /// Asks the runs to put their tasks back after the chunk that is under way.
    stop: CancellationToken,
    /// Ends everything at once, as the death of the process does.
    killed: CancellationToken,
    _occupancy: Option<Occupancy>,
}

impl Runtime {
    /// Takes the database for this process where only one may have it, registers it, and takes back what former processes
    /// left behind.
    pub async fn start(queue: &Queue) -> Result<Runtime> {
        Runtime::start_behind(queue, AlwaysOpen).await
    }

    /// The same for a process that is asked by `gate` before it claims, takes back or fires a schedule, from its first look on.
    pub async fn start_behind(queue: &Queue, gate: impl Gate + 'static) -> Result<Runtime> {
        let occupancy = single_runtime::occupy(queue.db())?;
        let alone = occupancy.is_some();
        let runtime = Runtime::beside_others(queue, Box::new(gate), occupancy).await?;
        if alone {
            patiently(is_outage, async || runtime.inner.process.forget_others().await).await?;
        }
        match runtime.rescue().await {
            // The next sweep finds what this one would have.
            Err(Error::Database(error)) if is_outage(&error) => {
                tracing::warn!(%error, "cannot look for tasks to take back; trying again soon");
            }
            rescued => drop(rescued?),
        }
        Ok(runtime)
    }

    /// A runtime that does not keep others out and takes nothing back, for tests of what several do to each other.
    pub async fn unguarded(queue: &Queue) -> Result<Runtime> {
        Runtime::beside_others(queue, Box::new(AlwaysOpen), None).await
    }

    async fn beside_others(queue: &Queue, gate: Box<dyn Gate>, occupancy: Option<Occupancy>) -> Result<Runtime> {
        let queue = queue.for_tasks();
        let process = OwnProcess::register(queue.db(), queue.settings(), &queue.kinds().collect::<Vec<_>>()).await?;
        let inner = RuntimeInner {
            process: Arc::new(process),
            slots: Slots::default(),
            limit: AtomicU32::new(queue.settings().slots),
            queue,
            at_broker: Guarded::default(),
            look: Notify::new(),
            gate,
            abstains: AtomicBool::new(false),
            shut: AtomicBool::new(false),
            told: Guarded::default(),
            runs: TaskTracker::new(),
            turn: Mutex::default(),
            stop: CancellationToken::new(),
            killed: CancellationToken::new(),
            _occupancy: occupancy,
        };
        Ok(Runtime { inner: Arc::new(inner) })
    }

    /// This start's identity in the table of processes.
    pub fn process(&self) -> &str {
        &self.inner.process.id
    }

    /// Claims nothing more from its return on until told otherwise; what runs goes on. Others see that it takes nothing.
    pub async fn abstain(&self, abstains: bool) -> Result<()> {
        self.inner.abstains.store(abstains, Ordering::Relaxed);
        self.say_whether_it_takes_tasks().await?;
        // A claim that is under way may still take something.
        drop(self.inner.turn.lock().await);
        Ok(())
    }

    async fn say_whether_it_takes_tasks(&self) -> Result<()> {
        self.inner.process.takes(self.inner.takes_tasks()).await?;
        self.inner.queue.inner.wake.call();
        Ok(())
    }

    /// The queue that it runs, by the connections for tasks.
    pub fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// How many tasks it would run at once now.
    pub fn slots(&self) -> u32 {
        self.inner.limit.load(Ordering::Relaxed)
    }

    /// Takes back what is dead, silent or overdue, and ends what runs here without a right to. Returns how many.
    pub async fn rescue(&self) -> Result<usize> {
        let inner = &self.inner;
        let Some(permit) = self.permit().await? else { return Ok(0) };
        let end = |task: &Task| inner.slots.take_away(task.id, task.attempt);
        let gone = |(process, there): (&String, &bool)| (!there).then(|| process.clone());
        let vanished: Vec<String> = inner.at_broker().iter().filter_map(gone).collect();
        let rescued = inner.queue.rescue(&permit, &vanished, end).await?;
        Ok(rescued)
    }

    /// Says again which tasks have been due for long though somebody could start them. Returns how many.
    pub async fn say_again(&self) -> Result<u64> {
        match self.permit().await? {
            Some(permit) => self.inner.queue.say_again(&permit).await,
            None => Ok(0),
        }
    }

    /// Takes back what processes that are gone have left for the crash intervals of its kinds; nothing as long as the
    /// silence of others proves nothing. Returns how many.
    pub async fn take_back_silent(&self) -> Result<usize> {
        match self.permit().await? {
            Some(permit) => self.inner.queue.take_back_silent(&permit).await,
            None => Ok(0),
        }
    }

    /// Claims what is due, up to the free slots, and starts it. Returns how many.
    pub async fn tick(&self) -> Result<usize> {
        Ok(self.take_turn(&BrokerHints::default()).await?.claimed)
    }

    async fn take_turn(&self, told: &BrokerHints) -> Result<Turn> {
        let inner = &self.inner;
        let _turn = inner.turn.lock().await;
        let permit = self.permit().await?;
        let again = !self.compare(permit.as_ref()).await?;
        let mut claimed = 0;
        loop {
            let busy = inner.slots.busy();
            let free = (inner.limit.load(Ordering::Relaxed) as usize).saturating_sub(busy);
            let limit = u32::try_from(free).unwrap_or(u32::MAX).min(inner.queue.settings().max_per_tick);
            let Some(permit) = permit.as_ref().filter(|_| limit > 0 && inner.may_claim()) else {
                return Ok(Turn { claimed, left: true, again });
            };
            let (count, left) = self.claim(&permit.to_claim(limit, busy == 0), told).await?;
            claimed += count;
            if left || count < limit as usize {
                return Ok(Turn { claimed, left: left || !inner.has_room(), again });
            }
        }
    }

    /// The right to act for the queue, if this process has it now. Others see whether the [`Gate`] gives it.
    pub async fn permit(&self) -> Result<Option<Permit<'_>>> {
        let obstacle = self.inner.gate.obstacle().await?;
        let shut = obstacle.is_some();
        if self.inner.shut.swap(shut, Ordering::Relaxed) != shut {
            self.say_whether_it_takes_tasks().await.inspect_err(|_| {
                // It is said at the next look.
                self.inner.shut.store(!shut, Ordering::Relaxed);
            })?;
            match &obstacle {
                Some(why) => tracing::warn!(why, "this process takes no more tasks"),
                None => tracing::info!("this process takes tasks again"),
            }
        }
        Ok(Permit::of(&self.inner.process).filter(|_| obstacle.is_none()))
    }

    /// From now on it has to be heard of, as while it runs. For tests.
    pub fn begin_beating(&self) {
        self.inner.process.begin_beating();
    }

    /// Ends every run wherever it is, writing nothing, as a killed process does. For tests.
    pub fn kill(&self) {
        self.inner.stop.cancel();
        self.inner.slots.take_all_away();
        self.inner.killed.cancel();
    }

    /// Ends the sign of presence and nothing else, as a killed process does. For tests.
    pub async fn vanish(&self) {
        let _ = self.inner.process.close().await;
    }

    /// Whether another process is at the broker, if it ever was as far as this one has seen. For tests.
    pub fn sees_at_broker(&self, process: &str) -> Option<bool> {
        self.inner.at_broker().get(process).copied()
    }

    /// Waits until nothing runs. For tests.
    pub async fn idle(&self) {
        let runs = &self.inner.runs;
        runs.close();
        runs.wait().await;
        runs.reopen();
    }

    /// Puts back what the table says is this process's and memory does not know, which is a claim whose answer was lost or an
    /// attempt whose end could not be written; and ends what memory has and the table has not. Whether all could be put back.
    async fn compare(&self, permit: Option<&Permit<'_>>) -> Result<bool> {
        let inner = &self.inner;
        let ours: Vec<Task> = TaskEntity::find()
            .filter(TaskColumn::ScheduledByProcess.eq(inner.process.id.as_str()))
            .filter(TaskColumn::WorkflowStatus.is_in([WorkflowStatus::Scheduling, WorkflowStatus::Executing]))
            .all(inner.queue.db().reader())
            .await?;
        // In a busy process a run may take a moment to leave after its last commit.
        inner.slots.compare(&ours, inner.queue.settings().sweep * 4);
        let now = inner.queue.db().now().await?;
        let mut all = true;
        let Some(permit) = permit else { return Ok(true) };
        for task in ours.iter().filter(|task| !inner.slots.holds(task)) {
            // A run that has just left may be in a look from before; the fence leaves it alone then.
            match inner.queue.put_back(permit, task, now).await {
                Ok(true) => tracing::warn!(task = %task.id, attempt = task.attempt, "put back: nobody here was on it"),
                Ok(false) => {}
                Err(error) => {
                    all = false;
                    tracing::warn!(task = %task.id, %error, "cannot put the task back; tried again soon");
                }
            }
        }
        Ok(all)
    }

    /// How many it has claimed, and whether something was left for a process that is idle.
    async fn claim(&self, permit: &ClaimPermit<'_>, told: &BrokerHints) -> Result<(usize, bool)> {
        let inner = &self.inner;
        let (db, settings) = (inner.queue.db(), inner.queue.settings());
        let txn = db.begin_write().await?;
        let registry = &inner.queue.inner.registry;
        let Claimed { tasks, left } = claim::claim(db, &txn, settings, registry, permit, told).await?;
        // Whoever sees a task sees what was there before it: a gate that was shut before it came is shut here. That it is says the
        // next look, which writes; here SQLite's one writer is taken.
        if !tasks.is_empty() && inner.gate.obstacle().await?.is_some() {
            txn.rollback().await?;
            return Ok((0, true));
        }
        db.commit(txn).await?;
        let count = tasks.len();
        for task in tasks {
            metrics::claimed(&task);
            let slot = inner.slots.enter(&task, task.runs_alone());
            let (owner, stop) = (inner.clone(), inner.stop.clone());
            // Joined by the tracker, at drain.
            inner.runs.spawn(async move {
                let taken = slot.taken.clone();
                tokio::select! {
                    biased;
                    () = taken.cancelled() => tracing::warn!(task = %task.id, "the task was taken away from here"),
                    () = owner.queue.run(task.clone(), &owner.process, &stop) => {}
                }
                drop(slot);
                owner.queue.inner.wake.nudge();
                // Somebody else's task may have waited for the end of this one.
                if owner.queue.settings().hints == Hints::Postgres || !owner.has_room() {
                    owner.queue.inner.outgoing.due();
                }
            });
        }
        Ok((count, left))
    }

    /// Takes a turn, and says how long until the next one has a reason: a task that waits for its date, or one that was left
    /// to others. The index is `queued_task_due`.
    async fn turn_and_look(&self, told: &BrokerHints) -> Result<(Turn, Option<Duration>)> {
        let db = self.inner.queue.db();
        // From before the tick, so that what falls due between the two is seen by one of them.
        let before = db.now().await?;
        let turn = self.take_turn(told).await?;
        let sql = "SELECT $1 AS now,
                (SELECT MIN(trigger_date) FROM queued_task WHERE workflow_status = 'QUEUED' AND trigger_date > $2) AS next,
                EXISTS (SELECT 1 FROM queued_task
                        WHERE workflow_status = 'QUEUED' AND trigger_date > $3 AND trigger_date <= $2) AS young";
        let parts = [db.instant(), before.into(), (before - told.within).into()];
        let Some(row) = db.reader().query_one_raw(db.composed(sql, parts)).await? else { return Ok((turn, None)) };
        let (now, next): (Instant, Option<Instant>) = (row.try_get("", "now")?, row.try_get("", "next")?);
        // What fell due since the look before may be others' as well.
        let next = next.map(|next| (next - now).to_std().unwrap_or(told.within));
        let young = row.try_get::<bool>("", "young")?.then_some(told.within);
        Ok((turn, next.into_iter().chain(young).min()))
    }
}

impl RuntimeInner {
    /// Whether it takes anything at all now.
    fn may_claim(&self) -> bool {
        !self.stop.is_cancelled() && self.takes_tasks() && !self.slots.closed() && self.process.may_write()
    }

    fn takes_tasks(&self) -> bool {
        !self.abstains.load(Ordering::Relaxed) && !self.shut.load(Ordering::Relaxed)
    }

    /// Whether it could take one more task.
    fn has_room(&self) -> bool {
        self.slots.busy() < self.limit.load(Ordering::Relaxed) as usize && self.may_claim()
    }

    fn hinted(&self) -> MutexGuard<'_, BTreeSet<TaskId>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at_broker(&self) -> MutexGuard<'_, BTreeMap<String, bool>> {
        self.at_broker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
