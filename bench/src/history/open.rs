//! Tasks that have not ended.

use anyhow::Result;

use super::{
    HOUR, Maker, PROCESSES, RUNNING, SECOND,
    dialect::{at, id_of, numbers},
    finished::{KINDS, TROUBLES, fingerprint},
};

/// Their ids are told from those of finished ones by their numbers.
const OPEN: u64 = 1_000_000_000;

/// Tasks that have not ended, as of now.
struct Open {
    count: u64,
    /// When the first of them was submitted, and when it starts if not at once.
    created: i64,
    later: Option<i64>,
    tries: u8,
    /// Who runs them.
    process: Option<&'static str>,
}

impl Open {
    fn new(count: u64, created: i64) -> Open {
        Open { count, created, later: None, tries: 0, process: None }
    }
}

impl Maker<'_> {
    /// What has not ended: tasks that wait since ten minutes, that will be tried again, that start later, and that run.
    pub async fn present(&self, waiting: u64) -> Result<()> {
        let later = self.now + 6 * HOUR;
        let open = [
            Open::new(waiting, self.now - 600 * SECOND),
            Open { later: Some(later), tries: 1, ..Open::new(500, self.now - 1_800 * SECOND) },
            Open { later: Some(later), ..Open::new(200, self.now - 1_200 * SECOND) },
            Open { process: Some(PROCESSES[0]), ..Open::new(RUNNING, self.now - 300 * SECOND) },
        ];
        let mut statements =
            vec!["DELETE FROM queued_task WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')".to_owned()];
        for (place, open) in open.iter().enumerate().filter(|(_, open)| open.count > 0) {
            statements.extend(self.open(OPEN * (place as u64 + 1), open));
        }
        if self.db.is_postgres() {
            // What is submitted from now on comes after these.
            let last = "SELECT setval(pg_get_serial_sequence('queued_task', 'submit_order'), MAX(submit_order)) FROM queued_task";
            statements.push(last.to_owned());
        }
        self.run(&statements).await
    }

    fn open(&self, from: u64, open: &Open) -> Vec<String> {
        let (db, tried, runs) = (self.db, open.tries > 0, open.process.is_some());
        let last = KINDS.len() - 1;
        let made = format!(
            "WITH RECURSIVE {number}, base AS (SELECT n, {created} + (n - {from}) * 1000 AS created FROM number),
             made AS (SELECT n, {owner} AS owner_id, created, {id} AS id, {due} AS due FROM base)",
            number = numbers("number", from, from + open.count),
            owner = self.owner("n"),
            created = open.created,
            id = id_of(db, "created", "n"),
            due = open.later.map_or("created".to_owned(), |later| format!("{later} + (n - {from}) * {SECOND}")),
        );
        let (created, due, code, trouble) = (at(db, "created"), at(db, "due"), TROUBLES[0].0, TROUBLES[0].1);
        let (began, deadline) = match runs {
            true => (created.clone(), at(db, &format!("created + 6 * {HOUR}"))),
            false => ("NULL".to_owned(), "NULL".to_owned()),
        };
        let mut statements = vec![format!(
            "{made} INSERT INTO queued_task (id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
                execution_component_name, execution_spec, execution_state, workflow_status, workflow_status_desc, trigger_date,
                scheduling_started_date, execution_started_date, scheduled_by_process, deadline, attempt, progressed, failures,
                max_failures, crashes, rescued, priority, total, succeeded, skipped, failed, uncertain, held, in_line)
             SELECT id, n, {created}, owner_id, {created}, owner_id, owner_id, owner_id, 'self-test', '{spec}', '{{}}', '{status}',
                {error}, {due}, {began}, {began}, {process}, {deadline}, {attempt}, {runs}, {tries}, 5, 0, FALSE, 0, 40,
                {succeeded}, 0, 0, 0, FALSE, {in_line}
             FROM made",
            spec = KINDS[last].2.replace("TOTAL", "40"),
            status = if runs { "EXECUTING" } else { "QUEUED" },
            error = if tried { format!("'{code}: {trouble}' || n") } else { "NULL".to_owned() },
            process = open.process.map_or("NULL".to_owned(), |process| format!("'{process}'")),
            attempt = u8::from(tried || runs),
            tries = open.tries,
            in_line = open.later.is_none(),
            succeeded = if runs { 12 } else { 0 },
        )];
        if tried || runs {
            let process = open.process.unwrap_or(PROCESSES[1]);
            let ended = match tried {
                true => format!("{created}, 'RETRY', '{code}', '{trouble}' || n"),
                false => "NULL, NULL, NULL, NULL".to_owned(),
            };
            statements.push(format!(
                "{made} INSERT INTO task_attempt (task_id, submit_order, attempt, process, started_date, stopped_date, outcome, error_code,
                    detail)
                 SELECT id, n, 1, '{process}', {created}, {ended} FROM made"
            ));
        }
        if tried {
            let fingerprint = fingerprint(last, 0);
            statements.push(format!(
                "{made} INSERT INTO task_failure (task_id, attempt, failed_date, fingerprint, kind, final)
                 SELECT id, 1, {created}, '{fingerprint}', 'self-test', FALSE FROM made"
            ));
        }
        statements
    }
}
