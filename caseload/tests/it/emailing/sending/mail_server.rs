//! A mail server that is away, that takes few connections, and none at all.

use crate::emailing::*;

testkit::on_both!(
    a_mail_server_that_is_away_costs_no_message,
    without_a_mail_server_nothing_is_called_sent,
    a_mail_server_that_takes_few_connections_is_not_away,
    several_emails_put_no_more_down_than_can_be_handed_over,
    an_email_that_gave_up_on_the_mail_server_can_go_on,
);

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

async fn without_a_mail_server_nothing_is_called_sent(on: On) {
    let (college, people) = with(on, 12, quick()).await;
    let id = send(&college, email(), &people).await;
    assert_eq!(counts(&college, id).await, (0, 0, 12, 0));
    let ledger = college.ledger(&college.manager, id).await;
    assert_eq!(ledger[&(Some(Outcome::Failed), "NOT_CONFIGURED".to_owned())], 12);
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
