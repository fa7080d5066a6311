//! Whoever fires a schedule is frozen beyond the time of their lock, and wakes while somebody else is at it, or after the schedule
//! has become another one. What they still do is turned away.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chrono_tz::Tz;
use model::Instant;
use queue::{
    Result, Runtime,
    lock::{DatabaseLocks, Lock, LockProvider, LockRequest, LockRow, LockToken, Locks},
    schedule::{self, Schedule, ScheduleRow, Scheduler, When, Work},
    test_faults::{FaultPlan, Faults},
};
use sea_orm::ConnectionTrait;
use testkit::On;
use tokio::sync::watch;

use crate::fixture::Fixture;

testkit::tests!(a_fire_that_was_due_before_its_schedule_was_paused_does_not_begin);

testkit::on_both!(
    whoever_wakes_late_begins_nothing_even_before_anybody_else_has_come,
    whoever_wakes_late_leaves_the_fire_to_whoever_is_at_it,
    whoever_wakes_late_in_the_middle_ends_nothing_of_the_fire_that_was_begun_again,
);

const HOUR: Duration = Duration::from_secs(3_600);
/// Longer than the lock of a schedule is held without a sign of life.
const BEYOND: Duration = Duration::from_secs(61);

/// What somebody waits at until it is opened.
struct Gate {
    arrived: AtomicUsize,
    open: watch::Sender<bool>,
}

impl Gate {
    fn new(open: bool) -> Arc<Gate> {
        Arc::new(Gate { arrived: AtomicUsize::new(0), open: watch::Sender::new(open) })
    }

    async fn pass(&self) {
        self.arrived.fetch_add(1, Ordering::SeqCst);
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }

    async fn somebody(&self) {
        while self.arrived() == 0 {
            tokio::task::yield_now().await;
        }
    }

    fn arrived(&self) -> usize {
        self.arrived.load(Ordering::SeqCst)
    }

    fn open(&self) {
        self.open.send_replace(true);
    }
}

/// Locks whose holders wait at a gate as soon as they have one.
struct Gated {
    locks: DatabaseLocks,
    gate: Arc<Gate>,
}

#[async_trait]
impl LockProvider for Gated {
    async fn acquire(&self, holder: &str, wish: &LockRequest) -> Result<Option<LockToken>> {
        let token = self.locks.acquire(holder, wish).await?;
        self.gate.pass().await;
        Ok(token)
    }

    async fn release(&self, name: &str, token: LockToken, at_least: Duration) -> Result<bool> {
        self.locks.release(name, token, at_least).await
    }

    async fn extend(&self, name: &str, token: LockToken, at_most: Duration) -> Result<bool> {
        self.locks.extend(name, token, at_most).await
    }

    async fn list(&self) -> Result<Vec<LockRow>> {
        self.locks.list().await
    }

    async fn break_open(&self, name: &str) -> Result<bool> {
        self.locks.break_open(name).await
    }
}

/// Work in the middle of which is a gate.
struct Halted(Arc<Gate>);

#[async_trait]
impl Work for Halted {
    async fn fire(&self, _: &Lock) -> Result<String> {
        self.0.pass().await;
        Ok("done".to_owned())
    }
}

/// A process with the schedule, which waits at one gate once it has the lock and at another one in the middle of its work.
async fn process(f: &Fixture, locked: &Arc<Gate>, work: &Arc<Gate>) -> (Scheduler, String) {
    let schedule = Schedule {
        name: "late",
        default: When::Every(HOUR),
        configured: None,
        zone: Tz::UTC,
        work: Arc::new(Halted(work.clone())),
    };
    let locks = Gated { locks: DatabaseLocks::new(f.test.db.clone()), gate: locked.clone() };
    let runtime = Runtime::unguarded(&f.queue).await.unwrap();
    let name = runtime.process().to_owned();
    (Scheduler::new(&runtime, Locks::new(Arc::new(locks), &name), vec![schedule]), name)
}

async fn row(f: &Fixture) -> ScheduleRow {
    schedule::list(&f.test.db).await.unwrap().remove(0)
}

/// For which instant each fire was, by whom, and how it ended.
async fn fires(f: &Fixture) -> Vec<(Instant, String, Option<String>)> {
    let sql = "SELECT planned_date, process, outcome FROM schedule_fire ORDER BY planned_date";
    let rows = f.test.db.reader().query_all_raw(f.test.db.statement(sql, [])).await.unwrap();
    let read = |row: &sea_orm::QueryResult| {
        let get = |name| row.try_get("", name).unwrap();
        (row.try_get("", "planned_date").unwrap(), get("process"), row.try_get("", "outcome").unwrap())
    };
    rows.iter().map(read).collect()
}

