//! An older backup is put back while messages are on their way, and another run has the task since.

use sea_orm::ConnectionTrait;
use testkit::{On, on_both};

use super::*;

on_both!(what_comes_back_late_from_before_is_not_written_into_the_email_that_another_run_has_now);

/// What is written of each message and of each person.
async fn written_down(college: &College) -> Vec<String> {
    let db = &college.test.db;
    let mut all = Vec::new();
    for sql in [
        "SELECT CONCAT(position, ' ', state, ' ', reply) FROM outbox ORDER BY position",
        "SELECT CONCAT(position, ' ', outcome, ' ', reason) FROM task_person ORDER BY position",
        "SELECT CONCAT(succeeded, ' ', failed, ' ', uncertain, ' ', execution_state) FROM queued_task",
    ] {
        let rows = db.reader().query_all_raw(db.statement(sql, [])).await.unwrap();
        all.extend(rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()));
    }
    all
}

async fn what_comes_back_late_from_before_is_not_written_into_the_email_that_another_run_has_now(on: On) {
    let mut sink = SmtpSink::taking(7).unwrap();
    let (college, people) = college(on, 20, &sink).await;
    college.submit(&college.manager, email(), Target::People(people), 20).await.unwrap();
    college.test.clock.advance(Duration::from_secs(61));
    let restored = async {
        while sink.taken().unwrap().len() < 7 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // The attempt counts as before; only its fence is another's.
        let another = "UPDATE queued_task SET fence = fence + 1000, scheduled_by_process = 'another'";
        college.write(another, []).await;
        let stands = written_down(&college).await;
        sink.go_on().unwrap();
        stands
    };
    let ((), stands) = tokio::join!(college.run(), restored);
    assert!(stands.iter().any(|line| line.contains("SENDING")), "some are on their way: {stands:?}");
    assert_eq!(written_down(&college).await, stands);
}
