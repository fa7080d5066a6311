//! Messages leave after the hold, once each, and of each it is known what became of it.

use caseload::email;
use testkit::{On, on_both};

use super::*;

on_both!(
    everybody_gets_one_message_after_the_hold,
    of_each_it_is_known_what_became_of_them,
    who_is_put_off_delays_nobody,
    whoever_shares_an_address_is_written_to_once,
    cancelled_in_the_hold_nothing_leaves,
    sent_now_it_leaves_before_the_hold_is_over,
    of_two_ways_out_of_a_hold_one_wins,
    the_number_that_was_confirmed_is_the_number_that_is_said,
    cancelled_in_the_middle_what_left_is_listed,
    a_mail_server_that_is_away_costs_no_message,
    a_process_that_died_leaves_the_uncertain,
    without_a_mail_server_nothing_is_called_sent,
    the_copy_goes_out_once,
    an_email_that_reaches_nobody_sends_no_copy,
    a_copy_that_was_not_made_is_made_when_somebody_is_reached_at_last,
    both_addresses_get_one_message,
    a_bad_second_address_keeps_nobody_from_the_first,
    an_address_that_is_put_off_is_not_given_up_for_the_other,
    a_mail_server_that_takes_few_connections_is_not_away,
    several_emails_put_no_more_down_than_can_be_handed_over,
    an_email_that_gave_up_on_the_mail_server_can_go_on,
    whoever_lost_the_right_sends_no_more,
);

async fn everybody_gets_one_message_after_the_hold(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 60, &sink).await;
    let target = Target::People(people.clone());
    let id = college.submit(&college.manager, email(), target, 60).await.unwrap().id;
    college.run().await;
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, sink.taken().unwrap().len()), (TaskState::Held, 0));
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, id).await, (60, 0, 0, 0));
    let got = by_recipient(&sink);
    assert_eq!((got.len(), got.values().all(|count| *count == 1)), (60, true), "{got:?}");
    let ledger = college.caseload.tasks().ledger(&college.manager, id, &LedgerQuery::default()).await.unwrap();
    assert_eq!(ledger.items[0].after.as_deref(), Some("s0@students.example"));
}

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

async fn cancelled_in_the_hold_nothing_leaves(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 20, &sink).await;
    let id = college.submit(&college.manager, email(), Target::People(people), 20).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(59));
    college.run().await;
    college.caseload.tasks().abandon(&college.manager, id, None).await.unwrap();
    college.test.clock.advance(Duration::from_secs(600));
    college.run().await;
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.open(), sink.taken().unwrap().len()), (TaskState::Cancelled, 20, 0));
}

async fn sent_now_it_leaves_before_the_hold_is_over(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 20, &sink).await;
    let tasks = college.caseload.tasks();
    let id = college.submit(&college.manager, email(), Target::People(people.clone()), 20).await.unwrap().id;
    let refused = async |actor, reason| Problem::from(tasks.send_now(actor, id, reason).await.unwrap_err());
    assert_eq!(refused(&college.coach, Some("mine")).await.status, 404);
    assert_eq!(refused(&college.administrator, None).await.errors[0].field, "reason");
    college.run().await;
    assert_eq!(sink.taken().unwrap().len(), 0, "it is held");
    tasks.send_now(&college.manager, id, None).await.unwrap();
    assert_eq!(refused(&college.manager, None).await.code, "hold_over");
    college.run().await;
    assert_eq!((counts(&college, id).await, sink.taken().unwrap().len()), ((20, 0, 0, 0), 20));
    let told = tasks.get(&college.manager, id).await.unwrap().timeline;
    assert!(told.iter().any(|event| event.text == "Hold ended by Katrin Lund"), "{told:?}");
    assert_eq!(college.count("SELECT COUNT(*) FROM audit WHERE action = 'task.send-now'", []).await, 1);
    // A start that was chosen is no hold.
    let other = college.submit(&college.manager, email(), Target::People(people), 20).await.unwrap().id;
    let later = college.caseload.now() + Duration::from_secs(7_200);
    tasks.reschedule(&college.manager, other, later).await.unwrap();
    let scheduled = Problem::from(tasks.send_now(&college.manager, other, None).await.unwrap_err());
    assert_eq!(scheduled.code, "hold_over");
    let reason = Some("asked to by phone");
    let third = college.students(&college.manager).await;
    let third = college.submit(&college.manager, email(), Target::People(third), 20).await.unwrap().id;
    tasks.send_now(&college.administrator, third, reason).await.unwrap();
}

