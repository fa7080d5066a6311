//! Email: one message each, and of every one it is known what became of it.

use std::{collections::BTreeMap, time::Duration};

use caseload::mail::{Mail, Settings};
use model::{
    Action, LedgerQuery, Outcome, Problem, SkipReason, Submission, Target, TaskState,
    action::{Recipients, email::Written},
    ledger::LedgerFilter,
    submission::Door,
};
use testkit::{On, SmtpSink, on_both};
use uuid::Uuid;

use crate::college::{College, program};

/// A college whose students have the addresses `s0@students.example`, `s1@…`, in the order of their ids.
async fn college(on: On, students: u64, sink: &SmtpSink) -> (College, Vec<Uuid>) {
    with(on, students, Settings { smtp_url: Some(sink.url()), ..quick() }).await
}

async fn with(on: On, students: u64, settings: Settings) -> (College, Vec<Uuid>) {
    let college = College::with_mail(on, students, Mail::new(settings).unwrap()).await;
    let people = college.students(&college.manager).await;
    college.write("UPDATE person SET email_opt_out = FALSE, secondary_email = NULL", []).await;
    for (n, id) in people.iter().enumerate() {
        set_address(&college, *id, &format!("s{n}@students.example")).await;
    }
    college
        .write(
            "UPDATE person SET primary_email = 'k.lund@college.example' WHERE id = $1",
            [college.manager.person_id.into()],
        )
        .await;
    (college, people)
}

fn quick() -> Settings {
    Settings { from: "Northfield College <docket@college.example>".parse().unwrap(), ..Settings::default() }
}

async fn set_address(college: &College, id: Uuid, address: &str) {
    let sql = "UPDATE person SET primary_email = $1 WHERE id = $2";
    college.write(sql, [address.into(), id.into()]).await;
}

fn email() -> Action {
    written(Written {
        subject: "Four slots",
        body: "Hello {first name | there},\n\nsee you.",
        recipients: Some(Recipients::Primary),
        ..Written::default()
    })
}

fn written(written: Written) -> Action {
    Action::email(written).unwrap()
}

/// Submits it, lets the hold pass and runs what is due, until nothing is due any more.
async fn send(college: &College, action: Action, people: &[Uuid]) -> Uuid {
    let target = Target::People(people.to_vec());
    let id = college.submit(&college.manager, action, target, people.len() as u64).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    id
}

/// Waits out what was put off.
async fn let_deferred_pass(college: &College) {
    for _ in 0..8 {
        college.test.clock.advance(Duration::from_secs(5 * 3_600));
        college.run().await;
    }
}

fn by_recipient(sink: &SmtpSink) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for taken in sink.taken().unwrap() {
        for to in taken.to {
            *counts.entry(to).or_default() += 1;
        }
    }
    counts
}

async fn counts(college: &College, id: Uuid) -> (u64, u64, u64, u64) {
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!(row.treated() + row.open(), row.total.unwrap());
    (row.succeeded, row.skipped, row.failed, row.uncertain)
}

on_both!(
    everybody_gets_one_message_after_the_hold,
    of_each_it_is_known_what_became_of_them,
    who_is_put_off_delays_nobody,
    the_preview_counts_those_who_get_nothing,
    whoever_shares_an_address_is_written_to_once,
    cancelled_in_the_hold_nothing_leaves,
    cancelled_in_the_middle_what_left_is_listed,
    a_mail_server_that_is_away_costs_no_message,
    a_process_that_died_leaves_the_uncertain,
    without_a_mail_server_nothing_is_called_sent,
    more_than_the_limit_is_refused,
    every_email_is_confirmed_by_its_number,
    the_copy_goes_out_once,
    both_addresses_get_one_message,
    a_message_leaves_a_journal_entry,
    whoever_lost_the_right_sends_no_more,
    failed_and_uncertain_ones_can_be_sent_again,
    an_erased_person_is_in_no_outbox,
    whoever_was_sent_it_again_is_not_sent_it_once_more,
    a_bad_second_address_keeps_nobody_from_the_first,
    what_is_typed_and_merged_arrives_as_it_was_meant,
    whoever_left_hears_of_the_end_and_the_operator_of_a_dead_task,
    a_message_that_came_back_is_noted,
);

