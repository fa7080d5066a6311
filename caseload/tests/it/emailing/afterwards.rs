//! What an email leaves behind: the journal, what came back, and those who are written to again.

use model::{
    TaskId,
    person::MessageState,
    task::EventKind,
    timeline::{Happened, TimelineKind, TimelineQuery},
};
use testkit::{On, on_both};

use super::*;

on_both!(
    a_message_leaves_a_journal_entry,
    failed_and_uncertain_ones_can_be_sent_again,
    whoever_was_sent_it_again_is_not_sent_it_once_more,
    whoever_another_task_will_write_to_again_is_left_to_it,
    a_message_that_came_back_is_noted,
    an_erased_person_is_in_no_outbox,
);

async fn a_message_leaves_a_journal_entry(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 5, &sink).await;
    set_address(&college, people[0], "reject@students.example").await;
    let action = written(WrittenEmail {
        subject: "Four slots, {first name | you}",
        body: "y",
        recipients: Some(Recipients::Primary),
        create_journal_entry: true,
        ..WrittenEmail::default()
    });
    college.write("UPDATE person SET first_name = 'Ada' WHERE id = $1", [people[1].into()]).await;
    send(&college, action, &people).await;
    let entries = college.caseload.people().journal(&college.manager, people[1]).await.unwrap();
    assert_eq!((entries.len(), entries[0].entry.as_str()), (1, "Emailed: Four slots, Ada"));
    assert_eq!(entries[0].created_by_name, "Katrin Lund");
    assert!(college.caseload.people().journal(&college.manager, people[0]).await.unwrap().is_empty());
    // An email is told once, and its entry of the journal among those of the journal.
    let told = async |only: Option<TimelineKind>| {
        let query = TimelineQuery { only, after: None };
        let told = college.caseload.people().timeline(&college.manager, people[1], &query).await.unwrap().entries;
        told.iter().filter(|entry| matches!(entry.what, Happened::Journal(_))).count()
    };
    assert_eq!((told(None).await, told(Some(TimelineKind::Journal)).await), (0, 1));
}

async fn failed_and_uncertain_ones_can_be_sent_again(on: On) {
    let sink = SmtpSink::start().unwrap();
    let settings = MailSettings { smtp_url: Some(sink.url()), ..quick() };
    let (college, people) = with(on, 10, settings).await;
    set_address(&college, people[0], "cut@students.example").await;
    set_address(&college, people[1], "reject@students.example").await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (8, 0, 1, 1));
    let first = sink.taken().unwrap().into_iter().find(|taken| taken.to[0].starts_with("cut")).unwrap();
    set_address(&college, people[0], "mended@students.example").await;
    let again = college.caseload.tasks().resend(&college.manager, id, LedgerFilter::Uncertain).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, again).await, (1, 0, 0, 0));
    // Under the same name, so that a mailbox that has it already may see that it is the same.
    let second = sink.taken().unwrap().into_iter().find(|taken| taken.to[0].starts_with("mended")).unwrap();
    let name = |text: &str| text.lines().find(|line| line.starts_with("Message-ID")).unwrap().to_owned();
    assert_eq!(name(&first.data), name(&second.data));
    let again = college.caseload.tasks().resend(&college.manager, id, LedgerFilter::Failed).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, again).await, (0, 0, 1, 0));
    let parent = college.caseload.tasks().get(&college.manager, again).await.unwrap().parent.unwrap();
    assert_eq!(parent.id, id);
}

async fn whoever_was_sent_it_again_is_not_sent_it_once_more(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 6, &sink).await;
    for (n, id) in people[..3].iter().enumerate() {
        set_address(&college, *id, &format!("reject{n}@students.example")).await;
    }
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (3, 0, 3, 0));
    let told = college.caseload.tasks().get(&college.manager, id).await.unwrap().timeline;
    assert_eq!((told[0].kind, told[0].text.as_str()), (EventKind::Trouble, "Done with problems (3 failed)"));
    set_address(&college, people[0], "right0@students.example").await;
    set_address(&college, people[1], "right1@students.example").await;
    let resend = async |of: TaskId| college.caseload.tasks().resend(&college.manager, of, LedgerFilter::Failed).await;
    let first = resend(id).await.unwrap().id;
    // Before it has ended, and after.
    assert_eq!(resend(id).await.unwrap().id, first);
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, first).await, (2, 0, 1, 0));
    let left = college.caseload.tasks().get(&college.manager, id).await.unwrap().can_resend;
    assert_eq!(left.iter().map(|left| left.count).collect::<Vec<_>>(), [1]);
    set_address(&college, people[2], "right2@students.example").await;
    let second = resend(first).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, second).await, (1, 0, 0, 0));
    assert_eq!(Problem::from(resend(id).await.unwrap_err()).status, 409);
    assert!(by_recipient(&sink).values().all(|count| *count == 1), "{:?}", by_recipient(&sink));
}

