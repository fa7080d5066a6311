//! What somebody typed as their own address before links were sent is not taken for theirs.

use testkit::On;

use crate::place::{before, id, run, texts};

testkit::on_both!(an_address_that_was_only_typed_is_not_used_after_an_upgrade);

async fn an_address_that_was_only_typed_is_not_used_after_an_upgrade(on: On) {
    let (place, db) = before(on, "m0029_typed_addresses").await;
    let at = "'2026-01-01T10:00:00+00:00'";
    for (n, student) in [(1, true), (2, false), (3, false)] {
        let status = if student { format!("'ACTIVE', {at}") } else { "NULL, NULL".to_owned() };
        run(
            &db,
            &format!(
                "INSERT INTO person (id, student, school_id, first_name, last_name, activated, email_opt_out, extra, sort_key,
                    given_key, school_key, created_date, modified_date, primary_email, email_key, program_status, status_date)
                 VALUES ({}, {student}, '{n}', 'a', 'b', TRUE, FALSE, '', 'b a', 'a b', '{n}', {at}, {at}, '{n}@x.example', '{n}', {status})",
                id(on, n)
            ),
        )
        .await;
    }
    let verified = "INSERT INTO audit (audit_date, actor_id, action, object_kind, detail)";
    run(&db, &format!("{verified} VALUES ({at}, {}, 'account.address', 'account', '{{}}')", id(on, 3))).await;
    migration::up(&place.url).await.unwrap();
    let kept = "SELECT primary_email || email_key FROM person WHERE primary_email IS NOT NULL ORDER BY school_id";
    assert_eq!(texts(&db, kept).await, ["1@x.example1", "3@x.example3"]);
}
