//! How the database is opened: commits that last, readers that only read, no late upgrade, no session that holds rows for
//! ever.

use std::time::Duration;

use queue::{Clock, Database, DatabaseLimits};
use sea_orm::ConnectionTrait;
use testkit::{On, TestDb};

use crate::fixture::Fixture;

testkit::tests!(
    two_handles_that_read_before_they_write_wait_for_each_other,
    a_reader_of_sqlite_cannot_write,
    what_is_committed_after_sqlite_rolled_back_by_itself_is_seen_by_everybody,
    every_session_of_postgres_has_its_limits,
    a_frozen_transaction_gives_its_locks_back,
    connections_share_what_they_keep_of_the_file,
);

testkit::on_both!(
    a_commit_is_on_the_disk_when_it_is_answered,
    the_clock_goes_on_inside_a_transaction,
    what_stands_in_braces_and_is_no_word_of_ours_stays,
    an_instant_is_a_value_wherever_it_stands,
);

async fn a_commit_is_on_the_disk_when_it_is_answered(on: On) {
    let f = Fixture::new(on).await;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    match on {
        On::Sqlite => {
            let row = txn.query_one_raw(db.statement("PRAGMA synchronous", [])).await.unwrap().unwrap();
            assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 2, "FULL");
        }
        // Whoever runs the server decides, as the one for tests does; no session asks for less.
        On::Postgres => {
            let sql = "SELECT source FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync')";
            for row in txn.query_all_raw(db.statement(sql, [])).await.unwrap() {
                assert_ne!(row.try_get_by_index::<String>(0).unwrap(), "client");
            }
        }
    }
}

async fn the_clock_goes_on_inside_a_transaction(on: On) {
    let f = Fixture::new(on).await;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    let now = async || -> model::Instant {
        let row = txn.query_one_raw(db.composed("SELECT $1 AS now", [db.instant()])).await.unwrap().unwrap();
        row.try_get("", "now").unwrap()
    };
    let first = now().await;
    assert!(now().await > first, "a long chunk has a later deadline than its beginning");
}

async fn what_stands_in_braces_and_is_no_word_of_ours_stays(on: On) {
    let f = Fixture::new(on).await;
    let db = &f.test.db;
    let sql = "SELECT '{}' || '{nothing}' || {postgres:'p'}{sqlite:'s'} || '{now' AS text";
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
    let text = match on {
        On::Sqlite => "{}{nothing}s{now",
        On::Postgres => "{}{nothing}p{now",
    };
    assert_eq!(row.try_get::<String>("", "text").unwrap(), text);
}

async fn an_instant_is_a_value_wherever_it_stands(on: On) {
    let f = Fixture::new(on).await;
    let db = &f.test.db;
    let parts = [db.instant(), db.instant_after(60.0)];
    let statement = db.composed("SELECT $1 AS first, $1 AS second, $2 AS later", parts);
    let row = db.reader().query_one_raw(statement).await.unwrap().unwrap();
    let read = |name| row.try_get::<model::Instant>("", name).unwrap();
    // SQLite counts in milliseconds; on PostgreSQL each place asks the clock, which goes on.
    let apart = |from, to| ((read(to) - read(from)).num_milliseconds() + 500) / 1_000;
    assert_eq!((apart("first", "second"), apart("second", "later")), (0, 60));
}

/// Two handles are two processes: a server, and a command beside it.
async fn two_handles_that_read_before_they_write_wait_for_each_other() {
    const TURNS: i64 = 25;
    let f = Fixture::new(On::Sqlite).await;
    let beside = Database::connect(&f.test.url, f.test.clock.clone(), 2).await.unwrap();
    f.test.db.write("INSERT INTO effect (task_id, step, attempt) VALUES (x'00', 0, 0)", []).await.unwrap();
    let count_up = async |db: &Database| {
        for _ in 0..TURNS {
            let txn = db.begin_write().await.unwrap();
            let row = txn.query_one_raw(db.statement("SELECT step FROM effect", [])).await.unwrap().unwrap();
            let step: i64 = row.try_get("", "step").unwrap();
            txn.execute_raw(db.statement("UPDATE effect SET step = $1", [(step + 1).into()])).await.unwrap();
            db.commit(txn).await.unwrap();
        }
    };
    tokio::join!(count_up(&f.test.db), count_up(&beside));
    let row = beside.reader().query_one_raw(beside.statement("SELECT step FROM effect", [])).await.unwrap().unwrap();
    assert_eq!(row.try_get::<i64>("", "step").unwrap(), 2 * TURNS);
}

