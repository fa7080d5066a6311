//! Two processes that look for what the dead have left, at the same moment: both have looked, and nobody has written yet. Then
//! they write one after the other, in turns.

use std::time::Duration;

use model::{
    AttemptOutcome::{Compensated, GivenUp, Rescued},
    TaskId, WorkflowStatus,
};
use queue::{Clock, Database, DatabaseLimits, Queue, Runtime, Settings, test_faults::Faults};
use sea_orm::ConnectionTrait;
use testkit::On;
use tokio_util::task::TaskTracker;

use crate::{
    fixture::{Fixture, LEASE, OWNER, PATIENCE},
    recovery::{left_by_the_dead, registry},
    simulation::turns::Turns,
};

testkit::tests!(a_sweep_waits_for_nobody_who_has_the_task_by_now);

testkit::on_both!(
    of_two_sweeps_at_once_each_task_is_taken_back_by_one,
    of_two_sweeps_at_once_the_slower_takes_nothing_back_from_whoever_has_it_now,
    a_sweep_leaves_alone_what_was_given_up_while_it_looked,
    a_sweep_blames_nothing_that_went_on_while_it_looked,
);

/// What a process sweeps with.
#[derive(Clone, Copy, Debug)]
enum By {
    Rescue,
    Cleaner,
}

/// Two processes, each with its own connections, whose writes wait for their turn.
struct Sweepers {
    turns: Turns,
    calls: TaskTracker,
    processes: Vec<Runtime>,
}

impl Sweepers {
    async fn new(f: &Fixture, settings: &Settings, limits: DatabaseLimits) -> Sweepers {
        let turns = Turns::default();
        let mut processes = Vec::new();
        for number in 0..2 {
            let db = Database::connect_with(&f.test.url, Clock::clone(&f.test.clock), limits).await.unwrap();
            db.disturb(Faults::in_turns(turns.before_writes(number)));
            let queue = Queue::new(db, registry(), settings.clone());
            processes.push(Runtime::unguarded(&queue).await.unwrap());
        }
        Sweepers { turns, calls: TaskTracker::new(), processes }
    }

    /// Begins a sweep, and waits until it has looked and is about to write.
    async fn begin(&self, number: usize, by: By) -> tokio::task::JoinHandle<usize> {
        let (process, going) = (self.processes[number].clone(), self.turns.going());
        let sweep = self.calls.spawn(async move {
            let taken = match by {
                By::Rescue => process.rescue().await,
                By::Cleaner => process.take_back_silent().await,
            };
            drop(going);
            taken.unwrap()
        });
        self.turns.quiet().await;
        assert!(self.turns.held().iter().any(|place| place.machine == number), "it has found something");
        sweep
    }

    /// Lets one go on for so many transactions. Gives how many there were.
    async fn steps(&self, number: usize, most: usize) -> usize {
        for done in 0..most {
            let Some(which) = self.turns.held().iter().position(|place| place.machine == number) else { return done };
            self.turns.release(which);
            self.turns.quiet().await;
        }
        most
    }

    /// Lets both go on until they have ended, one after the other.
    async fn end(&self) {
        self.steps(0, usize::MAX).await;
        self.steps(1, usize::MAX).await;
    }
}

/// Tasks whose process is dead in everybody's eyes.
async fn left(f: &Fixture, kinds: &[&str]) -> (Sweepers, Vec<TaskId>) {
    left_to(f, kinds, DatabaseLimits::default()).await
}

async fn left_to(f: &Fixture, kinds: &[&str], limits: DatabaseLimits) -> (Sweepers, Vec<TaskId>) {
    let (queue, ids) = left_by_the_dead(f, kinds).await;
    f.test.clock.advance(5 * LEASE);
    let limits = DatabaseLimits { connections: 2, ..limits };
    (Sweepers::new(f, queue.settings(), limits).await, ids)
}

/// Between the look and the write the task was taken back and claimed anew, and its new attempt is in the middle of a chunk. SQLite
/// has no locks on rows.
async fn a_sweep_waits_for_nobody_who_has_the_task_by_now() {
    for by in [By::Rescue, By::Cleaner] {
        let f = Fixture::new(On::Postgres).await;
        let patient = DatabaseLimits { locked_at_rescue: PATIENCE * 10, ..DatabaseLimits::default() };
        let (sweepers, ids) = left_to(&f, &["steps"], patient).await;
        let slower = sweepers.begin(0, by).await;
        f.test.db.write("UPDATE queued_task SET attempt = attempt + 1", []).await.unwrap();
        let chunk = f.test.db.begin_write().await.unwrap();
        let lock = "SELECT id FROM queued_task WHERE id = $1 FOR UPDATE";
        chunk.query_one_raw(f.test.db.statement(lock, [ids[0].into()])).await.unwrap();
        tokio::time::timeout(PATIENCE, sweepers.end()).await.expect("it waits for the end of the chunk");
        assert_eq!(slower.await.unwrap(), 0, "{by:?}");
        chunk.rollback().await.unwrap();
    }
}

