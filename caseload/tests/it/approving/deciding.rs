//! Who decides, asked at the moment at which they do, and that of two who decide one does.

use caseload::Caseload;

use super::*;

testkit::on_both!(
    nobody_approves_their_own,
    whoever_reaches_only_some_of_them_does_not_know_of_it,
    whoever_lacks_the_permission_sees_it_and_cannot_decide,
    an_approver_who_was_disabled_meanwhile_decides_nothing,
    what_its_owner_may_not_do_any_more_is_not_approved,
    of_two_who_approve_at_once_one_does,
    of_an_approval_and_a_refusal_at_once_one_wins,
    of_an_approval_and_a_cancellation_at_once_one_wins,
    what_is_approved_while_its_owner_is_disabled_stands_still,
    to_decline_takes_a_note,
    a_note_that_names_somebody_who_is_erased_is_forgotten,
);

async fn nobody_approves_their_own(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    let refused = approve(&c, &c.manager, id).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (403, "forbidden"));
    assert_eq!(decline(&c, &c.manager, id, "No").await.unwrap_err().status, 403);
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
}

async fn whoever_reaches_only_some_of_them_does_not_know_of_it(on: On) {
    let c = college(on, 30).await;
    let (own, others) = (students_of(&c, &c.coach).await, students_of(&c, &c.other_coach).await);
    let mixed = own.iter().chain(&others[..1]).copied().collect();
    let id = c.submit(&c.manager, inactive(), Target::People(mixed), 16).await.unwrap().id;
    for coach in [&c.coach, &c.other_coach] {
        assert_eq!(approve(&c, coach, id).await.unwrap_err().status, 404);
        assert_eq!(Problem::from(c.caseload.approvals().get(coach, id).await.unwrap_err()).status, 404);
        assert!(c.caseload.approvals().waiting(coach).await.unwrap().is_empty());
    }
    let whole = c.submit(&c.manager, inactive(), Target::People(own.clone()), 15).await.unwrap().id;
    assert_eq!(c.caseload.approvals().waiting(&c.coach).await.unwrap()[0].id, whole);
    assert_eq!(shown(&c, &c.manager, whole).await.deciders.in_words(), "Ada Min or Paul Nwachukwu");
    // One of them is somebody else's by the moment of deciding.
    let sql = "UPDATE person SET coach_id = $1 WHERE id = $2";
    c.write(sql, [c.other_coach.person_id.into(), own[3].into()]).await;
    assert_eq!(approve(&c, &c.coach, whole).await.unwrap_err().status, 404);
    assert_eq!(state(&c, whole).await, TaskState::Unapproved);
    c.write(sql, [c.coach.person_id.into(), own[3].into()]).await;
    approve(&c, &c.coach, whole).await.unwrap();
    c.run().await;
    assert_eq!(state(&c, whole).await, TaskState::Done);
}

async fn whoever_lacks_the_permission_sees_it_and_cannot_decide(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    // As it is at the moment, whatever it was when they signed in.
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'admin'", []).await;
    let refused = approve(&c, &c.administrator, id).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (403, "forbidden"));
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
}

async fn an_approver_who_was_disabled_meanwhile_decides_nothing(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    disable(&c, &c.administrator).await;
    assert_eq!(approve(&c, &c.administrator, id).await.unwrap_err().status, 403);
    assert_eq!(decline(&c, &c.administrator, id, "No").await.unwrap_err().status, 403);
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
    assert_eq!(c.count("SELECT COUNT(*) FROM approval WHERE decision IS NULL", []).await, 1);
}

async fn what_its_owner_may_not_do_any_more_is_not_approved(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    disable(&c, &c.manager).await;
    let refused = approve(&c, &c.administrator, id).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (409, "submitter_gone"));
    decline(&c, &c.administrator, id, "Katrin has left").await.unwrap();
    assert_eq!(state(&c, id).await, TaskState::Declined);
}

