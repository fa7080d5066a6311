//! What is in each table from the version on that made it, and stays in it through every step since.

use std::collections::{BTreeMap, BTreeSet};

use migration::{Migrator, MigratorTrait};
use sea_orm_migration::sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::On;

use crate::place::{before, id, run, texts};

testkit::on_both!(what_each_version_wrote_comes_through_every_later_step);

/// What a step changes or takes away on purpose: the step, and the column.
const CHANGED: [(&str, &str); 2] =
    [("m0029_typed_addresses", "person.primary_email"), ("m0029_typed_addresses", "person.email_key")];

const AT: &str = "'2026-01-01T00:00:00+00:00'";

/// A row in each table of the first version: a coach and a student of theirs, and a task that is about the student.
fn rows(on: On) -> Vec<(&'static str, String)> {
    let [coach, student, task, other] = [1, 2, 3, 4].map(|n| id(on, n));
    let person = |id: &str, student: bool, name: &str, coach: &str, status: &str| {
        format!(
            "({id}, {student}, '{name}', 'Ann', 'Lee', 'a@{name}.example', {coach}, {status}, {}, TRUE, FALSE, '{{}}', 'lee, ann', 'ann',
              '{name}', 'a@{name}.example', {AT}, {AT})",
            if student { AT } else { "NULL" }
        )
    };
    let people = [person(&coach, false, "c1", "NULL", "NULL"), person(&student, true, "g1", &coach, "'ACTIVE'")];
    vec![
        (
            "person",
            format!(
                "(id, student, school_id, first_name, last_name, primary_email, coach_id, program_status, status_date, activated,
                  email_opt_out, extra, sort_key, given_key, school_key, email_key, created_date, modified_date)
                 VALUES {}",
                people.join(", ")
            ),
        ),
        (
            "program_status_history",
            format!(
                "(person_id, program_status, effective_date, created_by) VALUES ({student}, 'ACTIVE', {AT}, {coach})"
            ),
        ),
        ("watch", format!("(watcher_id, person_id, watched_date) VALUES ({coach}, {student}, {AT})")),
        (
            "account",
            format!(
                "(person_id, username, password_hash, role, permissions, disabled, session_version, created_date, modified_date)
                 VALUES ({coach}, 'ann', 'x', 'coach', '[\"export\"]', FALSE, 0, {AT}, {AT})"
            ),
        ),
        ("access_token", format!("(id, person_id, token_hash, created_date) VALUES ({other}, {coach}, 'h', {AT})")),
        ("audit", format!("(audit_date, actor_id, action, object_kind, detail) VALUES ({AT}, {coach}, 'a.b', 'c', '{{}}')")),
        (
            "queued_task",
            format!(
                "(id, created_date, created_by, modified_date, modified_by, owner_id, run_as_id, execution_component_name,
                  execution_spec, execution_state, workflow_status, trigger_date, attempt, progressed, failures, max_failures, crashes,
                  rescued, priority, total, succeeded, skipped, failed, uncertain, held)
                 VALUES ({task}, {AT}, {coach}, {AT}, {coach}, {coach}, {coach}, 'program-status', '{{}}', '{{}}', 'COMPLETED', {AT},
                    1, TRUE, 0, 5, 0, FALSE, 0, 1, 1, 0, 0, 0, FALSE)"
            ),
        ),
        (
            "task_attempt",
            format!("(task_id, attempt, process, started_date, outcome) VALUES ({task}, 1, 'one', {AT}, 'COMPLETED')"),
        ),
        (
            "task_person",
            format!(
                "(task_id, position, person_id, outcome, before_value, after_value, outcome_date)
                 VALUES ({task}, 1, {student}, 'DONE', 'NO_SHOW', 'ACTIVE', {AT})"
            ),
        ),
    ]
}

