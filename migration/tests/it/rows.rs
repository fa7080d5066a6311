//! A row in each table with a value in each column: as the step that makes the table leaves it, and then in what later steps add.

use testkit::On;

use crate::place::id;

const AT: &str = "'2026-01-01T00:00:00+00:00'";
const AFTER: &str = "'2026-02-01T00:00:00+00:00'";

/// Rows of one table.
pub struct Rows {
    pub table: &'static str,
    pub columns: Vec<&'static str>,
    values: String,
}

impl Rows {
    pub fn insert(&self) -> String {
        format!("INSERT INTO {} ({}) VALUES {}", self.table, self.columns.join(", "), self.values)
    }
}

fn of(table: &'static str, columns: &'static str, values: String) -> Rows {
    Rows { table, columns: columns.split(',').map(str::trim).collect(), values: format!("({values})") }
}

/// What goes into a table once it has these columns.
pub fn rows(on: On) -> Vec<Rows> {
    let of_all = [people(on), accounts(on), tasks(on), files(on), emails(on), figures(on), limits(on)];
    of_all.into_iter().flatten().collect()
}

/// What goes into a column that a table did not have from the beginning, by table.
pub const ADDED: [(&str, &str, &str); 27] = [
    ("process", "presence", "7"),
    ("task_person", "former_date", AT),
    ("access_token", "name", "'Laptop'"),
    ("account", "preferences", "'{\"theme\":\"dark\"}'"),
    ("scheduler_lock", "renewed_date", AT),
    ("scheduler_lock", "renewals", "3"),
    ("scheduler_lock", "at_most", "60"),
    ("process", "kinds", "'[\"export\"]'"),
    ("access_token", "scope", "'read'"),
    ("access_token", "expiry_date", AFTER),
    ("access_token", "used_date", AT),
    ("access_token", "used_from", "'192.0.2.1'"),
    ("account", "password_state", "'made'"),
    ("email_template", "put_aside", "TRUE"),
    ("queued_task", "submit_order", "7"),
    ("task_attempt", "submit_order", "7"),
    ("queued_task", "in_line", "TRUE"),
    ("queued_task", "fence", "9"),
    ("saved_view", "shared", "TRUE"),
    ("coach_wish", "line", "12"),
    ("coach_wish", "wanted", "'A. Nobody'"),
    ("coach_wish", "several", "TRUE"),
    ("session", "issuer", "'https://c1.example'"),
    ("session", "subject", "'s-1'"),
    ("session", "provider_session", "'p-1'"),
    ("session", "vouched_until", AT),
    ("queued_task", "declined", "TRUE"),
];

/// A coach and a student of theirs.
fn people(on: On) -> Vec<Rows> {
    let [coach, student, task] = [1, 2, 3].map(|n| id(on, n));
    let mut people = of(
        "person",
        "id, student, school_id, first_name, middle_name, last_name, primary_email, secondary_email, birth_date, student_type,
         home_campus, declared_major, start_term, coach_id, program_status, change_reason, status_date, activated, email_opt_out,
         extra, sort_key, given_key, school_key, email_key, created_date, modified_date",
        format!(
            "{student}, TRUE, 'g1', 'Ann', 'Bea', 'Lee', 'a@g1.example', 'b@g1.example', '2000-01-01', 'Transfer', 'North', 'Law',
             'Fall', {coach}, 'ACTIVE', 'Back', {AFTER}, TRUE, TRUE, '{{\"a\":\"b\"}}', 'lee, ann', 'ann', 'g1', 'a@g1.example', {AT}, {AT}"
        ),
    );
    let member = format!(
        "{coach}, FALSE, 'c1', 'Ann', NULL, 'Lee', 'a@c1.example', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, TRUE,
         FALSE, '{{}}', 'lee, ann', 'ann', 'c1', 'a@c1.example', {AT}, {AT}"
    );
    people.values = format!("({member}), {}", people.values);
    let mut history = of(
        "program_status_history",
        "person_id, program_status, change_reason, comment, effective_date, expiration_date, created_by, task_id",
        format!("{student}, 'NO_SHOW', 'Away', 'Called', {AT}, {AFTER}, {coach}, {task}"),
    );
    history.values += &format!(", ({student}, 'ACTIVE', NULL, NULL, {AFTER}, NULL, {coach}, NULL)");
    vec![
        people,
        history,
        of("person_extra", "person_id, name, value", format!("{student}, 'cohort', '2026'")),
        of("watch", "watcher_id, person_id, watched_date", format!("{coach}, {student}, {AT}")),
        of("erased", "school_id_hash, erased_date", format!("'h', {AT}")),
        of(
            "early_alert",
            "person_id, alert_reason, comment, created_date, created_by, task_id",
            format!("{student}, 'ATTENDANCE', 'Twice', {AT}, {coach}, {task}"),
        ),
        of(
            "coach_change",
            "person_id, former_coach_id, coach_id, changed_date, changed_by, task_id",
            format!("{student}, {student}, {coach}, {AT}, {coach}, {task}"),
        ),
        of(
            "journal_entry",
            "person_id, entry, created_date, created_by, task_id",
            format!("{student}, 'Emailed', {AT}, {coach}, {task}"),
        ),
    ]
}

