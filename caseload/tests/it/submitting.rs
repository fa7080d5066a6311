//! The risk ladder, idempotency, and that a submit is one transaction.

use model::{PersonId, Problem, ProgramStatus, Submission, Target, submission::SubmitSource};
use testkit::On;

use crate::college::{College, program, school_ids, set, with_status};

testkit::on_both!(
    nobody_is_a_clear_refusal,
    more_than_a_thousand_need_their_number,
    at_a_page_more_than_fifty_need_a_preview,
    a_filter_that_filters_nothing_has_to_be_meant,
    a_second_click_is_the_same_task,
    a_key_makes_a_request_one_task,
    a_hundred_submits_with_one_key_are_one_task,
    without_the_permission_nothing_is_submitted,
    a_scheduled_task_waits,
    people_who_are_not_there_are_nobody,
    texts_that_cannot_be_kept_are_refused_by_name,
    a_preview_that_grew_too_old_is_not_submitted,
);

async fn refusal(c: &College, submission: Submission) -> Problem {
    Problem::from(c.caseload.actions().submit(&c.manager, submission).await.unwrap_err())
}

fn inactive(target: Target) -> Submission {
    program(set(ProgramStatus::Inactive), target)
}

async fn nobody_is_a_clear_refusal(on: On) {
    let c = College::of(on, 3).await;
    for nobody in
        [Target::People(vec![]), Target::Query { filter: with_status(ProgramStatus::Transitioned), exclude: vec![] }]
    {
        let problem = refusal(&c, inactive(nobody)).await;
        assert_eq!((problem.status, problem.code.as_str()), (400, "nobody_matches"));
    }
    let missing = refusal(&c, Submission { target: None, ..inactive(Target::Everyone) }).await;
    assert_eq!((missing.status, missing.errors[0].field.as_str()), (400, "target"));
}

async fn more_than_a_thousand_need_their_number(on: On) {
    let c = College::of(on, 1_001).await;
    let everyone = inactive(Target::Everyone);
    let asked = refusal(&c, everyone.clone()).await;
    assert_eq!((asked.status, asked.code.as_str()), (422, "confirmation_required"));
    assert_eq!(asked.more["total"], 1_001);
    let wrong = refusal(&c, Submission { confirm_total: Some(1_000), ..everyone.clone() }).await;
    assert_eq!(wrong.code, "confirmation_required");
    c.caseload.actions().submit(&c.manager, Submission { confirm_total: Some(1_001), ..everyone }).await.unwrap();
}

async fn at_a_page_more_than_fifty_need_a_preview(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    let page = |ids: &[PersonId]| Submission { source: SubmitSource::Page, ..inactive(Target::People(ids.to_vec())) };
    assert_eq!(refusal(&c, page(&ids)).await.code, "preview_required");
    c.caseload.actions().submit(&c.manager, page(&ids[..50])).await.unwrap();
    let preview =
        c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), Target::People(ids)).await.unwrap();
    let submission = Submission {
        action: None,
        target: None,
        preview: Some(preview.preview_token),
        source: SubmitSource::Page,
        ..inactive(Target::Everyone)
    };
    c.caseload.actions().submit(&c.manager, submission).await.unwrap();
}

async fn a_second_click_is_the_same_task(on: On) {
    let c = College::of(on, 3).await;
    let target = Target::People(c.students(&c.manager).await);
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let submission = Submission { preview: Some(preview.preview_token), ..inactive(target) };
    let (one, two) = tokio::join!(
        c.caseload.actions().submit(&c.manager, submission.clone()),
        c.caseload.actions().submit(&c.manager, submission.clone())
    );
    assert_eq!(one.unwrap(), two.unwrap());
    c.run().await;
    let after = c.caseload.actions().submit(&c.manager, submission).await.unwrap();
    assert_eq!(after.id, preview.preview_token.task());
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 1);
    let theirs = c.caseload.actions().preview_people(&c.coach, preview.preview_token, None, None).await;
    assert_eq!(Problem::from(theirs.unwrap_err()).code, "preview_gone");
}

async fn a_key_makes_a_request_one_task(on: On) {
    let c = College::of(on, 3).await;
    let ids = c.students(&c.manager).await;
    let keyed = |ids: &[PersonId]| Submission {
        idempotency_key: Some("once".to_owned()),
        ..inactive(Target::People(ids.to_vec()))
    };
    let first = c.caseload.actions().submit(&c.manager, keyed(&ids)).await.unwrap();
    let again = c.caseload.actions().submit(&c.manager, keyed(&ids)).await.unwrap();
    assert_eq!(first, again);
    let other = refusal(&c, keyed(&ids[..2])).await;
    assert_eq!((other.status, other.code.as_str()), (422, "idempotency_key_reused"));
    let rows = c.count("SELECT COUNT(*) FROM task_person", []).await;
    assert_eq!(rows, 3, "a repeated request freezes nobody");
}

