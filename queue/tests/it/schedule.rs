//! Schedules: each fire once, whoever is there to do it, and none forgotten.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chrono_tz::Tz;
use queue::{
    Error, Runtime, Settings,
    lock::{Lock, LockRequest, Locks, MemoryLocks},
    prune::{PruneProcesses, PruneTasks},
    schedule::{self, Schedule, Scheduler, When, Work},
    test_faults::{FaultPlan, Faults},
};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::fixture::{Fixture, settings};

testkit::on_both!(
    of_many_who_look_one_fires,
    fires_that_were_missed_are_made_up_for_once,
    work_whose_process_died_is_done_again,
    work_that_was_done_is_not_done_again_when_its_end_was_noted_and_nothing_after,
    work_that_failed_is_recorded_and_comes_again,
    a_panic_is_a_failure_and_ends_no_other_schedule,
    a_disabled_schedule_never_fires,
    a_paused_schedule_waits,
    another_time_takes_effect_and_the_same_keeps_what_was_missed,
    a_time_that_cannot_be_read_leaves_the_former_one,
    a_running_scheduler_fires_by_itself,
    old_tasks_go_with_their_attempts_and_no_others,
    many_old_tasks_go_in_bounded_deletes,
    without_a_retention_tasks_stay,
    processes_that_died_are_forgotten_after_a_while,
);

const HOUR: Duration = Duration::from_secs(3_600);

/// Counts its fires; hangs or fails when told to.
#[derive(Default)]
struct Counted {
    fires: AtomicUsize,
    mood: Mutex<Option<Mood>>,
}

#[derive(Clone, Copy)]
enum Mood {
    Hangs,
    Fails,
    Panics,
}

#[async_trait]
impl Work for Counted {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        let fires = self.fires.fetch_add(1, Ordering::SeqCst) + 1;
        let mood = *self.mood.lock().unwrap();
        match mood {
            Some(Mood::Hangs) => std::future::pending().await,
            Some(Mood::Fails) => Err(Error::NoSuchTask),
            Some(Mood::Panics) => std::panic::panic_any("the calendar fell off the wall"),
            None => Ok(format!("{fires} done")),
        }
    }
}

struct Calendar {
    f: Fixture,
    work: Arc<Counted>,
}

impl Calendar {
    async fn on(on: On) -> Calendar {
        Calendar { f: Fixture::new(on).await, work: Arc::default() }
    }

    /// The scheduler of another process.
    async fn with(&self, configured: Option<&str>) -> Scheduler {
        let schedule = Schedule {
            name: "counted",
            default: When::Every(HOUR),
            configured: configured.map(str::to_owned),
            zone: Tz::UTC,
            work: self.work.clone(),
        };
        self.scheduler(schedule).await
    }

    async fn scheduler(&self, schedule: Schedule) -> Scheduler {
        let runtime = Runtime::unguarded(&self.f.queue).await.unwrap();
        Scheduler::new(&runtime, self.f.queue.locks(runtime.process()), vec![schedule])
    }

    async fn announced(&self) -> Scheduler {
        let scheduler = self.with(None).await;
        scheduler.announce().await.unwrap();
        scheduler
    }

    fn fires(&self) -> usize {
        self.work.fires.load(Ordering::SeqCst)
    }

    fn pass(&self, time: Duration) {
        self.f.test.clock.advance(time);
    }

    /// Outcome and detail of every fire, the first first.
    async fn recorded(&self) -> Vec<(Option<String>, Option<String>)> {
        let db = self.f.queue.db();
        let sql = "SELECT outcome, detail FROM schedule_fire ORDER BY planned_date";
        let rows = db.reader().query_all_raw(db.statement(sql, [])).await.unwrap();
        rows.iter().map(|row| (row.try_get("", "outcome").unwrap(), row.try_get("", "detail").unwrap())).collect()
    }

    async fn write(&self, sql: &str) {
        self.f.queue.db().write(sql, []).await.unwrap();
    }

    async fn expression(&self) -> String {
        schedule::list(self.f.queue.db()).await.unwrap().remove(0).expression
    }
}

async fn of_many_who_look_one_fires(on: On) {
    let c = Calendar::on(on).await;
    let schedulers = [c.announced().await, c.announced().await, c.announced().await];
    for round in 1..=5 {
        c.pass(HOUR);
        let fired = futures::future::join_all(schedulers.iter().map(Scheduler::tick)).await;
        assert_eq!(fired.into_iter().map(Result::unwrap).sum::<usize>(), 1, "round {round}");
        assert_eq!(c.fires(), round);
    }
    for scheduler in &schedulers {
        assert_eq!(scheduler.tick().await.unwrap(), 0);
    }
}