fn accounts(on: On) -> Vec<Rows> {
    let [coach, other, new] = [1, 4, 5].map(|n| id(on, n));
    vec![
        of(
            "account",
            "person_id, username, password_hash, role, permissions, disabled, session_version, created_date, modified_date",
            format!("{coach}, 'ann', 'x', 'coach', '[\"export\"]', TRUE, 3, {AT}, {AT}"),
        ),
        of(
            "access_token",
            "id, person_id, token_hash, created_date, revoked_date",
            format!("{other}, {coach}, 'h', {AT}, {AFTER}"),
        ),
        of(
            "session",
            "id, person_id, session_version, data, created_date, expiry_date, absolute_date",
            format!("'s', {coach}, 3, '{{\"a\":1}}', {AT}, {AT}, {AT}"),
        ),
        of(
            "audit",
            "audit_date, actor_id, action, object_kind, object_id, detail",
            format!("{AT}, {coach}, 'a.b', 'c', 'd', '{{\"a\":1}}'"),
        ),
        // An entry cannot be changed any more once it has these.
        of(
            "audit",
            "audit_date, actor_id, action, object_kind, detail, credential, source, times, burst",
            format!("{AT}, {coach}, 'a.b', 'c', '{{}}', 'password', '192.0.2.1', 2, 'b'"),
        ),
        of("audit_redaction", "audit_id, redacted_date, detail", format!("1, {AT}, '{{\"a\":2}}'")),
        of("setup_link", "token_hash, created_date", format!("'h', {AT}")),
        of("saved_view", "id, owner_id, name, query, created_date", format!("{other}, {coach}, 'Mine', 'q=a', {AT}")),
        of("server_key", "id, secret, created_date", format!("1, 's', {AT}")),
        of("sign_in_failure", "id, failures, since_date, until_date, expiry_date", format!("'h', 1, {AT}, {AT}, {AT}")),
        of("known_place", "person_id, place, used_date", format!("{coach}, 'p', {AT}")),
        of(
            "account_identity",
            "issuer, subject, person_id, provider, role_gone, created_date, used_date",
            format!("'https://c1.example', 's-1', {coach}, 'north', true, {AT}, {AT}"),
        ),
        of(
            "authenticator_app",
            "person_id, sealed_key, last_step, created_date, used_date",
            format!("{coach}, 's', 7, {AT}, {AFTER}"),
        ),
        of(
            "recovery_code",
            "person_id, place, code_hash, created_date, used_date",
            format!("{coach}, 1, 'h', {AT}, {AFTER}"),
        ),
        of(
            "directory_token",
            "id, name, token_hash, created_date, expiry_date, revoked_date, used_date, used_from",
            format!("{other}, 'Entra', 'h', {AT}, {AFTER}, {AFTER}, {AT}, '192.0.2.1'"),
        ),
        of(
            "directory_user",
            "person_id, user_name, name_key, external_id, given_name, family_name, display_name, email, active, shut, gone, version,
             created_date, modified_date",
            format!(
                "{coach}, 'Ann@c1.example', 'ann@c1.example', 'e-1', 'Ann', 'Lee', 'Ann Lee', 'ann@c1.example', TRUE, TRUE, TRUE, 3,
                 {AT}, {AFTER}"
            ),
        ),
        of(
            "directory_group",
            "id, display_name, name_key, external_id, version, created_date, modified_date",
            format!("{new}, 'Deans', 'deans', 'e-2', 2, {AT}, {AFTER}"),
        ),
        of("directory_member", "group_id, person_id", format!("{new}, {coach}")),
        of(
            "passkey",
            "id, person_id, name, credential_id, public_key, device_state, transports, signs_in_alone, created_date, used_date",
            format!("{other}, {coach}, 'Phone', 'c', 'k', 's', 3, TRUE, {AT}, {AFTER}"),
        ),
        of(
            "passkey_question",
            "secret_hash, purpose, person_id, state, expiry_date",
            format!("'h', 'ADD', {coach}, 's', {AFTER}"),
        ),
        of("remembered_browser", "person_id, secret_hash, expiry_date", format!("{coach}, 'h', {AFTER}")),
        of(
            "password_link",
            "person_id, id, purpose, address, token_hash, created_date, expiry_date",
            format!("{coach}, {other}, 'RESET', 'c@c1.example', 'h', {AT}, {AT}"),
        ),
        of(
            "address_wish",
            "person_id, address, token_hash, created_date, expiry_date",
            format!("{new}, 'new@c1.example', 'h', {AT}, {AT}"),
        ),
    ]
}