/// A row in each other table, as the step that makes the table leaves it.
fn rows_of_others(on: On) -> Vec<(&'static str, String)> {
    let [coach, student, task, other, new] = [1, 2, 3, 4, 5].map(|n| id(on, n));
    let of = |table, columns: &str, values: String| (table, format!("({columns}) VALUES ({values})"));
    vec![
        of("session", "id, data, created_date, expiry_date, absolute_date", format!("'s', '{{}}', {AT}, {AT}, {AT}")),
        of(
            "process",
            "id, system_id, host, version, started_date, heartbeat_date, slots, busy, stopping",
            format!("'one', 'one', 'here', '0.1.0', {AT}, {AT}, 4, 0, FALSE"),
        ),
        of(
            "selection",
            "id, owner_id, content, created_date, expiry_date",
            format!("{other}, {coach}, '{{}}', {AT}, {AT}"),
        ),
        of(
            "preview",
            "id, owner_id, content, created_date, expiry_date",
            format!("{other}, {coach}, '{{}}', {AT}, {AT}"),
        ),
        of("paused_kind", "kind, paused_date, paused_by", format!("'export', {AT}, {coach}")),
        of(
            "scheduler_lock",
            "name, lock_until, locked_at, locked_by, token",
            format!("'prune', {AT}, {AT}, 'one', {other}"),
        ),
        of("schedule", "name, expression, time_zone, paused", "'prune', '0 3 * * *', 'UTC', FALSE".to_owned()),
        of("schedule_fire", "schedule, planned_date, fired_date, process", format!("'prune', {AT}, {AT}, 'one'")),
        of(
            "export",
            "task_id, path, format, row_count, size, sha256, created_date, expiry_date",
            format!("{task}, 'a.csv', 'CSV', 1, 9, 'x', {AT}, {AT}"),
        ),
        of("saved_view", "id, owner_id, name, query, created_date", format!("{other}, {coach}, 'Mine', '', {AT}")),
        of("setup_link", "token_hash, created_date", format!("'h', {AT}")),
        of("erased", "school_id_hash, erased_date", format!("'h', {AT}")),
        of(
            "early_alert",
            "person_id, alert_reason, created_date, created_by, task_id",
            format!("{student}, 'ATTENDANCE', {AT}, {coach}, {task}"),
        ),
        of(
            "coach_change",
            "person_id, coach_id, changed_date, changed_by, task_id",
            format!("{student}, {coach}, {AT}, {coach}, {task}"),
        ),
        of(
            "outbox",
            "task_id, position, person_id, address, address_key, message_id, state, attempt, tries, state_date",
            format!("{task}, 1, {student}, 'a@g1.example', 'a@g1.example', 'm', 'SENT', 1, 1, {AT}"),
        ),
        of(
            "journal_entry",
            "person_id, entry, created_date, created_by, task_id",
            format!("{student}, 'Emailed', {AT}, {coach}, {task}"),
        ),
        of("email_draft", "owner_id, content, saved_date, revision", format!("{coach}, '{{}}', {AT}, {other}")),
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
        of("coach_wish", "task_id, position, coach_id, superseded", format!("{task}, 1, {coach}, FALSE")),
        of(
            "task_failure",
            "task_id, attempt, failed_date, fingerprint, kind, final",
            format!("{task}, 1, {AT}, 'f', 'program-status', FALSE"),
        ),
        of(
            "throughput",
            "step, start_date, kind, done, problems, failed, abandoned, people, waits, runs",
            format!("60, {AT}, 'program-status', 1, 0, 0, 0, 1, '[]', '[]'"),
        ),
        of(
            "queue_sample",
            "step, start_date, waiting, running, retrying, stalled, oldest_seconds",
            format!("60, {AT}, 0, 0, 0, 0, 0"),
        ),
        of("task_verb", "task_id, verb_date, actor_id, verb", format!("{task}, {AT}, {coach}, 'retry'")),
        of(
            "bulk_preview",
            "id, actor_id, created_date, verb, filter, tasks",
            format!("{other}, {coach}, {AT}, 'retry', '{{}}', '[]'"),
        ),
        of("server_key", "id, secret, created_date", format!("1, 's', {AT}")),
        of("sign_in_failure", "id, failures, since_date, until_date, expiry_date", format!("'h', 1, {AT}, {AT}, {AT}")),
        of("known_place", "person_id, place, used_date", format!("{coach}, 'p', {AT}")),
        of("audit_redaction", "audit_id, redacted_date, detail", format!("1, {AT}, '{{}}'")),
        of("allowance", "account_id, what, since_date, used", format!("{coach}, 'tasks', {AT}, 1")),
        of("import_choice", "task_id, person, line, cells", format!("{task}, 'g1', 1, '[]'")),
        of(
            "address_wish",
            "person_id, address, token_hash, created_date, expiry_date",
            format!("{new}, 'new@c1.example', 'h', {AT}, {AT}"),
        ),
    ]
}

