//! Why a task is not running.

use std::time::Duration;

use model::{AccountId, WorkflowStatus};
use queue::{Blocker, NewTask, Queue, Registry, Runtime, Settings, self_test::SelfTest, test_hooks::Probe};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use testkit::On;

use crate::{
    fence::holding_all,
    fixture::{Fixture, Mood, OWNER, Steps, settings, steps_task},
    recovery::Renamed,
};

testkit::on_both!(
    each_reason_is_named,
    a_kind_that_nobody_knows_and_a_suspect_say_so,
    a_task_that_is_next_has_no_reason,
    whatever_has_no_reason_is_claimed_at_the_next_look_and_nothing_else,
);

async fn each_reason_is_named(on: On) {
    let per_kind = [("steps".to_owned(), 1)].into();
    let f = Fixture::with(on, Settings { slots: 1, per_owner: 1, per_kind, ..settings() }).await;
    let tomorrow = f.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let later = f.add(NewTask { trigger_date: Some(tomorrow), ..steps_task(1) }).await;
    let why = async |id| f.queue.blockers(&f.task(id).await).await.unwrap();
    assert_eq!(why(later).await[0], Blocker::NotDueUntil(f.task(later).await.trigger_date));
    assert!(why(later).await.contains(&Blocker::NoLiveProcess));

    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let running = f.steps(1).await;
    runtime.tick().await.unwrap();
    let waiting = f.steps(1).await;
    assert_eq!(why(waiting).await, [Blocker::SlotsFull, Blocker::OwnerLimit(1), Blocker::KindLimit(1)]);
    assert_eq!(why(running).await, []);

    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    f.queue.pause(&txn, "steps", OWNER, None).await.unwrap();
    db.commit(txn).await.unwrap();
    let behind = f.steps(1).await;
    assert_eq!(why(behind).await.first(), Some(&Blocker::KindPaused));
    assert_eq!(why(behind).await.last(), Some(&Blocker::InLine(1)));
    release.send_replace(true);
    runtime.idle().await;
}

async fn a_kind_that_nobody_knows_and_a_suspect_say_so(on: On) {
    let f = Fixture::new(on).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    f.steps(1).await;
    assert_eq!(runtime.tick().await.unwrap(), 1);
    let id = f.steps(1).await;
    f.test.db.write("UPDATE queued_task SET crashes = 2 WHERE workflow_status = 'QUEUED'", []).await.unwrap();
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), [Blocker::WaitsToRunAlone]);
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), [], "its process has nothing else to do");
    let sql = "UPDATE queued_task SET crashes = 0, execution_component_name = 'of-a-newer-release'";
    f.test.db.write(sql, []).await.unwrap();
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), [Blocker::UnknownKind]);
    let stands = f.queue.claim_conditions(&[&f.task(id).await]).await.unwrap().pop().flatten().unwrap();
    assert_eq!((stands.able, stands.free), (0, 0), "slots that cannot run it are of no use to it");
    assert!(stands.slots > stands.busy);
}

async fn a_task_that_is_next_has_no_reason(on: On) {
    let f = Fixture::new(on).await;
    let _runtime = f.runtime().await;
    let id = f.steps(1).await;
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), []);
}

/// Two processes, the second of which knows one kind less.
async fn processes(f: &Fixture, settings: &Settings, probe: &Probe) -> [Runtime; 2] {
    let steps = || Registry::default().with(Steps(Mood::default())).with(SelfTest);
    let more = steps().with(Renamed("undone", queue::Recovery::Retry));
    let start = async |registry| {
        let queue = Queue::with_probe(f.test.db.clone(), registry, settings.clone(), probe.clone());
        Runtime::unguarded(&queue).await.unwrap()
    };
    [start(more).await, start(steps()).await]
}

async fn whatever_has_no_reason_is_claimed_at_the_next_look_and_nothing_else(on: On) {
    let f = Fixture::new(on).await;
    for seed in 0..24 {
        let mut rng = StdRng::seed_from_u64(seed);
        let per_kind = [("steps".to_owned(), rng.random_range(1..4))].into();
        let (slots, per_owner) = (rng.random_range(1..4), rng.random_range(1..4));
        let settings = Settings { slots, per_owner, per_kind, broker_head_start: Duration::ZERO, ..settings() };
        let (probe, _never_released) = holding_all();
        let processes = processes(&f, &settings, &probe).await;
        let asking = processes[0].queue();
        let now = f.test.db.now().await.unwrap();
        let kinds = ["steps", "undone", queue::self_test::KIND];
        let mut suspects = 0;
        for round in 0..6 {
            for _ in 0..rng.random_range(0..4) {
                let later = rng.random_bool(0.2).then(|| now + Duration::from_secs(3_600));
                let owner_id = AccountId::from_u128(rng.random_range(1..4));
                let kind = kinds[rng.random_range(0..kinds.len())];
                let spec = if kind == queue::self_test::KIND { json!({}) } else { json!({ "steps": 1 }) };
                let new = NewTask { trigger_date: later, owner_id, ..NewTask::new(kind, spec, owner_id) };
                let txn = f.test.db.begin_write().await.unwrap();
                let id = asking.enqueue(&txn, new).await.unwrap().task().id;
                f.test.db.commit(txn).await.unwrap();
                if seed % 2 == 0 && rng.random_bool(0.15) {
                    suspects += 1;
                    f.test.db.write("UPDATE queued_task SET crashes = 2 WHERE id = $1", [id.into()]).await.unwrap();
                }
            }
            if round == 3 {
                let txn = f.test.db.begin_write().await.unwrap();
                asking.pause(&txn, kinds[rng.random_range(0..kinds.len())], OWNER, None).await.unwrap();
                f.test.db.commit(txn).await.unwrap();
            }
            let search = queue::TaskSearch { limit: 100, ..Default::default() };
            let tasks = f.queue.tasks(&search).await.unwrap().tasks;
            let waiting = tasks.iter().filter(|task| task.workflow_status == WorkflowStatus::Queued);
            let mut said = Vec::new();
            for task in waiting {
                said.push((task.id, asking.blockers(task).await.unwrap()));
            }
            // Both look, in either order, until neither finds anything more.
            let first = rng.random_range(0..2);
            while processes[first].tick().await.unwrap() + processes[1 - first].tick().await.unwrap() > 0 {}
            for (id, blockers) in said {
                let task = f.task(id).await;
                let claimed = task.workflow_status != WorkflowStatus::Queued;
                let what = format!("seed {seed}, round {round}: {blockers:?}, claimed: {claimed}");
                let others_only = blockers.iter().all(|blocker| matches!(blocker, Blocker::InLine(_)));
                assert!(claimed || !blockers.is_empty(), "{what}");
                assert!(!claimed || others_only, "{what}");
                let still = asking.blockers(&task).await.unwrap();
                let others_only = still.iter().all(|blocker| matches!(blocker, Blocker::InLine(_)));
                // Who has to run alone keeps its process from taking anybody behind it.
                assert!(claimed || !others_only || suspects > 0, "{what}, and nobody takes it though {still:?}");
            }
        }
        processes.iter().for_each(Runtime::kill);
        for process in &processes {
            process.idle().await;
        }
        f.clear().await;
        f.test.db.write("DELETE FROM paused_kind", []).await.unwrap();
    }
}
