//! How long a status change of everybody takes beside the floor: the same rows written by a bare set-based script; and what
//! it costs others meanwhile.
//!
//! `status_change URL [COUNT] [ROUNDS]`: fills the database at URL with generated people if they are not there yet. Each round
//! runs the floor and then the product, each from the status that the other left.

use std::{
    cell::Cell,
    convert::Infallible,
    env::Args,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use bench::{Bench, Ratio, goal::Goals, summary, within};
use caseload::{Exports, files::Files};
use model::{Action, PeopleFilter, PeopleQuery, Scope, Submission, Target, submission::SubmitSource};
use queue::{Database, Runtime, Transaction};
use sea_orm::ConnectionTrait;
use tokio::sync::Notify;
use uuid::Uuid;

/// How often others are timed before anything is done.
const IDLE: usize = 200;

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: status_change URL [COUNT] [ROUNDS]")?;
    let count: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let bench = Bench::open(&url, count, Exports::with_defaults(Files::in_memory())).await?;
    let runtime = Runtime::start(bench.caseload.queue()).await?;
    let everybody = bench.db.begin_write().await?;
    everybody.execute_unprepared("UPDATE person SET activated = TRUE WHERE student AND NOT activated").await?;
    bench.db.commit(everybody).await?;
    let mut idle = Times::default();
    for _ in 0..IDLE {
        idle.take(&bench).await?;
    }
    let longest = Cell::new(0);
    let (mut ours, mut floors, mut meanwhile) = (Vec::new(), Vec::new(), Times::default());
    for round in 1..=rounds {
        clear(&bench).await?;
        let floor = floor(&bench, "INACTIVE").await?;
        clear(&bench).await?;
        let over = Notify::new();
        longest.set(0);
        let busy = async {
            let took = change(&bench, &runtime, "TRANSITIONED", count).await;
            over.notify_one();
            took
        };
        let both = async { tokio::try_join!(busy, others(&bench, &over)) };
        let (took, times) = tokio::select! {
            both = both => both?,
            never = watch_transactions(&bench.db, &longest) => match never? {},
        };
        meanwhile.extend(times);
        println!(
            "round {round}: floor {floor:.1} s, product {took:.1} s, {:.2}; longest transaction {:.0} ms",
            took / floor,
            longest.get() as f64 / 1e3
        );
        ours.push(took);
        floors.push(floor);
    }
    let (database, ratio) = (bench.database(), Ratio::of(&ours, &floors));
    println!("{count} people, {database}: {ratio} × the floor");
    let mut goals = Goals::default();
    goals.at_most(&format!("a status change on {database} beside the floor, times"), ratio.median, 1.3);
    for (what, idle, busy) in [
        ("sign-in", &mut idle.sign_ins, &mut meanwhile.sign_ins),
        ("people search", &mut idle.searches, &mut meanwhile.searches),
    ] {
        let (idle, busy) = (summary(idle), summary(busy));
        println!(
            "{what:<14} idle median {:.1} ms p95 {:.1} ms worst {:.1} ms; meanwhile median {:.1} ms p95 {:.1} ms worst {:.1} ms",
            idle.0, idle.1, idle.2, busy.0, busy.1, busy.2
        );
    }
    for (what, idle, busy) in [
        ("sign-in", &mut idle.sign_ins, &mut meanwhile.sign_ins),
        ("search", &mut idle.searches, &mut meanwhile.searches),
    ] {
        let figure = format!("99 of 100 times a {what} during one on {database} beside before, times");
        goals.at_most(&figure, within(busy, 0.99) / within(idle, 0.99), 2.0);
    }
    if !bench.db.is_postgres() {
        goals.at_most("the longest sign-in during one on SQLite, ms", within(&mut meanwhile.sign_ins, 1.0), 100.0);
    }
    goals.kept()
}

/// What it costs others.
#[derive(Default)]
struct Times {
    sign_ins: Vec<Duration>,
    searches: Vec<Duration>,
}

impl Times {
    async fn take(&mut self, bench: &Bench) -> Result<()> {
        let began = Instant::now();
        bench.caseload.accounts().sign_in("bench", "only for this benchmark", None).await?;
        self.sign_ins.push(began.elapsed());
        let filter = PeopleFilter { scope: Some(Scope::All), q: "sor".to_owned(), ..PeopleFilter::default() };
        let began = Instant::now();
        bench.caseload.people().list(&bench.manager, &PeopleQuery { filter, ..PeopleQuery::default() }).await?;
        self.searches.push(began.elapsed());
        Ok(())
    }

