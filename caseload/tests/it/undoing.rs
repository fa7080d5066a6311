//! Putting back what a task changed, and what else can follow a task.

use model::{
    Action, Outcome, PersonId, Problem, ProgramStatus, Submission, Target, TaskQuery, TaskState, admin::AdminTaskQuery,
    submission::SubmitSource, task::TaskScope,
};
use testkit::On;

use crate::{
    college::{College, MANY, refuse, set},
    watching::{UNWATCH, WATCH},
};

testkit::on_both!(
    only_what_the_task_wrote_goes_back,
    the_former_reason_comes_back_with_the_status,
    an_undone_watch_is_as_it_was,
    an_undone_unwatch_has_its_former_date,
    many_are_put_back_in_many_chunks,
    the_two_tasks_are_linked_both_ways,
    what_cannot_be_undone_says_why,
    an_undone_task_says_so_and_is_not_undone_again,
    an_undo_that_was_cancelled_can_be_begun_again,
    what_two_undos_put_back_between_them_is_undone,
    a_task_whose_undo_put_back_nobody_does_not_say_that_it_was_put_back,
    after_many_undos_that_were_given_up_the_one_that_counts_is_seen,
    the_failed_are_treated_again_in_a_task_of_their_own,
    a_task_is_repeated_with_the_same_people,
    a_scheduled_task_is_moved,
);

fn by_program() -> Submission {
    Submission { confirm_total: None, ..Submission::from_source(SubmitSource::Program) }
}

async fn status(c: &College, id: PersonId) -> String {
    let sql = "SELECT COUNT(*) FROM person WHERE id = $1 AND program_status = $2";
    for status in ProgramStatus::ALL {
        if c.count(sql, [id.into(), status.name().into()]).await == 1 {
            return status.name().to_owned();
        }
    }
    unreachable!("a student has a status")
}

/// One person was changed by hand, another there and back again: neither is as the task left them.
async fn only_what_the_task_wrote_goes_back(on: On) {
    let c = College::of(on, 40).await;
    let ids = c.students(&c.coach).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(ids.clone()), 20).await.unwrap().id;
    c.run().await;
    let by_hand =
        [(ids[0], ProgramStatus::Transitioned), (ids[1], ProgramStatus::Active), (ids[1], ProgramStatus::Inactive)];
    for (id, status) in by_hand {
        c.submit(&c.manager, set(status), Target::People(vec![id]), 1).await.unwrap();
        c.run().await;
    }
    let preview = c.caseload.tasks().preview_undo(&c.coach, task).await.unwrap();
    assert_eq!((preview.total, preview.will_change), (20, 18));
    assert_eq!((preview.sample[0].now.as_str(), preview.sample[0].then.as_str()), ("Inactive", "Active"));
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, undo).await;
    assert_eq!(ledger.get(&(Some(Outcome::Done), String::new())), Some(&18));
    assert_eq!(ledger.get(&(Some(Outcome::Skipped), "CHANGED_SINCE".to_owned())), Some(&2));
    assert_eq!(status(&c, ids[0]).await, "TRANSITIONED");
    assert_eq!(status(&c, ids[1]).await, "INACTIVE");
    assert_eq!(status(&c, ids[2]).await, "ACTIVE");
    c.assert_one_open_status().await;
    let again = Problem::from(c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap_err());
    assert_eq!((again.status, again.code.as_str()), (409, "undone"), "once is enough");
}

