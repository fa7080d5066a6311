//! The scheduler lock: one suite for each place where locks are kept.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use queue::{
    Clock, Error,
    lock::{DatabaseLocks, LockProvider, LockRequest, Locks, MemoryLocks},
};
use sea_orm::ConnectionTrait;
use testkit::{On, TestDb};

/// Two processes that share their locks, and a clock for both.
struct Two {
    a: Locks,
    b: Locks,
    provider: Arc<dyn LockProvider>,
    clock: Clock,
    test: Option<TestDb>,
}

const SECOND: Duration = Duration::from_secs(1);

impl Two {
    async fn on(on: Option<On>) -> Two {
        let test = match on {
            Some(on) => Some(TestDb::new(on).await.unwrap()),
            None => None,
        };
        let clock = test.as_ref().map_or_else(Clock::default, |test| test.clock.clone());
        let provider: Arc<dyn LockProvider> = match &test {
            Some(test) => Arc::new(DatabaseLocks::new(test.db.clone())),
            None => Arc::new(MemoryLocks::new(clock.clone())),
        };
        Two { a: Locks::new(provider.clone(), "a"), b: Locks::new(provider.clone(), "b"), provider, clock, test }
    }

    async fn held(&self, name: &str) -> bool {
        self.a.list().await.unwrap().iter().any(|row| row.name == name && row.held)
    }
}

fn wish(at_most: u64, at_least: u64) -> LockRequest {
    LockRequest { at_most: SECOND * at_most as u32, at_least: SECOND * at_least as u32, ..LockRequest::new("prune") }
}

macro_rules! suite {
    ($($name:ident),+ $(,)?) => {
        mod memory { $(suite!(one $name, None);)+ }
        mod sqlite { $(suite!(one $name, Some(testkit::On::Sqlite));)+ }
        mod postgres { $(suite!(one $name, Some(testkit::On::Postgres));)+ }
    };
    (one $name:ident, $on:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let test = async { super::$name(super::Two::on($on).await).await };
            testkit::bounded(stringify!($name), testkit::LONGEST, test).await;
        }
    };
}

suite!(
    a_free_lock_is_taken,
    a_held_lock_is_refused_to_another,
    a_held_lock_is_refused_to_its_own_holder,
    a_released_lock_is_free_at_once,
    a_lock_that_is_dropped_is_held_on,
    names_do_not_touch_each_other,
    a_lock_ends_when_its_time_is_over,
    a_lock_is_held_to_the_end_of_its_time,
    a_released_lock_is_kept_for_its_least_time,
    a_least_time_that_has_passed_keeps_nothing,
    a_released_lock_says_so_once,
    a_late_release_does_not_free_the_next_holders,
    extending_holds_it_longer,
    extending_counts_from_now,
    a_lock_that_has_ended_is_not_extended,
    a_lock_that_is_somebody_elses_is_not_extended,
    an_old_token_neither_extends_nor_releases_after_a_new_acquisition,
    a_broken_lock_is_free,
    whoever_lost_a_lock_to_an_operator_neither_extends_nor_releases_it,
    breaking_a_free_lock_does_nothing,
    a_list_names_the_holder_and_the_times,
    a_list_shows_what_is_free_as_free,
    work_under_a_lock_is_done_by_one,
    a_lock_is_given_back_after_the_work,
    a_lock_is_kept_alive_while_the_work_goes_on,
    work_ends_when_its_lock_is_lost,
    wishes_that_make_no_sense_are_refused,
    of_many_at_once_one_gets_it,
    unprotected_counters_are_exact_under_their_locks,
);

mod rows {
    use super::{a_deleted_row_is_a_free_lock, a_lost_answer_leaves_a_lock_that_ends_by_its_time};

    testkit::on_both!(a_deleted_row_is_a_free_lock, a_lost_answer_leaves_a_lock_that_ends_by_its_time);
}

async fn a_free_lock_is_taken(two: Two) {
    assert!(two.a.try_lock(wish(10, 0)).await.unwrap().is_some());
    assert!(two.held("prune").await);
}

async fn a_held_lock_is_refused_to_another(two: Two) {
    let _held = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
}

async fn a_held_lock_is_refused_to_its_own_holder(two: Two) {
    let _held = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    assert!(two.a.try_lock(wish(10, 0)).await.unwrap().is_none());
}

async fn a_released_lock_is_free_at_once(two: Two) {
    assert!(two.a.try_lock(wish(10, 0)).await.unwrap().unwrap().release().await.unwrap());
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn a_lock_that_is_dropped_is_held_on(two: Two) {
    drop(two.a.try_lock(wish(10, 0)).await.unwrap().unwrap());
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
}

async fn names_do_not_touch_each_other(two: Two) {
    let _held = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    assert!(two.b.try_lock(LockRequest { name: "prune2".into(), ..wish(10, 0) }).await.unwrap().is_some());
}

async fn a_lock_ends_when_its_time_is_over(two: Two) {
    let _frozen = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 10);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn a_lock_is_held_to_the_end_of_its_time(two: Two) {
    let _held = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 60);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
}

