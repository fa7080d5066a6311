//! Why attempts fail, gathered by cause: every failure is a row with a fingerprint of its kind, its code and what is constant
//! in its detail, so that thirty tasks that the mail server refused are one line to an operator.

use std::collections::{HashMap, HashSet};

use model::{Instant, TaskId, WorkflowStatus};
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use sha2::{Digest, Sha256};

use crate::{Database, Queue, Result, Task, TaskError};

/// The most failures that are looked at, the latest first.
const LOOKED_AT: i64 = 10_000;
/// The most causes that are told.
const CAUSES: usize = 100;
/// Letters of a fingerprint.
const LENGTH: usize = 12;

/// Failures of one cause since an instant.
#[derive(Clone, Debug)]
pub struct Cause {
    pub fingerprint: String,
    pub kind: String,
    /// Of the latest failure: its code, and its detail.
    pub code: String,
    pub detail: String,
    /// Attempts that failed of it.
    pub failures: u64,
    /// Tasks that had such an attempt.
    pub tasks: u64,
    pub first: Instant,
    pub last: Instant,
    /// Attempts in each of the equal parts of the time since then, oldest first.
    pub parts: Vec<u64>,
    /// Tasks that have ended of it and have not been retried.
    pub dead: u64,
    /// Tasks that will be tried again by themselves.
    pub retrying: u64,
    /// People, or steps, of those two sorts of tasks that are without an outcome.
    pub open: u64,
}

/// Tasks that have ended of one cause and wait for somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    pub fingerprint: String,
    pub kind: String,
    pub tasks: u64,
    /// When the first of them ended.
    pub first: Instant,
}

/// Where the failures of a search come from.
#[derive(Clone, Debug)]
pub struct Causes {
    /// Those with dead tasks first, then the latest.
    pub causes: Vec<Cause>,
    /// Whether there were more failures than are looked at.
    pub more: bool,
}

/// What failures of one cause have in common, as letters and digits.
pub fn fingerprint(kind: &str, error: &TaskError) -> String {
    let text = format!("{kind}\n{}\n{}", error.code, constant(&error.detail));
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().chars().take(LENGTH).collect()
}

/// What is constant in a detail: the words, without numbers, ids and what stands in quotation marks.
fn constant(detail: &str) -> String {
    let mut words = String::new();
    let mut quoted = None;
    for word in detail.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let (text, after) = match word.char_indices().next_back() {
            Some((at, last)) if !last.is_alphanumeric() => (&word[..at], Some(last)),
            _ => (word, None),
        };
        if quoted.is_none() {
            // Anything with a digit in it, an id or a count.
            words.push_str(if text.chars().any(|c| c.is_ascii_digit()) { "#" } else { text });
        }
        match (quoted, after) {
            (Some(end), Some(mark)) if mark == end => quoted = None,
            (None, Some('“')) => quoted = Some('”'),
            (None, Some('"')) => quoted = Some('"'),
            (None, Some(mark)) => words.push(mark),
            _ => {}
        }
    }
    words
}

/// Writes down that an attempt failed, with what closes it. `last`: it ended the task.
pub(crate) async fn note(
    db: &Database,
    txn: &impl ConnectionTrait,
    task: &Task,
    error: &TaskError,
    last: bool,
) -> Result<(), DbErr> {
    txn.execute_raw(db.composed(
        "INSERT INTO task_failure (task_id, attempt, failed_date, fingerprint, kind, final)
         VALUES ($1, $2, $6, $3, $4, $5) ON CONFLICT DO NOTHING",
        [
            task.id.into(),
            task.attempt.into(),
            fingerprint(&task.execution_component_name, error).into(),
            task.execution_component_name.clone().into(),
            last.into(),
            db.instant(),
        ],
    ))
    .await?;
    Ok(())
}

/// One row of `task_failure`.
struct Failed {
    task_id: TaskId,
    date: Instant,
    fingerprint: String,
    kind: String,
}

