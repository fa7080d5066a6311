//! A database that answers and takes nothing, as one whose disk is full: how an attempt ended cannot be written, which is
//! nobody's fault.

use model::{TaskErrorCode, WorkflowStatus};
use queue::Failure;
use testkit::On;

use crate::{
    fixture::{Fixture, settings},
    runtime::running,
};

testkit::tests!(a_task_whose_end_finds_no_room_is_put_back_once_there_is_some);

/// More often than an ending is tried.
const REFUSED: u32 = 5;

/// PostgreSQL is the one that can be made to say so.
async fn a_task_whose_end_finds_no_room_is_put_back_once_there_is_some() {
    let f = Fixture::with(On::Postgres, settings()).await;
    // A number that was drawn stays so, whatever is rolled back.
    for sql in [
        "CREATE SEQUENCE refusal".to_owned(),
        format!(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('refusal') <= {REFUSED} THEN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END IF;
                RETURN NEW; END $$"
        ),
        "CREATE TRIGGER refuse BEFORE UPDATE ON queued_task FOR EACH ROW
            WHEN (OLD.workflow_status = 'EXECUTING' AND NEW.workflow_status NOT IN ('EXECUTING', 'COMPLETED'))
            EXECUTE FUNCTION refuse()"
            .to_owned(),
    ] {
        f.test.db.write(&sql, []).await.unwrap();
    }
    f.mood.fail(2, 1, Failure::transient(TaskErrorCode::Internal, "once"));
    let id = f.steps(3).await;
    let running = running(&f).await;
    let done = f.until(id, WorkflowStatus::Completed).await;
    assert_eq!((done.attempt, done.failures), (2, 0), "what could not be written down is held against nobody");
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)]);
    running.stop().await;
}
