//! What is said and asked before an email is submitted.

use testkit::{On, on_both};

use super::*;

on_both!(
    the_preview_counts_those_who_get_nothing,
    more_than_the_limit_is_refused,
    every_email_is_confirmed_by_its_number,
    another_start_does_not_skip_the_hold,
);

async fn the_preview_counts_those_who_get_nothing(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 10, &sink).await;
    college.write("UPDATE person SET email_opt_out = TRUE WHERE id = $1", [people[1].into()]).await;
    college.write("UPDATE person SET primary_email = ' ' WHERE id = $1", [people[2].into()]).await;
    set_address(&college, people[4], "S3@students.example").await;
    // Who opted out takes nobody's place.
    set_address(&college, people[5], "s1@students.example").await;
    let target = Target::People(people.clone());
    let preview = college.caseload.actions().preview(&college.manager, email(), target).await.unwrap();
    let skipped: BTreeMap<_, _> = preview
        .skipped
        .iter()
        .filter(|skipped| skipped.count > 0)
        .map(|skipped| (skipped.reason, skipped.count))
        .collect();
    let expected =
        BTreeMap::from([(SkipReason::NoAddress, 1), (SkipReason::OptedOut, 1), (SkipReason::SameAddress, 1)]);
    assert_eq!((preview.will_change, skipped, preview.needs_number), (7, expected, true));
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (7, 3, 0, 0));
    for reason in ["NO_ADDRESS", "OPTED_OUT", "SAME_ADDRESS"] {
        assert_eq!(college.ledger(&college.manager, id).await[&(Some(Outcome::Skipped), reason.to_owned())], 1);
    }
}

async fn more_than_the_limit_is_refused(on: On) {
    let (college, people) = with(on, 12, MailSettings { limit: Some(10), ..quick() }).await;
    let target = |count: usize| Target::People(people[..count].to_vec());
    let preview =
        async |count| college.caseload.actions().preview(&college.manager, email(), target(count)).await.unwrap();
    let (many, few) = (preview(11).await, preview(10).await);
    assert_eq!((many.limit, many.refusal.is_some(), few.limit, few.refusal), (Some(10), true, Some(10), None));
    let refused = college.submit(&college.manager, email(), target(11), 11).await.unwrap_err();
    assert_eq!(many.refusal.as_deref(), Some(refused.detail.as_str()));
    assert_eq!(refused.code, "too_many_people");
    assert!(refused.detail.contains("at most 10") && refused.detail.contains("export"), "{}", refused.detail);
    assert!(college.submit(&college.manager, email(), target(10), 10).await.is_ok());
}

async fn every_email_is_confirmed_by_its_number(on: On) {
    let (college, people) = with(on, 3, quick()).await;
    let target = Target::People(people[..1].to_vec());
    let refused: Problem =
        college.caseload.actions().submit(&college.manager, program(email(), target.clone())).await.unwrap_err().into();
    assert_eq!(refused.code, "confirmation_required");
    let preview = college.caseload.actions().preview(&college.manager, email(), target).await.unwrap();
    let seen = Submission { preview: Some(preview.preview_token), ..Submission::from_source(SubmitSource::Page) };
    let refused: Problem = college.caseload.actions().submit(&college.manager, seen.clone()).await.unwrap_err().into();
    assert_eq!(refused.code, "confirmation_required");
    let typed = Submission { confirm_total: Some(1), ..seen };
    assert!(college.caseload.actions().submit(&college.manager, typed).await.is_ok());
}

async fn another_start_does_not_skip_the_hold(on: On) {
    let (college, people) = with(on, 1, quick()).await;
    let id = college.submit(&college.manager, email(), Target::People(people), 1).await.unwrap().id;
    let later = |seconds| college.test.clock.now() + chrono::TimeDelta::seconds(seconds);
    let refused = college.caseload.tasks().reschedule(&college.manager, id, later(1)).await.unwrap_err();
    assert_eq!(Problem::from(refused).errors[0].code, "held");
    college.caseload.tasks().reschedule(&college.manager, id, later(3_600)).await.unwrap();
}