/// A task about the student.
fn tasks(on: On) -> Vec<Rows> {
    let [coach, student, task, other] = [1, 2, 3, 4].map(|n| id(on, n));
    vec![
        of(
            "queued_task",
            "id, created_date, created_by, modified_date, modified_by, owner_id, run_as_id, execution_component_name, execution_spec,
             execution_state, workflow_status, workflow_status_desc, trigger_date, scheduling_started_date, execution_started_date,
             workflow_stopped_date, scheduled_by_process, attempt, progressed, failures, max_failures, crashes, rescued, priority,
             idempotency_key, request_hash, total, succeeded, skipped, failed, uncertain, deadline, held, finish_reason, abandoned_by,
             parent_task_id",
            format!(
                "{task}, {AT}, {coach}, {AT}, {coach}, {coach}, {coach}, 'program-status', '{{\"a\":1}}', '{{\"b\":1}}', 'COMPLETED',
                 'It is done', {AT}, {AT}, {AT}, {AT}, 'one', 1, TRUE, 2, 5, 3, TRUE, 4, 'k', 'h', 10, 1, 2, 3, 4, {AFTER}, TRUE, 'All',
                 {coach}, {other}"
            ),
        ),
        of(
            "task_attempt",
            "task_id, attempt, process, started_date, stopped_date, outcome, error_code, detail",
            format!("{task}, 1, 'one', {AT}, {AFTER}, 'COMPLETED', 'e', 'It went well'"),
        ),
        of(
            "task_person",
            "task_id, position, person_id, given, outcome, reason, before_value, after_value, outcome_date",
            format!("{task}, 1, {student}, 'g1', 'DONE', 'r', 'NO_SHOW', 'ACTIVE', {AT}"),
        ),
        of(
            "task_failure",
            "task_id, attempt, failed_date, fingerprint, kind, final",
            format!("{task}, 1, {AT}, 'f', 'program-status', TRUE"),
        ),
        of(
            "task_verb",
            "task_id, verb_date, actor_id, verb, reason, audit_id",
            format!("{task}, {AT}, {coach}, 'retry', 'Asked for', 1"),
        ),
        of(
            "approval",
            "task_id, asked_by, asked_date, expiry_date, above, start_date, total, will_change, skipped, decision, decided_by,
             decided_date, note",
            format!(
                "{task}, {coach}, {AT}, {AFTER}, 1000, {AFTER}, 9, 8, '{{\"NOT_FOUND\":1}}', 'DECLINED', {other}, {AFTER}, 'Not these'"
            ),
        ),
        of("coach_wish", "task_id, position, coach_id, superseded", format!("{task}, 1, {coach}, TRUE")),
        of("import_choice", "task_id, person, line, cells", format!("{task}, 'g1', 1, '[\"a\"]'")),
        of(
            "process",
            "id, system_id, host, version, started_date, heartbeat_date, slots, busy, stopping",
            format!("'one', 'one', 'here', '0.1.0', {AT}, {AT}, 4, 1, TRUE"),
        ),
        of("stopped_owner", "owner_id, stopped_date", format!("{coach}, {AT}")),
        of("paused_kind", "kind, paused_date, paused_by, reason", format!("'export', {AT}, {coach}, 'Too slow'")),
        of(
            "scheduler_lock",
            "name, lock_until, locked_at, locked_by, token",
            format!("'prune', {AFTER}, {AT}, 'one', {other}"),
        ),
        of(
            "schedule",
            "name, expression, time_zone, next_fire, paused",
            format!("'prune', '0 3 * * *', 'UTC', {AFTER}, TRUE"),
        ),
        of(
            "schedule_fire",
            "schedule, planned_date, fired_date, stopped_date, process, outcome, detail",
            format!("'prune', {AT}, {AT}, {AFTER}, 'one', 'DONE', 'Two rows'"),
        ),
    ]
}