async fn everybody_gets_one_message_after_the_hold(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 60, &sink).await;
    let target = Target::People(people.clone());
    let id = college.submit(&college.manager, email(), target, 60).await.unwrap().id;
    college.run().await;
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, sink.taken().unwrap().len()), (TaskState::Held, 0));
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, id).await, (60, 0, 0, 0));
    let got = by_recipient(&sink);
    assert_eq!((got.len(), got.values().all(|count| *count == 1)), (60, true), "{got:?}");
    let ledger = college.caseload.ledger(&college.manager, id, &LedgerQuery::default()).await.unwrap();
    assert_eq!(ledger.items[0].after.as_deref(), Some("s0@students.example"));
}

/// Five hundred people: one refused, two put off, three cut off after their message was taken, one never answered.
async fn of_each_it_is_known_what_became_of_them(on: On) {
    let sink = SmtpSink::start().unwrap();
    let settings = Settings { smtp_url: Some(sink.url()), timeout: Duration::from_secs(4), ..quick() };
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
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.open()), (TaskState::Scheduled, 2), "{row:?}");
    let_deferred_pass(&college).await;
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
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
    let open = college.caseload.ledger(&college.manager, id, &query).await.unwrap();
    assert_eq!(open.items[0].reason_label.as_deref(), Some("put off by the mail server"));
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
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures), (TaskState::DoneWithProblems, 0));
}

async fn the_preview_counts_those_who_get_nothing(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 10, &sink).await;
    college.write("UPDATE person SET email_opt_out = TRUE WHERE id = $1", [people[1].into()]).await;
    college.write("UPDATE person SET primary_email = ' ' WHERE id = $1", [people[2].into()]).await;
    set_address(&college, people[4], "S3@students.example").await;
    // Who opted out takes nobody's place.
    set_address(&college, people[5], "s1@students.example").await;
    let target = Target::People(people.clone());
    let preview = college.caseload.preview(&college.manager, email(), target).await.unwrap();
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
    college.caseload.abandon(&college.manager, id, None).await.unwrap();
    college.test.clock.advance(Duration::from_secs(600));
    college.run().await;
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.open(), sink.taken().unwrap().len()), (TaskState::Cancelled, 20, 0));
}

async fn cancelled_in_the_middle_what_left_is_listed(on: On) {
    let sink = SmtpSink::slow(Duration::from_millis(100)).unwrap();
    let (college, people) = college(on, 100, &sink).await;
    let id = college.submit(&college.manager, email(), Target::People(people), 100).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    let cancel = async {
        while sink.taken().unwrap().len() < 7 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        college.caseload.abandon(&college.manager, id, None).await.unwrap();
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
    let settings = Settings { smtp_url: Some(url), timeout: Duration::from_millis(300), ..quick() };
    let (college, people) = with(on, 30, settings).await;
    // It takes the connection and says nothing; then it takes none.
    let id = send(&college, email(), &people).await;
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures, row.open()), (TaskState::Scheduled, 0, 30));
    assert!(row.trouble.unwrap().contains("mail server could not be reached"));
    drop(away);
    for _ in 0..6 {
        college.test.clock.advance(Duration::from_secs(660));
        college.run().await;
    }
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
    assert_eq!((row.state, row.failures, row.uncertain, row.open()), (TaskState::Scheduled, 0, 0, 30));
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
    let row = college.caseload.task_row(&college.manager, id).await.unwrap();
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

