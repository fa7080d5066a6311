//! The program status of people and its history: the one place that writes either end of a period.
//!
//! A person carries their open period beside the history, so that lists can filter by it. A period ends when the next one
//! begins, and never before it began, whatever the clock says: the schema refuses anything else.

use model::{AccountId, Instant, PersonId, TaskId};
use queue::Database;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::{accounts::system_person::SYSTEM_PERSON, binds::Binds, import::table, tasks::part::Part};

/// A change of status, as its history tells of it.
#[derive(Clone, Copy, Debug)]
pub struct NewPeriod<'a> {
    pub by: AccountId,
    pub task: Option<TaskId>,
    pub comment: Option<&'a str>,
    /// When it happens, taken after the people were locked.
    pub at: Instant,
}

/// Gives the people of a part who are judged a status and a reason, as SQL expressions over the person `p`, which may look at
/// the history as it was.
pub async fn set(part: &Part<'_>, status: &str, reason: &str, mut binds: Binds) -> Result<(), DbErr> {
    let (at, done) = (binds.add(part.at), part.range.done(&mut binds));
    let set = format!(
        "UPDATE person AS p SET program_status = {status}, change_reason = {reason}, status_date = {}, modified_date = {at}
         WHERE p.id IN ({done})",
        later(&at, "p.status_date")
    );
    part.txn.execute_raw(part.db.statement(&set, binds.values())).await.map(drop)
}

/// Ends the open periods of people whose status was just [`set`], or written by an import, and opens the next ones from what
/// they carry now. `whom` gives their ids: a statement, or a list. How many began.
pub async fn turn(
    db: &Database,
    txn: &DatabaseTransaction,
    change: &NewPeriod<'_>,
    whom: impl Fn(&mut Binds) -> String,
) -> Result<u64, DbErr> {
    let mut binds = Binds::default();
    let (at, people) = (binds.add(change.at), whom(&mut binds));
    let close = format!(
        "UPDATE program_status_history SET expiration_date = {} WHERE expiration_date IS NULL AND person_id IN ({people})",
        later(&at, "effective_date")
    );
    txn.execute_raw(db.statement(&close, binds.values())).await?;
    let mut binds = Binds::default();
    let (comment, by, task) = (binds.add(change.comment), binds.add(change.by), binds.add(change.task));
    let people = whom(&mut binds);
    let open = format!(
        "INSERT INTO program_status_history
            (person_id, program_status, change_reason, comment, effective_date, created_by, task_id)
         SELECT p.id, p.program_status, p.change_reason, {comment}, p.status_date, {by}, {task}
         FROM person p WHERE p.id IN ({people})"
    );
    Ok(txn.execute_raw(db.statement(&open, binds.values())).await?.rows_affected())
}

/// The same for people who were just imported, on behalf of the system.
pub async fn turn_imported(
    db: &Database,
    txn: &DatabaseTransaction,
    people: &[PersonId],
    at: Instant,
) -> Result<(), DbErr> {
    let change = NewPeriod { by: SYSTEM_PERSON, task: None, comment: None, at };
    for ids in people.chunks(table::IDS) {
        if turn(db, txn, &change, |binds| binds.list(ids.iter().copied())).await? != ids.len() as u64 {
            // Two imports made the same person: the other one's id stands.
            return Err(DbErr::Custom("somebody else has just imported one of these people; try again".to_owned()));
        }
    }
    Ok(())
}

/// The later of an instant and that of a column, which may be null.
fn later(at: &str, column: &str) -> String {
    format!("CASE WHEN {column} > {at} THEN {column} ELSE {at} END")
}
