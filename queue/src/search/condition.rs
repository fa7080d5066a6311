//! A search as a condition of SQL.
//!
//! The statuses stand in the text of a statement and not among its values, since SQLite takes a partial index only for what it
//! can see.

use model::{Instant, TaskState};
use sea_orm::Value;
use uuid::Uuid;

use super::TaskSearch;
use crate::{Database, Queue};

/// The most failures among which a text is searched, the latest first.
const SEARCHED: i64 = 5_000;
/// An id may be older than its task by this much, in milliseconds: a preview's becomes its task's.
const OLDER: i64 = 3_600_000;

impl Queue {
    /// The tables and the condition of a search, whose values are added to those of the statement.
    pub(super) fn condition(&self, search: &TaskSearch, now: Instant, values: &mut Vec<Value>) -> (String, String) {
        let db = &self.inner.db;
        let mut all = Vec::new();
        let mut add = |value: Value| {
            values.push(value);
            format!("${}", values.len())
        };
        let mut from = "queued_task t".to_owned();
        if let Some(process) = &search.process
            && !search.along_attempts()
        {
            all.push(format!("t.scheduled_by_process = {}", add(process.as_str().into())));
        } else if let Some(process) = &search.process {
            from = "task_attempt a JOIN queued_task t ON t.id = a.task_id".to_owned();
            let process = add(process.as_str().into());
            // Whoever tried twice counts once.
            all.push(format!(
                "a.process = {process} AND NOT EXISTS (SELECT 1 FROM task_attempt later
                    WHERE later.task_id = a.task_id AND later.attempt > a.attempt AND later.process = {process})"
            ));
        }
        if let Some(owner) = search.owner_id {
            all.push(format!("t.owner_id = {}", add(owner.into())));
        }
        if let Some(kind) = &search.kind {
            all.push(format!("t.execution_component_name = {}", add(kind.as_str().into())));
        }
        if let Some(since) = search.since {
            let first = add(first_id_at(since.timestamp_millis() - OLDER).into());
            all.push(format!("t.id >= {first} AND t.created_date >= {}", add(since.into())));
        }
        if let Some(ended) = search.ended_since {
            all.push(format!("t.workflow_stopped_date >= {}", add(ended.into())));
        }
        if let Some(until) = search.until {
            let first = add(first_id_at(until.timestamp_millis() + 1).into());
            all.push(format!("t.id < {first} AND t.created_date < {}", add(until.into())));
        }
        if let Some(after) = search.after {
            let way = if search.oldest_first { ">" } else { "<" };
            all.push(format!("t.id {way} {}", add(after.into())));
        }
        if let Some(newer) = search.newer {
            all.push(format!("t.id > {}", add(newer.into())));
        }
        if let Some(newest) = search.newest {
            all.push(format!("t.id <= {}", add(newest.into())));
        }
        if let Some(since) = search.unchanged_since {
            // What runs is written to again and again, and is in its state since it was claimed.
            all.push(format!(
                "(t.modified_date <= {0} OR (t.scheduled_by_process IS NOT NULL AND t.scheduling_started_date <= {0}))",
                add(since.into())
            ));
        }
        if let Some(only) = &search.only {
            let ids: Vec<String> = only.iter().map(|id| add((*id).into())).collect();
            all.push(if ids.is_empty() { "1 = 0".to_owned() } else { format!("t.id IN ({})", ids.join(", ")) });
        }
        if let Some(cause) = &search.cause {
            all.push(format!(
                "t.id IN (SELECT task_id FROM task_failure WHERE fingerprint = {0}) AND EXISTS (
                    SELECT 1 FROM task_failure f
                    WHERE f.task_id = t.id AND f.attempt = t.attempt AND f.fingerprint = {0})",
                add(cause.as_str().into())
            ));
        }
        if let Some(words) = &search.error {
            let pattern = words.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            let pattern = add(format!("%{pattern}%").into());
            let since = search.error_since.map(|since| format!("WHERE failed_date >= {}", add(since.into())));
            // Each without regard to case; SQLite knows that of ASCII alone.
            let like = if db.is_postgres() { "ILIKE" } else { "LIKE" };
            all.push(format!(
                "t.id IN (SELECT e.task_id FROM task_attempt e JOIN (SELECT task_id, attempt FROM task_failure {}
                        ORDER BY failed_date DESC LIMIT {SEARCHED}) AS f
                    ON f.task_id = e.task_id AND f.attempt = e.attempt
                    WHERE e.error_code || ': ' || e.detail {like} {pattern} ESCAPE '!')",
                since.unwrap_or_default()
            ));
        }
        if search.stalled {
            let lease = add(self.inner.settings.lease.as_secs_f64().into());
            all.push(stalled(db, "t", &lease));
        }
        if !search.states.is_empty() {
            let now = add(now.into());
            let any: Vec<String> = search.states.iter().map(|state| in_state(*state, &now)).collect();
            all.push(format!("({})", any.join(" OR ")));
        }
        let condition = if all.is_empty() { "TRUE".to_owned() } else { all.join(" AND ") };
        (from, condition)
    }
}