/// The button for it was there for ever, and each click made another task.
async fn an_undone_task_says_so_and_is_not_undone_again(on: On) {
    let c = College::of(on, 20).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.run().await;
    let row = async || c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert!(row().await.can_undo);
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    let refused = async || {
        let problem = Problem::from(c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap_err());
        assert_eq!((problem.status, &problem.more["undoneBy"]), (409, &undo.to_string().into()));
        assert_eq!(problem.more["currentStatus"], "COMPLETED");
        problem.code
    };
    assert_eq!((refused().await.as_str(), row().await.can_undo), ("under_way", false));
    c.run().await;
    assert_eq!((refused().await.as_str(), row().await.can_undo), ("undone", false));
    assert_eq!(row().await.label, "Undone");
    let detail = c.caseload.tasks().get(&c.coach, task).await.unwrap();
    assert_eq!(detail.row.summary.as_deref(), Some("10 people changed to Inactive, then restored"));
    let undone = &detail.timeline[0];
    assert_eq!((undone.text.clone(), undone.task_id), (format!("Undone by {}", c.coach.name), Some(undo)));
    let listed = c.caseload.tasks().list(&c.coach, &TaskQuery::default()).await.unwrap().items;
    let listed = listed.into_iter().find(|row| row.id == task).unwrap();
    assert_eq!((listed.label.as_str(), listed.can_undo), ("Undone", false));
    // Whoever looks, and wherever it is listed.
    let all = TaskQuery { scope: TaskScope::All, ..TaskQuery::default() };
    let to_manager = c.caseload.tasks().list(&c.manager, &all).await.unwrap().items;
    let (own, query) = (c.caseload.tasks().row(&c.coach, task).await.unwrap(), AdminTaskQuery::default());
    let to_administrator = c.caseload.admin().task_list(&c.administrator, &query).await.unwrap().items;
    let rows = to_manager.into_iter().chain(to_administrator.into_iter().map(|row| row.row)).chain([own]);
    let said: Vec<_> = rows.filter(|row| row.id == task).map(|row| (row.label, row.can_undo)).collect();
    assert_eq!(said, [("Undone".to_owned(), false), ("Undone".to_owned(), false), ("Undone".to_owned(), false)]);
    let looked = Problem::from(c.caseload.tasks().preview_undo(&c.coach, task).await.unwrap_err());
    assert_eq!(looked.code, "undone");
}

/// What was given up halfway leaves people to put back.
async fn an_undo_that_was_cancelled_can_be_begun_again(on: On) {
    let c = College::of(on, 20).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.run().await;
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.caseload.tasks().abandon(&c.coach, undo, None).await.unwrap();
    assert!(c.caseload.tasks().get(&c.coach, task).await.unwrap().row.can_undo);
    c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap();
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, task).await.unwrap().row.label, "Undone");
}

/// It was called partly undone for ever, though the second undo had put back the rest.
async fn what_two_undos_put_back_between_them_is_undone(on: On) {
    let c = College::of(on, 20).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.run().await;
    let ids = c.students(&c.coach).await;
    let given_up = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.caseload.tasks().abandon(&c.coach, given_up, None).await.unwrap();
    // As if it had been given up after its first two.
    let back = c.submit(&c.coach, set(ProgramStatus::Active), Target::People(ids[..2].to_vec()), 2).await.unwrap();
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, back.id).await.unwrap().row.succeeded, 2);
    c.test.db.write("UPDATE queued_task SET succeeded = 2 WHERE id = $1", [given_up.into()]).await.unwrap();
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, undo).await.unwrap().row.succeeded, 8);
    assert_eq!(c.caseload.tasks().get(&c.coach, task).await.unwrap().row.label, "Undone");
}

/// It was said to have been put back.
async fn a_task_whose_undo_put_back_nobody_does_not_say_that_it_was_put_back(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 5).await.unwrap().id;
    c.run().await;
    c.submit(&c.coach, set(ProgramStatus::Transitioned), Target::Everyone, 5).await.unwrap();
    c.run().await;
    c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap();
    c.run().await;
    let problem = Problem::from(c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap_err());
    assert!(problem.detail.contains("nobody to restore"), "{}", problem.detail);
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.label.as_str(), row.can_undo), ("Done", false));
}

/// Only the first fifty of what came from the task were looked at.
async fn after_many_undos_that_were_given_up_the_one_that_counts_is_seen(on: On) {
    let c = College::of(on, 6).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 3).await.unwrap().id;
    c.run().await;
    for _ in 0..queue::CHILDREN {
        let given_up = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
        c.caseload.tasks().abandon(&c.coach, given_up, None).await.unwrap();
    }
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    let refused = async || {
        let problem = Problem::from(c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap_err());
        assert_eq!((problem.status, &problem.more["undoneBy"]), (409, &undo.to_string().into()));
        problem.code
    };
    assert_eq!(refused().await, "under_way");
    c.run().await;
    assert_eq!(refused().await, "undone");
    let listed =
        c.caseload.tasks().list(&c.coach, &TaskQuery { limit: Some(100), ..TaskQuery::default() }).await.unwrap().items;
    let listed = listed.into_iter().find(|row| row.id == task).unwrap();
    assert_eq!((listed.label.as_str(), listed.can_undo), ("Undone", false));
}

