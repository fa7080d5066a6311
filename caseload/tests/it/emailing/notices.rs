//! Notices of what ended while nobody looked.

use model::composer::Typed;
use testkit::{On, on_both};

use super::*;

on_both!(
    whoever_left_hears_of_the_end_and_the_operator_of_a_dead_task,
    a_test_is_written_down_before_it_goes_and_never_goes_twice,
);

/// A process that died while the mail server had it left no trace of it.
async fn a_test_is_written_down_before_it_goes_and_never_goes_twice(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, _) = college(on, 1, &sink).await;
    let typed = Typed { subject: "S".into(), body: "Hello".into(), to: "PRIMARY".into(), ..Typed::default() };
    let test = || college.caseload.emails().send_test(&college.manager, &typed, None);
    let is_taken = async {
        while sink.taken().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let own = async |address: &str| set_address(&college, college.manager.person_id.person(), address).await;
    own("silent@college.example").await;
    tokio::select! {
        sent = test() => panic!("nobody answered: {sent:?}"),
        () = is_taken => {}
    }
    let so_many = async |state: &str| {
        let sql = "SELECT COUNT(*) FROM notice WHERE purpose = 'TEST' AND state = $1 AND subject || body = ''";
        college.count(sql, [state.into()]).await
    };
    assert_eq!(so_many("SENDING").await, 1);
    college.send_notices(false).await;
    assert_eq!((sink.taken().unwrap().len(), so_many("SENDING").await), (1, 1));
    // One that died before it had sent it: nobody has its text any more.
    college.write("UPDATE notice SET state = 'AT_ONCE'", []).await;
    college.send_notices(false).await;
    assert_eq!((sink.taken().unwrap().len(), so_many("AT_ONCE").await), (1, 1));
    own("k.lund@college.example").await;
    test().await.unwrap();
    college.send_notices(false).await;
    assert_eq!((sink.taken().unwrap().len(), so_many("SENT").await), (2, 1));
}

async fn whoever_left_hears_of_the_end_and_the_operator_of_a_dead_task(on: On) {
    let sink = SmtpSink::start().unwrap();
    let operator = Some("operator@college.example".parse().unwrap());
    let settings = MailSettings { smtp_url: Some(sink.url()), operator, limit: None, ..quick() };
    let (college, people) = with(on, 6, settings).await;
    let fire = async |here: bool| college.send_notices(here).await;
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
