//! What a program status change does to people, chunk by chunk.

use model::{
    Action, ChangeReason, LedgerQuery, Outcome, ProgramStatus, Target, TaskRow, TaskState, action::StatusChange,
    ledger::LedgerFilter,
};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::college::{College, MANY, everyone, only, refuse, school_ids, set, when_changed, with_status};

testkit::on_both!(
    everybody_is_changed_once_and_history_says_by_whom,
    an_action_that_empties_its_own_filter_treats_everybody,
    a_frozen_freeze_of_many_treats_each_once,
    while_people_are_listed_it_says_how_many,
    a_large_task_after_a_pruning_does_not_stand_still,
    whoever_is_disabled_midway_stops_at_the_next_chunk,
    what_waits_while_its_owner_is_disabled_fails_when_it_starts_and_not_before,
    whoever_loses_the_permission_midway_stops_at_the_next_chunk,
    reach_is_checked_again_when_it_runs,
    another_reason_for_the_same_status_is_a_change,
    a_person_who_vanished_is_a_skip,
    unknown_school_ids_stand_in_the_ledger_as_they_were_given,
    a_person_who_cannot_be_written_fails_alone,
    two_actions_on_the_same_people_leave_one_status_each,
);

async fn everybody_is_changed_once_and_history_says_by_whom(on: On) {
    let c = College::of(on, 100).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 100).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.succeeded, row.percent()), (TaskState::Done, 100, 100));
    c.assert_one_open_status().await;
    let written = "SELECT COUNT(*) FROM program_status_history WHERE expiration_date IS NULL
        AND program_status = 'INACTIVE' AND created_by = $1 AND task_id = $2";
    assert_eq!(c.count(written, [c.manager.person_id.into(), task.into()]).await, 100);
    let closed = "SELECT COUNT(*) FROM program_status_history o JOIN program_status_history n
        ON n.person_id = o.person_id AND n.effective_date = o.expiration_date";
    assert!(c.count(closed, []).await >= 60, "one ends when the next begins");
    let page = c.caseload.tasks().ledger(&c.manager, task, &only(LedgerFilter::Done)).await.unwrap();
    let line = &page.items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Active"), Some("Inactive")));
    assert_eq!((page.items.len(), line.position), (100, 1));
}

async fn an_action_that_empties_its_own_filter_treats_everybody(on: On) {
    let c = College::of(on, 250).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[100..], ProgramStatus::Transitioned).await;
    let active = c.caseload.selections().select_matching(&c.manager, with_status(ProgramStatus::Active)).await.unwrap();
    assert_eq!(active.count, 100);
    let target = Target::Selection(active.token);
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), target, 100).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded, row.skipped), (Some(100), 100, 0));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE program_status = 'INACTIVE'", []).await, 100);
}

async fn a_frozen_freeze_of_many_treats_each_once(on: On) {
    let c = College::of_many(on).await;
    c.write("UPDATE person SET activated = FALSE WHERE school_id LIKE '%7'", []).await;
    let target = Target::Query { filter: with_status(ProgramStatus::Active), exclude: vec![] };
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), target.clone()).await.unwrap();
    assert!(!preview.frozen);
    let task = c.submit(&c.manager, set(ProgramStatus::NoShow), target, MANY).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.total, row.succeeded), (TaskState::Done, Some(MANY), preview.will_change));
    assert_eq!(row.succeeded + row.skipped, MANY);
    let rows = "SELECT COUNT(DISTINCT person_id) FROM task_person WHERE task_id = $1";
    assert_eq!(c.count(rows, [task.into()]).await, MANY as i64);
    c.assert_one_open_status().await;
}

async fn while_people_are_listed_it_says_how_many(on: On) {
    let c = College::of_many(on).await;
    let task = c.submit(&c.manager, set(ProgramStatus::NoShow), Target::Everyone, MANY).await.unwrap().id;
    let mut changes = c.caseload.queue().changes();
    c.run().await;
    let (mut listed, mut last) = (Vec::new(), None);
    while let Some(queue::TaskChange::Task(change)) = changes.try_recv() {
        let row = c.caseload.tasks().live_row(&c.manager, &change).await.unwrap().unwrap();
        if let Some(so_far) = row.listed {
            assert_eq!((row.id, row.label.as_str(), row.total, row.treated()), (task, "Preparing", Some(MANY), 0));
            listed.push(so_far);
        }
        last = Some(row);
    }
    assert!(listed.iter().any(|so_far| (1..MANY).contains(so_far)), "from the first chunk: {listed:?}");
    assert!(listed.is_sorted(), "{listed:?}");
    let last = last.unwrap();
    assert_eq!((last.state, last.listed), (TaskState::Done, None));
}

