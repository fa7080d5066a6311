//! Takes running tasks back: from a process that is gone or silent beyond its lease, and from an attempt that is past its
//! deadline. One by one, each by a fenced update in a transaction of its own, so that one row that cannot be written blocks
//! no other.

use model::Instant;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, FromQueryResult,
    sea_query::{Expr, ExprTrait},
};

use super::alive::has_beaten_within;
use crate::{
    ProcessState, Queue, Result, Task, entity::process, execution::verdict::EndedBy, runtime::permit::Permit,
    task::transition::Mover,
};

/// Why a task is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RescueCause {
    /// Its process is not there any more, or silent.
    Death,
    /// It committed nothing for longer than its deadline allows.
    Overdue,
}

impl Queue {
    /// Takes back what is to be taken back, except for what this process itself is still on. `end` ends the run of a task, if it
    /// is here: once the task is taken back, or before, if it holds the lock that this needs. Returns how many.
    ///
    /// Of those that have `vanished` from the broker no missed beat is waited for.
    pub(crate) async fn rescue(&self, permit: &Permit<'_>, vanished: &[String], end: impl Fn(&Task)) -> Result<usize> {
        let mut rescued = 0;
        for (task, cause) in self.orphans(permit, vanished).await? {
            if self.is_for_others(&task).await? {
                continue;
            }
            let mut taken = self.take_back(permit, &task, cause).await;
            if taken.is_err() {
                end(&task);
                taken = self.take_back(permit, &task, cause).await;
            }
            match taken {
                Ok(true) => {
                    end(&task);
                    rescued += 1;
                }
                Ok(false) => {}
                Err(error) => tracing::error!(task = %task.id, %error, "cannot take the task back; tried again soon"),
            }
        }
        Ok(rescued)
    }

    /// Whether another process knows its kind and this one does not, and so neither how it is recovered.
    async fn is_for_others(&self, task: &Task) -> Result<bool> {
        let kind = &task.execution_component_name;
        if self.inner.registry.get(kind).is_some() {
            return Ok(false);
        }
        let processes = self.processes().await?;
        Ok(processes.iter().any(|process| process.state == ProcessState::Up && process.kinds.contains(kind)))
    }

    /// The running tasks without a process, and those past their deadline. There are never more than there are slots, so
    /// they are not paged. The index is `queued_task_process`.
    async fn orphans(&self, permit: &Permit<'_>, vanished: &[String]) -> Result<Vec<(Task, RescueCause)>> {
        let db = self.db();
        let settings = &self.inner.settings;
        // Where there is one process only, it looks for others, of which none lives without a beat.
        let heard = has_beaten_within(db, "process", settings.lease);
        let alive = match (permit.trusts_silence(), db.is_shared()) {
            (false, _) => Expr::cust("TRUE"),
            (true, true) => {
                let beaten = has_beaten_within(db, "process", settings.heartbeat);
                let vanished = process::Column::Id.is_in(vanished.iter().map(String::as_str));
                let is_suspected = beaten.not().or(vanished);
                let absent = db.condition(ABSENT, [db.instant_after(-settings.lease.as_secs_f64())]);
                heard.and(is_suspected.and(absent).not())
            }
            (true, false) => heard,
        };
        let sql = "SELECT running.* FROM (
                SELECT queued_task.*, scheduled_by_process <> $1
                    AND scheduled_by_process NOT IN (SELECT id FROM process WHERE $2) AS dead
                FROM queued_task {by queued_task_process}
                WHERE scheduled_by_process IS NOT NULL AND workflow_status {is running}) AS running
             WHERE dead OR deadline < $3
             ORDER BY id";
        let rows = db.reader().query_all_raw(db.composed(sql, [permit.process().into(), alive, db.instant()])).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<_, DbErr> {
            // What a dead process held is overdue sooner or later, too; that is not the task's failure.
            let cause = if row.try_get("", "dead")? { RescueCause::Death } else { RescueCause::Overdue };
            Ok((Task::from_query_result(row, "")?, cause))
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }

    /// Takes back a task that the table says is this process's and memory does not know. Past its deadline it hung here, and
    /// pays for that whoever finds it first.
    pub(crate) async fn put_back(&self, permit: &Permit<'_>, task: &Task, now: Instant) -> Result<bool> {
        match task.deadline {
            Some(deadline) if deadline < now => self.take_back(permit, task, RescueCause::Overdue).await,
            _ => Ok(self.settle(Mover::Rescue(permit, task), EndedBy::Stop).await?.is_some()),
        }
    }

    /// Takes a task back whose process is gone.
    pub(crate) async fn take_back_from_the_dead(&self, permit: &Permit<'_>, task: &Task) -> Result<bool> {
        self.take_back(permit, task, RescueCause::Death).await
    }

    async fn take_back(&self, permit: &Permit<'_>, task: &Task, cause: RescueCause) -> Result<bool> {
        let (mover, by) = match cause {
            RescueCause::Overdue => (Mover::RescueIfOverdue(permit, task), EndedBy::Deadline),
            RescueCause::Death => (Mover::Rescue(permit, task), EndedBy::Death),
        };
        let settled = self.settle(mover, by).await?;
        if let Some(outcome) = settled {
            tracing::warn!(task = %task.id, attempt = task.attempt, ?cause, ending = outcome.name(), "took the task back");
        }
        Ok(settled.is_some())
    }
}

/// On PostgreSQL a process that has missed a beat, or has vanished from the broker, is gone when the lock that it holds as long
/// as it lives is free, and the server has been up for longer than a lease: a server that has just started holds nobody's lock.
const ABSENT: &str = "pg_postmaster_start_time() < $1 AND NOT EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32) | objid::bigint = presence)";
