//! Promises 3, 6 and 7: one owner, bounded, ordered.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use model::{TaskId, WorkflowStatus};
use queue::{
    NewTask, Runtime, Settings,
    test_hooks::{Point, Probe},
};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::{
    fence::holding_all,
    fixture::{Fixture, settings, steps_task},
};

testkit::on_both!(
    tasks_are_claimed_in_their_order,
    whoever_submitted_first_goes_first_though_another_looked_first,
    what_waited_for_its_date_keeps_the_place_of_its_submit,
    no_more_is_claimed_than_there_are_slots,
    one_claim_takes_no_more_than_its_bound,
    a_task_waits_for_its_date,
    a_kind_that_this_process_does_not_know_is_left_alone,
    several_runtimes_never_take_the_same_task,
    the_deadline_is_set_by_kind_at_the_claim,
);

async fn tasks_are_claimed_in_their_order(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let oldest = f.steps(1).await;
    let failed_once = f.steps(1).await;
    let newest = f.steps(1).await;
    let urgent = f.add(NewTask { priority: 5, ..steps_task(1) }).await;
    let rescued = f.steps(1).await;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    for (sql, id) in [
        ("UPDATE queued_task SET failures = 1 WHERE id = $1", failed_once),
        ("UPDATE queued_task SET rescued = TRUE WHERE id = $1", rescued),
    ] {
        txn.execute_raw(db.statement(sql, [id.into()])).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
    let line = [rescued, urgent, oldest, newest, failed_once];
    for (place, id) in line.iter().enumerate() {
        assert_eq!(f.queue.place_in_line(&f.task(*id).await).await.unwrap(), Some(place as u64 + 1));
    }
    assert_eq!(order_of(&f).await, line);
}

/// Does everything that waits, one task at a time, and says in which order it began.
async fn order_of(f: &Fixture) -> Vec<TaskId> {
    assert_eq!(f.queue.settings().slots, 1, "of two at a time the second might begin first");
    let begun = Arc::new(Mutex::new(Vec::new()));
    let noted = begun.clone();
    let probe: Probe = Arc::new(move |at, task| {
        if at == Point::Claimed {
            noted.lock().unwrap().push(task.id);
        }
        Box::pin(std::future::ready(()))
    });
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    f.settle(&runtime).await;
    begun.lock().unwrap().clone()
}

async fn places(f: &Fixture, ids: &[TaskId]) -> Vec<u64> {
    let mut places = Vec::new();
    for id in ids {
        places.extend(f.queue.place_in_line(&f.task(*id).await).await.unwrap());
    }
    places
}

async fn whoever_submitted_first_goes_first_though_another_looked_first(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    // Tokens of previews, which the tasks take as their ids: each was made at this minute by the clock of its machine. One of
    // the machines is an hour slow and one a day ahead.
    let looked_at = |minute: i64, machine: u128| {
        let since_1970 = (1_800_000_000 + minute * 60) * 1_000;
        TaskId::from_u128(u128::from(since_1970.unsigned_abs()) << 80 | 0x7000_8000_0000_0000_0000 | machine)
    };
    let (right, slow, ahead) = (f.other(queue::test_hooks::none()), f.other(queue::test_hooks::none()), &f.queue);
    let submits = [
        (&right, looked_at(29, 1)),
        (ahead, looked_at(24 * 60 + 5, 2)),
        (&right, looked_at(1, 3)),
        (&slow, looked_at(-55, 4)),
        (ahead, looked_at(24 * 60 + 1, 5)),
        (&slow, looked_at(-59, 6)),
    ];
    for (machine, token) in submits {
        let txn = machine.db().begin_write().await.unwrap();
        machine.enqueue(&txn, NewTask { id: Some(token), ..steps_task(1) }).await.unwrap();
        machine.db().commit(txn).await.unwrap();
    }
    let submitted = submits.map(|(_, token)| token);
    assert_eq!(places(&f, &submitted).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(order_of(&f).await, submitted);
}

async fn what_waited_for_its_date_keeps_the_place_of_its_submit(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let in_an_hour = f.test.db.now().await.unwrap() + Duration::from_secs(3_600);
    let scheduled = f.add(NewTask { trigger_date: Some(in_an_hour), ..steps_task(1) }).await;
    let held = f.add(NewTask { trigger_date: Some(in_an_hour), held: true, ..steps_task(1) }).await;
    let at_once = f.steps(1).await;
    let urgent = f.add(NewTask { trigger_date: Some(in_an_hour), priority: 1, ..steps_task(1) }).await;
    assert_eq!(places(&f, &[at_once]).await, [1], "nobody waits for what may not start yet");
    f.test.clock.advance(Duration::from_secs(3_601));
    let line = [urgent, scheduled, held, at_once];
    assert_eq!(places(&f, &line).await, [1, 2, 3, 4]);
    assert_eq!(order_of(&f).await, line);
}

async fn no_more_is_claimed_than_there_are_slots(on: On) {
    let f = Fixture::with(on, Settings { slots: 3, max_per_tick: 2, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    for _ in 0..5 {
        f.steps(1).await;
    }
    assert_eq!(runtime.tick().await.unwrap(), 3, "two, then one more, then no slot is free");
    assert_eq!(runtime.tick().await.unwrap(), 0);
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(runtime.tick().await.unwrap(), 2);
    runtime.idle().await;
}

async fn one_claim_takes_no_more_than_its_bound(on: On) {
    let f = Fixture::with(on, Settings { max_per_tick: 2, ..settings() }).await;
    let runtime = f.runtime().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(f.steps(1).await);
    }
    assert_eq!(runtime.tick().await.unwrap(), 5);
    runtime.idle().await;
    // What one statement claims has one date.
    let mut claims = BTreeMap::new();
    for id in ids {
        *claims.entry(f.task(id).await.scheduling_started_date.unwrap()).or_insert(0) += 1;
    }
    assert_eq!(claims.into_values().collect::<Vec<_>>(), [2, 2, 1]);
}

async fn a_task_waits_for_its_date(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let tomorrow = f.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let id = f.add(NewTask { trigger_date: Some(tomorrow), ..steps_task(1) }).await;
    assert_eq!(runtime.tick().await.unwrap(), 0);
    f.test.clock.advance(Duration::from_secs(86_401));
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}

async fn a_kind_that_this_process_does_not_know_is_left_alone(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    txn.execute_unprepared("UPDATE queued_task SET execution_component_name = 'of-a-newer-release'").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 0);
    assert_eq!(f.status(id).await, WorkflowStatus::Queued);
}

async fn several_runtimes_never_take_the_same_task(on: On) {
    let f = Fixture::with(on, Settings { slots: 4, max_per_tick: 3, ..settings() }).await;
    let mut ids = HashSet::new();
    for _ in 0..120 {
        ids.insert(f.steps(1).await);
    }
    let runtimes = [f.runtime().await, f.runtime().await, f.runtime().await];
    let [a, b, c] = &runtimes;
    tokio::join!(f.settle(a), f.settle(b), f.settle(c));
    for runtime in &runtimes {
        f.settle(runtime).await;
    }
    for id in ids {
        assert_eq!(f.status(id).await, WorkflowStatus::Completed);
        assert_eq!(f.effects(id).await, [(1, 1)]);
    }
}

async fn the_deadline_is_set_by_kind_at_the_claim(on: On) {
    let per_kind = [("steps".to_owned(), Duration::from_secs(7))].into();
    let f = Fixture::with(on, Settings { deadline_per_kind: per_kind, slots: 1, ..settings() }).await;
    let (held, release) = crate::fence::holding_claimed();
    let runtime = queue::Runtime::unguarded(&f.other(held)).await.unwrap();
    let id = f.steps(1).await;
    runtime.tick().await.unwrap();
    let claimed = f.task(id).await;
    let wait = claimed.deadline.unwrap() - claimed.scheduling_started_date.unwrap();
    assert!((6_900..=7_100).contains(&wait.num_milliseconds()), "{wait}");
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}