async fn more_than_the_limit_is_refused(on: On) {
    let (college, people) = with(on, 12, Settings { limit: Some(10), ..quick() }).await;
    let target = |count: usize| Target::People(people[..count].to_vec());
    let refused = college.submit(&college.manager, email(), target(11), 11).await.unwrap_err();
    assert_eq!(refused.code, "too_many_people");
    assert!(refused.detail.contains("at most 10") && refused.detail.contains("export"), "{}", refused.detail);
    assert!(college.submit(&college.manager, email(), target(10), 10).await.is_ok());
}

async fn every_email_is_confirmed_by_its_number(on: On) {
    let (college, people) = with(on, 3, quick()).await;
    let target = Target::People(people[..1].to_vec());
    let refused: Problem =
        college.caseload.submit(&college.manager, program(email(), target.clone())).await.unwrap_err().into();
    assert_eq!(refused.code, "confirmation_required");
    let preview = college.caseload.preview(&college.manager, email(), target).await.unwrap();
    let seen = Submission { preview: Some(preview.preview_token), ..Submission::through(Door::Page) };
    let refused: Problem = college.caseload.submit(&college.manager, seen.clone()).await.unwrap_err().into();
    assert_eq!(refused.code, "confirmation_required");
    let typed = Submission { confirm_total: Some(1), ..seen };
    assert!(college.caseload.submit(&college.manager, typed).await.is_ok());
}

async fn the_copy_goes_out_once(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 25, &sink).await;
    let action = written(Written {
        subject: "For {first name}",
        body: "Hello {first name | there}",
        recipients: Some(Recipients::Primary),
        cc: "dean@college.example , office@college.example",
        ..Written::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (25, 0, 0, 0));
    let taken = sink.taken().unwrap();
    assert_eq!(taken.len(), 26);
    let copy: Vec<_> = taken.iter().filter(|taken| taken.to.contains(&"dean@college.example".to_owned())).collect();
    assert_eq!((copy.len(), &copy[0].to[1]), (1, &"office@college.example".to_owned()));
    assert!(copy[0].data.contains("Copy: For {first name}"), "{}", copy[0].data);
}

async fn both_addresses_get_one_message(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    let second = "UPDATE person SET secondary_email = $1 WHERE id = $2";
    college.write(second, ["home0@x.example".into(), people[0].into()]).await;
    college.write(second, ["S1@students.example".into(), people[1].into()]).await;
    college.write(second, ["home2@x.example".into(), people[2].into()]).await;
    college.write("UPDATE person SET primary_email = NULL WHERE id = $1", [people[2].into()]).await;
    let action =
        |recipients| written(Written { subject: "x", body: "y", recipients: Some(recipients), ..Written::default() });
    send(&college, action(Recipients::Both), &people).await;
    let mut to: Vec<_> = sink.taken().unwrap().into_iter().map(|taken| taken.to).collect();
    to.sort();
    let expected =
        [vec!["home2@x.example"], vec!["s0@students.example", "home0@x.example"], vec!["s1@students.example"]];
    assert_eq!(to, expected);
    send(&college, action(Recipients::Secondary), &people[..2]).await;
    assert_eq!(sink.taken().unwrap()[3..].iter().map(|taken| taken.to.len()).collect::<Vec<_>>(), [1, 1]);
}

async fn a_message_leaves_a_journal_entry(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 5, &sink).await;
    set_address(&college, people[0], "reject@students.example").await;
    let action = written(Written {
        subject: "Four slots",
        body: "y",
        recipients: Some(Recipients::Primary),
        create_journal_entry: true,
        ..Written::default()
    });
    send(&college, action, &people).await;
    let entries = college.caseload.journal(&college.manager, people[1]).await.unwrap();
    assert_eq!((entries.len(), entries[0].entry.as_str()), (1, "Emailed: Four slots"));
    assert_eq!(entries[0].created_by_name, "Katrin Lund");
    assert!(college.caseload.journal(&college.manager, people[0]).await.unwrap().is_empty());
}