/// The ledger was empty when PostgreSQL last looked, so that it went through all of it for each person of a chunk: the first
/// chunk of a million people took longer than the longest statement may.
async fn a_large_task_after_a_pruning_does_not_stand_still(on: On) {
    let c = College::of_many(on).await;
    if c.test.db.is_postgres() {
        c.test.db.reader().execute_unprepared("VACUUM ANALYZE task_person").await.unwrap();
    }
    c.submit(&c.manager, set(ProgramStatus::NoShow), Target::Everyone, MANY).await.unwrap();
    c.run().await;
    if c.test.db.is_postgres() {
        let known = "SELECT CAST(reltuples AS bigint) FROM pg_class WHERE relname = 'task_person'";
        assert_eq!(c.count(known, []).await, MANY as i64);
    }
    c.assert_one_open_status().await;
}

/// A task of 600 in which something happens to its owner while its first people are treated.
async fn midway(on: On, what: &str) -> TaskRow {
    let c = College::of(on, 600).await;
    let first = c.students(&c.manager).await[0];
    when_changed(&c, "midway", first, &format!("UPDATE account SET {what} WHERE username = 'manager'")).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 600).await.unwrap().id;
    c.run().await;
    let left = c.caseload.tasks().ledger(&c.administrator, task, &only(LedgerFilter::Open)).await.unwrap();
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert!(row.succeeded > 0, "the chunk in which it happens is done");
    assert_eq!((left.total.value, row.open()), (600 - row.succeeded, 600 - row.succeeded), "not processed");
    assert!(row.open() > 0);
    row
}

async fn whoever_is_disabled_midway_stops_at_the_next_chunk(on: On) {
    let row = midway(on, "disabled = TRUE").await;
    assert_eq!(row.state, TaskState::Failed);
    assert_eq!(row.trouble.as_deref(), Some("The person who submitted it no longer has permission."));
}

async fn what_waits_while_its_owner_is_disabled_fails_when_it_starts_and_not_before(on: On) {
    let c = College::of(on, 4).await;
    let disabled = async |is: &str| {
        c.write(&format!("UPDATE account SET disabled = {is} WHERE username = 'manager'"), []).await;
    };
    let state = async |id| c.caseload.tasks().get(&c.administrator, id).await.unwrap().row.state;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 4).await.unwrap().id;
    disabled("TRUE").await;
    assert_eq!(state(task).await, TaskState::Waiting);
    c.run().await;
    assert_eq!(state(task).await, TaskState::Failed);
    disabled("FALSE").await;
    let task = c.submit(&c.manager, set(ProgramStatus::NoShow), Target::Everyone, 4).await.unwrap().id;
    disabled("TRUE").await;
    disabled("FALSE").await;
    c.run().await;
    assert_eq!(state(task).await, TaskState::Done, "enabled again before it started");
}

async fn whoever_loses_the_permission_midway_stops_at_the_next_chunk(on: On) {
    let row = midway(on, "permissions = '[]'").await;
    assert_eq!(row.state, TaskState::Failed);
}

async fn reach_is_checked_again_when_it_runs(on: On) {
    let c = College::of(on, 20).await;
    let mine = c.students(&c.coach).await;
    let target = Target::People(mine.clone());
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), target, 10).await.unwrap().id;
    let sql = "UPDATE person SET coach_id = $1 WHERE id = $2";
    c.write(sql, [c.other_coach.person_id.into(), mine[0].into()]).await;
    c.run().await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger[&(Some(Outcome::Skipped), "OUT_OF_REACH".to_owned())], 1);
    assert_eq!(ledger[&(Some(Outcome::Done), String::new())], 9);
}

