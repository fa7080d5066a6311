//! What the handle on the database promises when the database itself is in trouble.

use std::time::Duration;

use queue::{Clock, Database, Limits};
use sea_orm::ConnectionTrait;
use testkit::{On, TestDb};

async fn count(db: &Database, sql: &str) -> i64 {
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// On a full disk, and where a statement asks for it, SQLite rolls a transaction back by itself.
#[tokio::test(flavor = "multi_thread")]
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

#[tokio::test(flavor = "multi_thread")]
async fn every_session_of_postgres_has_its_limits() {
    let test = TestDb::new(On::Postgres).await.unwrap();
    let limits = Limits { frozen: Duration::from_millis(200), ..Limits::default() };
    let db = Database::connect_with(&test.url, Clock::default(), limits).await.unwrap();
    for (name, limit) in
        [("lock_timeout", "15s"), ("statement_timeout", "2min"), ("idle_in_transaction_session_timeout", "200ms")]
    {
        let row = db.reader().query_one_raw(db.statement(&format!("SHOW {name}"), [])).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), limit, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_transaction_gives_its_locks_back() {
    let test = TestDb::new(On::Postgres).await.unwrap();
    test.db.write("CREATE TABLE thing (content text)", []).await.unwrap();
    test.db.write("INSERT INTO thing (content) VALUES ('a')", []).await.unwrap();
    let limits = Limits { frozen: Duration::from_millis(200), ..Limits::default() };
    let db = Database::connect_with(&test.url, Clock::default(), limits).await.unwrap();
    let frozen = db.begin_write().await.unwrap();
    frozen.execute_unprepared("UPDATE thing SET content = 'b'").await.unwrap();
    // Nothing more comes of it; the other waits for the row, and gets it.
    let other = tokio::time::timeout(Duration::from_secs(10), test.db.write("UPDATE thing SET content = 'c'", []));
    assert_eq!(other.await.expect("the row is locked for good").unwrap(), 1);
    assert!(frozen.execute_unprepared("UPDATE thing SET content = 'd'").await.is_err());
    assert_eq!(count(&db, "SELECT COUNT(*) FROM thing WHERE content = 'c'").await, 1);
}
