//! What a claim, a place in line, a look at what is due and a page of a list cost: the same however many tasks wait or have ended.
//! Which way the database takes is asked of it, with fresh statistics and with none, at a size where a wrong one shows; the time
//! is said and proves nothing.

use std::time::{Duration, Instant};

use model::{AccountId, TaskState};
use queue::{
    Database, Runtime, Settings, TaskSearch,
    test_faults::{FaultPlan, Faults},
};
use sea_orm::{ConnectionTrait, Statement};
use testkit::{On, Original};
use tokio::sync::OnceCell;

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(
    a_hundred_thousand_that_wait_cost_a_claim_nothing,
    a_hundred_thousand_that_wait_cost_a_place_in_line_nothing,
    those_that_have_ended_cost_the_cleaner_and_the_scaler_nothing,
    a_page_of_a_list_reads_no_more_than_it_shows,
);

const WAITING: i64 = 100_000;
/// Owners who may have more, behind the one who may not.
const OTHERS: i64 = 20;

/// A queue with many that wait.
async fn waiting(on: On, settings: Settings) -> Fixture {
    static MADE: [OnceCell<Original>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
    let make = async || {
        let f = Fixture::new(on).await;
        fill(&f).await;
        f.test.into_original().await.unwrap()
    };
    let made = MADE[usize::from(on == On::Postgres)].get_or_init(make).await;
    Fixture::at(made.copy().await.unwrap(), settings)
}

/// One where most of them have ended.
async fn ended(on: On, settings: Settings) -> Fixture {
    static MADE: [OnceCell<Original>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
    let make = async || {
        let f = waiting(on, self::settings()).await;
        end_most(&f).await;
        f.test.into_original().await.unwrap()
    };
    let made = MADE[usize::from(on == On::Postgres)].get_or_init(make).await;
    Fixture::at(made.copy().await.unwrap(), settings)
}

/// Puts many of one owner into the line, some of others behind them, and half as many that are to start tomorrow.
async fn fill(f: &Fixture) {
    let db = &f.test.db;
    let (id, owner, tomorrow) = match db.is_postgres() {
        true => (
            "gen_random_uuid()",
            "CAST(LPAD(CAST(n AS text), 32, '0') AS uuid)",
            "CAST($2 AS timestamptz) + interval '1 day'",
        ),
        false => {
            ("randomblob(16)", "CAST(printf('%016d', n) AS blob)", "strftime('%Y-%m-%dT%H:%M:%f+00:00', $2, '1 day')")
        }
    };
    let sql = format!(
        "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {})
         INSERT INTO queued_task (id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
            execution_component_name, execution_spec, execution_state, workflow_status, trigger_date, attempt, progressed,
            failures, max_failures, crashes, rescued, priority, succeeded, skipped, failed, uncertain, held, in_line)
         SELECT {id}, n, $2, $1, $2, $1, CASE WHEN n <= {WAITING} THEN $1 ELSE {owner} END, $1,
            'steps', '{{\"steps\":1}}', '{{}}',
            'QUEUED', CASE WHEN n <= {WAITING} + {OTHERS} THEN $2 ELSE {tomorrow} END, 0, FALSE, 0, 5, 0, FALSE, 0, 0, 0, 0, 0,
            FALSE, n <= {WAITING} + {OTHERS}
         FROM number",
        WAITING + WAITING / 2,
    );
    let txn = db.begin_write().await.unwrap();
    if db.is_postgres() {
        txn.execute_unprepared("ALTER TABLE queued_task SET (autovacuum_enabled = false)").await.unwrap();
    }
    txn.execute_raw(db.statement(&sql, [OWNER.into(), db.now().await.unwrap().into()])).await.unwrap();
    db.commit(txn).await.unwrap();
}

/// The lines of the plan of a statement.
async fn plan(db: &Database, txn: &impl ConnectionTrait, statement: &Statement) -> Vec<String> {
    let (explain, column) = if db.is_postgres() { ("EXPLAIN", "QUERY PLAN") } else { ("EXPLAIN QUERY PLAN", "detail") };
    let values = statement.values.clone().map(|values| values.0).unwrap_or_default();
    let asked = Statement::from_sql_and_values(db.backend(), format!("{explain} {}", statement.sql), values);
    let rows = txn.query_all_raw(asked).await.unwrap();
    rows.iter().map(|row| row.try_get("", column).unwrap()).collect()
}

/// By which indexes each of the looks of a claim may read the tasks, in their order: what runs, who comes into line, the head of the
/// line, the head of each owner's line, the first of those, and the picked ones by themselves.
const BY: [&[&str]; 6] = [
    &["queued_task_process"],
    &["queued_task_coming"],
    &["queued_task_claim"],
    &["queued_task_line", KEY],
    &["queued_task_line"],
    &[KEY],
];
/// The primary key, on either database.
const KEY: &str = "queued_task_pkey|sqlite_autoindex_queued_task_1";

/// Whether a line of a plan reads tasks otherwise than by one of these indexes.
fn is_long(line: &str, by: &[&str]) -> bool {
    let reads = ["Scan", "SCAN", "SEARCH"].iter().any(|word| line.contains(word))
        && ["queued_task", " head"].iter().any(|table| line.contains(table));
    reads && !by.iter().flat_map(|index| index.split('|')).any(|index| line.contains(index))
}

async fn assert_short_plans(f: &Fixture, statistics: &str) {
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    let looks = f.queue.claim_looks(OWNER);
    txn.query_all_raw(looks[0].clone()).await.unwrap();
    assert_eq!(looks.len() - 1, BY.len());
    for (look, by) in looks[1..].iter().zip(BY) {
        let plan = plan(db, &txn, look).await;
        let long: Vec<&String> = plan.iter().filter(|line| is_long(line, by)).collect();
        assert!(long.is_empty(), "{statistics}: {long:?} in {}\n{}", look.sql, plan.join("\n"));
        // An index in another order than the line would have all who wait sorted.
        if by == ["queued_task_claim"] && (!db.is_postgres() || statistics == "fresh statistics") {
            let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE") || line.contains("Sort"));
            assert!(!sorts, "{statistics}: {}\n{}", look.sql, plan.join("\n"));
        }
        let read =
            by.iter().flat_map(|index| index.split('|')).any(|index| plan.iter().any(|line| line.contains(index)));
        assert!(read, "{statistics}: {}\n{}", look.sql, plan.join("\n"));
    }
    txn.rollback().await.unwrap();
}

/// Claims one task after the other while one owner is at the limit, and says how long the looks of a claim took.
async fn say_times(f: &Fixture, statistics: &str) {
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 6, "one of the first owner, and of others behind all of the first one's");
    let (db, mut looked) = (&f.test.db, Vec::new());
    let looks = f.queue.claim_looks(OWNER);
    let txn = db.begin_write().await.unwrap();
    txn.query_all_raw(looks[0].clone()).await.unwrap();
    for _ in 0..5 {
        let began = Instant::now();
        for look in &looks[1..] {
            txn.query_all_raw(look.clone()).await.unwrap();
        }
        looked.push(began.elapsed());
    }
    txn.rollback().await.unwrap();
    looked.sort();
    say(&format!("all looks of a claim took {:?} with {statistics}", looked[2]));
    release.send_replace(true);
    runtime.idle().await;
}

#[expect(clippy::print_stderr, reason = "the time is worth knowing")]
fn say(what: &str) {
    eprintln!("{what}");
}

async fn a_hundred_thousand_that_wait_cost_a_claim_nothing(on: On) {
    let f = waiting(on, Settings { per_owner: 1, slots: 6, max_per_tick: 1, ..settings() }).await;
    assert_short_plans(&f, "no statistics").await;
    say_times(&f, "no statistics").await;
    f.test.analyze().await.unwrap();
    assert_short_plans(&f, "fresh statistics").await;
    say_times(&f, "fresh statistics").await;
}

/// The indexes of those whose date has come.
const LINE: [&str; 3] = ["queued_task_claim", "queued_task_line", "queued_task_coming"];

/// Whether a line of a plan looks for tasks otherwise than by one of these indexes; in which order they are then fetched does not
/// matter.
fn reads_beyond(line: &str, by: &[&str]) -> bool {
    !line.contains("Bitmap Heap Scan") && is_long(line, by)
}

/// Whether a line of a plan reads more than the head of the line: sorts, or looks for tasks by another index.
fn is_longer_than_the_head(line: &str) -> bool {
    line.contains("Sort Key: queued_task.rescued") || is_long(line, &["queued_task_claim", "queued_task_coming"])
}

async fn a_hundred_thousand_that_wait_cost_a_place_in_line_nothing(on: On) {
    let f = waiting(on, settings()).await;
    if f.test.db.is_postgres() {
        let counted =
            "SELECT setval(pg_get_serial_sequence('queued_task', 'submit_order'), MAX(submit_order)) FROM queued_task";
        f.test.db.reader().query_one_raw(f.test.db.statement(counted, [])).await.unwrap();
    }
    let last = f.task(f.add(steps_task(1)).await).await;
    let others = TaskSearch { oldest_first: true, limit: 25, ..TaskSearch::default() };
    let first = f.queue.tasks(&others).await.unwrap().tasks;
    for statistics in ["no statistics", "fresh statistics"] {
        let plan = plan(&f.test.db, f.test.db.reader(), &f.queue.place_look(&last)).await;
        let long: Vec<&String> = plan.iter().filter(|line| is_longer_than_the_head(line)).collect();
        // Until PostgreSQL has gathered statistics it takes so few to be in line that it sorts them; but no others.
        match on == On::Postgres && statistics == "no statistics" {
            true => assert!(!plan.iter().any(|line| reads_beyond(line, &LINE)), "{}", plan.join("\n")),
            false => assert!(long.is_empty(), "{statistics}: {long:?}\n{}", plan.join("\n")),
        }
        let row = f.test.db.reader().query_one_raw(f.queue.place_look(&last)).await.unwrap().unwrap();
        assert_eq!(row.try_get::<i64>("", "ahead").unwrap().unsigned_abs(), model::task::IN_LINE, "no more are read");
        let began = Instant::now();
        let tasks: Vec<&queue::Task> = first.iter().chain([&last]).collect();
        let places = f.queue.places_in_line(&tasks).await.unwrap();
        say(&format!("the places of a page took {:?} with {statistics}", began.elapsed()));
        let known: Vec<Option<u64>> = (1..=25).map(Some).chain([Some(model::task::IN_LINE + 1)]).collect();
        assert_eq!(places, known, "no further than the first thousand");
        f.test.analyze().await.unwrap();
    }
}

/// Who has few tasks among many.
const FEW: AccountId = AccountId::from_u128(0xF);

/// Ends most of the tasks that wait: some went through, some with problems, and a few failed. One owner has a third of them,
/// another few. In one statement, as each writes every task and its place in every index.
async fn end_most(f: &Fixture) {
    const ENDS: &str = "submit_order % 40 <> 0";
    // A second for each, so that there are times before and after.
    let dated = match f.test.db.is_postgres() {
        true => "created_date - (200000 - submit_order) * interval '1 second'",
        false => "strftime('%Y-%m-%dT%H:%M:%f+00:00', created_date, -(200000 - submit_order) || ' seconds')",
    };
    let sql = format!(
        "UPDATE queued_task SET created_date = {dated}, in_line = in_line AND NOT ({ENDS}),
            owner_id = CASE WHEN submit_order % 3 = 0 THEN $1 WHEN submit_order % 5000 = 1 THEN $2 ELSE owner_id END,
            workflow_stopped_date = CASE WHEN {ENDS} THEN created_date END,
            failed = CASE WHEN {ENDS} THEN submit_order % 2 ELSE 0 END,
            workflow_status = CASE WHEN NOT ({ENDS}) THEN workflow_status WHEN submit_order % 5 = 0 THEN 'FAILURE' ELSE 'COMPLETED' END"
    );
    f.test.db.write(&sql, [OWNER.into(), FEW.into()]).await.unwrap();
}

/// SQLite read every task that there ever was for each round of the one and each look of the other.
async fn those_that_have_ended_cost_the_cleaner_and_the_scaler_nothing(on: On) {
    // Nobody may have a task, so that all of them stay as they are.
    let f = ended(on, Settings { per_owner: 0, ..settings() }).await;
    // PostgreSQL gathers statistics by itself. SQLite has none.
    if on == On::Postgres {
        f.test.analyze().await.unwrap();
    }
    f.test.clock.advance(f.queue.settings().cleaning.resend_after + Duration::from_secs(1));
    let runtime = f.runtime().await;
    let faults = Faults::new(FaultPlan { keeps: true, ..FaultPlan::default() });
    f.test.db.disturb(faults.clone());
    assert_eq!(runtime.say_again().await.unwrap(), 0);
    assert_eq!(runtime.take_back_silent().await.unwrap(), 0);
    assert_eq!(f.queue.startable(WAITING).await.unwrap(), 0);
    let mut looks = faults.statements();
    looks.retain(|look| look.sql.contains("queued_task"));
    let kinds_are_asked_for = looks.iter().filter(|look| look.sql.contains("paused_kind")).count();
    assert!(kinds_are_asked_for >= 2, "the cleaner's look and the scaler's: {looks:?}");
    let by = ["queued_task_due", "queued_task_process", "queued_task_ended"];
    for look in &looks {
        let plan = plan(&f.test.db, f.test.db.reader(), look).await;
        let long: Vec<&String> = plan.iter().filter(|line| reads_beyond(line, &by)).collect();
        assert!(long.is_empty(), "{long:?} in {}\n{}", look.sql, plan.join("\n"));
    }
}

/// How many tasks the plan of a statement reads or sorts on PostgreSQL; on SQLite whether it walks without an index or sorts.
async fn most_read(f: &Fixture, statement: &Statement) -> (u64, String) {
    let db = &f.test.db;
    if !db.is_postgres() {
        let plan = plan(db, db.reader(), statement).await;
        let long = plan.iter().any(|line| line.contains("TEMP B-TREE") || line == "SCAN t");
        return (if long { u64::MAX } else { 0 }, plan.join("\n"));
    }
    let values = statement.values.clone().map(|values| values.0).unwrap_or_default();
    let asked = Statement::from_sql_and_values(
        db.backend(),
        format!("EXPLAIN (ANALYZE, TIMING OFF) {}", statement.sql),
        values,
    );
    let rows = db.reader().query_all_raw(asked).await.unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
    let number =
        |line: &str, after: &str| -> Option<f64> { line.split_once(after)?.1.split([' ', ')']).next()?.parse().ok() };
    let read = lines.iter().flat_map(|line| {
        let actual = line.split_once("(actual ").map(|(_, actual)| actual);
        let each = actual.and_then(|actual| Some(number(actual, "rows=")? * number(actual, "loops=")?));
        [each, number(line, "Rows Removed by Filter: ")].into_iter().flatten()
    });
    (read.fold(0.0, f64::max) as u64, lines.join("\n"))
}

async fn a_page_of_a_list_reads_no_more_than_it_shows(on: On) {
    let f = ended(on, settings()).await;
    let now = f.test.db.now().await.unwrap();
    let (first, middle) =
        (f.queue.tasks(&TaskSearch { limit: 1, ..TaskSearch::default() }).await.unwrap().tasks[0].id, {
            let until = Some(now - chrono::TimeDelta::seconds(125_000));
            f.queue.tasks(&TaskSearch { until, limit: 1, ..TaskSearch::default() }).await.unwrap().tasks[0].id
        });
    let any = TaskSearch { limit: 25, ..TaskSearch::default() };
    let span = TaskSearch {
        since: Some(now - chrono::TimeDelta::seconds(130_000)),
        until: Some(now - chrono::TimeDelta::seconds(120_000)),
        ..any.clone()
    };
    let of = |search: &TaskSearch| {
        [
            search.clone(),
            TaskSearch { owner_id: Some(OWNER), ..search.clone() },
            TaskSearch { owner_id: Some(FEW), ..search.clone() },
            TaskSearch { kind: Some("steps".to_owned()), ..search.clone() },
            TaskSearch { states: vec![TaskState::Failed], ..search.clone() },
            TaskSearch { states: vec![TaskState::DoneWithProblems], ..search.clone() },
        ]
    };
    let mut searches = Vec::new();
    searches.extend(of(&any));
    searches.extend(of(&TaskSearch { after: Some(middle), ..any.clone() }));
    searches.extend(of(&TaskSearch { after: Some(middle), oldest_first: true, ..any.clone() }));
    searches.extend(of(&TaskSearch { newest: Some(first), ..any.clone() }));
    searches.extend(of(&span));
    let faults = Faults::new(FaultPlan { keeps: true, ..FaultPlan::default() });
    f.test.db.disturb(faults.clone());
    // PostgreSQL gathers statistics by itself, and guesses how many there are of each state until it has. SQLite has none.
    if on == On::Postgres {
        f.test.analyze().await.unwrap();
    }
    let mut slowest = Duration::ZERO;
    for search in &searches {
        // A span of time may be sorted, if it is short.
        let most = if search.since.is_some() { 10_100 } else { 1_100 };
        faults.statements();
        let began = Instant::now();
        let found = f.queue.tasks(search).await.unwrap().tasks.len();
        slowest = slowest.max(began.elapsed());
        assert!(found > 0, "{search:?}");
        for statement in faults.statements().iter().filter(|statement| statement.sql.contains("LIMIT 26")) {
            let (read, plan) = most_read(&f, statement).await;
            assert!(read <= most, "{read} read by {}\n{plan}", statement.sql);
        }
    }
    say(&format!("the slowest page took {slowest:?}"));
}
