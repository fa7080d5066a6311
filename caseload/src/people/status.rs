//! The program status of people and its history: the one place that writes either end of a period.
//!
//! A person carries their open period beside the history, so that lists can filter by it. A period ends when the next one
//! begins, and never before it began, whatever the clock says: the schema refuses anything else.

use model::{AccountId, Instant, PersonId, TaskId};
use queue::{Database, Transaction};
use sea_orm::{ConnectionTrait, DbErr, sea_query::Expr};

use crate::{
    accounts::system_person::SYSTEM_PERSON,
    entity::people::{
        person::{Column, P},
        program_status_history,
    },
    erase::erased::{Erased, forget_texts},
    import::bulk_statements,
    statement::{ValueList, composed, sql},
    tasks::locked_people::Part,
};

/// A change of status, as its history tells of it.
#[derive(Clone, Copy, Debug)]
pub struct NewPeriod<'a> {
    pub by: AccountId,
    pub task: Option<TaskId>,
    pub comment: Option<&'a str>,
    /// When it happens, taken after the people were locked.
    pub at: Instant,
}

/// Gives the people of a part who are judged a status and a reason, as expressions over the person `p`, which may look at the
/// history as it was.
pub async fn set(part: &Part<'_>, status: Expr, reason: Expr) -> Result<(), DbErr> {
    let set = "UPDATE person AS p SET program_status = $1, change_reason = $2, status_date = $3, modified_date = $4
         WHERE p.id IN ($5)";
    let since = later(part.at, P.col(Column::StatusDate));
    let set = composed(part.db, set, [status, reason, since, part.at.into(), part.range.done()]);
    part.txn.execute_raw(set).await.map(drop)
}

/// Ends the open periods of people whose status was just [`set`], or written by an import, and opens the next ones from what
/// they carry now. `whom` gives their ids: a statement, or a list. How many began.
pub async fn turn(db: &Database, txn: &Transaction, change: &NewPeriod<'_>, whom: &Expr) -> Result<u64, DbErr> {
    let close =
        "UPDATE program_status_history SET expiration_date = $1 WHERE expiration_date IS NULL AND person_id IN ($2)";
    let until = later(change.at, Expr::col("effective_date"));
    txn.execute_raw(composed(db, close, [until, whom.clone()])).await?;
    let open = "INSERT INTO program_status_history
            (person_id, program_status, change_reason, comment, effective_date, created_by, task_id)
         SELECT p.id, p.program_status, p.change_reason, $1, p.status_date, $2, $3 FROM person p WHERE p.id IN ($4)";
    let parts = [change.comment.into(), change.by.into(), change.task.into(), whom.clone()];
    Ok(txn.execute_raw(composed(db, open, parts)).await?.rows_affected())
}

/// The same for people who were just imported, on behalf of the system.
pub async fn turn_imported(db: &Database, txn: &Transaction, people: &[PersonId], at: Instant) -> Result<(), DbErr> {
    let change = NewPeriod { by: SYSTEM_PERSON, task: None, comment: None, at };
    for ids in people.chunks(bulk_statements::IDS) {
        if turn(db, txn, &change, &ValueList::People(ids).query()).await? != ids.len() as u64 {
            // Two imports made the same person: the other one's id stands.
            return Err(DbErr::Custom("somebody else has just imported one of these people; try again".to_owned()));
        }
    }
    Ok(())
}

/// Takes out the comments that name somebody who is erased.
pub async fn forget(db: &Database, txn: &Transaction, erased: &Erased) -> Result<(), DbErr> {
    forget_texts::<program_status_history::Entity>(db, txn, erased, program_status_history::Column::Comment, None).await
}

/// The later of an instant and that of a column, which may be null.
fn later(at: Instant, column: Expr) -> Expr {
    sql("CASE WHEN $1 > $2 THEN $1 ELSE $2 END", [column, at.into()])
}
