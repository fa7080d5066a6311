//! How the real binary comes to its tables: by five at once, and after starts that were killed in the middle of it.

use std::time::Duration;

use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};
use testkit::On;

use crate::binary::{Place, empty, until, wait};

testkit::tests!(five_processes_start_at_once_on_an_empty_database, a_limit_for_a_kind_that_nobody_knows_is_warned_of);

testkit::on_both!(starts_that_are_killed_in_the_middle_of_a_migration_are_made_good);

async fn five_processes_start_at_once_on_an_empty_database() {
    let (folder, url) = empty(On::Postgres).await;
    let place = Place::bare(folder, url);
    let names = ["a", "b", "c", "d", "e"];
    let processes = names.map(|name| place.spawn(name, "worker", &[]));
    for process in &processes {
        wait("all to be ready", || process.log().contains("ready to run tasks").then_some(()));
        assert!(!process.log().contains("ERROR"), "{}", process.log());
    }
    assert_eq!(place.value("SELECT COUNT(*) FROM process").await, 5);
}

async fn a_limit_for_a_kind_that_nobody_knows_is_warned_of() {
    let place = Place::on(On::Sqlite).await;
    let server = place.start(
        "one",
        "all",
        &[("DOCKET__QUEUE__PER_KIND__EXPROT", "2"), ("DOCKET__QUEUE__PER_KIND__EXPORT", "2")],
    );
    assert!(server.log().contains("queue.per_kind.exprot: this version knows no such kind"), "{}", server.log());
    assert!(!server.log().contains("queue.per_kind.export:"), "{}", server.log());
}

/// The database holds up each step where it is noted as taken, which is its last statement, and there the process is killed.
async fn starts_that_are_killed_in_the_middle_of_a_migration_are_made_good(on: On) {
    let (folder, url) = empty(on).await;
    let place = Place::bare(folder, url);
    let db = sea_orm::Database::connect(&place.url).await.unwrap();
    Migrator::install(&db).await.unwrap();
    let run = async |sql: &str| db.execute_unprepared(sql).await.map(drop);
    for nth in 1..=Migrator::migrations().len() {
        hold_up(on, nth, &run).await;
        let mut process = place.spawn("killed", "all", &[]);
        until("a step that is held up", async || {
            assert!(!process.has_ended(), "{}", process.log());
            is_held_up(on, &db).await
        })
        .await;
        process.signal("-KILL");
        process.end();
        if on == On::Postgres {
            // It sleeps on, and the lock of the migrations with it.
            run(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {SLEEPS}")).await.unwrap();
        }
        assert_eq!(place.value("SELECT COUNT(*) FROM seaql_migrations").await + 1, nth as i64);
        run(if on == On::Postgres { "DROP TRIGGER held_up ON seaql_migrations" } else { "DROP TRIGGER held_up" })
            .await
            .unwrap();
    }
    place.command(&["migrate"]);
    let _server = place.start("last", "all", &[]);
    let fresh = tempfile::tempdir().unwrap();
    let undisturbed = sea_orm::Database::connect(testkit::migrated(on, fresh.path()).await.unwrap()).await.unwrap();
    assert_eq!(testkit::made(&db).await, testkit::made(&undisturbed).await);
}

/// What a statement does in PostgreSQL that sleeps.
const SLEEPS: &str = "datname = current_database() AND wait_event = 'PgSleep'";

/// From here on the `nth` step does not end.
async fn hold_up(on: On, nth: usize, run: &impl AsyncFn(&str) -> Result<(), DbErr>) {
    let is_nth = format!("(SELECT COUNT(*) FROM seaql_migrations) = {nth}");
    let statements = match on {
        On::Postgres => vec![
            format!(
                "CREATE OR REPLACE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
                 BEGIN IF {is_nth} THEN PERFORM pg_sleep(600); END IF; RETURN NULL; END $$"
            ),
            "CREATE TRIGGER held_up AFTER INSERT ON seaql_migrations FOR EACH ROW EXECUTE FUNCTION hold_up()"
                .to_owned(),
        ],
        On::Sqlite => vec![format!(
            "CREATE TRIGGER held_up AFTER INSERT ON seaql_migrations WHEN {is_nth} BEGIN
                UPDATE seaql_migrations SET applied_at = (
                    WITH RECURSIVE endless (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
                    SELECT COUNT(*) FROM endless);
             END"
        )],
    };
    for sql in statements {
        run(&sql).await.unwrap();
    }
}

/// Whether a step has stood still for a moment.
async fn is_held_up(on: On, db: &DatabaseConnection) -> bool {
    if on == On::Postgres {
        let asleep = format!("SELECT 1 AS one FROM pg_stat_activity WHERE {SLEEPS}");
        return db.query_one_raw(Statement::from_string(DbBackend::Postgres, asleep)).await.unwrap().is_some();
    }
    for _ in 0..20 {
        let is_locked = db.execute_unprepared("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK").await.is_err();
        if !is_locked {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    true
}