async fn the_former_reason_comes_back_with_the_status(on: On) {
    let c = College::of(on, 10).await;
    let ids = c.students(&c.coach).await;
    let unwell = Action::program_status("NON_PARTICIPATING", "HEALTH", "").unwrap();
    c.submit(&c.coach, unwell, Target::People(vec![ids[0]]), 1).await.unwrap();
    c.run().await;
    let task = c.submit(&c.coach, set(ProgramStatus::Active), Target::People(vec![ids[0]]), 1).await.unwrap().id;
    c.run().await;
    c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap();
    c.run().await;
    let back = "SELECT COUNT(*) FROM person WHERE id = $1 AND program_status = 'NON_PARTICIPATING' AND change_reason = 'HEALTH'";
    assert_eq!(c.count(back, [ids[0].into()]).await, 1);
    c.assert_one_open_status().await;
}

async fn an_undone_watch_is_as_it_was(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..3].to_vec()), 3).await.unwrap();
    c.run().await;
    let dates = "SELECT COUNT(DISTINCT watched_date) FROM watch";
    c.test.clock.advance(std::time::Duration::from_secs(60));
    let task = c.submit(&c.coach, WATCH, Target::People(ids[..6].to_vec()), 6).await.unwrap().id;
    c.run().await;
    assert_eq!(c.count(dates, []).await, 1, "all were refreshed");
    // One was taken off by hand since.
    c.write("DELETE FROM watch WHERE person_id = $1", [ids[5].into()]).await;
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.coach, undo).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped), (5, 1));
    assert_eq!(c.count("SELECT COUNT(*) FROM watch", []).await, 3);
    let former = "SELECT COUNT(*) FROM watch w JOIN task_person tp ON tp.person_id = w.person_id
        WHERE tp.task_id = $1 AND tp.former_date = w.watched_date";
    assert_eq!(c.count(former, [task.into()]).await, 3);
}

async fn an_undone_unwatch_has_its_former_date(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let watch = c.submit(&c.coach, WATCH, Target::People(ids.clone()), 10).await.unwrap().id;
    c.run().await;
    c.test.clock.advance(std::time::Duration::from_secs(60));
    let task = c.submit(&c.coach, UNWATCH, Target::People(ids.clone()), 10).await.unwrap().id;
    c.run().await;
    c.submit(&c.coach, WATCH, Target::People(vec![ids[0]]), 1).await.unwrap();
    c.run().await;
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.coach, undo).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped), (9, 1));
    let former = "SELECT COUNT(*) FROM watch w JOIN task_person tp ON tp.person_id = w.person_id
        WHERE tp.task_id = $1 AND tp.outcome_date = w.watched_date";
    assert_eq!(c.count(former, [watch.into()]).await, 9);
}

async fn many_are_put_back_in_many_chunks(on: On) {
    let c = College::of_many(on).await;
    let task = c.submit(&c.manager, set(ProgramStatus::NoShow), Target::Everyone, MANY).await.unwrap().id;
    c.run().await;
    let refused = Problem::from(c.caseload.tasks().undo(&c.manager, task, by_program()).await.unwrap_err());
    assert_eq!((refused.code.as_str(), refused.more["total"].as_u64()), ("confirmation_required", Some(MANY)));
    let confirmed = Submission { confirm_total: Some(MANY), ..by_program() };
    let undo = c.caseload.tasks().undo(&c.manager, task, confirmed).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, undo).await.unwrap().row;
    assert_eq!((row.state, row.total, row.succeeded), (TaskState::Done, Some(MANY), MANY));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE program_status = 'ACTIVE'", []).await, MANY as i64);
    c.assert_one_open_status().await;
}

async fn the_two_tasks_are_linked_both_ways(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 5).await.unwrap().id;
    c.run().await;
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    let (parent, child) =
        (c.caseload.tasks().get(&c.coach, task).await.unwrap(), c.caseload.tasks().get(&c.coach, undo).await.unwrap());
    assert_eq!(parent.children.iter().map(|link| link.id).collect::<Vec<_>>(), [undo]);
    assert_eq!(child.parent.map(|link| (link.id, link.title)), Some((task, "Set status to Inactive".to_owned())));
    assert_eq!(child.row.title, "Undo “Set status to Inactive”");
}

