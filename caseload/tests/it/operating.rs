//! What administrators do to the machinery: one winner, a reason, and a trace.

use model::{Problem, ProgramStatus, Target, TaskState, WorkflowStatus};
use queue::lock::LockRequest;
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    a_paused_kind_waits_and_says_why_until_it_is_resumed,
    a_task_for_later_does_not_say_what_is_in_the_way_now,
    of_two_who_pause_one_wins_and_is_in_the_audit,
    a_lock_is_taken_from_its_holder_once,
    only_administrators_operate_and_only_with_a_reason,
);

const KIND: &str = "program-status";

async fn a_paused_kind_waits_and_says_why_until_it_is_resumed(on: On) {
    let c = College::of(on, 10).await;
    assert!(c.caseload.admin().pause_kind(&c.administrator, KIND, "while we look").await.unwrap());
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    c.run().await;
    let waiting = c.caseload.tasks().get(&c.manager, id).await.unwrap();
    assert_eq!(waiting.row.status, WorkflowStatus::Queued);
    let why: Vec<_> = waiting.facts.iter().filter(|(name, _)| name == "Waits because").collect();
    assert_eq!(why.len(), 1);
    assert_eq!(why[0].1, "An administrator has paused tasks of this kind.");
    assert_eq!(waiting.row.position, None, "whoever is passed over is not next in line");
    assert!(c.caseload.admin().resume_kind(&c.administrator, KIND, "all is well").await.unwrap());
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, id).await.unwrap().row.status, WorkflowStatus::Completed);
}

async fn a_task_for_later_does_not_say_what_is_in_the_way_now(on: On) {
    let c = College::of(on, 10).await;
    c.caseload.admin().pause_kind(&c.administrator, KIND, "while we look").await.unwrap();
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    c.write("UPDATE queued_task SET trigger_date = {after:600} WHERE id = $1", [id.into()]).await;
    let later = c.caseload.tasks().get(&c.manager, id).await.unwrap();
    assert_eq!((later.row.state, later.row.position), (TaskState::Scheduled, None));
    assert!(later.facts.iter().all(|(name, _)| name != "Waits because"), "{:?}", later.facts);
}

async fn of_two_who_pause_one_wins_and_is_in_the_audit(on: On) {
    let c = College::of(on, 1).await;
    let pause = || c.caseload.admin().pause_kind(&c.administrator, KIND, "a reason");
    let (one, two) = tokio::join!(pause(), pause());
    assert_eq!([one.unwrap(), two.unwrap()].into_iter().filter(|won| *won).count(), 1);
    let traces = "SELECT COUNT(*) FROM audit WHERE action = 'kind.pause' AND object_id = 'program-status'
        AND detail LIKE '%a reason%'";
    assert_eq!(c.count(traces, []).await, 1);
}

async fn a_lock_is_taken_from_its_holder_once(on: On) {
    let c = College::of(on, 1).await;
    let _held = c.caseload.queue().locks("somebody").try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    let release = || c.caseload.admin().release_lock(&c.administrator, "prune", None, "its host burnt down");
    assert!(release().await.unwrap());
    assert!(!release().await.unwrap());
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'lock.release'", []).await, 1);
}

async fn only_administrators_operate_and_only_with_a_reason(on: On) {
    let c = College::of(on, 1).await;
    let refused = async |actor, kind, reason| {
        Problem::from(c.caseload.admin().pause_kind(actor, kind, reason).await.unwrap_err()).status
    };
    assert_eq!(refused(&c.manager, KIND, "a reason").await, 403);
    assert_eq!(refused(&c.administrator, KIND, " ").await, 400);
    assert_eq!(refused(&c.administrator, "nobody-knows", "a reason").await, 404);
    assert_eq!(c.count("SELECT COUNT(*) FROM paused_kind", []).await, 0);
}