async fn of_two_ways_out_of_a_hold_one_wins(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 5, &sink).await;
    let tasks = college.caseload.tasks();
    let submit =
        async || college.submit(&college.manager, email(), Target::People(people.clone()), 5).await.unwrap().id;
    let twice = submit().await;
    let (one, two) =
        tokio::join!(tasks.send_now(&college.manager, twice, None), tasks.send_now(&college.manager, twice, None));
    let lost: Vec<_> = [one, two].into_iter().filter_map(Result::err).map(Problem::from).collect();
    assert_eq!(lost.iter().map(|lost| lost.code.as_str()).collect::<Vec<_>>(), ["hold_over"]);
    let both = submit().await;
    let (cancelled, _) =
        tokio::join!(tasks.abandon(&college.manager, both, None), tasks.send_now(&college.manager, both, None));
    cancelled.unwrap();
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    let row = college.caseload.tasks().row(&college.manager, both).await.unwrap();
    assert_eq!((row.state, row.open()), (TaskState::Cancelled, 5), "what was cancelled is not sent");
    assert_eq!((counts(&college, twice).await, sink.taken().unwrap().len()), ((5, 0, 0, 0), 5));
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

async fn cancelled_in_the_middle_what_left_is_listed(on: On) {
    let mut sink = SmtpSink::taking(7).unwrap();
    let (college, people) = college(on, 100, &sink).await;
    let id = college.submit(&college.manager, email(), Target::People(people), 100).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    let cancel = async {
        while sink.taken().unwrap().len() < 7 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        college.caseload.tasks().abandon(&college.manager, id, None).await.unwrap();
        sink.go_on().unwrap();
    };
    tokio::join!(college.run(), cancel);
    let (sent, skipped, failed, uncertain) = counts(&college, id).await;
    assert_eq!((skipped, failed, uncertain), (0, 0, 0));
    assert_eq!(sent, sink.taken().unwrap().len() as u64);
    assert!((7..60).contains(&sent), "{sent}");
    let expected = BTreeMap::from([((Some(Outcome::Done), String::new()), sent), ((None, String::new()), 100 - sent)]);
    assert_eq!(college.ledger(&college.manager, id).await, expected);
}

async fn a_mail_server_that_is_away_costs_no_message(on: On) {
    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", away.local_addr().unwrap());
    let settings = MailSettings { smtp_url: Some(url), timeout: Duration::from_millis(300), ..quick() };
    let (college, people) = with(on, 30, settings).await;
    // It takes the connection and says nothing; then it takes none.
    let id = send(&college, email(), &people).await;
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures, row.open()), (TaskState::Retrying, 0, 30));
    assert!(row.trouble.unwrap().contains("mail server could not be reached"));
    drop(away);
    for _ in 0..6 {
        college.test.clock.advance(Duration::from_secs(660));
        college.run().await;
    }
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures, row.uncertain, row.open()), (TaskState::Retrying, 0, 0, 30));
    college
        .write(
            "UPDATE queued_task SET execution_state = REPLACE(execution_state, '\"outages\":7', '\"outages\":99')",
            [],
        )
        .await;
    for _ in 0..3 {
        college.test.clock.advance(Duration::from_secs(660));
        college.run().await;
    }
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.uncertain, row.open()), (TaskState::Failed, 0, 30));
}

/// The row that says that a message goes is committed before it does; after a crash nobody knows.
async fn a_process_that_died_leaves_the_uncertain(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 20, &sink).await;
    let id = college.submit(&college.manager, email(), Target::People(people.clone()), 20).await.unwrap().id;
    // As a former attempt would have left them: two of them on their way.
    for position in [1_i64, 2] {
        college.write(
            "INSERT INTO outbox (task_id, position, person_id, address, address_key, message_id, state, attempt, tries, state_date)
             SELECT task_id, position, person_id, 'x', 'x', 'x', 'SENDING', 0, 1, {now} FROM task_person
             WHERE task_id = $1 AND position = $2",
            [id.into(), position.into()],
        ).await;
    }
    let bookmark = r#"{"total":20,"position":2,"turn":1}"#;
    college.write("UPDATE queued_task SET execution_state = $1 WHERE id = $2", [bookmark.into(), id.into()]).await;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, id).await, (18, 0, 0, 2));
    assert_eq!(sink.taken().unwrap().len(), 18);
}

async fn without_a_mail_server_nothing_is_called_sent(on: On) {
    let (college, people) = with(on, 12, quick()).await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (0, 0, 12, 0));
    let ledger = college.ledger(&college.manager, id).await;
    assert_eq!(ledger[&(Some(Outcome::Failed), "NOT_CONFIGURED".to_owned())], 12);
}

