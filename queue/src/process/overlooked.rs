//! What no message and no look has found: tasks that have been due for long, and those of processes that are gone.

use model::{Instant, TaskId};
use sea_orm::{ConnectionTrait, FromQueryResult};

use super::alive::lives;
use crate::{
    Queue, Result, Task,
    claim::{
        capacity::Room,
        due::{Due, runs_alone},
    },
    inspect::health::{ProcessRow, ProcessState},
    runtime::permit::Permit,
    wake::outgoing::BrokerMessage,
};

/// Tasks said again by one round at most.
const AT_ONCE: i64 = 1_000;

/// The slots that nothing runs in.
struct Free(Vec<FreeSlots>);

/// Those of one process.
struct FreeSlots {
    slots: u64,
    /// Whether nothing runs in it at all.
    idle: bool,
    kinds: Vec<String>,
}

impl Free {
    fn of(processes: Vec<ProcessRow>) -> Free {
        let up = processes.into_iter().filter(|process| process.state == ProcessState::Up);
        Free(
            up.map(|process| FreeSlots { slots: process.free_slots(), idle: process.is_idle(), kinds: process.kinds })
                .collect(),
        )
    }

    fn is_none(&self) -> bool {
        self.0.iter().all(|process| process.slots == 0)
    }

    /// Takes a slot in which this task could start, if there is one. What has to run alone takes all of a process.
    fn take(&mut self, due: &Due) -> bool {
        let could = |process: &&mut FreeSlots| {
            process.slots > 0 && (process.idle || !due.alone) && process.kinds.contains(&due.kind)
        };
        let Some(process) = self.0.iter_mut().find(could) else { return false };
        process.slots = if due.alone { 0 } else { process.slots - 1 };
        process.idle = false;
        true
    }
}

impl Queue {
    /// Says again which tasks have been due for long though somebody could start them, the oldest first. Returns how many.
    pub(crate) async fn say_again(&self, _: &Permit<'_>) -> Result<u64> {
        let ids = self.overlooked().await?;
        let mut sent = true;
        for id in &ids {
            sent = sent && self.inner.messages.offer(BrokerMessage::Due(*id));
        }
        if !sent {
            self.wake();
        }
        Ok(ids.len() as u64)
    }

    /// Tasks that have been due for long and for each of which a slot is free: what waits because every worker is full is taken
    /// as soon as one is not, and nobody needs to be told. SQLite is told the index, since it would look through all tasks that
    /// there ever were of the kinds that are known.
    async fn overlooked(&self) -> Result<Vec<TaskId>> {
        let (db, settings) = (self.db(), self.settings());
        let mut free = Free::of(self.processes().await?);
        if free.is_none() {
            return Ok(Vec::new());
        }
        let mut room = Room::look(db, db.reader(), settings, &self.inner.registry).await?;
        let since = db.instant_after(-settings.cleaning.resend_after.as_secs_f64());
        let sql = "SELECT id, owner_id, execution_component_name AS kind, $1 AS alone, TRUE AS ready
             FROM queued_task {by queued_task_due}
             WHERE $2 AND trigger_date < $3 ORDER BY trigger_date LIMIT $4";
        let parts = [runs_alone(db, "crashes"), room.may_start(db), since, AT_ONCE.into()];
        let mut overlooked = Vec::new();
        for row in db.reader().query_all_raw(db.composed(sql, parts)).await? {
            let due = Due::read(&row)?;
            if room.has(&due) && free.take(&due) {
                room.enter(&due);
                overlooked.push(due.id);
            }
        }
        Ok(overlooked)
    }

    /// Takes back what a process that is gone has left and nobody else has taken for the crash interval of its kind. Returns
    /// how many. SQLite is told the index, since it would go along all tasks in the order of their ids.
    pub(crate) async fn take_back_silent(&self, permit: &Permit<'_>) -> Result<usize> {
        if !permit.trusts_silence() {
            return Ok(0);
        }
        let (db, settings) = (self.db(), self.settings());
        let sql = "SELECT queued_task.*, $2 AS looked FROM queued_task {by queued_task_process}
             WHERE scheduled_by_process IS NOT NULL AND workflow_status {is running}
               AND scheduled_by_process NOT IN (SELECT id FROM process WHERE $1)
             ORDER BY id";
        let silent = db.composed(sql, [lives(db, "process", settings.lease), db.instant()]);
        let mut taken = 0;
        for row in db.reader().query_all_raw(silent).await? {
            let (task, looked) = (Task::from_query_result(&row, "")?, row.try_get::<Instant>("", "looked")?);
            let silence = (looked - task.modified_date).to_std().unwrap_or_default();
            if silence < settings.cleaning.crash_interval_of(&task.execution_component_name) {
                continue;
            }
            match self.take_back_from_the_dead(permit, &task).await {
                Ok(true) => taken += 1,
                Ok(false) => {}
                Err(error) => tracing::error!(task = %task.id, %error, "cannot take the task back; tried again soon"),
            }
        }
        Ok(taken)
    }
}