async fn fires_that_were_missed_are_made_up_for_once(on: On) {
    let c = Calendar::on(on).await;
    drop(c.announced().await);
    c.pass(HOUR * 30);
    let scheduler = c.announced().await;
    assert_eq!((scheduler.tick().await.unwrap(), scheduler.tick().await.unwrap()), (1, 0));
    let next = schedule::list(c.f.queue.db()).await.unwrap().remove(0).next_fire.unwrap();
    assert!(next > c.f.queue.db().now().await.unwrap(), "nothing is left to make up for: {next}");
    c.pass(HOUR);
    assert_eq!((scheduler.tick().await.unwrap(), c.fires()), (1, 2));
}

async fn work_whose_process_died_is_done_again(on: On) {
    let c = Calendar::on(on).await;
    let (a, b) = (c.announced().await, c.announced().await);
    c.pass(HOUR);
    *c.work.mood.lock().unwrap() = Some(Mood::Hangs);
    tokio::select! {
        _ = a.tick() => panic!("it hangs"),
        () = async { while c.fires() == 0 { tokio::task::yield_now().await } } => {}
    }
    *c.work.mood.lock().unwrap() = None;
    assert_eq!(b.tick().await.unwrap(), 0, "the lock of the dead is still held");
    c.pass(Duration::from_secs(61));
    assert_eq!((b.tick().await.unwrap(), c.fires()), (1, 2));
    assert_eq!(c.recorded().await, [(Some("DONE".into()), Some("2 done".into()))], "one fire, of one instant");
}

async fn work_that_was_done_is_not_done_again_when_its_end_was_noted_and_nothing_after(on: On) {
    let c = Calendar::on(on).await;
    let scheduler = c.announced().await;
    c.pass(HOUR);
    let row = schedule::list(c.f.queue.db()).await.unwrap().remove(0);
    scheduler.tick().await.unwrap();
    // As if the process had died before it moved the schedule on.
    let db = c.f.queue.db();
    db.write("UPDATE schedule SET next_fire = $1", [row.next_fire.into()]).await.unwrap();
    c.pass(Duration::from_secs(2));
    assert_eq!((scheduler.tick().await.unwrap(), c.fires()), (0, 1));
    assert!(schedule::list(db).await.unwrap()[0].next_fire > row.next_fire);
}

async fn work_that_failed_is_recorded_and_comes_again(on: On) {
    let c = Calendar::on(on).await;
    let scheduler = c.announced().await;
    *c.work.mood.lock().unwrap() = Some(Mood::Fails);
    c.pass(HOUR);
    scheduler.tick().await.unwrap();
    assert_eq!(c.recorded().await, [(Some("FAILED".into()), Some("there is no such task".into()))]);
    *c.work.mood.lock().unwrap() = None;
    c.pass(HOUR);
    assert_eq!((scheduler.tick().await.unwrap(), c.fires()), (1, 2));
}

async fn a_panic_is_a_failure_and_ends_no_other_schedule(on: On) {
    let c = Calendar::on(on).await;
    let scheduler = c.announced().await;
    *c.work.mood.lock().unwrap() = Some(Mood::Panics);
    c.pass(HOUR);
    assert_eq!(scheduler.tick().await.unwrap(), 1);
    assert_eq!(c.recorded().await, [(Some("FAILED".into()), Some("it panicked".into()))]);
    *c.work.mood.lock().unwrap() = None;
    c.pass(HOUR);
    assert_eq!((scheduler.tick().await.unwrap(), c.fires()), (1, 2));
}

async fn a_disabled_schedule_never_fires(on: On) {
    let c = Calendar::on(on).await;
    drop(c.announced().await);
    let scheduler = c.with(Some("DISABLED")).await;
    scheduler.announce().await.unwrap();
    c.pass(HOUR * 1_000);
    assert_eq!((scheduler.tick().await.unwrap(), c.fires()), (0, 0));
}

async fn a_paused_schedule_waits(on: On) {
    let c = Calendar::on(on).await;
    let scheduler = c.announced().await;
    c.write("UPDATE schedule SET paused = TRUE").await;
    c.pass(HOUR);
    assert_eq!(scheduler.tick().await.unwrap(), 0);
    c.write("UPDATE schedule SET paused = FALSE").await;
    assert_eq!(scheduler.tick().await.unwrap(), 1);
}

async fn another_time_takes_effect_and_the_same_keeps_what_was_missed(on: On) {
    let c = Calendar::on(on).await;
    drop(c.announced().await);
    c.pass(HOUR);
    c.announced().await;
    assert!(schedule::list(c.f.queue.db()).await.unwrap()[0].next_fire.unwrap() <= c.f.queue.db().now().await.unwrap());
    let other = c.with(Some("every 7200s")).await;
    other.announce().await.unwrap();
    assert_eq!((c.expression().await, other.tick().await.unwrap()), ("every 7200s".to_owned(), 0));
    c.pass(HOUR * 2);
    assert_eq!(other.tick().await.unwrap(), 1);
}

