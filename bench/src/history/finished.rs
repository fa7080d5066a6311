//! Tasks that have ended, with their attempts, failures and entries in the audit trail.

use anyhow::Result;

use super::{
    MONTH, Maker, PROCESSES, SECOND, TABLES,
    dialect::{at, choice, id_of, id_text_of, numbers, text, uuid},
};

/// Tasks of one transaction.
const BATCH: u64 = 50_000;
/// The latest tasks among which those with people who failed have their ledgers, too.
const WITH_LEDGERS: u64 = 10_000;

/// Kinds, with what is asked for before and after the number of people or steps.
pub const KINDS: [(&str, &str, &str); 6] = [
    ("program-status", r#"{"action":{"kind":"program-status","programStatus":"INACTIVE"},"#, PEOPLE),
    ("export", r#"{"action":{"kind":"export","format":"CSV","columns":["CONTACT","PROGRAM"],"sort":"name"},"#, PEOPLE),
    ("watch", r#"{"action":{"kind":"watch","operation":"WATCH"},"#, PEOPLE),
    (
        "email",
        r#"{"action":{"kind":"email","subject":"Four slots","body":"Hello {first name | there}","recipients":"PRIMARY"},"#,
        PEOPLE,
    ),
    ("early-alert", r#"{"action":{"kind":"early-alert","alertReason":"ATTENDANCE"},"#, PEOPLE),
    ("self-test", "", r#"{"sleepMs":100,"chunks":TOTAL}"#),
];
const PEOPLE: &str = r#""members":{"by":"matching","filter":{"programStatus":["ACTIVE"]}},"frozen":false,"total":TOTAL,"driftAllowed":10,"reason":"End of term"}"#;

/// What goes wrong with each kind, as code and detail; after the detail comes a number.
pub const TROUBLES: [(&str, &str); 5] = [
    ("mail_server", "connection refused by mail.example port 25, message "),
    ("files", "file store: put exports/part-0006: timed out after 30 s, try "),
    ("database", "canceling statement due to lock timeout in chunk "),
    ("panic", "index out of bounds: the len is 3 but the index is "),
    ("too_many_rows", "more people match than one file may hold: "),
];

/// The fingerprint of one trouble of one kind.
pub fn fingerprint(kind: usize, trouble: usize) -> String {
    format!("{kind:02x}c0ffee{trouble:04x}")
}

impl Maker<'_> {
    /// Everything that has ended, anew; but the audit is only ever added to, so a database that is made a second time has more of it.
    pub async fn past(&self) -> Result<()> {
        self.run(&TABLES.map(|table| format!("DELETE FROM {table}"))).await?;
        let mut from = 0;
        while from < self.finished {
            let to = (from + BATCH).min(self.finished);
            self.run(&self.batch(from, to)).await?;
            println!("{to} finished tasks");
            from = to;
        }
        self.run(&[self.ledgers()]).await
    }

    fn batch(&self, from: u64, to: u64) -> [String; 4] {
        let (made, db) = (self.made(from, to), self.db);
        let (created, began, ended) = (at(db, "created"), at(db, "began"), at(db, "ended"));
        [
            format!(
                "{made} INSERT INTO queued_task (id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
                    execution_component_name, execution_spec, execution_state, workflow_status, workflow_status_desc,
                    trigger_date, scheduling_started_date, execution_started_date, workflow_stopped_date, attempt, progressed,
                    failures, max_failures, crashes, rescued, priority, total, succeeded, skipped, failed, uncertain, held,
                    finish_reason, abandoned_by)
                 SELECT id, n, {created}, owner_id, {ended}, owner_id, owner_id, owner_id, kind,
                    REPLACE(spec, 'TOTAL', CAST(total AS text)), '{{}}', status, CASE WHEN dead THEN code || ': ' || detail END,
                    {created}, {began}, CASE WHEN status <> 'ERROR' THEN {begun} END, {ended}, 1, TRUE,
                    CASE WHEN dead THEN 1 ELSE 0 END, 5, 0, FALSE, 0, total,
                    CASE status WHEN 'COMPLETED' THEN total - skipped - failed WHEN 'FAILURE' THEN total / 2 ELSE 0 END,
                    skipped, failed, 0, FALSE, CASE WHEN status = 'ABANDONED' THEN 'No longer needed' END,
                    CASE WHEN status <> 'ABANDONED' THEN NULL WHEN n % 2 = 0 THEN owner_id ELSE {admin} END
                 FROM made",
                begun = at(db, "began + 5000"),
                admin = uuid(db, self.admin),
            ),
            format!(
                "{made} INSERT INTO task_attempt (task_id, submit_order, attempt, process, started_date, stopped_date, outcome, error_code,
                    detail)
                 SELECT id, n, 1, process, {began}, {ended}, CASE status WHEN 'FAILURE' THEN 'FAILED'
                    WHEN 'ERROR' THEN 'COULD_NOT_START' ELSE status END,
                    CASE WHEN dead THEN code END, CASE WHEN dead THEN detail END
                 FROM made"
            ),
            format!(
                "{made} INSERT INTO task_failure (task_id, attempt, failed_date, fingerprint, kind, final)
                 SELECT id, 1, {ended}, fingerprint, kind, TRUE FROM made WHERE dead"
            ),
            format!(
                "{made} INSERT INTO audit (audit_date, actor_id, action, object_kind, object_id, detail)
                 SELECT {created}, owner_id, 'task.submit', 'task', {id_text},
                    '{{\"kind\":\"' || kind || '\",\"total\":' || total || ',\"willChange\":' || total || '}}'
                 FROM made WHERE kind <> 'self-test' ORDER BY n",
                id_text = id_text_of(db, "created", "n"),
            ),
        ]
    }

    /// The numbers of a batch, and what each of them means. `share` goes through a thousand, each of which comes once in a
    /// thousand numbers.
    fn made(&self, from: u64, to: u64) -> String {
        // The last ones end before now.
        let (start, step) = (self.now - MONTH - 30 * SECOND, MONTH / self.finished.max(1).cast_signed());
        format!(
            "WITH RECURSIVE {number}, base AS (
                SELECT n, n * 761 % 1000 AS share, {start} + n * {step} AS created, 10 + n % 200 AS total FROM number),
             made AS (
                SELECT n, share, total, created, {id} AS id, {owner} AS owner_id, {kind} AS kind, {spec} AS spec,
                    {process} AS process, {fingerprint} AS fingerprint, {code} AS code, {trouble} || n AS detail,
                    created + n * 37 % 2000 * 1000 AS began,
                    created + n * 37 % 2000 * 1000 + 5000 + n * 53 % 20000 * 1000 AS ended,
                    CASE WHEN share < 930 THEN 'COMPLETED' WHEN share < 970 THEN 'FAILURE' WHEN share < 975 THEN 'ERROR'
                        ELSE 'ABANDONED' END AS status,
                    share >= 930 AND share < 975 AS dead, CASE WHEN share < 19 THEN 3 ELSE 0 END AS failed,
                    CASE WHEN share < 930 THEN n % 3 ELSE 0 END AS skipped
                FROM base)",
            number = numbers("number", from, to),
            id = id_of(self.db, "created", "n"),
            owner = self.owner("n / 7"),
            kind = kind("n"),
            spec = choice("n", KINDS.map(|(_, action, spec)| text(&format!("{action}{spec}")))),
            process = choice("n / 11", PROCESSES.map(text)),
            fingerprint = choice("n", fingerprints()),
            code = choice("n / 6", TROUBLES.map(|(code, _)| text(code))),
            trouble = choice("n / 6", TROUBLES.map(|(_, detail)| text(detail))),
        )
    }

    /// The ledgers of the latest tasks with people who failed.
    fn ledgers(&self) -> String {
        format!(
            "{made}, {place} INSERT INTO task_person (task_id, position, outcome, reason, outcome_date)
             SELECT id, place.n, CASE WHEN place.n <= 3 THEN 'FAILED' ELSE 'DONE' END,
                CASE WHEN place.n <= 3 THEN 'REFUSED' END, {ended}
             FROM made JOIN place ON place.n <= total WHERE failed > 0",
            made = self.made(self.finished.saturating_sub(WITH_LEDGERS), self.finished),
            place = numbers("place", 1, 210),
            ended = at(self.db, "ended"),
        )
    }
}

/// The kind with this number.
pub fn kind(number: &str) -> String {
    choice(number, KINDS.map(|(kind, ..)| text(kind)))
}

/// Kinds go round with every number, and troubles with every round of them.
fn fingerprints() -> impl Iterator<Item = String> {
    let all = (0..TROUBLES.len()).flat_map(|trouble| (0..KINDS.len()).map(move |kind| fingerprint(kind, trouble)));
    all.map(|fingerprint| text(&fingerprint))
}