async fn a_reader_of_sqlite_cannot_write() {
    let f = Fixture::new(On::Sqlite).await;
    let id = f.steps(1).await;
    let deletion = f.test.db.statement("DELETE FROM queued_task", []);
    assert!(f.test.db.reader().execute_raw(deletion).await.is_err());
    assert_eq!(f.task(id).await.id, id);
}

async fn count(db: &Database, sql: &str) -> i64 {
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// On a full disk, and where a statement asks for it, SQLite rolls a transaction back by itself.
async fn what_is_committed_after_sqlite_rolled_back_by_itself_is_seen_by_everybody() {
    let test = TestDb::new(On::Sqlite).await.unwrap();
    test.db.write("CREATE TABLE thing (content text UNIQUE)", []).await.unwrap();
    let txn = test.db.begin_write().await.unwrap();
    txn.execute_unprepared("INSERT INTO thing (content) VALUES ('a')").await.unwrap();
    txn.execute_unprepared("INSERT OR ROLLBACK INTO thing (content) VALUES ('a')").await.unwrap_err();
    drop(txn);
    let txn = test.db.begin_write().await.unwrap();
    txn.execute_unprepared("INSERT INTO thing (content) VALUES ('b')").await.unwrap();
    txn.rollback().await.unwrap();
    for sql in ["INSERT INTO thing (content) VALUES ('c')", "INSERT INTO thing (content) VALUES ('d')"] {
        test.db.write(sql, []).await.unwrap();
    }
    let elsewhere = Database::connect(&test.url, Clock::default(), 1).await.unwrap();
    for db in [&test.db, &elsewhere] {
        assert_eq!(count(db, "SELECT COUNT(*) FROM thing").await, 2);
    }
    elsewhere.write("INSERT INTO thing (content) VALUES ('the lock is free')", []).await.unwrap();
}

async fn every_session_of_postgres_has_its_limits() {
    let test = TestDb::new(On::Postgres).await.unwrap();
    let limits = DatabaseLimits { frozen: Duration::from_millis(200), ..DatabaseLimits::default() };
    let db = Database::connect_with(&test.url, Clock::default(), limits).await.unwrap();
    for (name, limit) in
        [("lock_timeout", "15s"), ("statement_timeout", "2min"), ("idle_in_transaction_session_timeout", "200ms")]
    {
        let row = db.reader().query_one_raw(db.statement(&format!("SHOW {name}"), [])).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), limit, "{name}");
    }
}

async fn a_frozen_transaction_gives_its_locks_back() {
    let test = TestDb::new(On::Postgres).await.unwrap();
    test.db.write("CREATE TABLE thing (content text)", []).await.unwrap();
    test.db.write("INSERT INTO thing (content) VALUES ('a')", []).await.unwrap();
    let limits = DatabaseLimits { frozen: Duration::from_secs(3), ..DatabaseLimits::default() };
    let db = Database::connect_with(&test.url, Clock::default(), limits).await.unwrap();
    let frozen = db.begin_write().await.unwrap();
    frozen.execute_unprepared("UPDATE thing SET content = 'b'").await.unwrap();
    // Nothing more comes of it; the other waits for the row, and gets it.
    let other = test.db.write("UPDATE thing SET content = 'c'", []);
    assert_eq!(other.await.expect("the row is locked for good"), 1);
    assert!(frozen.execute_unprepared("UPDATE thing SET content = 'd'").await.is_err());
    assert_eq!(count(&db, "SELECT COUNT(*) FROM thing WHERE content = 'c'").await, 1);
}

/// Each reader used to keep 64 MiB for itself, so that the process grew with every page that somebody looked at.
async fn connections_share_what_they_keep_of_the_file() {
    let kept = async |db: &Database, connection: &queue::Connection| -> i64 {
        let row = connection.query_one_raw(db.statement("PRAGMA cache_size", [])).await.unwrap().unwrap();
        let size: i64 = row.try_get_by_index(0).unwrap();
        assert!(size < 0, "in KiB, whatever a page has");
        -size
    };
    let f = Fixture::new(On::Sqlite).await;
    for (connections, for_tasks) in [(1, 1), (8, 8), (64, 20)] {
        let limits = DatabaseLimits { connections, for_tasks, ..DatabaseLimits::default() };
        let db = Database::connect_with(&f.test.url, f.test.clock.clone(), limits).await.unwrap();
        let all = kept(&db, db.reader()).await * i64::from(connections + for_tasks);
        assert!(all <= 64 * 1024, "{connections} readers and {for_tasks}");
    }
    let txn = f.test.db.begin_write().await.unwrap();
    let row = txn.query_one_raw(f.test.db.statement("PRAGMA cache_size", [])).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), -24 * 1024, "the writer");
}