async fn a_time_that_cannot_be_read_leaves_the_former_one(on: On) {
    let c = Calendar::on(on).await;
    c.with(Some("every 600s")).await.announce().await.unwrap();
    c.with(Some("every now and then")).await.announce().await.unwrap();
    assert_eq!(c.expression().await, "every 600s");
    // And what is in the table for no process to read does not stop the schedule.
    c.write("UPDATE schedule SET expression = 'when the moon is full'").await;
    c.pass(HOUR);
    assert_eq!(c.with(Some("tomorrow")).await.tick().await.unwrap(), 1);
    assert!(schedule::list(c.f.queue.db()).await.unwrap()[0].next_fire.is_some());
}

async fn a_running_scheduler_fires_by_itself(on: On) {
    let c = Calendar::on(on).await;
    let scheduler = c.with(Some("every 1s")).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let passing = async {
        // Ended by the bound of the test.
        while c.fires() == 0 {
            c.pass(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        stop.cancel();
    };
    tokio::join!(scheduler.run(stop.clone()), passing);
}

async fn prune(c: &Calendar, work: impl Work + 'static) {
    let schedule =
        Schedule { name: "prune", default: When::Every(HOUR), configured: None, zone: Tz::UTC, work: Arc::new(work) };
    let scheduler = c.scheduler(schedule).await;
    scheduler.announce().await.unwrap();
    c.pass(HOUR);
    assert_eq!(scheduler.tick().await.unwrap(), 1);
    assert_eq!(c.recorded().await.pop().unwrap().0.as_deref(), Some("DONE"));
}

async fn old_tasks_go_with_their_attempts_and_no_others(on: On) {
    let c = Calendar::on(on).await;
    let runtime = c.f.runtime().await;
    let mut old = Vec::new();
    for _ in 0..3 {
        old.push(c.f.steps(1).await);
    }
    c.f.settle(&runtime).await;
    c.pass(HOUR * 48);
    let recent = c.f.steps(1).await;
    c.f.settle(&runtime).await;
    let waiting = c.f.steps(1).await;
    prune(&c, PruneTasks::new(c.f.queue.db().clone(), Some(HOUR * 24))).await;
    for id in old {
        assert!(c.f.queue.task(id).await.unwrap().is_none());
        assert!(c.f.queue.attempts(id).await.unwrap().is_empty());
    }
    for id in [recent, waiting] {
        assert!(c.f.queue.task(id).await.unwrap().is_some());
    }
    assert_eq!(c.recorded().await[0].1.as_deref(), Some("3 tasks"));
}

async fn many_old_tasks_go_in_bounded_deletes(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    f.steps(1).await;
    f.settle(&runtime).await;
    let db = f.queue.db();
    let txn = db.begin_write().await.unwrap();
    let id = if on == On::Postgres { "gen_random_uuid()" } else { "randomblob(16)" };
    for _ in 0..10 {
        for sql in [
            "CREATE TEMPORARY TABLE doubled AS SELECT * FROM queued_task",
            &format!(
                "UPDATE doubled SET id = {id}, submit_order = submit_order + (SELECT MAX(submit_order) FROM queued_task)"
            ),
            "INSERT INTO queued_task SELECT * FROM doubled",
            "DROP TABLE doubled",
        ] {
            txn.execute_unprepared(sql).await.unwrap();
        }
    }
    db.commit(txn).await.unwrap();
    f.test.clock.advance(HOUR * 48);
    let locks = Locks::new(Arc::new(MemoryLocks::new(f.test.clock.clone())), "a");
    let lock = locks.try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    let counted = Faults::new(FaultPlan::default());
    db.disturb(counted.clone());
    let said = PruneTasks::new(db.clone(), Some(HOUR * 24)).fire(&lock).await.unwrap();
    let (_, commits) = counted.end();
    assert_eq!((said.as_str(), commits), ("1,024 tasks", 3), "500, 500, and 24");
}

async fn without_a_retention_tasks_stay(on: On) {
    let c = Calendar::on(on).await;
    let runtime = c.f.runtime().await;
    let id = c.f.steps(1).await;
    c.f.settle(&runtime).await;
    c.pass(HOUR * 100_000);
    prune(&c, PruneTasks::new(c.f.queue.db().clone(), None)).await;
    assert!(c.f.queue.task(id).await.unwrap().is_some());
}

async fn processes_that_died_are_forgotten_after_a_while(on: On) {
    let c = Calendar {
        f: Fixture::with(on, Settings { system_id: "old".into(), ..settings() }).await,
        work: Arc::default(),
    };
    let _gone = c.f.runtime().await;
    c.pass(HOUR * 25);
    let here = c.f.runtime().await;
    prune(&c, PruneProcesses::new(c.f.queue.db().clone())).await;
    let db = c.f.queue.db();
    let rows = db.reader().query_all_raw(db.statement("SELECT id FROM process", [])).await.unwrap();
    let left: Vec<String> = rows.iter().map(|row| row.try_get("", "id").unwrap()).collect();
    match on {
        // That of the schedule, too.
        On::Postgres => assert!(left.len() == 2 && left.iter().any(|id| id == here.process())),
        On::Sqlite => assert_eq!(left.len(), 3, "the next start forgets them"),
    }
}
