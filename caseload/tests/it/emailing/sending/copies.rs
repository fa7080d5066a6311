//! The copy of an email goes out once, and only with somebody who is reached.

use caseload::email;

use crate::emailing::*;

testkit::on_both!(
    the_copy_goes_out_once,
    an_email_that_reaches_nobody_sends_no_copy,
    a_copy_that_was_not_made_is_made_when_somebody_is_reached_at_last,
);

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
