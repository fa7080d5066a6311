//! Who hears of it, and an email that waits: it is held once it was approved.

use caseload::mail::{Mail, MailSettings};
use model::{
    TaskKind,
    action::{Recipients, email::WrittenEmail},
};
use testkit::SmtpSink;

use super::*;

testkit::on_both!(
    those_who_can_decide_and_whoever_asked_hear_of_it,
    whoever_asks_over_and_over_fills_nobodys_mailbox,
    an_email_is_held_once_it_was_approved,
);

async fn with_mail(on: On, sink: &SmtpSink, rule: ApprovalRule) -> College {
    let from = "Northfield College <docket@college.example>".parse().unwrap();
    let settings = MailSettings { from, smtp_url: Some(sink.url()), ..MailSettings::default() };
    let c = Box::pin(College::with_mail(on, 30, Mail::new(settings).unwrap())).await;
    c.caseload.with_approvals(rule);
    c.write("UPDATE person SET primary_email = NULL, secondary_email = NULL, email_opt_out = FALSE", []).await;
    for (actor, address) in
        [(&c.manager, "katrin@c.example"), (&c.administrator, "ada@c.example"), (&c.coach, "paul@c.example")]
    {
        let sql = "UPDATE person SET primary_email = $1 WHERE id = $2";
        c.write(sql, [address.into(), actor.person_id.into()]).await;
    }
    c
}

fn to(sink: &SmtpSink) -> Vec<String> {
    let mut all: Vec<String> = sink.taken().unwrap().into_iter().flat_map(|taken| taken.to).collect();
    all.sort();
    all
}

async fn those_who_can_decide_and_whoever_asked_hear_of_it(on: On) {
    let sink = SmtpSink::start().unwrap();
    let c = with_mail(on, &sink, above(10)).await;
    let id = asked(&c, 30).await;
    c.send_notices(false).await;
    assert_eq!(to(&sink), ["ada@c.example"], "the coach reaches only some of them");
    decline(&c, &c.administrator, id, "Leave out Harbour").await.unwrap();
    c.send_notices(false).await;
    assert_eq!(to(&sink), ["ada@c.example", "katrin@c.example"]);
    asked(&c, 30).await;
    c.test.clock.advance(LONG);
    c.send_notices(false).await;
    c.send_notices(false).await;
    let said =
        "SELECT COUNT(*) FROM notice WHERE purpose = 'APPROVAL_DECIDED' AND body LIKE '%Nobody decided in time%'";
    assert_eq!(c.count(said, []).await, 1);
    assert_eq!(to(&sink), ["ada@c.example", "ada@c.example", "katrin@c.example", "katrin@c.example"]);
}

/// Each submit wrote to everybody who can decide, and so did the next one after a cancellation.
async fn whoever_asks_over_and_over_fills_nobodys_mailbox(on: On) {
    let sink = SmtpSink::start().unwrap();
    let c = with_mail(on, &sink, above(10)).await;
    for _ in 0..53 {
        let id = asked(&c, 30).await;
        c.caseload.tasks().abandon(&c.manager, id, None).await.unwrap();
    }
    let told = "SELECT COUNT(*) FROM notice WHERE purpose = 'APPROVAL_ASKED'";
    assert_eq!(c.count(told, []).await, 50, "limits.approvals");
    let listed = asked(&c, 30).await;
    assert_eq!(
        c.caseload.approvals().waiting(&c.administrator).await.unwrap()[0].id,
        listed,
        "it is listed all the same"
    );
    c.test.clock.advance(Duration::from_secs(3_601));
    asked(&c, 30).await;
    assert_eq!(c.count(told, []).await, 51);
}

async fn an_email_is_held_once_it_was_approved(on: On) {
    let sink = SmtpSink::start().unwrap();
    let rule = ApprovalRule { kinds: vec![TaskKind::Email], ..ApprovalRule::default() };
    let c = with_mail(on, &sink, rule).await;
    let people = c.students(&c.manager).await;
    c.write("UPDATE person SET primary_email = 's@students.example' WHERE id = $1", [people[0].into()]).await;
    let email = Action::email(WrittenEmail {
        subject: "Four slots",
        body: "Hello, see you.",
        recipients: Some(Recipients::Primary),
        ..WrittenEmail::default()
    });
    let id = c.submit(&c.manager, email.unwrap(), Target::People(people[..1].to_vec()), 1).await.unwrap().id;
    c.test.clock.advance(Duration::from_secs(600));
    c.run().await;
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
    approve(&c, &c.administrator, id).await.unwrap();
    assert_eq!(state(&c, id).await, TaskState::Held);
    c.run().await;
    assert!(to(&sink).is_empty());
    c.test.clock.advance(Duration::from_secs(61));
    c.run().await;
    assert_eq!((state(&c, id).await, to(&sink)), (TaskState::Done, vec!["s@students.example".to_owned()]));
}