async fn another_reason_for_the_same_status_is_a_change(on: On) {
    let c = College::of(on, 2).await;
    let for_reason = |reason| {
        Action::ProgramStatus(StatusChange {
            program_status: ProgramStatus::NonParticipating,
            change_reason: Some(reason),
            comment: Some("told us".to_owned()),
        })
    };
    for (reason, done, skipped) in
        [(ChangeReason::Health, 2, 0), (ChangeReason::Family, 2, 0), (ChangeReason::Family, 0, 2)]
    {
        let task = c.submit(&c.manager, for_reason(reason), Target::Everyone, 2).await.unwrap().id;
        c.run().await;
        let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
        assert_eq!((row.succeeded, row.skipped), (done, skipped));
    }
    c.assert_one_open_status().await;
    let open = "SELECT COUNT(*) FROM program_status_history WHERE expiration_date IS NULL AND change_reason = 'FAMILY'
        AND comment = 'told us'";
    assert_eq!(c.count(open, []).await, 2);
}

async fn a_person_who_vanished_is_a_skip(on: On) {
    let c = College::of(on, 3).await;
    let ids = c.students(&c.manager).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 3).await.unwrap().id;
    c.write("DELETE FROM person WHERE id = $1", [ids[1].into()]).await;
    c.run().await;
    let page = c.caseload.tasks().ledger(&c.manager, task, &only(LedgerFilter::Skipped)).await.unwrap();
    let [gone] = page.items.as_slice() else { panic!("{page:?}") };
    assert_eq!((gone.name.as_str(), gone.reason_label.as_deref()), ("No longer in Docket", Some("not found")));
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded, row.skipped), (Some(3), 2, 1));
}

async fn unknown_school_ids_stand_in_the_ledger_as_they_were_given(on: On) {
    let c = College::of(on, 2).await;
    let page = c
        .caseload
        .people()
        .list(&c.manager, &model::PeopleQuery { filter: everyone(), ..Default::default() })
        .await
        .unwrap();
    let known = page.items[0].school_id.clone().unwrap();
    let target = Target::SchoolIds(school_ids([known.as_str(), " NOPE-1 ", "NOPE-1"]));
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), target, 2).await.unwrap().id;
    c.run().await;
    let ledger = c.caseload.tasks().ledger(&c.manager, task, &LedgerQuery::default()).await.unwrap();
    assert_eq!(ledger.items.len(), 2, "twice the same id is one person");
    assert_eq!((ledger.items[1].name.as_str(), ledger.items[1].reason.as_deref()), ("NOPE-1", Some("NOT_FOUND")));
}

/// The database refuses one person for reasons of its own; the others of the same chunk go on.
async fn a_person_who_cannot_be_written_fails_alone(on: On) {
    let c = College::of(on, 100).await;
    let ids = c.students(&c.manager).await;
    let (bad, last) = (ids[17], ids[99]);
    for id in [bad, last] {
        refuse(&c, &format!("refuse_{}", id.uuid().simple()), id).await;
    }
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 100).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.succeeded, row.failed), (model::TaskState::DoneWithProblems, 98, 2));
    let ledger = c.ledger(&c.manager, task).await;
    assert_eq!(ledger.get(&(Some(Outcome::Failed), "REFUSED".to_owned())), Some(&2));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE program_status = 'INACTIVE'", []).await, 98);
    c.assert_one_open_status().await;
}

async fn two_actions_on_the_same_people_leave_one_status_each(on: On) {
    let c = College::of(on, 1_000).await;
    let first = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 1_000).await.unwrap().id;
    let second = c.submit(&c.administrator, set(ProgramStatus::NoShow), Target::Everyone, 1_000).await.unwrap().id;
    c.run().await;
    for (actor, task) in [(&c.manager, first), (&c.administrator, second)] {
        let row = c.caseload.tasks().get(actor, task).await.unwrap().row;
        assert_eq!((row.state, row.treated(), row.failures), (model::TaskState::Done, 1_000, 0));
        let written = "SELECT COUNT(*) FROM program_status_history WHERE task_id = $1";
        assert_eq!(c.count(written, [task.into()]).await.unsigned_abs(), row.succeeded, "the ledger is true");
    }
    c.assert_one_open_status().await;
}