async fn whoever_wakes_late_begins_nothing_even_before_anybody_else_has_come(on: On) {
    let f = Fixture::new(on).await;
    let (frozen, late_work) = (Gate::new(false), Gate::new(true));
    let (late, _) = process(&f, &frozen, &late_work).await;
    late.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    let planned = row(&f).await.next_fire;
    let wakes = async {
        frozen.somebody().await;
        f.test.clock.advance(BEYOND);
        frozen.open();
    };
    let (fired, ()) = tokio::join!(late.tick(), wakes);
    assert_eq!((fired.unwrap(), late_work.arrived()), (0, 0));
    assert_eq!((fires(&f).await, row(&f).await.next_fire), (vec![], planned), "the next one to look begins it");
    assert_eq!(late.tick().await.unwrap(), 1);
}

async fn whoever_wakes_late_leaves_the_fire_to_whoever_is_at_it(on: On) {
    let f = Fixture::new(on).await;
    let (frozen, late_work, work) = (Gate::new(false), Gate::new(true), Gate::new(false));
    let (late, _) = process(&f, &frozen, &late_work).await;
    let (other, others) = process(&f, &Gate::new(true), &work).await;
    late.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    let planned = row(&f).await.next_fire.unwrap();

    let late = async {
        let fired = late.tick().await.unwrap();
        assert_eq!((fired, late_work.arrived()), (0, 0), "the other one is still at it");
        assert_eq!(row(&f).await.next_fire, Some(planned));
        work.open();
    };
    let other = async {
        frozen.somebody().await;
        f.test.clock.advance(BEYOND);
        other.tick().await.unwrap()
    };
    let wakes = async {
        work.somebody().await;
        frozen.open();
    };
    let ((), fired, ()) = tokio::join!(late, other, wakes);
    assert_eq!((fired, work.arrived()), (1, 1));
    assert_eq!(fires(&f).await, [(planned, others.clone(), Some("DONE".to_owned()))]);
    assert!(row(&f).await.next_fire.unwrap() > planned);
}

async fn whoever_wakes_late_in_the_middle_ends_nothing_of_the_fire_that_was_begun_again(on: On) {
    let f = Fixture::new(on).await;
    let (frozen, work) = (Gate::new(false), Gate::new(false));
    let (late, _) = process(&f, &Gate::new(true), &frozen).await;
    let (other, others) = process(&f, &Gate::new(true), &work).await;
    late.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    let planned = row(&f).await.next_fire.unwrap();

    let late = async {
        late.tick().await.unwrap();
        assert_eq!(fires(&f).await, [(planned, others.clone(), None)]);
        assert_eq!(row(&f).await.next_fire, Some(planned), "it is not over before the other one has ended it");
        work.open();
    };
    let other = async {
        frozen.somebody().await;
        f.test.clock.advance(BEYOND);
        other.tick().await.unwrap()
    };
    let wakes = async {
        work.somebody().await;
        frozen.open();
    };
    let ((), fired, ()) = tokio::join!(late, other, wakes);
    assert_eq!(fired, 1);
    assert_eq!(fires(&f).await, [(planned, others.clone(), Some("DONE".to_owned()))]);
    assert!(row(&f).await.next_fire.unwrap() > planned);
}

/// It has seen that the fire is due; what it saw is not so any more when it begins. PostgreSQL can hold it in between.
async fn a_fire_that_was_due_before_its_schedule_was_paused_does_not_begin() {
    let f = Fixture::new(On::Postgres).await;
    let (open, work) = (Gate::new(true), Gate::new(true));
    let (late, _) = process(&f, &open, &work).await;
    late.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    let planned = row(&f).await.next_fire;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    txn.execute_unprepared("LOCK TABLE schedule_fire IN EXCLUSIVE MODE").await.unwrap();
    let seen = Faults::new(FaultPlan { keeps: true, ..FaultPlan::default() });
    db.disturb(seen.clone());
    let pauses = async {
        while !seen.statements().iter().any(|statement| statement.sql.contains("INTO schedule_fire")) {
            tokio::task::yield_now().await;
        }
        assert!(schedule::set_paused(db, &txn, "late", true).await.unwrap());
        db.commit(txn).await.unwrap();
    };
    let (fired, ()) = tokio::join!(late.tick(), pauses);
    assert_eq!((fired.unwrap(), work.arrived()), (0, 0));
    assert_eq!((fires(&f).await, row(&f).await.next_fire), (vec![], planned), "it is made up for once it goes on");
}
