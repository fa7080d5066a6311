//! What a second worker is worth on one PostgreSQL: the time for sleeping tasks and for status changes with one worker and with
//! two, in turns.
//!
//! `workers BINARY postgres://SERVER [ROUNDS]`: makes a database there with 40,000 people; each round runs 400 self-tests of
//! 100 ms and 8 status changes of 5,000 people each, first on one worker, then on two. PostgreSQL, the workers and the web
//! process share this machine: a second worker can take no more than the processors leave.

use std::{
    env::Args,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bench::{Ratio, docket::Docket, http};
use queue::{Clock, Database};
use sea_orm::ConnectionTrait;
use sqlx::{Connection, Executor, PgConnection};
use tokio::time::sleep;

const TESTS: u32 = 400;
const CHANGES: u64 = 8;
const EACH: u64 = 5_000;
const PATIENCE: Duration = Duration::from_secs(300);

pub async fn measure(mut arguments: Args) -> Result<()> {
    let usage = "usage: workers BINARY postgres://SERVER [ROUNDS]";
    let binary: PathBuf = arguments.next().context(usage)?.into();
    let server = arguments.next().context(usage)?;
    let rounds: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let name = format!("docket_bench_{}", std::process::id());
    let mut connection = PgConnection::connect(&server).await?;
    connection.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await?;
    let (front, _) = server.rsplit_once('/').context(usage)?;
    let url = format!("{front}/{name}");
    let settings = [
        ("DOCKET__DATABASE__URL", url.clone()),
        ("DOCKET__QUEUE__SELF_TEST", "true".to_owned()),
        ("DOCKET__QUEUE__PER_OWNER", "1000".to_owned()),
    ];
    let result = in_rounds(&binary, &url, &settings, rounds).await;
    connection.execute(sqlx::AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await?;
    result
}

async fn in_rounds(binary: &std::path::Path, url: &str, settings: &[(&str, String)], rounds: usize) -> Result<()> {
    let mut web = Docket::new(binary, settings)?;
    web.command_of(&["people", "generate", "--count", &(CHANGES * EACH).to_string(), "--seed", "7"])?;
    let token = web.account("admin", "administrator")?;
    web.start_as("web").await?;
    let db = Database::connect(url, Clock::default(), 2).await?;
    let mut workers = [Docket::new(binary, settings)?, Docket::new(binary, settings)?];
    let mut took = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    // One round more than is counted: everything is larger afterwards.
    for round in 0..=rounds {
        for (count, took) in [1, 2].into_iter().zip(&mut took) {
            for worker in &mut workers[..count] {
                worker.start_as("worker").await?;
            }
            let began = Instant::now();
            let body = format!(r#"{{"count":{TESTS},"chunks":1,"sleepMs":100}}"#);
            http::text(&web.address, &token, "POST", "/api/1/admin/self-test", Some(&body)).await?;
            until_done(&db).await?;
            let sleeping = began.elapsed().as_secs_f64();
            let began = Instant::now();
            for part in 0..CHANGES {
                let ids: Vec<_> = (1..=EACH).map(|number| format!("\"G7-{:07}\"", part * EACH + number)).collect();
                let status = if (round * 2 + count) % 2 == 0 { "ACTIVE" } else { "TRANSITIONED" };
                let body = format!(
                    r#"{{"target":{{"schoolIds":[{}]}},"programStatus":"{status}","confirmTotal":{EACH}}}"#,
                    ids.join(",")
                );
                http::text(&web.address, &token, "POST", "/api/1/people/program-status", Some(&body)).await?;
            }
            until_done(&db).await?;
            let changing = began.elapsed().as_secs_f64();
            if round > 0 {
                took[0].push(sleeping);
                took[1].push(changing);
                println!("round {round}, {count} worker(s): sleeping {sleeping:.2} s, changing {changing:.2} s");
            }
            for worker in &mut workers[..count] {
                worker.stop().await?;
            }
        }
    }
    let [one, two] = &took;
    println!("throughput of two workers to one, {rounds} rounds:");
    println!("  {TESTS} sleeping tasks: {}", Ratio::of(&one[0], &two[0]));
    println!("  {CHANGES} status changes of {EACH} people: {}", Ratio::of(&one[1], &two[1]));
    Ok(())
}

async fn until_done(db: &Database) -> Result<()> {
    let began = Instant::now();
    let left = "SELECT COUNT(*) AS open, COUNT(*) FILTER (WHERE workflow_status IN ('FAILURE', 'ERROR')) AS failed
        FROM queued_task WHERE workflow_status NOT IN ('COMPLETED', 'ABANDONED')";
    loop {
        let row = db.reader().query_one_raw(db.statement(left, [])).await?.context("no row")?;
        ensure!(row.try_get::<i64>("", "failed")? == 0, "a task failed");
        if row.try_get::<i64>("", "open")? == 0 {
            return Ok(());
        }
        ensure!(began.elapsed() < PATIENCE, "it takes too long");
        sleep(Duration::from_millis(10)).await;
    }
}
