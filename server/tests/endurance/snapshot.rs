//! Somebody else's transaction stays open on PostgreSQL, and with it every version of every row since it began: whoever looks for
//! work walks past all that has been done meanwhile.

use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, Database, DatabaseTransaction, DbBackend, IsolationLevel, Statement, TransactionTrait};

use testkit::OwnPostgres;

use crate::binary::{Place, Process, until};

/// How long it stays open, in seconds; `SNAPSHOT_SECONDS` says otherwise, so that it can be tried in a minute.
const OPEN: u64 = 30 * 60;
/// Tasks that are submitted together.
const TASKS: u32 = 1_000;
/// How often before it is opened, and how often while it is open.
const BEFORE: usize = 3;
const MEANWHILE: u32 = 4;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn tasks_go_through_while_a_stranger_holds_a_snapshot_open() {
    let postgres = OwnPostgres::start().unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    let server = place.start("one", "all", &[("DOCKET__QUEUE__SELF_TEST", "true")]);
    let open = std::env::var("SNAPSHOT_SECONDS").map_or(OPEN, |seconds| seconds.parse().unwrap());
    // The first finds cold caches and few connections.
    rate(&place, &server).await;
    let mut before = Vec::new();
    for _ in 0..BEFORE {
        before.push(rate(&place, &server).await);
    }
    before.sort_by(f64::total_cmp);
    let usual = before[BEFORE / 2];

    // As a program for looking at a database does it, without any of the limits that Docket has for its own sessions.
    let stranger = Database::connect(&place.url).await.unwrap();
    let snapshot = stranger.begin_with_config(Some(IsolationLevel::RepeatableRead), None).await.unwrap();
    let first = count(&snapshot).await;
    let mut meanwhile = Vec::new();
    for _ in 0..MEANWHILE {
        tokio::time::sleep(Duration::from_secs(open) / MEANWHILE).await;
        meanwhile.push(rate(&place, &server).await);
    }
    assert_eq!(count(&snapshot).await, first, "it was open all the time");
    snapshot.rollback().await.unwrap();
    // Nothing of what was left for its sake is in the way of the last.
    stranger.execute_unprepared("VACUUM").await.unwrap();
    let after = rate(&place, &server).await;
    let shown = meanwhile.iter().map(|rate| format!("{rate:.0}")).collect::<Vec<_>>().join(", ");
    eprintln!(
        "snapshot open for {open} s: {usual:.0} tasks a second before it, {shown} meanwhile, {after:.0} after it"
    );
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE failures + crashes > 0").await, 0);
    // A machine that has got slower meanwhile is so afterwards, too.
    let half = usual.min(after) / 2.0;
    assert!(meanwhile.iter().all(|rate| *rate >= half), "less than half of what is usual");
}

/// How many tasks a second are done of those that are submitted together.
async fn rate(place: &Place, server: &Process) -> f64 {
    let began = Instant::now();
    server.self_tests(TASKS, 1, 0);
    let left = "SELECT COUNT(*) FROM queued_task WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')";
    until("all to complete", async || place.value(left).await == 0).await;
    f64::from(TASKS) / began.elapsed().as_secs_f64()
}

async fn count(snapshot: &DatabaseTransaction) -> i64 {
    let count = Statement::from_string(DbBackend::Postgres, "SELECT COUNT(*) FROM queued_task");
    snapshot.query_one_raw(count).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}
