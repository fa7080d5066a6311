//! Which tasks a search finds, and that it says the same of a state as the rule for one task does.

use std::time::Duration;

use chrono::TimeDelta;
use model::{AccountId, TaskErrorCode, TaskId, TaskState};
use queue::{Failure, NewTask, TaskSearch, approval, state_of};
use testkit::On;

use crate::fixture::{Fixture, OWNER, steps_task};

testkit::on_both!(
    every_task_is_found_by_its_state_and_by_no_other,
    filters_narrow_each_other,
    what_came_later_is_counted_and_not_shown,
    a_task_of_an_old_preview_is_at_the_top_once_it_is_submitted,
    a_page_goes_on_after_a_task_that_is_there_no_more,
    tasks_of_an_hour_are_those_that_were_submitted_in_it,
    what_came_from_a_task_is_told_in_the_order_of_the_submits,
    the_tasks_of_a_process_are_listed_in_the_order_of_their_submits,
    an_error_is_found_by_its_words_within_its_time,
);

/// A task in each state that can be reached without a college around it.
async fn zoo(f: &Fixture) -> Vec<TaskId> {
    let runtime = f.runtime().await;
    let mut all = Vec::new();
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "550 sender rejected by mx7"));
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::Files, "timed out after 30 s"));
    all.push(f.steps(1).await);
    f.settle(&runtime).await;
    let later = f.test.db.now().await.unwrap() + TimeDelta::hours(5);
    for held in [false, true] {
        let mut new = steps_task(1);
        (new.trigger_date, new.held) = (Some(later), held);
        all.push(f.add(new).await);
    }
    for by in [OWNER, AccountId::from_u128(0xB)] {
        let id = f.steps(1).await;
        let txn = f.test.db.begin_write().await.unwrap();
        f.queue.abandon(&txn, id, by, Some("a mistake")).await.unwrap();
        f.test.db.commit(txn).await.unwrap();
        all.push(id);
    }
    for declined in [false, true] {
        let id = f.add(NewTask { unapproved: true, ..steps_task(1) }).await;
        if declined {
            let (db, txn) = (&f.test.db, f.test.db.begin_write().await.unwrap());
            approval::decline(db, &txn, id, AccountId::from_u128(0xB), Some("not these")).await.unwrap();
            db.commit(txn).await.unwrap();
        }
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
    assert_eq!(
        found(TaskSearch { kind: Some("other".to_owned()), ..TaskSearch::default() }).await,
        Vec::<TaskId>::new()
    );
    let only = Some(vec![all[3], all[4]]);
    assert_eq!(found(TaskSearch { only, states: vec![TaskState::Held], ..TaskSearch::default() }).await, [all[4]]);
    let ended_since = Some(f.test.db.now().await.unwrap() - TimeDelta::hours(1));
    assert_eq!(found(TaskSearch { ended_since, ..TaskSearch::default() }).await.len(), 5);
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

/// The token of a preview that was made so many minutes before anything else, which its task takes as its id.
fn token(minutes: u128) -> TaskId {
    TaskId::from_u128((((1_700_000_000 - minutes * 60) * 1_000) << 80) | 0x7000_8000_0000_0000_0000)
}

/// Submits previews in this order, each so many minutes old.
async fn submit(f: &Fixture, minutes: &[u128], new: impl Fn() -> NewTask) -> Vec<TaskId> {
    let mut ids = Vec::new();
    for minutes in minutes {
        ids.push(f.add(NewTask { id: Some(token(*minutes)), ..new() }).await);
    }
    ids
}

async fn listed(f: &Fixture, search: &TaskSearch) -> Vec<TaskId> {
    f.queue.tasks(search).await.unwrap().tasks.iter().map(|task| task.id).collect()
}

/// Every list of these tasks, whatever it is narrowed to, page by page and in both directions.
async fn assert_lists(f: &Fixture, submitted: &[TaskId], states: &[TaskState]) {
    let any = TaskSearch { limit: 2, ..TaskSearch::default() };
    let since = Some(f.test.db.now().await.unwrap() - TimeDelta::minutes(30));
    for search in [
        any.clone(),
        TaskSearch { owner_id: Some(OWNER), ..any.clone() },
        TaskSearch { kind: Some("steps".to_owned()), ..any.clone() },
        TaskSearch { states: states.to_vec(), ..any.clone() },
        TaskSearch { states: states.to_vec(), owner_id: Some(OWNER), since, ..any.clone() },
        TaskSearch { since, ..any.clone() },
    ] {
        for oldest_first in [false, true] {
            let mut expected = submitted.to_vec();
            if !oldest_first {
                expected.reverse();
            }
            let (mut all, mut after) = (Vec::new(), None);
            loop {
                let page = listed(f, &TaskSearch { oldest_first, after, ..search.clone() }).await;
                after = page.last().copied();
                all.extend(page);
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(all, expected, "{search:?}");
        }
    }
}

async fn a_task_of_an_old_preview_is_at_the_top_once_it_is_submitted(on: On) {
    let f = Fixture::new(on).await;
    let ids = submit(&f, &[9, 3, 29, 1, 20], || steps_task(1)).await;
    assert_lists(&f, &ids, &[TaskState::Waiting, TaskState::Held]).await;
    let now = f.test.db.now().await.unwrap();
    assert_eq!(f.queue.count_newer(&TaskSearch::default(), ids[3], now, 100).await.unwrap(), 1, "the last one is new");
    assert_eq!(f.queue.count_newer(&TaskSearch::default(), ids[1], now, 100).await.unwrap(), 3);
    let newest = TaskSearch { newest: Some(ids[2]), limit: 9, ..TaskSearch::default() };
    assert_eq!(listed(&f, &newest).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(f.queue.matching(f.test.db.reader(), &TaskSearch::default(), now, 9).await.unwrap(), ids);
    let stands = f.queue.stands(&TaskSearch::default(), now, 3).await.unwrap();
    assert_eq!(stands.iter().map(|stand| stand.id).collect::<Vec<_>>(), ids[..3], "the oldest are reached");
    f.mood.fail(1, 5, Failure::permanent(TaskErrorCode::SelfTest, "never"));
    f.settle(&f.runtime().await).await;
    assert_lists(&f, &ids, &[TaskState::Failed, TaskState::CouldNotStart]).await;
}

async fn a_page_goes_on_after_a_task_that_is_there_no_more(on: On) {
    let f = Fixture::new(on).await;
    let ids = submit(&f, &[9, 7, 5, 3, 1], || steps_task(1)).await;
    f.test.db.write("DELETE FROM queued_task WHERE id = $1", [ids[2].into()]).await.unwrap();
    let after = TaskSearch { after: Some(ids[2]), limit: 9, ..TaskSearch::default() };
    assert_eq!(listed(&f, &after).await, [ids[1], ids[0]]);
    assert_eq!(listed(&f, &TaskSearch { oldest_first: true, ..after }).await, ids[3..]);
    let now = f.test.db.now().await.unwrap();
    assert_eq!(f.queue.count_newer(&TaskSearch::default(), ids[2], now, 100).await.unwrap(), 2);
    let newest = TaskSearch { newest: Some(ids[2]), limit: 9, ..TaskSearch::default() };
    assert_eq!(listed(&f, &newest).await, [ids[1], ids[0]]);
    let before_all = TaskSearch { after: Some(TaskId::from_u128(1)), limit: 9, ..TaskSearch::default() };
    assert_eq!(listed(&f, &before_all).await.len(), 0);
    assert_eq!(listed(&f, &TaskSearch { oldest_first: true, ..before_all }).await.len(), 4);
}

/// The ids are of another day than the submits.
async fn tasks_of_an_hour_are_those_that_were_submitted_in_it(on: On) {
    let f = Fixture::new(on).await;
    let hour = Duration::from_secs(3_600);
    let mut ids = Vec::new();
    for minutes in [600, 6_000, 1, 60_000] {
        f.test.clock.advance(hour);
        ids.extend(submit(&f, &[minutes], || steps_task(1)).await);
    }
    let now = f.test.db.now().await.unwrap();
    let back = |minutes| Some(now - TimeDelta::minutes(minutes));
    let edge = Some(f.task(ids[2]).await.created_date);
    for states in [vec![], vec![TaskState::Waiting]] {
        let any = TaskSearch { states, limit: 9, ..TaskSearch::default() };
        assert_eq!(listed(&f, &TaskSearch { since: back(90), ..any.clone() }).await, [ids[3], ids[2]]);
        assert_eq!(listed(&f, &TaskSearch { until: back(90), ..any.clone() }).await, [ids[1], ids[0]]);
        let within = TaskSearch { since: back(150), until: back(30), ..any.clone() };
        assert_eq!(listed(&f, &within).await, [ids[2], ids[1]]);
        assert_eq!(f.queue.tasks(&within).await.unwrap().total, 2);
        assert_eq!(listed(&f, &TaskSearch { since: back(-10), ..any.clone() }).await, Vec::<TaskId>::new());
        // The edge belongs to what begins there.
        assert_eq!(listed(&f, &TaskSearch { since: edge, ..any.clone() }).await, [ids[3], ids[2]]);
        assert_eq!(listed(&f, &TaskSearch { until: edge, ..any }).await, [ids[1], ids[0]]);
    }
}

async fn what_came_from_a_task_is_told_in_the_order_of_the_submits(on: On) {
    let f = Fixture::new(on).await;
    let parent = f.steps(1).await;
    let ids = submit(&f, &[3, 29, 1], || NewTask { parent_task_id: Some(parent), ..steps_task(1) }).await;
    let children = f.queue.children(parent).await.unwrap();
    assert_eq!(children.iter().map(|child| child.id).collect::<Vec<_>>(), ids);
}

async fn the_tasks_of_a_process_are_listed_in_the_order_of_their_submits(on: On) {
    let f = Fixture::new(on).await;
    let ids = submit(&f, &[3, 29, 1, 20], || steps_task(1)).await;
    let runtime = f.runtime().await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::Files, "timed out"));
    f.settle(&runtime).await;
    f.test.clock.advance(Duration::from_secs(3_600));
    f.settle(&runtime).await;
    let mut tried = 0;
    for id in &ids {
        tried += f.queue.attempts(*id).await.unwrap().len();
    }
    assert_eq!(tried, 5, "one of them twice");
    let process = Some(f.queue.attempts(ids[0]).await.unwrap()[0].process.clone());
    for states in [vec![], vec![TaskState::Done]] {
        let search = TaskSearch { process: process.clone(), states, limit: 2, ..TaskSearch::default() };
        let first = listed(&f, &search).await;
        assert_eq!(first, [ids[3], ids[2]]);
        assert_eq!(listed(&f, &TaskSearch { after: Some(ids[2]), ..search.clone() }).await, [ids[1], ids[0]]);
        assert_eq!(f.queue.tasks(&search).await.unwrap().total, 4, "whoever was tried twice counts once");
    }
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
    for pattern in ["550%rejected", "files__timed", r"\rejected", r"rejected\"] {
        assert_eq!(found(pattern, 60).await, Vec::<TaskId>::new(), "a sign of a pattern is itself: {pattern}");
    }
    f.test.clock.advance(Duration::from_secs(3_600));
    assert_eq!(found("rejected", 60).await, Vec::<TaskId>::new());
    assert_eq!(found("rejected", 7_200).await, [all[1]]);
}
