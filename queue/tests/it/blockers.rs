//! Why a task is not running.

use std::time::Duration;

use queue::{Blocker, NewTask, Runtime, Settings};
use testkit::On;

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(
    each_reason_is_named,
    a_kind_that_nobody_knows_and_a_suspect_say_so,
    a_task_that_is_next_has_no_reason,
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
    let _runtime = f.runtime().await;
    let id = f.steps(1).await;
    f.test.db.write("UPDATE queued_task SET crashes = 2", []).await.unwrap();
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), [Blocker::WaitsToRunAlone]);
    let sql = "UPDATE queued_task SET crashes = 0, execution_component_name = 'of-a-newer-release'";
    f.test.db.write(sql, []).await.unwrap();
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), [Blocker::UnknownKind]);
}

async fn a_task_that_is_next_has_no_reason(on: On) {
    let f = Fixture::new(on).await;
    let _runtime = f.runtime().await;
    let id = f.steps(1).await;
    assert_eq!(f.queue.blockers(&f.task(id).await).await.unwrap(), []);
}
