//! A search as SQL.
//!
//! The statuses stand in the text of a statement and not among its values, since SQLite takes a partial index only for what it
//! can see.

use model::{Instant, TaskId, TaskState};
use sea_orm::{Statement, Value};

use super::wanted::TaskSearch;
use crate::{Database, Queue, database::binds::one_of, process::alive::lives};

/// The most failures among which a text is searched, the latest first.
const SEARCHED: i64 = 3_000;
/// Among how many from the edge of a span of time the first or last submit is looked for: those that commit at once may be counted
/// in another order than they are dated.
const EDGE: i64 = 1_000;

/// A statement about tasks while it is put together. Each state is looked for by itself, in an index of its own, and what is
/// found for each is put together: a condition with an OR in it would be looked for along all tasks.
pub(super) struct Look<'a> {
    db: &'a Database,
    /// In seconds.
    lease: f64,
    now: Instant,
    values: Vec<Value>,
    /// What is looked up once for the whole statement.
    with: Vec<String>,
}

/// Which way round.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Oldest,
    Newest,
}

impl<'a> Look<'a> {
    /// A look at the tasks of a search and of those that differ from it in states and place alone.
    pub fn new(queue: &'a Queue, search: &TaskSearch, now: Instant) -> Look<'a> {
        let (db, lease) = (queue.db(), queue.inner.settings.lease.as_secs_f64());
        let mut look = Look { db, lease, now, values: Vec::new(), with: Vec::new() };
        if let Some(words) = &search.error {
            let pattern = words.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            let pattern = look.add(format!("%{pattern}%"));
            let since = search.error_since.map(|since| format!("WHERE failed_date >= {}", look.add(since)));
            // Each without regard to case; SQLite knows that of ASCII alone.
            let like = if db.is_postgres() { "ILIKE" } else { "LIKE" };
            // Not a join: PostgreSQL would read all attempts, since it cannot know how few of them are looked at.
            look.with.push(format!(
                "hit AS MATERIALIZED (SELECT f.task_id FROM (SELECT task_id, attempt FROM task_failure {}
                        ORDER BY failed_date DESC LIMIT {SEARCHED}) AS f
                    WHERE (SELECT e.error_code || ': ' || e.detail FROM task_attempt e
                        WHERE e.task_id = f.task_id AND e.attempt = f.attempt) {like} {pattern} ESCAPE '!')",
                since.unwrap_or_default()
            ));
        }
        if let Some(cause) = &search.cause {
            let cause = look.add(cause.as_str());
            look.with.push(format!(
                "caused AS MATERIALIZED (SELECT f.task_id FROM task_failure f
                    JOIN queued_task q ON q.id = f.task_id AND q.attempt = f.attempt WHERE f.fingerprint = {cause})"
            ));
        }
        look
    }

    /// The whole statement.
    pub fn statement(self, sql: &str) -> Statement {
        let with = if self.with.is_empty() { String::new() } else { format!("WITH {} ", self.with.join(", ")) };
        self.db.statement(&format!("{with}{sql}"), self.values)
    }

    /// A query for at most so many of the tasks that match; with an order, what is chosen has the column `submit_order`.
    pub fn rows(&mut self, search: &TaskSearch, chosen: &str, order: Option<Direction>, most: u64) -> String {
        let states: Vec<Option<TaskState>> = match search.states.as_slice() {
            [] => vec![None],
            states => states.iter().copied().map(Some).collect(),
        };
        let parts: Vec<String> = states.iter().map(|state| self.part(search, *state, chosen, order, most)).collect();
        match parts.as_slice() {
            [only] => only.clone(),
            parts => {
                let parts = parts.iter().enumerate().map(|(at, part)| format!("SELECT * FROM ({part}) AS part{at}"));
                let by = match order {
                    Some(Direction::Oldest) => "ORDER BY submit_order",
                    Some(Direction::Newest) => "ORDER BY submit_order DESC",
                    None => "",
                };
                format!("{} {by} LIMIT {most}", parts.collect::<Vec<_>>().join(" UNION ALL "))
            }
        }
    }

    /// Those in one state, or all of them.
    fn part(
        &mut self,
        search: &TaskSearch,
        state: Option<TaskState>,
        chosen: &str,
        order: Option<Direction>,
        most: u64,
    ) -> String {
        let (from, condition, line) = self.condition(search, state);
        let by = match order {
            Some(Direction::Oldest) => format!("ORDER BY {line}"),
            Some(Direction::Newest) => format!("ORDER BY {line} DESC"),
            None => String::new(),
        };
        if order.is_some() && self.db.is_postgres() && state.is_some_and(is_open) {
            // Else it walks along all tasks in their order, since it takes those that are under way to be everywhere.
            return format!(
                "SELECT {chosen} FROM queued_task t WHERE t.id IN (
                    SELECT t.id FROM (SELECT t.id, t.submit_order FROM {from} WHERE {condition} OFFSET 0) AS t {by} LIMIT {most}) {by}"
            );
        }
        format!("SELECT {chosen} FROM {from} WHERE {condition} {by} LIMIT {most}")
    }

    /// The tables, the condition, and the number of a submit in whose order they are walked along.
    fn condition(&mut self, search: &TaskSearch, state: Option<TaskState>) -> (String, String, &'static str) {
        let mut all = Vec::new();
        // What narrows most: SQLite knows nothing of how many there are, and must not take another index.
        let narrow = state.is_some_and(|state| state != TaskState::Done);
        let aside = if narrow && !self.db.is_postgres() { "+" } else { "" };
        let (mut from, mut line) = ("queued_task t".to_owned(), "t.submit_order");
        if let Some(process) = &search.process {
            let process = self.add(process.as_str());
            if state == Some(TaskState::Running) {
                all.push(format!("t.scheduled_by_process = {process}"));
            } else if narrow {
                // Of those that nobody has begun there is nothing to look up.
                let begun = if state.is_some_and(is_open) { "t.attempt > 0 AND " } else { "" };
                all.push(format!(
                    "{begun}(SELECT 1 FROM task_attempt a
                        WHERE a.task_id = t.id AND a.process = {process} LIMIT 1) IS NOT NULL"
                ));
            } else {
                from = "task_attempt a JOIN queued_task t ON t.id = a.task_id".to_owned();
                // Whoever tried twice counts once.
                all.push(format!(
                    "a.process = {process} AND NOT EXISTS (SELECT 1 FROM task_attempt later
                        WHERE later.task_id = a.task_id AND later.attempt > a.attempt AND later.process = {process})"
                ));
                line = "a.submit_order";
            }
        }
        if let Some(owner) = search.owner_id {
            all.push(format!("{aside}t.owner_id = {}", self.add(owner)));
        }
        if let Some(kind) = &search.kind {
            all.push(format!("{aside}t.execution_component_name = {}", self.add(kind.as_str())));
        }
        if let Some(since) = search.since {
            let since = self.add(since);
            all.push(format!(
                "{{not by}}t.created_date >= {since} AND {line} >= (SELECT MIN(submit_order) FROM (
                    SELECT submit_order FROM queued_task WHERE created_date >= {since}
                    ORDER BY created_date LIMIT {EDGE}) AS edge)"
            ));
        }
        if let Some(ended) = search.ended_since {
            all.push(format!("t.workflow_stopped_date >= {}", self.add(ended)));
        }
        if let Some(until) = search.until {
            let until = self.add(until);
            all.push(format!(
                "{{not by}}t.created_date < {until} AND {line} <= (SELECT MAX(submit_order) FROM (
                    SELECT submit_order FROM queued_task WHERE created_date < {until}
                    ORDER BY created_date DESC LIMIT {EDGE}) AS edge)"
            ));
        }
        if let Some(after) = search.after {
            all.push(match search.oldest_first {
                true => format!("{line} > {}", self.last_up_to(after)),
                false => format!("{line} < {}", self.first_from(after)),
            });
        }
        if let Some(newer) = search.newer {
            all.push(format!("{line} > {}", self.last_up_to(newer)));
        }
        if let Some(newest) = search.newest {
            all.push(format!("{line} <= {}", self.last_up_to(newest)));
        }
        if let Some(only) = &search.only {
            all.push(one_of(&mut self.values, "t.id", only.iter().copied()));
        }
        if search.cause.is_some() {
            all.push("t.id IN (SELECT task_id FROM caused)".to_owned());
        }
        if search.error.is_some() {
            all.push("t.id IN (SELECT task_id FROM hit)".to_owned());
        }
        if search.stalled {
            let lease = self.add(self.lease);
            all.push(stalled(self.db, "t", &lease));
        }
        if let Some(state) = state {
            let now = self.add(self.now);
            all.push(in_state(state, &now));
        }
        let condition = if all.is_empty() { "TRUE".to_owned() } else { all.join(" AND ") };
        (from, condition, line)
    }

    /// The number of this task's submit. One that is there no more has stood about where the one made before it stands.
    fn last_up_to(&mut self, id: TaskId) -> String {
        let id = self.add(id);
        format!("COALESCE((SELECT submit_order FROM queued_task WHERE id <= {id} ORDER BY id DESC LIMIT 1), 0)")
    }

    /// The same, but for one that is there no more that of the one made after it.
    fn first_from(&mut self, id: TaskId) -> String {
        let id = self.add(id);
        format!("COALESCE((SELECT submit_order FROM queued_task WHERE id >= {id} ORDER BY id LIMIT 1), {})", i64::MAX)
    }

    fn add(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }
}

/// Whether a task in it is still to be worked on: there are few of those among all that have ended.
fn is_open(state: TaskState) -> bool {
    use TaskState::*;
    matches!(state, Waiting | Retrying | Scheduled | Held | Running)
}

/// The condition that the task of this alias is with a process that is silent, or past its deadline: nobody should be long in
/// this state, since any live process takes it back. `lease` is in seconds.
pub fn stalled(db: &Database, alias: &str, lease: &str) -> String {
    let alive = lives(db, "p", lease);
    format!(
        "({alias}.scheduled_by_process IS NOT NULL AND ({alias}.deadline < {{now}} OR NOT EXISTS (
            SELECT 1 FROM process p WHERE p.id = {alias}.scheduled_by_process AND {alive})))"
    )
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