async fn what_cannot_be_undone_says_why(on: On) {
    let c = College::of(on, 10).await;
    let code = async |actor, task| {
        let problem = Problem::from(c.caseload.tasks().undo(actor, task, by_program()).await.unwrap_err());
        (problem.status, problem.code)
    };
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 5).await.unwrap().id;
    assert_eq!(code(&c.coach, task).await, (409, "not_undoable".to_owned()), "it has not ended");
    c.run().await;
    assert_eq!(code(&c.other_coach, task).await.0, 404, "somebody else’s");
    assert_eq!(code(&c.manager, task).await.0, 403, "a manager may read it only");
    let undo = c.caseload.tasks().undo(&c.coach, task, by_program()).await.unwrap().id;
    c.run().await;
    assert_eq!(code(&c.coach, undo).await, (409, "not_undoable".to_owned()), "an undo is not undone");
    let nobody = c.submit(&c.coach, UNWATCH, Target::Everyone, 5).await.unwrap().id;
    c.run().await;
    assert_eq!(code(&c.coach, nobody).await, (409, "not_undoable".to_owned()), "it changed nobody");
    let watch = c.submit(&c.coach, WATCH, Target::Everyone, 5).await.unwrap().id;
    c.run().await;
    assert_eq!(code(&c.administrator, watch).await.0, 403, "a watch list is its owner’s");
}

async fn the_failed_are_treated_again_in_a_task_of_their_own(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    refuse(&c, "refuse_one", ids[7]).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 60).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.failed, row.can_retry), (1, true));
    let on_table = if c.test.db.is_postgres() { " ON person" } else { "" };
    c.write(&format!("DROP TRIGGER refuse_one{on_table}"), []).await;
    let child = c.caseload.tasks().retry(&c.manager, task, None).await.unwrap().id;
    assert_ne!(child, task);
    assert_eq!(
        c.caseload.tasks().retry(&c.manager, task, None).await.unwrap().id,
        child,
        "a second click is the same task"
    );
    c.run().await;
    let found = c.caseload.tasks().get(&c.manager, child).await.unwrap();
    assert_eq!((found.row.total, found.row.succeeded), (Some(1), 1));
    assert_eq!(found.parent.unwrap().id, task);
    assert_eq!(status(&c, ids[7]).await, "INACTIVE");
}

async fn a_task_is_repeated_with_the_same_people(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let named = c.submit(&c.coach, WATCH, Target::People(ids[..3].to_vec()), 3).await.unwrap().id;
    let all = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.run().await;
    let (action, selection) = c.caseload.tasks().repeat(&c.coach, named).await.unwrap();
    assert_eq!((action, selection.count, selection.matching), (WATCH, 3, false));
    let (action, selection) = c.caseload.tasks().repeat(&c.coach, all).await.unwrap();
    assert_eq!((action, selection.count, selection.everyone), (set(ProgramStatus::Inactive), 10, true));
}

async fn a_scheduled_task_is_moved(on: On) {
    let c = College::of(on, 10).await;
    let now = c.test.db.now().await.unwrap();
    let later = |hours| now + chrono::TimeDelta::hours(hours);
    let submission = Submission { trigger_date: Some(later(2)), ..crate::college::program(WATCH, Target::Everyone) };
    let task = c.caseload.actions().submit(&c.coach, submission).await.unwrap().id;
    c.caseload.tasks().reschedule(&c.coach, task, later(1)).await.unwrap();
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.trigger_date), (TaskState::Scheduled, later(1)));
    let past = Problem::from(c.caseload.tasks().reschedule(&c.coach, task, later(-1)).await.unwrap_err());
    assert_eq!(past.errors[0].field, "triggerDate");
    c.test.clock.advance(std::time::Duration::from_secs(3_700));
    c.run().await;
    let late = Problem::from(c.caseload.tasks().reschedule(&c.coach, task, later(5)).await.unwrap_err());
    assert_eq!((late.status, late.more["currentStatus"].as_str()), (409, Some("COMPLETED")));
}