impl Queue {
    /// The causes of failures since an instant, with their history in so many `parts`. The index is `task_failure_date`.
    pub async fn causes(&self, since: Instant, parts: usize) -> Result<Causes> {
        let db = self.db();
        let now = db.now().await?;
        let sql = "SELECT task_id, failed_date, fingerprint, kind FROM task_failure
             WHERE failed_date >= $1 ORDER BY failed_date DESC LIMIT $2";
        let rows = db.reader().query_all_raw(db.statement(sql, [since.into(), (LOOKED_AT + 1).into()])).await?;
        let more = rows.len() as i64 > LOOKED_AT;
        let mut groups: HashMap<String, CauseCount> = HashMap::new();
        for row in rows {
            let failed = Failed {
                task_id: row.try_get("", "task_id")?,
                date: row.try_get("", "failed_date")?,
                fingerprint: row.try_get("", "fingerprint")?,
                kind: row.try_get("", "kind")?,
            };
            let group = groups.entry(failed.fingerprint.clone()).or_insert_with(|| CauseCount::new(&failed, parts));
            group.add(&failed, since, now);
        }
        let now_open = self.still_open(since).await?;
        let mut causes: Vec<Cause> = Vec::new();
        for (fingerprint, group) in groups {
            let open = now_open.get(&fingerprint).copied().unwrap_or_default();
            causes.push(group.with_counts(fingerprint, open));
        }
        causes.sort_by_key(|cause| (std::cmp::Reverse(cause.dead), std::cmp::Reverse(cause.last)));
        causes.truncate(CAUSES);
        let prints: Vec<&str> = causes.iter().map(|cause| cause.fingerprint.as_str()).collect();
        let mut words = self.words_of_all(&prints).await?;
        for cause in &mut causes {
            (cause.code, cause.detail) = words.remove(&cause.fingerprint).unwrap_or_default();
        }
        Ok(Causes { causes, more })
    }

    /// How many tasks have ended of failures since an instant and have not been retried, by cause, up to a limit over all; the
    /// most first, and of as many the latest. The index is `task_failure_final`.
    pub async fn died_since(&self, since: Instant, most: u64) -> Result<Vec<Dead>> {
        let db = self.db();
        let sql = "SELECT fingerprint, MIN(kind) AS kind, COUNT(*) AS n, MIN(failed_date) AS first FROM (
                SELECT f.fingerprint, f.kind, f.failed_date FROM task_failure f
                JOIN queued_task t ON t.id = f.task_id AND t.attempt = f.attempt
                WHERE f.failed_date >= $1 AND f.final AND t.workflow_status {has failed} LIMIT $2) AS dead
             GROUP BY fingerprint ORDER BY n DESC, MAX(failed_date) DESC";
        let rows = db.reader().query_all_raw(db.statement(sql, [since.into(), most.cast_signed().into()])).await?;
        let read = |row: &QueryResult| {
            Ok(Dead {
                fingerprint: row.try_get("", "fingerprint")?,
                kind: row.try_get("", "kind")?,
                tasks: row.try_get::<i64>("", "n")?.unsigned_abs(),
                first: row.try_get("", "first")?,
            })
        };
        Ok(rows.iter().map(read).collect::<Result<_, DbErr>>()?)
    }

    /// The code and the detail of the latest failure of a cause, by its index `task_failure_cause`.
    pub async fn words_of(&self, fingerprint: &str) -> Result<(String, String)> {
        Ok(self.words_of_all(&[fingerprint]).await?.remove(fingerprint).unwrap_or_default())
    }

    /// The cause of the latest failed attempt at a task.
    pub async fn cause_of(&self, id: TaskId) -> Result<Option<String>> {
        let db = self.db();
        let sql = "SELECT fingerprint FROM task_failure WHERE task_id = $1 ORDER BY attempt DESC LIMIT 1";
        let row = db.reader().query_one_raw(db.statement(sql, [id.into()])).await?;
        Ok(row.map(|row| row.try_get("", "fingerprint")).transpose()?)
    }

    /// Of each cause, the tasks whose last attempt failed of it and that have not gone on since.
    async fn still_open(&self, since: Instant) -> Result<HashMap<String, OpenTasks>, DbErr> {
        let db = self.db();
        let sql = "SELECT f.fingerprint, t.workflow_status AS status, COUNT(*) AS n,
                CAST(SUM(COALESCE(t.total, 0) - t.succeeded - t.skipped - t.failed - t.uncertain) AS bigint) AS open
             FROM (SELECT task_id, attempt, fingerprint FROM task_failure
                WHERE failed_date >= $1 ORDER BY failed_date DESC LIMIT $2) AS f
             JOIN queued_task t ON t.id = f.task_id AND t.attempt = f.attempt
             WHERE t.workflow_status {has failed or waits}
             GROUP BY f.fingerprint, t.workflow_status";
        let mut found: HashMap<String, OpenTasks> = HashMap::new();
        for row in db.reader().query_all_raw(db.statement(sql, [since.into(), LOOKED_AT.into()])).await? {
            let open = found.entry(row.try_get("", "fingerprint")?).or_default();
            let (n, left): (i64, i64) = (row.try_get("", "n")?, row.try_get("", "open")?);
            match row.try_get::<WorkflowStatus>("", "status")? {
                WorkflowStatus::Queued => open.retrying += n.unsigned_abs(),
                _ => open.dead += n.unsigned_abs(),
            }
            open.left += left.max(0).unsigned_abs();
        }
        Ok(found)
    }

    /// The code and the detail of the latest failure of each cause.
    async fn words_of_all(&self, prints: &[&str]) -> Result<HashMap<String, (String, String)>> {
        let db = self.db();
        let latest = |print: &&str| {
            let of = "SELECT * FROM (SELECT f.fingerprint, a.error_code, a.detail FROM task_failure f
                JOIN task_attempt a ON a.task_id = f.task_id AND a.attempt = f.attempt
                WHERE f.fingerprint = $1 ORDER BY f.failed_date DESC LIMIT 1) AS latest";
            db.condition(of, [(*print).into()])
        };
        let Some(all) = db.one_after_the_other(prints.iter().map(latest)) else { return Ok(HashMap::new()) };
        let mut found = HashMap::new();
        for row in db.reader().query_all_raw(db.composed("$1", [all])).await? {
            let code = row.try_get::<Option<String>>("", "error_code")?.unwrap_or_default();
            let detail = row.try_get::<Option<String>>("", "detail")?.unwrap_or_default();
            found.insert(row.try_get("", "fingerprint")?, (code, detail));
        }
        Ok(found)
    }
}

