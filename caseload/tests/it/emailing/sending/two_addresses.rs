//! People with two addresses get one message, and one address fails alone.

use crate::emailing::*;

testkit::on_both!(
    both_addresses_get_one_message,
    a_bad_second_address_keeps_nobody_from_the_first,
    an_address_that_is_put_off_is_not_given_up_for_the_other,
);

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