async fn the_copy_goes_out_once(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 25, &sink).await;
    let action = written(WrittenEmail {
        subject: "For {first name}",
        body: "Hello {first name | there}",
        recipients: Some(Recipients::Primary),
        cc: "dean@college.example , office@college.example",
        ..WrittenEmail::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (25, 0, 0, 0));
    let taken = sink.taken().unwrap();
    assert_eq!(taken.len(), 26);
    let copy: Vec<_> = taken.iter().filter(|taken| taken.to.contains(&"dean@college.example".to_owned())).collect();
    assert_eq!((copy.len(), &copy[0].to[1]), (1, &"office@college.example".to_owned()));
    assert!(copy[0].data.contains("Copy: For {first name}"), "{}", copy[0].data);
}

/// One person without an address, one who is refused: the dean was told “Copy: Hello …” of what nobody got.
async fn an_email_that_reaches_nobody_sends_no_copy(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 2, &sink).await;
    set_address(&college, people[0], "").await;
    set_address(&college, people[1], "reject-1@students.example").await;
    let action = written(WrittenEmail {
        subject: "Hello",
        body: "Hello {first name | there}",
        recipients: Some(Recipients::Primary),
        cc: "dean@college.example",
        ..WrittenEmail::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (0, 1, 1, 0));
    assert_eq!(sink.taken().unwrap().iter().filter(|taken| taken.to[0].starts_with("dean")).count(), 0);
}

async fn a_copy_that_was_not_made_is_made_when_somebody_is_reached_at_last(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 2, &sink).await;
    for (n, person) in people.iter().enumerate() {
        set_address(&college, *person, &format!("reject-{n}@students.example")).await;
    }
    let cc = "dean@college.example";
    let recipients = Some(Recipients::Primary);
    let action = written(WrittenEmail { subject: "Hello", body: "Hello", recipients, cc, ..WrittenEmail::default() });
    let id = send(&college, action, &people).await;
    let copies = || sink.taken().unwrap().iter().filter(|taken| taken.to[0].starts_with("dean")).count();
    assert_eq!((counts(&college, id).await, copies()), ((0, 0, 2, 0), 0));
    let mut failed = id;
    for (n, person) in people.iter().enumerate() {
        set_address(&college, *person, &format!("good{n}@students.example")).await;
        let former = failed;
        failed = college.caseload.tasks().resend(&college.manager, failed, LedgerFilter::Failed).await.unwrap().id;
        // Whoever sends those again of whom nothing is known does it beside this one, which may still copy.
        for task in [id, former, failed] {
            assert!(email::has_copied(college.caseload.db(), task).await.unwrap(), "{task}");
        }
        college.test.clock.advance(Duration::from_secs(61));
        college.run().await;
        assert_eq!(copies(), 1, "with the first who was reached, and never again");
    }
    assert_eq!(counts(&college, failed).await, (1, 0, 0, 0));
}

async fn both_addresses_get_one_message(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    let second = "UPDATE person SET secondary_email = $1 WHERE id = $2";
    college.write(second, ["home0@x.example".into(), people[0].into()]).await;
    college.write(second, ["S1@students.example".into(), people[1].into()]).await;
    college.write(second, ["home2@x.example".into(), people[2].into()]).await;
    college.write("UPDATE person SET primary_email = NULL WHERE id = $1", [people[2].into()]).await;
    let action = |recipients| {
        written(WrittenEmail { subject: "x", body: "y", recipients: Some(recipients), ..WrittenEmail::default() })
    };
    send(&college, action(Recipients::Both), &people).await;
    let mut to: Vec<_> = sink.taken().unwrap().into_iter().map(|taken| taken.to).collect();
    to.sort();
    let expected =
        [vec!["home2@x.example"], vec!["s0@students.example", "home0@x.example"], vec!["s1@students.example"]];
    assert_eq!(to, expected);
    send(&college, action(Recipients::Secondary), &people[..2]).await;
    assert_eq!(sink.taken().unwrap()[3..].iter().map(|taken| taken.to.len()).collect::<Vec<_>>(), [1, 1]);
}

