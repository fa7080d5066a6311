//! What became of each, and how many that makes.

use crate::emailing::*;

testkit::on_both!(
    of_each_it_is_known_what_became_of_them,
    who_is_put_off_delays_nobody,
    whoever_shares_an_address_is_written_to_once,
    the_number_that_was_confirmed_is_the_number_that_is_said,
);

/// Five hundred people: one refused, two put off, three cut off after their message was taken, one never answered.
async fn of_each_it_is_known_what_became_of_them(on: On) {
    let sink = SmtpSink::start().unwrap();
    let settings = MailSettings { smtp_url: Some(sink.url()), timeout: Duration::from_secs(4), ..quick() };
    let (college, people) = with(on, 500, settings).await;
    for (n, name) in [
        (7, "reject-1"),
        (40, "defer1-a"),
        (200, "defer1-b"),
        (60, "cut-a"),
        (61, "cut-b"),
        (333, "cut-c"),
        (90, "silent"),
    ] {
        set_address(&college, people[n], &format!("{name}@students.example")).await;
    }
    let id = send(&college, email(), &people).await;
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.open()), (TaskState::Retrying, 2), "{row:?}");
    let_deferred_pass(&college).await;
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!(row.state, TaskState::DoneWithProblems);
    assert_eq!(counts(&college, id).await, (495, 0, 1, 4));
    let expected = BTreeMap::from([
        ((Some(Outcome::Done), String::new()), 495),
        ((Some(Outcome::Failed), "REJECTED".to_owned()), 1),
        ((Some(Outcome::Uncertain), "UNCONFIRMED".to_owned()), 4),
    ]);
    assert_eq!(college.ledger(&college.manager, id).await, expected);
    // Those that are uncertain happen to have arrived; nobody got anything twice.
    let got = by_recipient(&sink);
    assert_eq!((got.len(), got.values().max()), (499, Some(&1)));
    // Whoever came beside the silent one was not kept waiting for them.
    let taken = sink.taken().unwrap();
    let at = |name: &str| taken.iter().find(|taken| taken.to[0].starts_with(name)).unwrap().at;
    let (silent, last) = (at("silent"), at("s120@"));
    assert!(last.saturating_sub(silent) < 3_000, "{} ms after the silent one", last - silent);
}

async fn who_is_put_off_delays_nobody(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 30, &sink).await;
    set_address(&college, people[0], "defer2-a@students.example").await;
    set_address(&college, people[1], "defer9-b@students.example").await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (28, 0, 0, 0));
    let query = LedgerQuery { outcome: Some(LedgerFilter::Open), ..LedgerQuery::default() };
    let open = college.caseload.tasks().ledger(&college.manager, id, &query).await.unwrap();
    assert_eq!(open.items[0].reason_label.as_deref(), Some("delayed by the mail server"));
    assert!(open.items[0].after.as_deref().unwrap().contains("come again later"), "{:?}", open.items[0]);
    // It is tried again after a minute, and then after four.
    for (seconds, sent) in [(30, 28), (31, 28), (200, 28), (60, 29)] {
        college.test.clock.advance(Duration::from_secs(seconds));
        college.run().await;
        assert_eq!(counts(&college, id).await.0, sent, "after {seconds} s more");
    }
    let_deferred_pass(&college).await;
    assert_eq!(counts(&college, id).await, (29, 0, 1, 0));
    let ledger = college.ledger(&college.manager, id).await;
    assert_eq!(ledger[&(Some(Outcome::Failed), "DEFERRED".to_owned())], 1);
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures), (TaskState::DoneWithProblems, 0));
    let took = row.stopped_date.unwrap() - row.started_date.unwrap();
    assert!(took.num_seconds() > 300, "the waits between its attempts belong to it: {took}");
}

async fn whoever_shares_an_address_is_written_to_once(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 60, &sink).await;
    for id in &people[1..] {
        set_address(&college, *id, "one@students.example").await;
    }
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (2, 58, 0, 0));
    assert_eq!(by_recipient(&sink)["one@students.example"], 1);
}

async fn the_number_that_was_confirmed_is_the_number_that_is_said(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 20, &sink).await;
    for id in &people[..3] {
        college.write("UPDATE person SET email_opt_out = TRUE WHERE id = $1", [(*id).into()]).await;
    }
    let target = Target::People(people);
    let preview = college.caseload.actions().preview(&college.manager, email(), target.clone()).await.unwrap();
    assert_eq!((preview.total, preview.will_change), (20, 17));
    let id = college.submit(&college.manager, email(), target, 20).await.unwrap().id;
    for seconds in [0, 61] {
        college.test.clock.advance(Duration::from_secs(seconds));
        college.run().await;
        let task = college.caseload.tasks().get(&college.manager, id).await.unwrap();
        assert_eq!((task.row.total, task.row.people()), (Some(20), Some(17)));
        assert_eq!(task.timeline.last().unwrap().note.as_deref(), Some("17 of 20 people"));
    }
}