    fn extend(&mut self, more: Times) {
        self.sign_ins.extend(more.sign_ins);
        self.searches.extend(more.searches);
    }
}

/// Signs in and searches, ten times a second, until it is over.
async fn others(bench: &Bench, over: &Notify) -> Result<Times> {
    let mut times = Times::default();
    loop {
        times.take(bench).await?;
        tokio::select! {
            () = over.notified() => return Ok(times),
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }
}

/// Keeps the length of the longest transaction seen, in microseconds: on PostgreSQL as the server tells it, on SQLite as the
/// time that another writer has to wait.
async fn watch_transactions(db: &Database, longest: &Cell<u64>) -> Result<Infallible> {
    loop {
        let seen = if db.is_postgres() {
            let row = db.reader().query_one_raw(db.statement(OLDEST, [])).await?.context("no row")?;
            row.try_get_by_index::<i64>(0)? as u64
        } else {
            let began = Instant::now();
            db.begin_write().await?.rollback().await?;
            began.elapsed().as_micros() as u64
        };
        longest.set(longest.get().max(seen));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How long the oldest transaction of others lasts by now, in microseconds.
const OLDEST: &str = "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000000), 0)::bigint
    FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";

/// A transaction whose statements may take as long as they like, unlike any of the product.
async fn begin_patient(db: &Database) -> Result<Transaction> {
    let txn = db.begin_write().await?;
    if db.is_postgres() {
        txn.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
    }
    Ok(txn)
}

/// Empties what the rounds before wrote, so that each begins alike.
async fn clear(bench: &Bench) -> Result<()> {
    let txn = begin_patient(&bench.db).await?;
    for sql in [
        "DELETE FROM task_person",
        "DELETE FROM program_status_history WHERE expiration_date IS NOT NULL",
        "DELETE FROM queued_task",
    ] {
        txn.execute_unprepared(sql).await?;
    }
    bench.db.commit(txn).await?;
    if bench.db.is_postgres() {
        let vacuum = "VACUUM ANALYZE task_person; VACUUM ANALYZE program_status_history; VACUUM ANALYZE person";
        for sql in vacuum.split("; ") {
            bench.db.reader().execute_unprepared(sql).await?;
        }
    } else {
        // What was written here is moved out of the log here, and not by whoever writes next.
        bench.db.reader().execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await?;
    }
    Ok(())
}

/// The same rows as bare statements over everybody at once: freeze, history, ledger.
async fn floor(bench: &Bench, status: &str) -> Result<f64> {
    let (db, task) = (&bench.db, Uuid::now_v7());
    let began = Instant::now();
    let txn = begin_patient(db).await?;
    for sql in [
        "INSERT INTO task_person (task_id, position, person_id)
            SELECT $1, row_number() OVER (ORDER BY id), id FROM person WHERE student ORDER BY id",
        "UPDATE program_status_history SET expiration_date = {now} WHERE expiration_date IS NULL AND $1 = $1",
        "INSERT INTO program_status_history (person_id, program_status, effective_date, created_by, task_id)
            SELECT person_id, 'STATUS', {now}, $1, $1 FROM task_person WHERE task_id = $1",
        "UPDATE task_person SET outcome = 'DONE', before_value = 'before', after_value = 'after', outcome_date = {now}
            WHERE task_id = $1",
        "UPDATE person SET program_status = 'STATUS', change_reason = NULL, status_date = {now}, modified_date = {now}
            WHERE student AND $1 = $1",
    ] {
        txn.execute_raw(db.test_statement(&sql.replace("STATUS", status), [task.into()])).await?;
    }
    db.commit(txn).await?;
    Ok(began.elapsed().as_secs_f64())
}

/// Seconds from the submit to the end.
async fn change(bench: &Bench, runtime: &Runtime, status: &str, count: u64) -> Result<f64> {
    let action = Action::program_status(status, "", "").map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let submission = Submission {
        action: Some(action),
        target: Some(Target::Everyone),
        confirm_total: Some(count),
        everyone_confirmed: true,
        ..Submission::from_source(SubmitSource::Program)
    };
    let began = Instant::now();
    let task = bench.caseload.actions().submit(&bench.manager, submission).await?.id;
    while runtime.tick().await? > 0 {
        runtime.idle().await;
    }
    let took = began.elapsed().as_secs_f64();
    let row = bench.caseload.tasks().get(&bench.manager, task).await?.row;
    anyhow::ensure!(row.succeeded == count, "{} people instead of {count}: {}", row.succeeded, row.label);
    Ok(took)
}
