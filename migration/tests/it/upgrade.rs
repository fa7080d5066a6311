//! What is in the tables of the first version, and stays in them through every step since.

use migration::{Migrator, MigratorTrait};
use testkit::On;

use crate::place::{before, id, run, texts};

testkit::on_both!(what_the_first_version_wrote_comes_through_every_later_step);

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

async fn what_the_first_version_wrote_comes_through_every_later_step(on: On) {
    const SECOND: &str = "m0005_engine";
    let (_place, db) = before(on, SECOND).await;
    let rows = rows(on);
    for (table, row) in &rows {
        run(&db, &format!("INSERT INTO {table} {row}")).await;
    }
    let many = async |table: &str| texts(&db, &format!("SELECT CAST(COUNT(*) AS text) FROM {table}")).await;
    let steps = Migrator::migrations();
    for step in steps.iter().skip_while(|step| step.name() != SECOND) {
        Migrator::up(&db, Some(1)).await.unwrap_or_else(|error| panic!("{}: {error}", step.name()));
        for (table, _) in &rows {
            let expected = if *table == "person" { "2" } else { "1" };
            assert_eq!(many(table).await, [expected], "{table} after {}", step.name());
        }
    }
    let told = "SELECT p.school_id || ' ' || p.program_status || ' ' || h.program_status || ' ' || tp.before_value || ' ' || a.username
        FROM person p JOIN program_status_history h ON h.person_id = p.id JOIN task_person tp ON tp.person_id = p.id
        JOIN queued_task t ON t.id = tp.task_id JOIN account a ON a.person_id = t.owner_id AND a.person_id = p.coach_id";
    assert_eq!(texts(&db, told).await, ["g1 ACTIVE ACTIVE NO_SHOW ann"]);
    let address = texts(&db, "SELECT COALESCE(primary_email, '-') FROM person ORDER BY school_id").await;
    assert_eq!(address, ["-", "a@g1.example"], "what staff typed themselves is not used");
}
