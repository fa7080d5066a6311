//! Whose account was disabled before it was written down whose tasks stand still.

use testkit::On;

use crate::place::{before, id, run, texts};

testkit::on_both!(what_waits_of_whoever_was_disabled_before_stands_still_after_an_upgrade);

async fn what_waits_of_whoever_was_disabled_before_stands_still_after_an_upgrade(on: On) {
    let (place, db) = before(on, "m0042_stopped_owners").await;
    let at = "'2026-01-01T10:00:00+00:00'";
    // Disabled with a task, active with a task, disabled with a task that has ended, disabled with a self-test, and one who is known already.
    let all = [
        (1, true, "QUEUED", "export"),
        (2, false, "QUEUED", "export"),
        (3, true, "COMPLETED", "export"),
        (4, true, "QUEUED", "self-test"),
        (5, true, "QUEUED", "export"),
    ];
    for (n, disabled, status, kind) in all {
        let (person, task) = (id(on, n), id(on, 10 + n));
        run(
            &db,
            &format!(
                "INSERT INTO person (id, student, school_id, first_name, last_name, activated, email_opt_out, extra, sort_key,
                    given_key, school_key, created_date, modified_date)
                 VALUES ({person}, FALSE, '{n}', 'a', 'b', TRUE, FALSE, '', 'b a', 'a b', '{n}', {at}, {at})"
            ),
        )
        .await;
        run(
            &db,
            &format!(
                "INSERT INTO account (person_id, username, password_hash, role, permissions, disabled, session_version, created_date,
                    modified_date)
                 VALUES ({person}, 'u{n}', 'x', 'manager', '[]', {disabled}, 0, {at}, {at})"
            ),
        )
        .await;
        run(
            &db,
            &format!(
                "INSERT INTO queued_task (id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
                    execution_component_name, execution_spec, execution_state, workflow_status, trigger_date, attempt, progressed,
                    failures, max_failures, crashes, rescued, priority, succeeded, skipped, failed,
                    uncertain, held)
                 VALUES ({task}, {n}, {at}, {person}, {at}, {person}, {person}, {person}, '{kind}', '{{}}', '{{}}', '{status}', {at}, 0,
                    FALSE, 0, 3, 0, FALSE, 0, 0, 0, 0, 0, FALSE)"
            ),
        )
        .await;
    }
    run(&db, &format!("INSERT INTO stopped_owner (owner_id, stopped_date) VALUES ({}, {at})", id(on, 5))).await;
    migration::up(&place.url).await.unwrap();
    let stopped = "SELECT a.username FROM stopped_owner s JOIN account a ON a.person_id = s.owner_id ORDER BY 1";
    assert_eq!(texts(&db, stopped).await, ["u1", "u5"]);
}
