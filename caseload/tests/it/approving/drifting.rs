//! What changes between the submit and the approval: the list shrinks and never grows, and whoever decides has seen it.

use super::*;

testkit::on_both!(
    both_columns_add_up_whatever_has_changed,
    nobody_joins_a_list_that_waits,
    whoever_no_longer_matches_is_skipped_even_if_they_match_again,
    more_change_than_was_allowed_since_it_was_seen_is_shown_first,
);

async fn both_columns_add_up_whatever_has_changed(on: On) {
    let c = college(on, 30).await;
    let people = c.students(&c.manager).await;
    c.set_status(&people[28..], ProgramStatus::Inactive).await;
    let id = c.submit(&c.manager, inactive(), Target::People(people.clone()), 30).await.unwrap().id;
    c.set_status(&people[..1], ProgramStatus::Inactive).await;
    c.write("UPDATE person SET activated = FALSE WHERE id = $1", [people[1].into()]).await;
    let told = shown(&c, &c.administrator, id).await;
    let lines = [line(28, 26, "will change to Inactive"), line(0, 1, "not activated"), line(2, 3, "already Inactive")];
    assert_eq!(table(&told), lines);
    assert_eq!((told.will_change_now, told.sample.len()), (Some(26), 10));
    approve(&c, &c.administrator, id).await.unwrap();
    // As it was asked for stays, and what it did is on its own page.
    let told = shown(&c, &c.manager, id).await;
    assert_eq!((told.will_change_now, told.sample.len()), (None, 0));
    assert_eq!(
        table(&told),
        [(28, None, "will change to Inactive".to_owned()), (2, None, "already Inactive".to_owned())]
    );
}

async fn nobody_joins_a_list_that_waits(on: On) {
    let c = college(on, 30).await;
    let people = c.students(&c.manager).await;
    c.set_status(&people[20..], ProgramStatus::NoShow).await;
    let id = asked(&c, 20).await;
    c.set_status(&people[20..], ProgramStatus::Active).await;
    assert_eq!(table(&shown(&c, &c.administrator, id).await), [line(20, 20, "will change to Inactive")]);
    approve(&c, &c.administrator, id).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().row(&c.manager, id).await.unwrap();
    assert_eq!((row.total, row.succeeded, with_status_now(&c, ProgramStatus::Active).await), (Some(20), 20, 10));
}

async fn whoever_no_longer_matches_is_skipped_even_if_they_match_again(on: On) {
    let c = college(on, 30).await;
    let people = c.students(&c.manager).await;
    let id = asked(&c, 30).await;
    c.set_status(&people[..2], ProgramStatus::NoShow).await;
    let told = shown(&c, &c.administrator, id).await;
    assert_eq!(table(&told), [line(30, 28, "will change to Inactive"), line(0, 2, "no longer match")]);
    assert!(told.sample.iter().all(|row| !people[..2].contains(&row.person_id)));
    c.caseload.approvals().approve(&c.administrator, id, Some(28), None).await.unwrap();
    c.set_status(&people[..1], ProgramStatus::Active).await;
    c.run().await;
    let row = c.caseload.tasks().row(&c.manager, id).await.unwrap();
    assert_eq!((row.state, row.succeeded, row.skipped), (TaskState::Done, 28, 2));
    let ledger = c.ledger(&c.manager, id).await;
    assert_eq!(ledger[&(Some(model::Outcome::Skipped), "NO_LONGER_MATCHES".to_owned())], 2);
    c.assert_one_open_status().await;
}

async fn more_change_than_was_allowed_since_it_was_seen_is_shown_first(on: On) {
    let c = college(on, 30).await;
    let people = c.students(&c.manager).await;
    let id = asked(&c, 30).await;
    c.set_status(&people[..3], ProgramStatus::Inactive).await;
    // Without a number it is the one that was asked for.
    for seen in [None, Some(30)] {
        let moved = c.caseload.approvals().approve(&c.administrator, id, seen, None).await.unwrap_err();
        let moved = Problem::from(moved);
        assert_eq!(
            (moved.status, moved.code.as_str(), &moved.more["willChange"]),
            (422, "approval_drifted", &27.into())
        );
    }
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
    c.set_status(&people[3..5], ProgramStatus::Inactive).await;
    c.caseload.approvals().approve(&c.administrator, id, Some(27), None).await.unwrap();
    c.run().await;
    assert_eq!(c.caseload.tasks().row(&c.manager, id).await.unwrap().succeeded, 25);
}