async fn tables(on: On, db: &DatabaseConnection) -> BTreeSet<String> {
    let sql = match on {
        On::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        On::Postgres => "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = 'public'",
    };
    texts(db, sql).await.into_iter().filter(|name| name != "seaql_migrations").collect()
}

/// What stands in the columns that were written, by table and column. Rows may have been moved, so they have no order.
async fn values(on: On, db: &DatabaseConnection, written: &[(&str, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let sql = match on {
        On::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        }
        On::Postgres => {
            "SELECT CAST(table_name || '.' || column_name AS text) FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    let there: BTreeSet<String> = texts(db, sql).await.into_iter().collect();
    let mut values = BTreeMap::new();
    for (table, row) in written {
        let (columns, _) = row.trim_start_matches('(').split_once(')').unwrap();
        let columns = columns.split(',').map(|column| format!("{table}.{}", column.trim()));
        let columns: Vec<_> = columns.filter(|column| there.contains(column)).collect();
        let shown = columns.iter().map(|column| match on {
            On::Sqlite => format!("quote({column})"),
            On::Postgres => format!("CAST({column} AS text)"),
        });
        let sql = format!("SELECT {} FROM {table}", shown.collect::<Vec<_>>().join(", "));
        for found in db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap() {
            for (at, column) in columns.iter().enumerate() {
                let value: Option<String> = found.try_get_by_index(at).unwrap();
                let of: &mut BTreeSet<String> = values.entry(column.clone()).or_default();
                of.insert(value.unwrap_or_default());
            }
        }
    }
    values
}

async fn what_each_version_wrote_comes_through_every_later_step(on: On) {
    const SECOND: &str = "m0005_engine";
    let (_place, db) = before(on, SECOND).await;
    let (mut to_come, mut written) = ([rows(on), rows_of_others(on)].concat(), Vec::new());
    let steps = Migrator::migrations();
    let mut later = steps.iter().skip_while(|step| step.name() != SECOND);
    loop {
        let there = tables(on, &db).await;
        let (now, after): (Vec<_>, Vec<_>) = to_come.into_iter().partition(|(table, _)| there.contains(*table));
        to_come = after;
        for (table, row) in now {
            run(&db, &format!("INSERT INTO {table} {row}")).await;
            written.push((table, row));
        }
        let before = values(on, &db, &written).await;
        let Some(step) = later.next() else { break };
        Migrator::up(&db, Some(1)).await.unwrap_or_else(|error| panic!("{}: {error}", step.name()));
        let after = values(on, &db, &written).await;
        for (column, values) in &before {
            let meant = CHANGED.contains(&(step.name(), column));
            assert!(
                meant || after.get(column) == Some(values),
                "{} changes {column}: {:?}",
                step.name(),
                after.get(column)
            );
        }
        for (table, _) in &written {
            let expected = if *table == "person" { "2" } else { "1" };
            let many = texts(&db, &format!("SELECT CAST(COUNT(*) AS text) FROM {table}")).await;
            assert_eq!(many, [expected], "{table} after {}", step.name());
        }
    }
    let written: BTreeSet<String> = written.into_iter().map(|(table, _)| table.to_owned()).collect();
    assert_eq!(written, tables(on, &db).await, "each table has a row here, as of the step that makes it");
    let told = "SELECT p.school_id || ' ' || p.program_status || ' ' || h.program_status || ' ' || tp.before_value || ' ' || a.username
        FROM person p JOIN program_status_history h ON h.person_id = p.id JOIN task_person tp ON tp.person_id = p.id
        JOIN queued_task t ON t.id = tp.task_id JOIN account a ON a.person_id = t.owner_id AND a.person_id = p.coach_id";
    assert_eq!(texts(&db, told).await, ["g1 ACTIVE ACTIVE NO_SHOW ann"]);
    let address = texts(&db, "SELECT COALESCE(primary_email, '-') FROM person ORDER BY school_id").await;
    assert_eq!(address, ["-", "a@g1.example"], "what staff typed themselves is not used");
}