/// What is still to be done about a cause.
#[derive(Clone, Copy, Default)]
struct OpenTasks {
    dead: u64,
    retrying: u64,
    left: u64,
}

/// Failures of one cause while they are counted.
struct CauseCount {
    kind: String,
    failures: u64,
    tasks: HashSet<TaskId>,
    first: Instant,
    last: Instant,
    parts: Vec<u64>,
}

impl CauseCount {
    fn new(failed: &Failed, parts: usize) -> CauseCount {
        CauseCount {
            kind: failed.kind.clone(),
            failures: 0,
            tasks: HashSet::new(),
            first: failed.date,
            last: failed.date,
            parts: vec![0; parts],
        }
    }

    fn add(&mut self, failed: &Failed, since: Instant, now: Instant) {
        self.failures += 1;
        self.tasks.insert(failed.task_id);
        self.first = self.first.min(failed.date);
        self.last = self.last.max(failed.date);
        let whole = (now - since).num_milliseconds().max(1);
        let at = (failed.date - since).num_milliseconds().clamp(0, whole - 1);
        let part = at.unsigned_abs() as usize * self.parts.len() / whole.unsigned_abs() as usize;
        if let Some(count) = self.parts.get_mut(part) {
            *count += 1;
        }
    }

    fn with_counts(self, fingerprint: String, open: OpenTasks) -> Cause {
        Cause {
            fingerprint,
            kind: self.kind,
            code: String::new(),
            detail: String::new(),
            failures: self.failures,
            tasks: self.tasks.len() as u64,
            first: self.first,
            last: self.last,
            parts: self.parts,
            dead: open.dead,
            retrying: open.retrying,
            open: open.left,
        }
    }
}

#[cfg(test)]
mod tests {
    use model::TaskErrorCode;

    use super::*;

    #[test]
    fn numbers_ids_and_quotations_do_not_make_another_cause() {
        let same = [
            "file store: put exports/019aa1be/part-0006: timed out after 30 s (“Kim, Ann”)",
            "file store: put exports/7f3/part-0001: timed out after 5 s (“Lee”)",
        ];
        let prints = same.map(|detail| fingerprint("export", &TaskError::new(TaskErrorCode::Files, detail)));
        assert_eq!(prints[0], prints[1]);
        assert_eq!(prints[0].len(), LENGTH);
        assert_eq!(constant(same[1]), "file store: put exports/#/part-#: timed out after # s ()");
    }

    #[test]
    fn another_kind_code_or_wording_is_another_cause() {
        let of = |kind, code, detail: &str| fingerprint(kind, &TaskError::new(code, detail));
        let first = of("email", TaskErrorCode::MailServer, "550 sender rejected");
        for other in [
            of("export", TaskErrorCode::MailServer, "550 sender rejected"),
            of("email", TaskErrorCode::Files, "550 sender rejected"),
            of("email", TaskErrorCode::MailServer, "550 mailbox full"),
        ] {
            assert_ne!(first, other);
        }
    }
}
