//! Early alerts: on whom they are put, who reads them, and how they are taken back.

use model::{Action, Outcome, PersonId, Target, TaskId, action::AlertReason, ledger::LedgerFilter};
use testkit::On;

use crate::college::{College, only};

testkit::on_both!(
    an_alert_is_on_each_persons_page,
    nobody_out_of_reach_gets_an_alert,
    an_alert_that_is_taken_back_leaves_the_others,
);

fn alert(reason: &str) -> Action {
    Action::early_alert(reason, "three weeks in a row").unwrap()
}

async fn raise(c: &College, reason: &str, people: &[PersonId]) -> TaskId {
    let people = people.to_vec();
    let count = people.len() as u64;
    let task = c.submit(&c.coach, alert(reason), Target::People(people), count).await.unwrap().id;
    c.run().await;
    task
}

async fn an_alert_is_on_each_persons_page(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let task = raise(&c, "ATTENDANCE", &ids[..3]).await;
    for id in &ids[..3] {
        let alerts = c.caseload.people().early_alerts(&c.manager, *id).await.unwrap();
        assert_eq!(alerts.len(), 1);
        assert_eq!(alerts[0].alert_reason, AlertReason::Attendance);
        assert_eq!(alerts[0].comment.as_deref(), Some("three weeks in a row"));
        assert_eq!((alerts[0].created_by_name.as_str(), alerts[0].task_id), (c.coach.name.as_str(), Some(task)));
    }
    assert!(c.caseload.people().early_alerts(&c.coach, ids[3]).await.unwrap().is_empty());
    let ledger = c.caseload.tasks().ledger(&c.coach, task, &only(LedgerFilter::Done)).await.unwrap().items;
    assert_eq!(ledger.len(), 3);
    assert_eq!(ledger[0].after.as_deref(), Some("Alert: Attendance"));
}

async fn nobody_out_of_reach_gets_an_alert(on: On) {
    let c = College::of(on, 20).await;
    let (theirs, mine) = (c.students(&c.other_coach).await, c.students(&c.coach).await);
    let task = raise(&c, "GRADES", &[theirs[0], mine[0]]).await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger.get(&(Some(Outcome::Skipped), "NOT_FOUND".to_owned())), Some(&1));
    assert_eq!(c.count("SELECT COUNT(*) FROM early_alert", []).await, 1);
    assert!(c.caseload.people().early_alerts(&c.coach, theirs[0]).await.is_err());
}

async fn an_alert_that_is_taken_back_leaves_the_others(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let first = raise(&c, "ATTENDANCE", &ids[..4]).await;
    raise(&c, "GRADES", &ids[..2]).await;
    let undo = c
        .caseload
        .tasks()
        .undo(&c.coach, first, model::Submission::from_source(model::submission::SubmitSource::Program))
        .await;
    let undo = undo.unwrap().id;
    c.run().await;
    assert_eq!(c.ledger(&c.coach, undo).await, [((Some(Outcome::Done), String::new()), 4)].into());
    let line = &c.caseload.tasks().ledger(&c.coach, undo, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Alert: Attendance"), Some("Removed")));
    assert_eq!(c.count("SELECT COUNT(*) FROM early_alert WHERE alert_reason = 'GRADES'", []).await, 2);
    assert_eq!(c.count("SELECT COUNT(*) FROM early_alert", []).await, 2);
    // What is taken back already is not taken back again.
    let again = model::Problem::from(c.caseload.tasks().preview_undo(&c.coach, first).await.unwrap_err());
    assert_eq!(again.code, "undone");
}