async fn a_message_that_came_back_is_noted(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    let id = send(&college, email(), &people).await;
    let caseload = &college.caseload;
    caseload.people().note_bounce(&college.manager, id, people[0], "Mailbox full").await.unwrap();
    let messages = caseload.people().messages(&college.manager, people[0]).await.unwrap();
    assert_eq!(messages[0].bounce_note.as_deref(), Some("Mailbox full"));
    assert_eq!(messages[0].bounce_by_name.as_deref(), Some("Katrin Lund"));
    let query = LedgerQuery { reason: Some("BOUNCED".to_owned()), ..LedgerQuery::default() };
    assert_eq!(caseload.tasks().ledger(&college.manager, id, &query).await.unwrap().items.len(), 1);
    let emails = TimelineQuery { only: Some(TimelineKind::Email), after: None };
    let told = caseload.people().timeline(&college.manager, people[0], &emails).await.unwrap().entries;
    let [Happened::Bounced { note, .. }, Happened::Email { state: MessageState::Sent, .. }] =
        &told.iter().map(|entry| entry.what.clone()).collect::<Vec<_>>()[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!((note.as_deref(), told[0].by_name.as_deref()), (Some("Mailbox full"), Some("Katrin Lund")));
    assert_eq!([told[0].task_id, told[1].task_id], [Some(id); 2]);
    for coach in [&college.coach, &college.other_coach] {
        // It is the manager's task, and one of them has no such person at all.
        let told = caseload.people().timeline(coach, people[0], &emails).await;
        assert!(told.is_err() || told.unwrap().entries.is_empty());
    }
    caseload.people().note_bounce(&college.manager, id, people[0], " ").await.unwrap();
    assert_eq!(caseload.people().messages(&college.manager, people[0]).await.unwrap()[0].bounce_note, None);
    // Somebody else's task is nobody's to write on.
    let refused = caseload.people().note_bounce(&college.coach, id, people[0], "x").await;
    assert_eq!(Problem::from(refused.unwrap_err()).status, 404);
}

async fn an_erased_person_is_in_no_outbox(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 8, &sink).await;
    set_address(&college, people[0], "defer1-a@students.example").await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (7, 0, 0, 0));
    for n in [0, 1] {
        let school_id =
            college.caseload.people().get(&college.manager, people[n]).await.unwrap().row.school_id.unwrap();
        college
            .caseload
            .people()
            .erase(&college.administrator, people[n], &school_id, Some("asked for it"))
            .await
            .unwrap();
    }
    let left = "SELECT COUNT(*) FROM outbox WHERE address IN ('s1@students.example', 'defer1-a@students.example')";
    assert_eq!(college.count(left, []).await, 0);
    let_deferred_pass(&college).await;
    // Whoever was put off and is gone is a skip, and the task ends.
    assert_eq!(counts(&college, id).await, (7, 1, 0, 0));
    assert_eq!(by_recipient(&sink).get("defer1-a@students.example"), None);
}

async fn whoever_another_task_will_write_to_again_is_left_to_it(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    set_address(&college, people[0], "reject@students.example").await;
    let id = send(&college, email(), &people).await;
    let first = college.caseload.tasks().resend(&college.manager, id, LedgerFilter::Failed).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, first).await, (0, 0, 1, 0));
    set_address(&college, people[0], "mended@students.example").await;
    // From the first task's page, and then from that of the second, while the third is held.
    college.caseload.tasks().resend(&college.manager, id, LedgerFilter::Failed).await.unwrap();
    let refused = college.caseload.tasks().resend(&college.manager, first, LedgerFilter::Failed).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 409);
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(by_recipient(&sink).get("mended@students.example"), Some(&1));
}
