//! The history of the program status: whoever changes people at once, and whatever clocks say, one period ends when the next
//! begins, and none before it began.

use std::time::Duration;

use caseload::import::{Mapping, import};
use model::{Outcome, PersonId, ProgramStatus, Submission, Target, TaskState, submission::SubmitSource};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    whoever_waited_for_people_does_not_write_from_before_the_others,
    eight_changes_of_the_same_people_at_once_leave_one_line_of_periods,
    a_clock_that_was_put_right_ends_no_period_before_it_began,
    the_schema_takes_no_period_that_ends_before_it_began,
);

const STATUSES: [ProgramStatus; 4] =
    [ProgramStatus::Inactive, ProgramStatus::NoShow, ProgramStatus::Transitioned, ProgramStatus::Active];

/// Every period ends when the next begins, none before it began, and people carry the open one.
async fn assert_runs_forward(c: &College) {
    let wrong = "SELECT COUNT(*) FROM (
            SELECT effective_date, expiration_date, LEAD(effective_date) OVER (PARTITION BY person_id ORDER BY id) AS next
            FROM program_status_history) AS periods
        WHERE expiration_date < effective_date OR next < effective_date OR next <> expiration_date";
    assert_eq!(c.count(wrong, []).await, 0, "periods that run backwards or leave a gap");
    let carried = "SELECT COUNT(*) FROM person p JOIN program_status_history h ON h.person_id = p.id
        WHERE h.expiration_date IS NULL AND h.effective_date <> p.status_date";
    assert_eq!(c.count(carried, []).await, 0, "people who carry another date than their open period");
    c.assert_one_open_status().await;
}

/// Waits until so many statements wait for a lock of another one.
async fn until_waiting(c: &College, many: i64) {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%person%FOR UPDATE%'";
    while c.count(waiting, []).await < many {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The first task is past its fence and waits for somebody; the second begins later and has most of its people before it.
async fn whoever_waited_for_people_does_not_write_from_before_the_others(on: On) {
    let c = College::of(on, 80).await;
    let ids = c.students(&c.manager).await;
    let held = match on {
        On::Sqlite => None,
        On::Postgres => {
            let txn = c.test.db.begin_write().await.unwrap();
            let lock = c.test.db.statement("SELECT id FROM person WHERE id = $1 {for update}", [ids[0].into()]);
            txn.execute_raw(lock).await.unwrap();
            Some(txn)
        }
    };
    let first = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(ids.clone()), 80).await.unwrap().id;
    c.runtime.tick().await.unwrap();
    if held.is_some() {
        until_waiting(&c, 1).await;
    }
    let few = ids[5..40].to_vec();
    let second = c.submit(&c.administrator, set(ProgramStatus::NoShow), Target::People(few), 35).await.unwrap().id;
    while c.caseload.tasks().get(&c.administrator, second).await.unwrap().row.state != TaskState::Done {
        c.runtime.tick().await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    if let Some(txn) = held {
        txn.rollback().await.unwrap();
    }
    c.runtime.idle().await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, first).await.unwrap().row;
    assert_eq!((row.state, row.succeeded, row.failed), (TaskState::Done, 80, 0));
    assert_runs_forward(&c).await;
    let undo = c.caseload.tasks().undo(&c.manager, first, by_program(80)).await.unwrap().id;
    c.run().await;
    assert!(c.caseload.tasks().get(&c.manager, undo).await.unwrap().row.succeeded >= 45);
    assert_runs_forward(&c).await;
}

fn by_program(total: u64) -> Submission {
    Submission { confirm_total: Some(total), ..Submission::from_source(SubmitSource::Program) }
}

async fn eight_changes_of_the_same_people_at_once_leave_one_line_of_periods(on: On) {
    let c = College::of(on, 800).await;
    let mut tasks = Vec::new();
    for turn in 0..4 {
        for actor in [&c.manager, &c.administrator] {
            let status = STATUSES[(turn + usize::from(actor == &c.manager)) % 4];
            tasks.push((actor.clone(), c.submit(actor, set(status), Target::Everyone, 800).await.unwrap().id));
        }
    }
    assert!(c.runtime.tick().await.unwrap() > 4, "they run at once");
    let lines = school_ids(&c).await.into_iter().map(|id| format!("{id},Imported,Somebody,NO_SHOW\n"));
    let file = format!("id,first,last,status\n{}", lines.collect::<String>());
    let mapping = mapping();
    let imported = import(&c.test.db, file.as_bytes(), &mapping);
    let all = async {
        c.runtime.idle().await;
        c.run().await;
    };
    let (imported, ()) = tokio::join!(imported, all);
    assert_eq!(imported.unwrap().bad.len(), 0);
    assert_runs_forward(&c).await;
    let mut treated = 0;
    for (actor, task) in &tasks {
        let row = c.caseload.tasks().get(actor, *task).await.unwrap().row;
        assert_eq!((row.state, row.failed, row.treated()), (TaskState::Done, 0, 800));
        treated += row.succeeded;
        let _ = c.caseload.tasks().undo(actor, *task, by_program(row.succeeded)).await;
    }
    c.run().await;
    assert_runs_forward(&c).await;
    let written = "SELECT COUNT(*) FROM program_status_history WHERE task_id IS NOT NULL";
    assert!(c.count(written, []).await.unsigned_abs() >= treated, "{treated} changes are in the history");
}

async fn school_ids(c: &College) -> Vec<String> {
    let sql = c.test.db.statement("SELECT school_id FROM person WHERE student", []);
    let rows = c.test.db.reader().query_all_raw(sql).await.unwrap();
    rows.iter().map(|row| row.try_get("", "school_id").unwrap()).collect()
}

fn mapping() -> Mapping {
    "[person]\nschool_id = \"id\"\nfirst_name = \"first\"\nlast_name = \"last\"\nprogram_status = \"status\"\n"
        .parse()
        .unwrap()
}

/// The clock was an hour ahead when people got the status that they have.
async fn a_clock_that_was_put_right_ends_no_period_before_it_began(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    c.test.db.write("UPDATE person SET status_date = {after:3600} WHERE student", []).await.unwrap();
    let ahead =
        "UPDATE program_status_history SET effective_date = (SELECT status_date FROM person p WHERE p.id = person_id)";
    c.write(ahead, []).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(ids.clone()), 60).await.unwrap().id;
    c.run().await;
    assert_runs_forward(&c).await;
    c.caseload.tasks().undo(&c.manager, task, by_program(60)).await.unwrap();
    c.run().await;
    assert_eq!(c.ledger(&c.manager, task).await.get(&(Some(Outcome::Done), String::new())), Some(&60));
    assert_runs_forward(&c).await;
    let all = school_ids(&c).await.into_iter().map(|id| format!("{id},Imported,Somebody,TRANSITIONED\n"));
    let file = format!("id,first,last,status\n{}", all.collect::<String>());
    assert_eq!(import(&c.test.db, file.as_bytes(), &mapping()).await.unwrap().updated, 60);
    assert_runs_forward(&c).await;
    let periods = "SELECT COUNT(*) FROM program_status_history WHERE person_id = $1";
    assert_eq!(c.count(periods, [PersonId::into(ids[0])]).await, 4);
}

async fn the_schema_takes_no_period_that_ends_before_it_began(on: On) {
    let c = College::of(on, 1).await;
    let back = c.test.db.write("UPDATE program_status_history SET expiration_date = {after:-999999999}", []).await;
    let refused = back.unwrap_err().to_string();
    assert!(refused.contains("program_status_history_forward"), "{refused}");
}