fn files(on: On) -> Vec<Rows> {
    let [coach, task, other] = [1, 3, 4].map(|n| id(on, n));
    vec![
        of(
            "selection",
            "id, owner_id, content, created_date, expiry_date",
            format!("{other}, {coach}, '[1]', {AT}, {AFTER}"),
        ),
        of(
            "preview",
            "id, owner_id, content, created_date, expiry_date",
            format!("{other}, {coach}, '[1]', {AT}, {AFTER}"),
        ),
        of(
            "bulk_preview",
            "id, actor_id, created_date, verb, filter, tasks",
            format!("{other}, {coach}, {AT}, 'retry', '{{\"a\":1}}', '[1]'"),
        ),
        of(
            "prepared_import",
            "id, owner_id, file, line_count, size, blocks, profile, matching, begun_with, counted, created_date, expiry_date",
            format!(
                "{task}, {coach}, 'a.csv', 2, 90, '[1]', '{{\"a\":1}}', '{{\"a\":1}}', {other}, '{{\"a\":1}}', {AT}, {AFTER}"
            ),
        ),
        of(
            "import_matching",
            "id, owner_id, name, content, used_date",
            format!("{other}, {coach}, 'Roster', '{{\"a\":1}}', {AT}"),
        ),
        of(
            "export",
            "task_id, path, format, row_count, size, sha256, created_date, expiry_date",
            format!("{task}, 'a.csv', 'CSV', 1, 9, 'x', {AT}, {AFTER}"),
        ),
    ]
}

fn emails(on: On) -> Vec<Rows> {
    let [coach, student, task, other] = [1, 2, 3, 4].map(|n| id(on, n));
    vec![
        of(
            "outbox",
            "task_id, position, person_id, address, address_key, copy_address, message_id, state, attempt, tries, next_date, reply,
             state_date, bounce_note, bounce_date, bounce_by",
            format!(
                "{task}, 1, {student}, 'a@g1.example', 'a@g1.example', 'c@g1.example', 'm', 'SENT', 1, 1, {AFTER}, '250 OK', {AT},
                 'It came back', {AFTER}, {coach}"
            ),
        ),
        of("email_draft", "owner_id, content, saved_date, revision", format!("{coach}, '{{\"a\":1}}', {AT}, {other}")),
        of(
            "email_template",
            "id, owner_id, name, subject, body, created_date",
            format!("{other}, {coach}, 'Hello', 'Hello', 'Dear', {AT}"),
        ),
        of(
            "notice",
            "task_id, purpose, address, subject, body, state, tries, created_date, state_date",
            format!("{task}, 'ended', 'ann@c1.example', 'Done', 'It is done', 'SENT', 1, {AT}, {AT}"),
        ),
    ]
}

fn figures(_: On) -> Vec<Rows> {
    vec![
        of(
            "throughput",
            "step, start_date, kind, done, problems, failed, abandoned, people, waits, runs",
            format!("60, {AT}, 'program-status', 1, 2, 3, 4, 5, '[1]', '[2]'"),
        ),
        of(
            "queue_sample",
            "step, start_date, waiting, running, retrying, stalled, oldest_seconds",
            format!("60, {AT}, 1, 2, 3, 4, 5"),
        ),
    ]
}

fn limits(on: On) -> Vec<Rows> {
    vec![of("allowance", "account_id, what, since_date, used", format!("{}, 'tasks', {AT}, 1", id(on, 1)))]
}
