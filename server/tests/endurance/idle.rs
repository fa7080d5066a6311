//! What a process costs that has nothing to do.

use std::time::Duration;

use testkit::On;

use crate::binary::Place;

const MINUTE: Duration = Duration::from_secs(60);
/// Three times what it takes, in milliseconds of a processor and minute.
const MOST: u64 = 540;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_idle_process_costs_little_on_sqlite() {
    idle(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_idle_process_costs_little_on_postgres() {
    idle(On::Postgres).await;
}

async fn idle(on: On) {
    let place = Place::on(on).await;
    let process = place.start("idle", "all", &[("RUST_LOG", "info,sqlx::query=debug")]);
    tokio::time::sleep(Duration::from_secs(5)).await;
    let cpu = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
        let fields: Vec<u64> = stat.rsplit(") ").next().unwrap().split(' ').map(|f| f.parse().unwrap_or(0)).collect();
        // User and system time, in hundredths of a second.
        fields[11] + fields[12]
    };
    let queries = || process.log().matches("sqlx::query").count();
    let (cpu_before, queries_before) = (cpu(), queries());
    tokio::time::sleep(MINUTE).await;
    let (spent, asked) = (cpu() - cpu_before, queries() - queries_before);
    eprintln!("idle on {on:?} for a minute: {:.2} queries a second, {} ms of CPU", asked as f64 / 60.0, spent * 10);
    assert!(asked > 0 && spent * 10 < MOST);
}
