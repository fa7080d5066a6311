//! What leaves when the hold is over, and what ends it before.

use crate::emailing::*;

testkit::on_both!(
    everybody_gets_one_message_after_the_hold,
    cancelled_in_the_hold_nothing_leaves,
    sent_now_it_leaves_before_the_hold_is_over,
    of_two_ways_out_of_a_hold_one_wins,
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
