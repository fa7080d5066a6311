//! An upgrade puts periods of a status in order that run backwards, and the schema takes no such period any more.

use sea_orm_migration::sea_orm::ConnectionTrait;
use testkit::On;

use crate::place::{before, id, run, texts};

testkit::on_both!(an_upgrade_mends_periods_that_run_backwards);

/// Two tasks had one person at once: the one that had waited wrote from before the other. A second person is in order.
async fn an_upgrade_mends_periods_that_run_backwards(on: On) {
    let (place, db) = before(on, "m0027_history").await;
    let id = |n: u8| id(on, n);
    let at = |minute: u8| format!("'2026-01-01T10:{minute:02}:00+00:00'");
    for (person, since) in [(1, 1), (2, 5)] {
        let sql = format!(
            "INSERT INTO person (id, student, school_id, first_name, last_name, activated, email_opt_out, extra, sort_key,
                given_key, school_key, created_date, modified_date, program_status, status_date)
             VALUES ({}, TRUE, '{person}', 'a', 'b', TRUE, FALSE, '', 'b a', 'a b', '{person}', {}, {}, 'ACTIVE', {})",
            id(person), at(0), at(0), at(since)
        );
        run(&db, &sql).await;
    }
    let periods = [(1, 0, Some(2)), (1, 2, Some(1)), (1, 1, None), (2, 0, Some(5)), (2, 5, None)];
    for (person, began, ended) in periods {
        let ended = ended.map_or("NULL".to_owned(), at);
        let sql = format!(
            "INSERT INTO program_status_history (person_id, program_status, effective_date, expiration_date, created_by)
             VALUES ({}, 'ACTIVE', {}, {ended}, {})",
            id(person), at(began), id(9)
        );
        run(&db, &sql).await;
    }
    migration::up(&place.url).await.unwrap();
    let minutes = |column: &str| match on {
        On::Sqlite => format!("substr({column}, 15, 2)"),
        On::Postgres => format!("to_char({column} AT TIME ZONE 'UTC', 'MI')"),
    };
    let shown = format!(
        "SELECT {} || '-' || COALESCE({}, '') FROM program_status_history ORDER BY id",
        minutes("effective_date"),
        minutes("expiration_date")
    );
    assert_eq!(texts(&db, &shown).await, ["00-02", "02-02", "02-", "00-05", "05-"]);
    let carried = format!("SELECT {} FROM person WHERE student ORDER BY school_id", minutes("status_date"));
    assert_eq!(texts(&db, &carried).await, ["02", "05"]);
    let back = format!("UPDATE program_status_history SET expiration_date = {} WHERE expiration_date IS NULL", at(0));
    assert!(db.execute_unprepared(&back).await.is_err());
    let sql = format!(
        "INSERT INTO program_status_history (person_id, program_status, effective_date, created_by) VALUES ({}, 'ACTIVE', {}, {})",
        id(1),
        at(3),
        id(9)
    );
    assert!(db.execute_unprepared(&sql).await.is_err(), "one open period, as before");
}