async fn a_released_lock_is_kept_for_its_least_time(two: Two) {
    two.a.try_lock(wish(100, 60)).await.unwrap().unwrap().release().await.unwrap();
    two.clock.advance(SECOND * 30);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
    two.clock.advance(SECOND * 31);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn a_least_time_that_has_passed_keeps_nothing(two: Two) {
    let lock = two.a.try_lock(wish(100, 60)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 61);
    lock.release().await.unwrap();
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn a_released_lock_says_so_once(two: Two) {
    let token = two.provider.acquire("a", &wish(10, 0)).await.unwrap().unwrap();
    assert!(two.provider.release("prune", token, Duration::ZERO).await.unwrap());
    assert!(!two.provider.release("prune", token, Duration::ZERO).await.unwrap());
}

async fn a_late_release_does_not_free_the_next_holders(two: Two) {
    let late = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 11);
    let _next = two.b.try_lock(wish(100, 0)).await.unwrap().unwrap();
    assert!(!late.release().await.unwrap());
    assert!(two.held("prune").await);
}

async fn extending_holds_it_longer(two: Two) {
    let lock = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 60);
    assert!(lock.extend().await.unwrap());
    two.clock.advance(SECOND * 60);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
}

async fn extending_counts_from_now(two: Two) {
    let lock = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 60);
    assert!(lock.extend().await.unwrap());
    two.clock.advance(SECOND * 101);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn a_lock_that_has_ended_is_not_extended(two: Two) {
    let lock = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 11);
    assert!(!lock.extend().await.unwrap());
}

async fn a_lock_that_is_somebody_elses_is_not_extended(two: Two) {
    let lock = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 11);
    let _next = two.b.try_lock(wish(100, 0)).await.unwrap().unwrap();
    assert!(!lock.extend().await.unwrap());
}

async fn an_old_token_neither_extends_nor_releases_after_a_new_acquisition(two: Two) {
    let old = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 11);
    let _new = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    assert!(!old.extend().await.unwrap(), "the holder is the same, the acquisition is not");
    assert!(!old.release().await.unwrap());
    assert!(two.held("prune").await);
}

async fn a_broken_lock_is_free(two: Two) {
    let _held = two.a.try_lock(wish(100, 50)).await.unwrap().unwrap();
    assert!(two.b.break_open("prune").await.unwrap());
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}

async fn whoever_lost_a_lock_to_an_operator_neither_extends_nor_releases_it(two: Two) {
    let lost = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    two.b.break_open("prune").await.unwrap();
    assert!(!lost.extend().await.unwrap());
    assert!(!lost.release().await.unwrap());
}

async fn breaking_a_free_lock_does_nothing(two: Two) {
    assert!(!two.a.break_open("prune").await.unwrap());
    two.a.try_lock(wish(10, 0)).await.unwrap().unwrap().release().await.unwrap();
    assert!(!two.a.break_open("prune").await.unwrap());
}

async fn a_list_names_the_holder_and_the_times(two: Two) {
    let _b = two.b.try_lock(LockRequest { name: "b".into(), ..wish(100, 0) }).await.unwrap().unwrap();
    let _a = two.a.try_lock(LockRequest { name: "a".into(), ..wish(10, 0) }).await.unwrap().unwrap();
    let list = two.a.list().await.unwrap();
    let seen: Vec<_> = list.iter().map(|row| (row.name.as_str(), row.locked_by.as_str(), row.held)).collect();
    assert_eq!(seen, [("a", "a", true), ("b", "b", true)]);
    let length = list[1].lock_until - list[1].locked_at;
    assert!((99_900..=100_100).contains(&length.num_milliseconds()), "{length}");
}

async fn a_list_shows_what_is_free_as_free(two: Two) {
    let _frozen = two.a.try_lock(wish(10, 0)).await.unwrap().unwrap();
    two.clock.advance(SECOND * 11);
    let list = two.a.list().await.unwrap();
    assert_eq!(list.iter().map(|row| row.held).collect::<Vec<_>>(), [false]);
}

async fn work_under_a_lock_is_done_by_one(two: Two) {
    let other = two.b.clone();
    let inner = async |_: &queue::lock::Lock| other.with(wish(10, 0), async |_| 2).await.unwrap();
    assert_eq!(two.a.with(wish(10, 0), inner).await.unwrap(), Some(None));
}

async fn a_lock_is_given_back_after_the_work(two: Two) {
    assert_eq!(two.a.with(wish(100, 0), async |lock| lock.name().to_owned()).await.unwrap().as_deref(), Some("prune"));
    assert!(!two.held("prune").await);
}