async fn a_bad_second_address_keeps_nobody_from_the_first(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 2, &sink).await;
    let second = "UPDATE person SET secondary_email = 'reject@x.example' WHERE id = $1";
    college.write(second, [people[0].into()]).await;
    // An address that only an import would take.
    college.write("UPDATE person SET secondary_email = 'a..b@x.example' WHERE id = $1", [people[1].into()]).await;
    let action = written(WrittenEmail {
        subject: "x",
        body: "y",
        recipients: Some(Recipients::Both),
        cc: "reject-dean@college.example, dean@college.example",
        ..WrittenEmail::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (2, 0, 0, 0));
    let ledger = college.ledger(&college.manager, id).await;
    assert_eq!(ledger[&(Some(Outcome::Done), "PARTLY_REFUSED".to_owned())], 2);
    let got = by_recipient(&sink);
    for address in ["s0@students.example", "s1@students.example", "dean@college.example"] {
        assert_eq!(got.get(address), Some(&1), "{address}");
    }
    let facts = college.caseload.tasks().get(&college.manager, id).await.unwrap().facts;
    let copy = facts.iter().find(|(name, _)| name == "The copy").unwrap();
    assert!(copy.1.starts_with("Sent, but not to reject-dean@college.example: 550"), "{}", copy.1);
}

async fn whoever_lost_the_right_sends_no_more(on: On) {
    let mut sink = SmtpSink::taking(5).unwrap();
    let (college, people) = college(on, 100, &sink).await;
    let id = college.submit(&college.manager, email(), Target::People(people), 100).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    let lose = async {
        while sink.taken().unwrap().len() < 5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        college
            .write("UPDATE account SET disabled = TRUE WHERE person_id = $1", [college.manager.person_id.into()])
            .await;
        sink.go_on().unwrap();
    };
    tokio::join!(college.run(), lose);
    let row = college.caseload.tasks().row(&college.administrator, id).await.unwrap();
    assert_eq!((row.state, row.uncertain), (TaskState::Failed, 0));
    assert_eq!(row.succeeded, sink.taken().unwrap().len() as u64);
    assert!(row.succeeded < 60, "{}", row.succeeded);
}

async fn an_address_that_is_put_off_is_not_given_up_for_the_other(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 1, &sink).await;
    set_address(&college, people[0], "defer1-a@students.example").await;
    let second = "UPDATE person SET secondary_email = 'home@x.example' WHERE id = $1";
    college.write(second, [people[0].into()]).await;
    let both = WrittenEmail { subject: "x", body: "y", recipients: Some(Recipients::Both), ..WrittenEmail::default() };
    let id = send(&college, written(both), &people).await;
    assert_eq!((counts(&college, id).await, sink.taken().unwrap().len()), ((0, 0, 0, 0), 0));
    let_deferred_pass(&college).await;
    assert_eq!(counts(&college, id).await, (1, 0, 0, 0));
    let taken = sink.taken().unwrap();
    assert_eq!((taken.len(), taken[0].to.len()), (1, 2), "{:?}", taken[0].to);
}

async fn a_mail_server_that_takes_few_connections_is_not_away(on: On) {
    let sink = SmtpSink::narrow(2).unwrap();
    let (college, people) = college(on, 40, &sink).await;
    // Without a wait in between: nothing else moves the clock.
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (40, 0, 0, 0));
    assert_eq!(by_recipient(&sink).len(), 40);
}

async fn several_emails_put_no_more_down_than_can_be_handed_over(on: On) {
    let sink = SmtpSink::slow(Duration::from_millis(20)).unwrap();
    let (college, people) = college(on, 100, &sink).await;
    for some in people.chunks(25) {
        college.submit(&college.manager, email(), Target::People(some.to_vec()), 25).await.unwrap();
    }
    college.test.clock.advance(Duration::from_secs(61));
    let watch = async {
        let mut most = 0;
        for _ in 0..1_000 {
            if sink.taken().unwrap().len() == 100 {
                break;
            }
            most = most.max(college.count("SELECT COUNT(*) FROM outbox WHERE state = 'SENDING'", []).await);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        most
    };
    let ((), most) = tokio::join!(college.run(), watch);
    // Twice the connections: some of each are on their way while the answers to others are written down.
    assert!((1..=10).contains(&most), "{most}");
    assert_eq!(by_recipient(&sink).len(), 100);
}

async fn an_email_that_gave_up_on_the_mail_server_can_go_on(on: On) {
    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (college, people) = with(on, 2, MailSettings { smtp_url: Some(format!("smtp://{away}")), ..quick() }).await;
    let id = send(&college, email(), &people).await;
    let state = async || college.caseload.tasks().row(&college.manager, id).await.unwrap().state;
    assert_eq!(state().await, TaskState::Retrying);
    for _ in 0..110 {
        college.test.clock.advance(Duration::from_secs(700));
        college.run().await;
    }
    assert_eq!(state().await, TaskState::Failed);
    college.caseload.tasks().retry(&college.manager, id, None).await.unwrap();
    college.run().await;
    assert_eq!(state().await, TaskState::Retrying);
}