async fn whoever_lost_the_right_sends_no_more(on: On) {
    let sink = SmtpSink::slow(Duration::from_millis(50)).unwrap();
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
    };
    tokio::join!(college.run(), lose);
    let row = college.caseload.task_row(&college.administrator, id).await.unwrap();
    assert_eq!((row.state, row.uncertain), (TaskState::Failed, 0));
    assert_eq!(row.succeeded, sink.taken().unwrap().len() as u64);
    assert!(row.succeeded < 60, "{}", row.succeeded);
}

async fn failed_and_uncertain_ones_can_be_sent_again(on: On) {
    let sink = SmtpSink::start().unwrap();
    let settings = Settings { smtp_url: Some(sink.url()), timeout: Duration::from_secs(2), ..quick() };
    let (college, people) = with(on, 10, settings).await;
    set_address(&college, people[0], "cut@students.example").await;
    set_address(&college, people[1], "reject@students.example").await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (8, 0, 1, 1));
    let first = sink.taken().unwrap().into_iter().find(|taken| taken.to[0].starts_with("cut")).unwrap();
    set_address(&college, people[0], "mended@students.example").await;
    let again = college.caseload.resend(&college.manager, id, LedgerFilter::Uncertain).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, again).await, (1, 0, 0, 0));
    // Under the same name, so that a mailbox that has it already may see that it is the same.
    let second = sink.taken().unwrap().into_iter().find(|taken| taken.to[0].starts_with("mended")).unwrap();
    let name = |text: &str| text.lines().find(|line| line.starts_with("Message-ID")).unwrap().to_owned();
    assert_eq!(name(&first.data), name(&second.data));
    let again = college.caseload.resend(&college.manager, id, LedgerFilter::Failed).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, again).await, (0, 0, 1, 0));
    let parent = college.caseload.task(&college.manager, again).await.unwrap().parent.unwrap();
    assert_eq!(parent.id, id);
}

async fn an_erased_person_is_in_no_outbox(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 8, &sink).await;
    set_address(&college, people[0], "defer1-a@students.example").await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (7, 0, 0, 0));
    for n in [0, 1] {
        let school_id = college.caseload.person(&college.manager, people[n]).await.unwrap().row.school_id;
        college.caseload.erase(&college.administrator, people[n], &school_id, Some("asked for it")).await.unwrap();
    }
    let left = "SELECT COUNT(*) FROM outbox WHERE address IN ('s1@students.example', 'defer1-a@students.example')";
    assert_eq!(college.count(left, []).await, 0);
    let_deferred_pass(&college).await;
    // Whoever was put off and is gone is a skip, and the task ends.
    assert_eq!(counts(&college, id).await, (7, 1, 0, 0));
    assert_eq!(by_recipient(&sink).get("defer1-a@students.example"), None);
}

async fn what_is_typed_and_merged_arrives_as_it_was_meant(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 4, &sink).await;
    let name = "UPDATE person SET first_name = $1, last_name = $2 WHERE id = $3";
    for (n, (first, last)) in
        [("Sigrún", "Þórðardóttir"), ("春香", "伊藤"), ("A\r\nBcc: all@college.example", "{{7*7}}"), ("", "<script>")]
            .into_iter()
            .enumerate()
    {
        college.write(name, [first.into(), last.into(), people[n].into()]).await;
    }
    let long = format!("{}@{}.example", "a".repeat(64), ["b".repeat(60), "c".repeat(60), "d".repeat(59)].join("."));
    assert_eq!(long.len(), 254);
    set_address(&college, people[0], &long).await;
    set_address(&college, people[1], "  spaced@students.example ").await;
    let action = written(Written {
        subject: "For {first name | you} {last name}: {{7*7}}",
        body: "Hello {first name | there},\n.\n..\nQUIT\n<script>alert(1)</script> {{7*7}} {last name}",
        recipients: Some(Recipients::Primary),
        ..Written::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (4, 0, 0, 0));
    let taken = sink.taken().unwrap();
    let to = |address: &str| taken.iter().find(|taken| taken.to == [address]).unwrap_or_else(|| panic!("{address}"));
    let mail = |address: &str| mail_parser::MessageParser::default().parse(&to(address).data).unwrap().into_owned();
    let first = mail(&long);
    assert_eq!(first.subject(), Some("For Sigrún Þórðardóttir: {{7*7}}"));
    assert_eq!(first.reply_to().unwrap().first().unwrap().address(), Some("k.lund@college.example"));
    assert_eq!(first.from().unwrap().first().unwrap().name(), Some("Katrin Lund via Northfield College"));
    let text = first.body_text(0).unwrap().replace("\r\n", "\n");
    assert_eq!(text.trim_end(), "Hello Sigrún,\n.\n..\nQUIT\n<script>alert(1)</script> {{7*7}} Þórðardóttir");
    let html = first.body_html(0).unwrap().into_owned();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; {{7*7}}") && !html.contains("<script"), "{html}");
    assert!(mail("spaced@students.example").body_text(0).unwrap().starts_with("Hello 春香,"));
    let third = mail("s2@students.example");
    assert_eq!(third.subject(), Some("For A  Bcc: all@college.example {{7*7}}: {{7*7}}"));
    assert!(third.bcc().is_none());
    let fourth = mail("s3@students.example");
    assert_eq!(fourth.subject(), Some("For you <script>: {{7*7}}"));
    assert!(!fourth.body_html(0).unwrap().contains("<script"));
}

