//! Previews say what a run will do, and a submit holds to them.

use model::{Problem, ProgramStatus, SkipReason, Submission, Target, submission::Door};
use testkit::On;
use uuid::Uuid;

use crate::college::{College, everyone, program, set, with_status};

testkit::on_both!(
    a_preview_has_a_number_for_each_reason,
    a_drift_beyond_one_in_a_hundred_is_refused_with_the_difference,
    three_joined_and_two_left_is_said_and_the_new_set_is_accepted,
    a_drift_of_one_is_let_through_and_the_previewed_are_treated,
    above_ten_thousand_the_task_freezes_and_a_drift_stops_it,
    another_pending_action_is_warned_of,
    the_people_behind_each_number_can_be_seen,
);

async fn a_preview_has_a_number_for_each_reason(on: On) {
    let c = College::of(on, 20).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    c.set_status(&mine[..2], ProgramStatus::Inactive).await;
    c.write("UPDATE person SET activated = FALSE WHERE id = $1", [mine[2].into()]).await;
    let watch = "INSERT INTO watch (watcher_id, person_id, watched_date) VALUES ($1, $2, {now})";
    c.write(watch, [c.coach.person_id.into(), theirs[0].into()]).await;
    let unknown = Uuid::from_u128(77);
    let target = Target::People([mine.clone(), vec![theirs[0], theirs[1], unknown]].concat());
    let preview = c.caseload.preview(&c.coach, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let count = |reason| preview.skipped.iter().find(|s| s.reason == reason).unwrap().count;
    assert_eq!((preview.total, preview.will_change), (13, 7));
    assert_eq!(count(SkipReason::AlreadyThere), 2);
    assert_eq!(count(SkipReason::NotActivated), 1);
    assert_eq!(count(SkipReason::OutOfReach), 1, "watched, so known");
    assert_eq!(count(SkipReason::NotFound), 2, "out of sight and not there are the same");
    assert_eq!(preview.sample.len(), 7);
    assert_eq!((preview.sample[0].now.as_str(), preview.sample[0].then.as_str()), ("Active", "Inactive"));

    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let task = c.caseload.submit(&c.coach, submission).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger.values().sum::<u64>(), 13);
    for skipped in &preview.skipped {
        let key = (Some(model::Outcome::Skipped), skipped.reason.name().to_owned());
        assert_eq!(ledger.get(&key).copied().unwrap_or_default(), skipped.count, "{}", skipped.reason);
    }
}

async fn a_drift_beyond_one_in_a_hundred_is_refused_with_the_difference(on: On) {
    let c = College::of(on, 30).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..10], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let preview = c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    assert_eq!(preview.drift_allowed, 1);
    c.set_status(&ids[10..14], ProgramStatus::NoShow).await;
    c.set_status(&ids[..3], ProgramStatus::Active).await;
    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let problem = Problem::from(c.caseload.submit(&c.manager, submission).await.unwrap_err());
    assert_eq!((problem.status, problem.code.as_str()), (422, "drifted"));
    assert_eq!((problem.more["joined"].as_i64(), problem.more["left"].as_i64()), (Some(4), Some(3)));
    assert!(problem.detail.contains("+4, −3"), "{}", problem.detail);
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 0);
}

async fn three_joined_and_two_left_is_said_and_the_new_set_is_accepted(on: On) {
    let c = College::of(on, 40).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..20], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let inactive = || program(set(ProgramStatus::Inactive), target.clone());
    let preview = c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    c.set_status(&ids[20..23], ProgramStatus::NoShow).await;
    c.set_status(&ids[..2], ProgramStatus::Active).await;
    let submission = Submission { preview: Some(preview.preview_token), ..inactive() };
    let problem = Problem::from(c.caseload.submit(&c.manager, submission).await.unwrap_err());
    assert!(problem.code == "drifted" && problem.detail.contains("+3, −2"), "{}", problem.detail);
    let again = c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let submission = Submission { preview: Some(again.preview_token), ..inactive() };
    let task = c.caseload.submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.task(&c.manager, task).await.unwrap().row.succeeded, 21);
}