async fn a_filter_that_filters_nothing_has_to_be_meant(on: On) {
    let c = College::of(on, 20).await;
    let nothing = Target::Query { filter: crate::college::everyone(), exclude: vec![] };
    let asked = refusal(&c, inactive(nothing.clone())).await;
    assert_eq!((asked.status, asked.errors[0].code.as_str()), (400, "everyone"));
    let page = Submission { source: SubmitSource::Page, ..inactive(nothing.clone()) };
    let ticked = Submission { everyone_confirmed: true, ..page.clone() };
    assert_eq!(refusal(&c, page).await.errors[0].field, "everyone");
    c.caseload.actions().submit(&c.manager, ticked).await.unwrap();
    c.caseload.actions().submit(&c.manager, inactive(Target::Everyone)).await.unwrap();
}

async fn a_hundred_submits_with_one_key_are_one_task(on: On) {
    let c = College::of(on, 20).await;
    let people = c.students(&c.manager).await;
    let keyed = |people: &[PersonId]| Submission {
        idempotency_key: Some("once".to_owned()),
        ..inactive(Target::People(people.to_vec()))
    };
    let submits = (0..100).map(|_| c.caseload.actions().submit(&c.manager, keyed(&people)));
    let answers = futures::future::try_join_all(submits).await.unwrap();
    assert!(answers.iter().all(|task| task.id == answers[0].id));
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 1);
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.submit'", []).await, 1);
    let other = refusal(&c, keyed(&people[1..])).await;
    assert_eq!((other.status, other.code.as_str()), (422, "idempotency_key_reused"));
}

async fn without_the_permission_nothing_is_submitted(on: On) {
    let c = College::of(on, 2).await;
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'coach'", []).await;
    let coach = c.at_next_request(c.coach.person_id, 0).await.unwrap();
    let refused = c.caseload.actions().submit(&coach, inactive(Target::Everyone)).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 403);
    let refused =
        c.caseload.actions().preview(&coach, set(ProgramStatus::Inactive), Target::Everyone).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 403);
    assert_eq!(c.count("SELECT COUNT(*) FROM task_person", []).await, 0);
}

async fn a_scheduled_task_waits(on: On) {
    let c = College::of(on, 2).await;
    let now = c.test.db.now().await.unwrap();
    let tomorrow = now + std::time::Duration::from_secs(86_400);
    let later = Submission { trigger_date: Some(tomorrow), ..inactive(Target::Everyone) };
    let task = c.caseload.actions().submit(&c.manager, later.clone()).await.unwrap().id;
    c.run().await;
    let state = async || c.caseload.tasks().get(&c.manager, task).await.unwrap().row.state;
    assert_eq!(state().await, model::TaskState::Scheduled);
    c.test.clock.advance(std::time::Duration::from_secs(86_401));
    c.run().await;
    assert_eq!(state().await, model::TaskState::Done);
    let far = Submission { trigger_date: Some(now + std::time::Duration::from_secs(400 * 86_400)), ..later };
    assert_eq!(refusal(&c, far).await.errors[0].field, "triggerDate");
}

async fn people_who_are_not_there_are_nobody(on: On) {
    let c = College::of(on, 3).await;
    let strangers = [Target::SchoolIds(school_ids(["nobody-1"])), Target::People(vec![PersonId::from_u128(7)])];
    for target in strangers {
        assert_eq!(refusal(&c, inactive(target)).await.code, "nobody_matches");
    }
}

async fn texts_that_cannot_be_kept_are_refused_by_name(on: On) {
    let c = College::of(on, 3).await;
    let everyone = || inactive(Target::Everyone);
    for reason in ["x".repeat(501), "a\0b".to_owned()] {
        let problem = refusal(&c, Submission { reason: Some(reason), ..everyone() }).await;
        assert_eq!((problem.status, problem.errors[0].field.as_str()), (400, "reason"));
    }
    assert_eq!(model::Action::program_status("ACTIVE", "", "a\0b").unwrap_err().errors[0].field, "comment");
    let filter = model::PeopleFilter { home_campus: vec!["a\0b".into()], ..Default::default() };
    let problem = refusal(&c, inactive(Target::Query { filter, exclude: vec![] })).await;
    assert_eq!(problem.errors[0].field, "homeCampus");
}

async fn a_preview_that_grew_too_old_is_not_submitted(on: On) {
    let c = College::of(on, 3).await;
    let preview =
        c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), Target::Everyone).await.unwrap();
    c.test.clock.advance(std::time::Duration::from_secs(1_801));
    let late = Submission { preview: Some(preview.preview_token), ..inactive(Target::Everyone) };
    assert_eq!(refusal(&c, late).await.code, "preview_gone");
}