/// The condition that the task of this alias is with a process that is silent, or past its deadline: nobody should be long in
/// this state, since any live process takes it back. `lease` is in seconds.
pub fn stalled(db: &Database, alias: &str, lease: &str) -> String {
    // Where there is one process only, it does not beat: the lock file says that it is there.
    let alive = if db.is_postgres() {
        format!("AND p.heartbeat_date > {{after:-{lease}}}")
    } else {
        format!("AND {lease} > 0")
    };
    format!(
        "({alias}.scheduled_by_process IS NOT NULL AND ({alias}.deadline < {{now}} OR NOT EXISTS (
            SELECT 1 FROM process p WHERE p.id = {alias}.scheduled_by_process {alive})))"
    )
}

/// The first id that could have been made in that millisecond since 1970.
fn first_id_at(millisecond: i64) -> Uuid {
    Uuid::from_u128(u128::from(millisecond.max(0).unsigned_abs()) << 80)
}

/// What the index `queued_task_ill` is of, in the words of its definition: SQLite takes a partial index only if it finds them, and
/// does not see that one of these states is among them.
const ILL: &str = "t.workflow_status IN ('FAILURE', 'ERROR', 'ABANDONED')";

/// The same rule as [`state_of`], as a condition on `t`; `now` is the instant.
pub(super) fn in_state(state: TaskState, now: &str) -> String {
    match state {
        TaskState::Waiting => format!("(t.workflow_status = 'QUEUED' AND t.trigger_date <= {now})"),
        TaskState::Retrying => {
            format!("(t.workflow_status = 'QUEUED' AND t.trigger_date > {now} AND (t.failures > 0 OR t.attempt > 0))")
        }
        TaskState::Scheduled => untouched(now, "NOT t.held"),
        TaskState::Held => untouched(now, "t.held"),
        // The process is set exactly while a task is in one of these, and there is an index of it.
        TaskState::Running => {
            "(t.scheduled_by_process IS NOT NULL AND t.workflow_status IN ('SCHEDULING', 'EXECUTING'))".to_owned()
        }
        TaskState::Done => "(t.workflow_status = 'COMPLETED' AND t.failed + t.uncertain = 0)".to_owned(),
        TaskState::DoneWithProblems => "(t.workflow_status = 'COMPLETED' AND t.failed + t.uncertain > 0)".to_owned(),
        TaskState::Failed => format!("({ILL} AND t.workflow_status = 'FAILURE')"),
        TaskState::CouldNotStart => format!("({ILL} AND t.workflow_status = 'ERROR')"),
        TaskState::Cancelled => {
            format!("({ILL} AND t.workflow_status = 'ABANDONED' AND t.abandoned_by = t.owner_id)")
        }
        TaskState::Abandoned => format!(
            "({ILL} AND t.workflow_status = 'ABANDONED' AND (t.abandoned_by IS NULL OR t.abandoned_by <> t.owner_id))"
        ),
    }
}

fn untouched(now: &str, held: &str) -> String {
    format!("(t.workflow_status = 'QUEUED' AND t.trigger_date > {now} AND t.failures = 0 AND t.attempt = 0 AND {held})")
}