async fn of_two_sweeps_at_once_each_task_is_taken_back_by_one(on: On) {
    for (one, other) in [(By::Rescue, By::Rescue), (By::Rescue, By::Cleaner), (By::Cleaner, By::Cleaner)] {
        // Overtaking each other, or one before the other has begun to write.
        for in_turns in [true, false] {
            let f = Fixture::new(on).await;
            let (sweepers, ids) = left(&f, &["steps", "undone", "once", "steps"]).await;
            let sweeps = [sweepers.begin(0, one).await, sweepers.begin(1, other).await];
            sweepers.steps(0, 1).await;
            // Each finds its next task taken, and takes the one after that.
            while in_turns && sweepers.steps(1, 2).await + sweepers.steps(0, 2).await > 0 {}
            sweepers.end().await;
            let [first, second] = sweeps;
            let (first, second) = (first.await.unwrap(), second.await.unwrap());
            let what = format!("{one:?} and {other:?}, in turns: {in_turns}: {first} and {second}");
            assert_eq!(first + second, ids.len(), "{what}");
            assert_eq!(in_turns, first > 0 && second > 0, "{what}");
            for (id, outcome) in ids.iter().zip([Rescued, Compensated, GivenUp, Rescued]) {
                let (task, attempts) = (f.task(*id).await, f.queue.attempts(*id).await.unwrap());
                let outcomes: Vec<_> = attempts.into_iter().map(|attempt| attempt.outcome().unwrap()).collect();
                assert_eq!(outcomes, [outcome], "{what}");
                assert_eq!((task.crashes, task.failures), (i32::from(outcome == Rescued), 0), "{what}: {outcome}");
            }
            let search = queue::TaskSearch { limit: 10, ..Default::default() };
            let tasks = f.queue.tasks(&search).await.unwrap().tasks;
            let undoing = tasks.iter().filter(|task| task.parent_task_id == Some(ids[1])).count();
            assert_eq!(undoing, 1, "{what}: undone once");
        }
    }
}

/// Between the look and the write of the slower, the task was taken back and claimed anew.
async fn of_two_sweeps_at_once_the_slower_takes_nothing_back_from_whoever_has_it_now(on: On) {
    for by in [By::Rescue, By::Cleaner] {
        let f = Fixture::new(on).await;
        let (sweepers, ids) = left(&f, &["steps"]).await;
        let (faster, slower) = (sweepers.begin(0, by).await, sweepers.begin(1, by).await);
        sweepers.steps(0, usize::MAX).await;
        assert_eq!(faster.await.unwrap(), 1);
        let (probe, release) = crate::fence::holding_after(1);
        let next = Queue::with_probe(f.test.db.clone(), registry(), f.queue.settings().clone(), probe);
        let next = Runtime::unguarded(&next).await.unwrap();
        f.test.db.write("UPDATE queued_task SET execution_spec = '{\"steps\": 2}'", []).await.unwrap();
        assert_eq!(next.tick().await.unwrap(), 1);
        while f.task(ids[0]).await.succeeded == 0 {
            tokio::task::yield_now().await;
        }
        let taken = f.task(ids[0]).await;
        sweepers.end().await;
        assert_eq!(slower.await.unwrap(), 0, "{by:?}");
        assert_eq!(f.task(ids[0]).await, taken, "{by:?}");
        release.send_replace(true);
        next.idle().await;
        assert_eq!(f.effects(ids[0]).await, [(1, 2), (2, 2)]);
        assert_eq!(f.status(ids[0]).await, WorkflowStatus::Completed);
    }
}

async fn a_sweep_leaves_alone_what_was_given_up_while_it_looked(on: On) {
    let f = Fixture::new(on).await;
    let (sweepers, ids) = left(&f, &["undone", "steps"]).await;
    let sweeps = [sweepers.begin(0, By::Rescue).await, sweepers.begin(1, By::Cleaner).await];
    let txn = f.test.db.begin_write().await.unwrap();
    let given_up = f.queue.abandon(&txn, ids[0], OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    sweepers.end().await;
    let mut taken = 0;
    for sweep in sweeps {
        taken += sweep.await.unwrap();
    }
    assert_eq!(taken, 1);
    assert_eq!(f.task(ids[0]).await, given_up);
    assert_eq!(f.queue.place_in_line(&f.task(ids[1]).await).await.unwrap(), Some(1), "and nothing undoes it");
    f.test.clock.advance(Duration::from_secs(1));
    assert_eq!(sweepers.processes[0].rescue().await.unwrap(), 0);
}

/// Two had died at it, and the third had only stood still: it goes on once the sweep has looked.
async fn a_sweep_blames_nothing_that_went_on_while_it_looked(on: On) {
    // With its first crash, and with the last one that is borne.
    for (by, crashes) in [(By::Rescue, 0), (By::Cleaner, 0), (By::Rescue, 2), (By::Cleaner, 2)] {
        let f = Fixture::new(on).await;
        let (sweepers, ids) = left(&f, &["steps"]).await;
        f.test.db.write("UPDATE queued_task SET crashes = $1, progressed = FALSE", [crashes.into()]).await.unwrap();
        let sweep = sweepers.begin(0, by).await;
        let chunk = "UPDATE queued_task SET crashes = 0, progressed = TRUE, fence = fence + 1";
        f.test.db.write(chunk, []).await.unwrap();
        sweepers.end().await;
        assert_eq!(sweep.await.unwrap(), 1, "{by:?} {crashes}");
        let task = f.task(ids[0]).await;
        assert_eq!((task.workflow_status, task.crashes), (WorkflowStatus::Queued, 0), "{by:?} {crashes}");
    }
}
