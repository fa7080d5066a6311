//! An email that stops midway: what had left is known, and the others get nothing.

use crate::emailing::*;

testkit::on_both!(
    cancelled_in_the_middle_what_left_is_listed,
    a_process_that_died_leaves_the_uncertain,
    whoever_lost_the_right_sends_no_more,
);

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