/// Nobody is ever at their desk, or everybody is.
struct Here(bool);

#[async_trait::async_trait]
impl caseload::notices::Presence for Here {
    async fn is_here(&self, _: Uuid) -> Result<bool, sea_orm::DbErr> {
        Ok(self.0)
    }
}

async fn whoever_left_hears_of_the_end_and_the_operator_of_a_dead_task(on: On) {
    let sink = SmtpSink::start().unwrap();
    let operator = Some("operator@college.example".parse().unwrap());
    let settings = Settings { smtp_url: Some(sink.url()), operator, limit: None, ..quick() };
    let (college, people) = with(on, 6, settings).await;
    let notices = |here: bool| caseload::notices::SendNotices {
        queue: college.caseload.queue().clone(),
        mail: college.caseload.mail().clone(),
        presence: std::sync::Arc::new(Here(here)),
    };
    let locks = college.caseload.queue().locks("test");
    let fire = async |here: bool| {
        let lock = locks.try_lock(queue::lock::Wish::new("test")).await.unwrap().unwrap();
        queue::schedule::Work::fire(&notices(here), &lock).await.unwrap();
        lock.release().await.unwrap();
    };
    let watch = || Action::watch("WATCH").unwrap();
    // Nobody asked for it.
    college.submit(&college.manager, watch(), Target::People(people[..1].to_vec()), 1).await.unwrap();
    college.run().await;
    fire(false).await;
    assert!(sink.taken().unwrap().is_empty());
    college
        .write(
            "UPDATE account SET preferences = '{\"notify\":true}' WHERE person_id = $1",
            [college.manager.person_id.into()],
        )
        .await;
    college.write("DELETE FROM notice", []).await;
    college.write("UPDATE queued_task SET workflow_stopped_date = '2020-01-01T00:00:00+00:00'", []).await;
    // One who is here sees it, and is not told later either.
    college.submit(&college.manager, watch(), Target::People(people[..2].to_vec()), 2).await.unwrap();
    college.run().await;
    fire(true).await;
    fire(false).await;
    assert!(sink.taken().unwrap().is_empty());
    // One who has left is told once.
    let id = college.submit(&college.manager, watch(), Target::People(people[..3].to_vec()), 3).await.unwrap().id;
    college.run().await;
    fire(false).await;
    fire(false).await;
    let taken = sink.taken().unwrap();
    assert_eq!((taken.len(), taken[0].to[0].as_str()), (1, "k.lund@college.example"));
    assert!(taken[0].data.contains(&format!("/tasks/{id}")), "{}", taken[0].data);
    // A task that dies is told to the operator, whoever is here.
    let id = college.submit(&college.manager, watch(), Target::People(people[..4].to_vec()), 4).await.unwrap().id;
    college.write("UPDATE account SET disabled = TRUE WHERE person_id = $1", [college.manager.person_id.into()]).await;
    college.run().await;
    fire(true).await;
    let taken = sink.taken().unwrap();
    assert_eq!((taken.len(), taken[1].to[0].as_str()), (2, "operator@college.example"));
    assert!(taken[1].data.contains(&id.to_string()) && taken[1].data.contains("not_permitted"), "{}", taken[1].data);
}

