//! Taking tasks back from processes that died, at the start of the next.

use model::WorkflowStatus;
use queue::{Error, Runtime};
use testkit::On;

use crate::{
    fence::{holding_after, holding_claimed},
    fixture::{Fixture, steps_task},
};

testkit::on_both!(
    a_new_start_takes_back_what_a_dead_process_held,
    a_death_without_progress_is_a_crash_and_the_third_is_poison,
    a_death_after_progress_is_no_crash,
    a_second_runtime_is_kept_off_sqlite_only,
);

async fn a_new_start_takes_back_what_a_dead_process_held(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_after(1);
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(3).await;
    dead.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.add(queue::NewTask { priority: 9, ..steps_task(1) }).await;

    f.silence();
    let next = Runtime::start(&f.queue).await.unwrap();
    let rescued = f.task(id).await;
    assert_eq!((rescued.workflow_status, rescued.rescued, rescued.failures), (WorkflowStatus::Queued, true, 0));
    assert_eq!(rescued.scheduled_by_process, None);
    assert_eq!(f.queue.place_in_line(&rescued).await.unwrap(), Some(1), "before new work, whatever its priority");
    f.settle(&next).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)], "from the bookmark on");
    let outcomes: Vec<_> = f.queue.attempts(id).await.unwrap().into_iter().map(|a| a.outcome.unwrap()).collect();
    assert_eq!(outcomes, ["RESCUED", "COMPLETED"]);
}

async fn a_death_without_progress_is_a_crash_and_the_third_is_poison(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    for death in 1..=3 {
        let (probe, _never_released) = holding_claimed();
        let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
        dead.tick().await.unwrap();
        f.silence();
        f.runtime().await.rescue().await.unwrap();
        assert_eq!(f.task(id).await.crashes, death);
    }
    let poison = f.task(id).await;
    assert_eq!((poison.workflow_status, poison.failures), (WorkflowStatus::Failure, 0));
    assert!(poison.workflow_status_desc.unwrap().starts_with("poison: "));
}

async fn a_death_after_progress_is_no_crash(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_after(1);
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    dead.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.silence();
    f.runtime().await.rescue().await.unwrap();
    assert_eq!(f.task(id).await.crashes, 0);
}

async fn a_second_runtime_is_kept_off_sqlite_only(on: On) {
    let f = Fixture::new(on).await;
    let first = Runtime::start(&f.queue).await.unwrap();
    match on {
        On::Sqlite => assert!(matches!(Runtime::start(&f.queue).await, Err(Error::Occupied(_)))),
        On::Postgres => drop(Runtime::start(&f.queue).await.unwrap()),
    }
    drop(first);
    Runtime::start(&f.queue).await.unwrap();
}