/// The actor is one and the same account, as two windows of it would be, and another one beside it.
async fn of_two_who_approve_at_once_one_does(on: On) {
    let c = college(on, 30).await;
    for _ in 0..5 {
        let people = students_of(&c, &c.coach).await;
        let id = c.submit(&c.manager, set(ProgramStatus::NoShow), Target::People(people), 15).await.unwrap().id;
        let (one, two, three) =
            tokio::join!(approve(&c, &c.administrator, id), approve(&c, &c.coach, id), approve(&c, &c.coach, id));
        let all = [one, two, three];
        assert_eq!(all.iter().filter(|answer| answer.is_ok()).count(), 1, "{all:?}");
        assert!(all.iter().filter_map(|answer| answer.as_ref().err()).all(|error| error.code == "decided"), "{all:?}");
        // Whoever lost may still have the row for a moment, which a claim passes over.
        assert_eq!(c.run_to_an_end(id).await, TaskState::Done);
    }
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.approve'", []).await, 5);
}

async fn of_an_approval_and_a_refusal_at_once_one_wins(on: On) {
    let c = college(on, 30).await;
    for _ in 0..5 {
        let people = students_of(&c, &c.coach).await;
        let id = c.submit(&c.manager, set(ProgramStatus::NoShow), Target::People(people), 15).await.unwrap().id;
        let (yes, no) = tokio::join!(approve(&c, &c.administrator, id), decline(&c, &c.coach, id, "No"));
        assert_ne!(yes.is_ok(), no.is_ok(), "{yes:?} {no:?}");
        match yes {
            Ok(()) => assert_eq!(c.run_to_an_end(id).await, TaskState::Done),
            Err(_) => assert_eq!(state(&c, id).await, TaskState::Declined),
        }
    }
}

async fn of_an_approval_and_a_cancellation_at_once_one_wins(on: On) {
    let c = college(on, 30).await;
    for _ in 0..5 {
        let id = asked(&c, 30).await;
        let tasks: &Caseload = &c.caseload;
        let (yes, cancelled) =
            tokio::join!(approve(&c, &c.administrator, id), tasks.tasks().abandon(&c.manager, id, None));
        // What was approved is cancelled like any other task that waits.
        let state = state(&c, id).await;
        match (yes.is_ok(), cancelled.is_ok()) {
            (false, true) | (true, true) => assert_eq!(state, TaskState::Cancelled),
            other => panic!("{other:?}: {yes:?} {cancelled:?}"),
        }
        c.run().await;
        assert_eq!(with_status_now(&c, ProgramStatus::Active).await, 30);
    }
}

/// It was put into the queue of somebody of whom nothing stood still, and failed there.
async fn what_is_approved_while_its_owner_is_disabled_stands_still(on: On) {
    let c = college(on, 30).await;
    let (admin, manager) = (&c.administrator, c.manager.person_id);
    for _ in 0..8 {
        let id = asked(&c, 30).await;
        let (approved, disabled) =
            tokio::join!(approve(&c, admin, id), c.caseload.users().disable(admin, manager, "She left"));
        disabled.unwrap();
        c.run().await;
        match approved {
            Ok(()) => assert_eq!(state(&c, id).await, TaskState::Waiting, "it stands still"),
            Err(refused) => {
                assert_eq!((refused.code.as_str(), state(&c, id).await), ("submitter_gone", TaskState::Unapproved))
            }
        }
        c.caseload.tasks().abandon(admin, id, Some("again")).await.unwrap();
        c.write("UPDATE account SET disabled = FALSE", []).await;
        c.write("DELETE FROM stopped_owner", []).await;
    }
}

async fn to_decline_takes_a_note(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    for note in [None, Some("  ")] {
        let missing = Problem::from(c.caseload.approvals().decline(&c.administrator, id, note).await.unwrap_err());
        assert_eq!((missing.errors[0].field.as_str(), missing.errors[0].code.as_str()), ("note", "required"));
    }
    let long = decline(&c, &c.administrator, id, &"x".repeat(501)).await.unwrap_err();
    assert_eq!((long.errors[0].field.as_str(), long.errors[0].code.as_str()), ("note", "too_long"));
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
}

async fn a_note_that_names_somebody_who_is_erased_is_forgotten(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    let person = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, person).await.unwrap().row.school_id.unwrap();
    decline(&c, &c.administrator, id, &format!("Leave out {school_id}")).await.unwrap();
    c.caseload.people().erase(&c.administrator, person, &school_id, Some("They asked")).await.unwrap();
    assert_eq!(shown(&c, &c.manager, id).await.approval.note.as_deref(), Some("(erased)"));
}