async fn a_lock_is_kept_alive_while_the_work_goes_on(two: Two) {
    let brief = wish(8, 0);
    let row = async || two.b.list().await.unwrap().remove(0);
    let work = async |_: &queue::lock::Lock| {
        let first = row().await;
        while row().await.renewals == 0 {
            assert!(row().await.held, "its time is over");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // When it would be over if it had not been renewed.
        let left = first.lock_until - two.clock.now();
        two.clock.advance(left.to_std().unwrap() + Duration::from_millis(1));
        assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
    };
    assert_eq!(two.a.with(brief, work).await.unwrap(), Some(()));
}

async fn work_ends_when_its_lock_is_lost(two: Two) {
    let brief = LockRequest { at_most: Duration::from_millis(200), ..wish(1, 0) };
    let (operator, done) = (two.b.clone(), AtomicU64::new(0));
    let work = async |_: &queue::lock::Lock| {
        operator.break_open("prune").await.unwrap();
        tokio::time::sleep(Duration::from_secs(60)).await;
        done.fetch_add(1, Ordering::SeqCst);
    };
    assert!(matches!(two.a.with(brief, work).await, Err(Error::LockLost(name)) if name == "prune"));
    assert_eq!(done.load(Ordering::SeqCst), 0);
}

async fn wishes_that_make_no_sense_are_refused(two: Two) {
    for bad in [
        LockRequest::new(""),
        LockRequest::new(&"x".repeat(151)),
        LockRequest { at_most: Duration::ZERO, ..wish(1, 0) },
        LockRequest { at_least: SECOND * 2, ..wish(1, 0) },
    ] {
        assert!(matches!(two.a.try_lock(bad).await, Err(Error::BadLock(_))));
    }
}

async fn of_many_at_once_one_gets_it(two: Two) {
    let tries = (0..8).map(|_| two.a.try_lock(wish(10, 0)));
    let got =
        futures::future::join_all(tries).await.into_iter().filter(|lock| lock.as_ref().unwrap().is_some()).count();
    assert_eq!(got, 1);
}

/// A number that is increased as if nobody else did, and how often it is still to be.
#[derive(Default)]
struct Counter {
    left: AtomicU64,
    counted: AtomicU64,
}

/// Two of them, each under a lock of its own.
#[expect(clippy::disallowed_methods, reason = "joined below")]
async fn unprotected_counters_are_exact_under_their_locks(two: Two) {
    const TURNS: [(&str, u64); 2] = [("one", 310), ("two", 400)];
    const WORKERS: usize = 4;
    let counters: Arc<[Counter; 2]> = Arc::default();
    let mut workers = Vec::new();
    for (nth, (name, turns)) in TURNS.into_iter().enumerate() {
        counters[nth].left.store(turns, Ordering::SeqCst);
        for worker in 0..WORKERS {
            let (locks, counters) = (Locks::new(two.provider.clone(), &worker.to_string()), counters.clone());
            workers.push(tokio::spawn(async move {
                let Counter { left, counted } = &counters[nth];
                let count = async |_: &_| {
                    let seen = counted.load(Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    counted.store(seen + 1, Ordering::SeqCst);
                };
                let one_less = |left: u64| left.checked_sub(1);
                while left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_ok() {
                    let wish = || LockRequest { name: name.to_owned(), ..wish(60, 0) };
                    while locks.with(wish(), count).await.unwrap().is_none() {
                        tokio::task::yield_now().await;
                    }
                }
            }));
        }
    }
    for worker in workers {
        worker.await.unwrap();
    }
    let counted = |nth: usize| counters[nth].counted.load(Ordering::SeqCst);
    assert_eq!([counted(0), counted(1)], TURNS.map(|(_, turns)| turns));
}

async fn a_deleted_row_is_a_free_lock(on: On) {
    let two = Two::on(Some(on)).await;
    let lost = two.a.try_lock(wish(100, 0)).await.unwrap().unwrap();
    let db = &two.test.as_ref().unwrap().db;
    let txn = db.begin_write().await.unwrap();
    txn.execute_unprepared("DELETE FROM scheduler_lock").await.unwrap();
    db.commit(txn).await.unwrap();
    assert!(!lost.extend().await.unwrap());
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
    assert!(!lost.release().await.unwrap());
    assert!(two.held("prune").await);
}

async fn a_lost_answer_leaves_a_lock_that_ends_by_its_time(on: On) {
    use queue::test_faults::{Commit, FaultPlan, Faults};
    let two = Two::on(Some(on)).await;
    let db = &two.test.as_ref().unwrap().db;
    db.disturb(Faults::new(FaultPlan { commit: 1, how: Some(Commit::Unanswered), ..FaultPlan::default() }));
    two.a.try_lock(wish(10, 0)).await.unwrap_err();
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_none());
    two.clock.advance(SECOND * 11);
    assert!(two.b.try_lock(wish(10, 0)).await.unwrap().is_some());
}
