//! Which tasks a search finds, and that it says the same of a state as the rule for one task does.

use std::time::Duration;

use chrono::TimeDelta;
use model::TaskState;
use queue::{Failure, TaskSearch, state_of};
use testkit::On;
use uuid::Uuid;

use crate::fixture::{Fixture, OWNER, steps_task};

testkit::on_both!(
    every_task_is_found_by_its_state_and_by_no_other,
    filters_narrow_each_other,
    what_came_later_is_counted_and_not_shown,
    an_error_is_found_by_its_words_within_its_time,
);

/// A task in each state that can be reached without a college around it.
async fn zoo(f: &Fixture) -> Vec<Uuid> {
    let runtime = f.runtime().await;
    let mut all = Vec::new();
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent("refused", "550 sender rejected by mx7"));
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::transient("files", "timed out after 30 s"));
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    let later = f.test.db.now().await.unwrap() + TimeDelta::hours(5);
    for held in [false, true] {
        let mut new = steps_task(1);
        (new.trigger_date, new.held) = (Some(later), held);
        all.push(f.add(new).await);
    }
    for by in [OWNER, Uuid::from_u128(0xB)] {
        let id = f.steps(1).await;
        let txn = f.test.db.begin_write().await.unwrap();
        f.queue.abandon(&txn, id, by, Some("a mistake")).await.unwrap();
        f.test.db.commit(txn).await.unwrap();
        all.push(id);
    }
    all.push(f.steps(1).await);
    all
}

async fn every_task_is_found_by_its_state_and_by_no_other(on: On) {
    let f = Fixture::new(on).await;
    let all = zoo(&f).await;
    let mut seen = Vec::new();
    for state in TaskState::ALL {
        let page =
            f.queue.tasks(&TaskSearch { states: vec![*state], limit: 50, ..TaskSearch::default() }).await.unwrap();
        for task in &page.tasks {
            assert_eq!(state_of(task, page.now), *state);
            seen.push(task.id);
        }
        assert_eq!(page.total, page.tasks.len() as u64);
    }
    seen.sort();
    assert_eq!(seen, all, "each task is in exactly one state");
    let groups: Vec<&[TaskState]> = TaskState::ALL.iter().map(std::slice::from_ref).collect();
    let counts = f.queue.counts_by_state(&TaskSearch::default(), &groups).await.unwrap();
    assert_eq!(counts.iter().sum::<u64>(), all.len() as u64);
}

async fn filters_narrow_each_other(on: On) {
    let f = Fixture::new(on).await;
    let all = zoo(&f).await;
    let process = f.queue.attempts(all[0]).await.unwrap()[0].process.clone();
    let found = async |search: TaskSearch| {
        let page = f.queue.tasks(&TaskSearch { limit: 50, ..search }).await.unwrap();
        page.tasks.iter().map(|task| task.id).collect::<Vec<_>>()
    };
    let of_process = TaskSearch { process: Some(process), ..TaskSearch::default() };
    assert_eq!(found(of_process.clone()).await, [all[2], all[1], all[0]], "newest first");
    let failed = TaskSearch { states: vec![TaskState::Failed], ..of_process };
    assert_eq!(found(failed).await, [all[1]]);
    let cause = f.queue.cause_of(all[2]).await.unwrap();
    assert_eq!(found(TaskSearch { cause, ..TaskSearch::default() }).await, [all[2]]);
    assert_eq!(found(TaskSearch { kind: Some("other".to_owned()), ..TaskSearch::default() }).await, Vec::<Uuid>::new());
    let only = Some(vec![all[3], all[4]]);
    assert_eq!(found(TaskSearch { only, states: vec![TaskState::Held], ..TaskSearch::default() }).await, [all[4]]);
    let ended_since = Some(f.test.db.now().await.unwrap() - TimeDelta::hours(1));
    assert_eq!(found(TaskSearch { ended_since, ..TaskSearch::default() }).await.len(), 4);
}

async fn what_came_later_is_counted_and_not_shown(on: On) {
    let f = Fixture::new(on).await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(f.steps(1).await);
    }
    let now = f.test.db.now().await.unwrap();
    let page = f.queue.tasks(&TaskSearch { newest: Some(ids[2]), limit: 2, ..TaskSearch::default() }).await.unwrap();
    assert_eq!((page.tasks[0].id, page.tasks[1].id, page.more), (ids[2], ids[1], true));
    assert_eq!(f.queue.count_newer(&TaskSearch::default(), ids[2], now, 100).await.unwrap(), 2);
    let after = TaskSearch { after: Some(ids[1]), limit: 5, ..TaskSearch::default() };
    assert_eq!(f.queue.tasks(&after).await.unwrap().tasks.len(), 1);
}

async fn an_error_is_found_by_its_words_within_its_time(on: On) {
    let f = Fixture::new(on).await;
    let all = zoo(&f).await;
    let found = async |words: &str, back: i64| {
        let since = Some(f.test.db.now().await.unwrap() - TimeDelta::seconds(back));
        let search = TaskSearch { error: Some(words.to_owned()), since, limit: 9, ..TaskSearch::default() };
        f.queue.tasks(&search).await.unwrap().tasks.iter().map(|task| task.id).collect::<Vec<_>>()
    };
    assert_eq!(found("SENDER rejected", 60).await, [all[1]]);
    assert_eq!(found("files: timed", 60).await, [all[2]]);
    assert_eq!(found("550%rejected", 60).await, Vec::<Uuid>::new(), "a sign of a pattern is itself");
    f.test.clock.advance(Duration::from_secs(3_600));
    assert_eq!(found("rejected", 60).await, Vec::<Uuid>::new());
    assert_eq!(found("rejected", 7_200).await, [all[1]]);
}
