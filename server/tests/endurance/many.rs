//! Ten thousand tasks on two processes.

use testkit::On;

use crate::binary::Place;

const TASKS: u32 = 10_000;
/// Fewer than the slots of both.
const LIMIT: i64 = 12;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn ten_thousand_tasks_on_two_processes_are_each_done_once() {
    let place = Place::on(On::Postgres).await;
    let settings = [("DOCKET__QUEUE__SELF_TEST", "true"), ("DOCKET__QUEUE__PER_KIND__SELF_TEST", "12")];
    let web = place.start("web", "web", &settings);
    let one = place.start("one", "worker", &settings);
    let two = place.start("two", "worker", &settings);
    let began = std::time::Instant::now();
    web.self_tests(TASKS, 2, 0);
    loop {
        let left = place.value("SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'").await;
        if left == 0 {
            break;
        }
        assert!(began.elapsed().as_secs() < 600, "{left} are left");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    let took = began.elapsed();
    let count = async |what: &str| place.value(&format!("SELECT COUNT(*) FROM {what}")).await;
    assert_eq!(count("queued_task").await, i64::from(TASKS));
    assert_eq!(count("queued_task WHERE attempt <> 1 OR succeeded <> 2 OR failures + crashes > 0 OR rescued").await, 0);
    assert_eq!(count("queued_task WHERE scheduled_by_process IS NOT NULL").await, 0);
    assert_eq!(count("task_attempt").await, i64::from(TASKS));
    assert_eq!(count("task_attempt WHERE outcome <> 'COMPLETED' OR stopped_date IS NULL").await, 0);
    let all = most_at_once(&place, "TRUE").await;
    let (by_one, by_two) = (
        count("task_attempt WHERE process LIKE 'one-%'").await,
        count("task_attempt WHERE process LIKE 'two-%'").await,
    );
    let at_once =
        [most_at_once(&place, "process LIKE 'one-%'").await, most_at_once(&place, "process LIKE 'two-%'").await];
    eprintln!(
        "{TASKS} tasks in {took:.1?}; one did {by_one}, two did {by_two}; at once: {all} of {LIMIT}, {at_once:?} of 8"
    );
    assert!(all <= LIMIT && at_once.into_iter().all(|most| most <= 8));
    assert!(by_one > 0 && by_two > 0);
    for process in [&one, &two] {
        assert!(!process.log().contains("took the task back"));
    }
}

/// The most attempts that were under way at the same moment.
async fn most_at_once(place: &Place, which: &str) -> i64 {
    let sql = format!(
        "SELECT CAST(MAX(running) AS bigint) FROM (
            SELECT SUM(step) OVER (ORDER BY moment, step) AS running FROM (
                SELECT started_date AS moment, 1 AS step FROM task_attempt WHERE {which}
                UNION ALL SELECT stopped_date, -1 FROM task_attempt WHERE {which}) AS events) AS sums"
    );
    place.value(&sql).await
}
