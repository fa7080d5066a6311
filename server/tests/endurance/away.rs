//! PostgreSQL restarted as by power cuts, away for a minute, and cut off at its commits: everything is done once, and the pages
//! say that they cannot answer and come back by themselves.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use serde_json::json;
use testkit::{
    OwnPostgres,
    cuts::{self, At},
};

use crate::{
    binary::{Place, Process},
    college::{SMALL, assert_each_treated_once, change, generate},
};

const SETTINGS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), SMALL, ("DOCKET__QUEUE__BACKOFF", "1s")];

struct Cluster {
    web: Process,
    _workers: [Process; 2],
}

impl Cluster {
    fn on(place: &Place) -> Cluster {
        let web = place.start("web", "web", SETTINGS);
        let workers = ["one", "two"].map(|name| place.start(name, "worker", SETTINGS));
        Cluster { web, _workers: workers }
    }

    /// The status of a request with a token; 0 when there was no answer.
    fn status(&self, path: &str, body: Option<&serde_json::Value>) -> u16 {
        let (url, token) = (format!("http://{}{path}", self.web.address), format!("Bearer {}", self.web.token));
        let agent = ureq::Agent::new_with_config(
            ureq::Agent::config_builder()
                .http_status_as_error(false)
                .timeout_global(Some(Duration::from_secs(30)))
                .build(),
        );
        let answer = match body {
            Some(body) => {
                agent.post(url).header("authorization", token).content_type("application/json").send(body.to_string())
            }
            None => agent.get(url).header("authorization", token).call(),
        };
        answer.map_or(0, |answer| answer.status().as_u16())
    }

    fn submit_some(&self) -> u16 {
        self.status("/api/1/admin/self-test", Some(&json!({ "count": 20, "chunks": 5, "sleepMs": 5 })))
    }
}

/// Waits until everything is done, and looks at what came of it.
async fn assert_all_done(place: &Place, patience: Duration) {
    let began = Instant::now();
    let left = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    while place.value(left).await > 0 {
        assert!(began.elapsed() < patience, "{} are left", place.value(left).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let tests = "SELECT COUNT(*) FROM queued_task WHERE execution_component_name = 'self-test' AND succeeded <> 5";
    assert_eq!(place.value(tests).await, 0);
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process IS NOT NULL").await, 0);
    assert_each_treated_once(place).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn postgres_restarts_ten_times_under_load() {
    let postgres = OwnPostgres::start().unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    generate(&place);
    let cluster = Cluster::on(&place);
    change(&cluster.web);
    let (mut accepted, mut refused) = (0, std::collections::BTreeMap::new());
    for _ in 0..10 {
        let round = Instant::now();
        while round.elapsed() < Duration::from_secs(5) {
            match cluster.submit_some() {
                202 => accepted += 20,
                status => *refused.entry(status).or_insert(0) += 1,
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::task::block_in_place(|| postgres.restart().unwrap());
    }
    eprintln!("10 restarts: {accepted} tasks accepted, refusals by status: {refused:?}");
    assert!(refused.keys().all(|status| *status == 503), "{refused:?}");
    assert!(accepted >= 10 * 20, "{accepted} were accepted: the restarts had no load");
    assert_all_done(&place, Duration::from_secs(180)).await;
    let there = place.value("SELECT COUNT(*) FROM queued_task WHERE execution_component_name = 'self-test'").await;
    assert!(there >= accepted, "{there} of {accepted}");
    let failures = place.value("SELECT CAST(COALESCE(SUM(failures), 0) AS bigint) FROM queued_task").await;
    eprintln!("10 restarts: all done once; {there} self-tests in the table, {failures} failures counted");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn postgres_is_away_for_a_minute() {
    let postgres = OwnPostgres::start().unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    generate(&place);
    let cluster = Cluster::on(&place);
    change(&cluster.web);
    assert_eq!(cluster.submit_some(), 202);
    tokio::task::block_in_place(|| postgres.down().unwrap());
    let (down, mut slowest) = (Instant::now(), Duration::ZERO);
    let mut answers = std::collections::BTreeMap::new();
    while down.elapsed() < Duration::from_secs(60) {
        let asked = Instant::now();
        *answers.entry(cluster.status("/api/1/people?scope=all", None)).or_insert(0) += 1;
        slowest = slowest.max(asked.elapsed());
        *answers.entry(cluster.submit_some()).or_insert(0) += 1;
    }
    assert!(answers.keys().all(|status| *status == 503), "{answers:?}");
    tokio::task::block_in_place(|| postgres.up().unwrap());
    let up = Instant::now();
    while cluster.status("/api/1/people?scope=all", None) != 200 {
        assert!(up.elapsed() < Duration::from_secs(60));
    }
    let recovered = up.elapsed();
    eprintln!(
        "a minute away: {answers:?}, slowest answer {slowest:.1?}, answers again {recovered:.1?} after the start"
    );
    assert!(recovered < Duration::from_secs(5));
    assert_all_done(&place, Duration::from_secs(120)).await;
    eprintln!("a minute away: all done once, {:.1?} after the start", up.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn connections_are_cut_before_and_after_commits() {
    let postgres = OwnPostgres::start().unwrap();
    let (port, cuts) = cuts::before(postgres.port, At::Every(25)).await.unwrap();
    // Nothing is cut until there is work.
    cuts.over.store(true, Ordering::SeqCst);
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", port).unwrap());
    generate(&place);
    let cluster = Cluster::on(&place);
    change(&cluster.web);
    cuts.over.store(false, Ordering::SeqCst);
    let mut answers = std::collections::BTreeMap::new();
    for _ in 0..40 {
        *answers.entry(cluster.submit_some()).or_insert(0) += 1;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    cuts.over.store(true, Ordering::SeqCst);
    eprintln!(
        "cut before {} commits and after {}; answers {answers:?}",
        cuts.before.load(Ordering::SeqCst),
        cuts.after.load(Ordering::SeqCst)
    );
    let cut = [&cuts.before, &cuts.after].map(|number| number.load(Ordering::SeqCst));
    assert!(cut.iter().all(|number| *number > 0), "nothing was cut: {cut:?}");
    assert!(answers.keys().all(|status| [202, 503].contains(status)), "{answers:?}");
    assert_all_done(&place, Duration::from_secs(180)).await;
}