async fn a_message_that_came_back_is_noted(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    let id = send(&college, email(), &people).await;
    let caseload = &college.caseload;
    caseload.note_bounce(&college.manager, id, people[0], "Mailbox full").await.unwrap();
    let messages = caseload.messages(&college.manager, people[0]).await.unwrap();
    assert_eq!(messages[0].bounce_note.as_deref(), Some("Mailbox full"));
    assert_eq!(messages[0].bounce_by_name.as_deref(), Some("Katrin Lund"));
    let query = LedgerQuery { reason: Some("BOUNCED".to_owned()), ..LedgerQuery::default() };
    assert_eq!(caseload.ledger(&college.manager, id, &query).await.unwrap().items.len(), 1);
    caseload.note_bounce(&college.manager, id, people[0], " ").await.unwrap();
    assert_eq!(caseload.messages(&college.manager, people[0]).await.unwrap()[0].bounce_note, None);
    // Somebody else's task is nobody's to write on.
    let refused = caseload.note_bounce(&college.coach, id, people[0], "x").await;
    assert_eq!(Problem::from(refused.unwrap_err()).status, 404);
}

async fn whoever_was_sent_it_again_is_not_sent_it_once_more(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 6, &sink).await;
    for (n, id) in people[..3].iter().enumerate() {
        set_address(&college, *id, &format!("reject{n}@students.example")).await;
    }
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (3, 0, 3, 0));
    set_address(&college, people[0], "right0@students.example").await;
    set_address(&college, people[1], "right1@students.example").await;
    let resend = async |of: Uuid| college.caseload.resend(&college.manager, of, LedgerFilter::Failed).await;
    let first = resend(id).await.unwrap().id;
    // Before it has ended, and after.
    assert_eq!(resend(id).await.unwrap().id, first);
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, first).await, (2, 0, 1, 0));
    let left = college.caseload.task(&college.manager, id).await.unwrap().can_resend;
    assert_eq!(left.iter().map(|left| left.count).collect::<Vec<_>>(), [1]);
    set_address(&college, people[2], "right2@students.example").await;
    let second = resend(first).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    assert_eq!(counts(&college, second).await, (1, 0, 0, 0));
    assert_eq!(Problem::from(resend(id).await.unwrap_err()).status, 409);
    assert!(by_recipient(&sink).values().all(|count| *count == 1), "{:?}", by_recipient(&sink));
}

async fn a_bad_second_address_keeps_nobody_from_the_first(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 2, &sink).await;
    let second = "UPDATE person SET secondary_email = 'reject@x.example' WHERE id = $1";
    college.write(second, [people[0].into()]).await;
    let action = written(Written {
        subject: "x",
        body: "y",
        recipients: Some(Recipients::Both),
        cc: "reject-dean@college.example, dean@college.example",
        ..Written::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (2, 0, 0, 0));
    let ledger = college.ledger(&college.manager, id).await;
    assert_eq!(ledger[&(Some(Outcome::Done), "PARTLY_REFUSED".to_owned())], 1);
    let got = by_recipient(&sink);
    assert_eq!((got.get("s0@students.example"), got.get("dean@college.example")), (Some(&1), Some(&1)));
    let facts = college.caseload.task(&college.manager, id).await.unwrap().facts;
    let copy = facts.iter().find(|(name, _)| name == "The copy").unwrap();
    assert!(copy.1.starts_with("Sent, but not to reject-dean@college.example: 550"), "{}", copy.1);
}