async fn a_drift_of_one_is_let_through_and_the_previewed_are_treated(on: On) {
    let c = College::of(on, 12).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..5], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let preview = c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    c.set_status(&ids[5..6], ProgramStatus::NoShow).await;
    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let task = c.caseload.submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    let row = c.caseload.task(&c.manager, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded), (Some(5), 5), "those who were previewed, not who matches now");
    let late =
        c.count("SELECT COUNT(*) FROM person WHERE id = $1 AND program_status = 'NO_SHOW'", [ids[5].into()]).await;
    assert_eq!(late, 1);
}

async fn above_ten_thousand_the_task_freezes_and_a_drift_stops_it(on: On) {
    let c = College::of(on, 10_200).await;
    let target = Target::Query { filter: with_status(ProgramStatus::Active), exclude: vec![] };
    let preview = async || c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let submit = async |token| {
        let submission = Submission { preview: Some(token), ..program(set(ProgramStatus::Inactive), target.clone()) };
        c.caseload.submit(&c.manager, submission).await.map_err(Problem::from)
    };
    let counted = preview().await;
    assert_eq!((counted.total, counted.frozen, counted.drift_allowed), (10_200, false, 102));
    let some = "UPDATE person SET program_status = 'NO_SHOW' WHERE id IN (
        SELECT id FROM person WHERE student AND program_status = 'ACTIVE' ORDER BY id LIMIT 60)";

    // Before the submit.
    for _ in 0..2 {
        c.write(some, []).await;
    }
    assert_eq!(submit(counted.preview_token).await.unwrap_err().code, "drifted");

    // Between the submit and the start.
    let task = submit(preview().await.preview_token).await.unwrap().id;
    for _ in 0..2 {
        c.write(some, []).await;
    }
    c.run().await;
    let row = c.caseload.task(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (model::TaskState::Failed, 0));
    assert!(row.trouble.unwrap().contains("nobody was changed"));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE program_status = 'INACTIVE'", []).await, 0);
}

async fn another_pending_action_is_warned_of(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.manager).await;
    let first = Target::People(ids[..4].to_vec());
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), first, 4).await.unwrap().id;
    let second = Target::People(ids[2..].to_vec());
    let preview = c.caseload.preview(&c.manager, set(ProgramStatus::NoShow), second).await.unwrap();
    assert_eq!(preview.pending_elsewhere, 2);
    let query = model::PeopleQuery { filter: everyone(), ..Default::default() };
    let page = c.caseload.people(&c.manager, &query).await.unwrap();
    let pending: Vec<_> = page.items.iter().filter_map(|row| row.pending.as_ref()).collect();
    assert_eq!(pending.len(), 4);
    assert_eq!((pending[0].task_id, pending[0].label.as_str()), (task, "Inactive soon"));
}

async fn the_people_behind_each_number_can_be_seen(on: On) {
    let c = College::of(on, 9).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..4], ProgramStatus::Inactive).await;
    let target = Target::Query { filter: everyone(), exclude: vec![] };
    let preview = c.caseload.preview(&c.manager, set(ProgramStatus::Inactive), target).await.unwrap();
    assert!(preview.everyone);
    let token = preview.preview_token;
    for (which, number) in [(None, 9), (Some("CHANGE"), 5), (Some("ALREADY_THERE"), 4), (Some("NOT_ACTIVATED"), 0)] {
        let people = c.caseload.preview_people(&c.manager, token, which, None).await.unwrap();
        assert_eq!((people.page.items.len(), people.page.total.value), (number, number as u64), "{which:?}");
    }
    // The page asks for one more tick.
    let submission = Submission {
        action: None,
        target: None,
        preview: Some(token),
        door: Door::Page,
        ..program(set(ProgramStatus::Inactive), Target::Everyone)
    };
    let refused = Problem::from(c.caseload.submit(&c.manager, submission.clone()).await.unwrap_err());
    assert_eq!(refused.errors[0].field, "everyone");
    c.caseload.submit(&c.manager, Submission { everyone_confirmed: true, ..submission }).await.unwrap();
}
