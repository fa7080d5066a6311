//! The history of the program status, for many people at once. Everybody has exactly one open row; the index
//! `program_status_history_open` sees to it that nobody has two.

use model::{ChangeReason, Instant, ProgramStatus};
use queue::Database;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use uuid::Uuid;

use super::{
    record::Record,
    table::{IDS, tuple},
};
use crate::users::SYSTEM_PERSON;

/// Ends the open rows of these people. Somebody without one, which should not be, just gets one by [`open`].
pub async fn close(db: &Database, txn: &DatabaseTransaction, people: &[Uuid], now: Instant) -> Result<(), DbErr> {
    for ids in people.chunks(IDS) {
        let sql = format!(
            "UPDATE program_status_history SET expiration_date = $1 \
             WHERE expiration_date IS NULL AND person_id IN {}",
            tuple(2, ids.len())
        );
        let values = std::iter::once(now.into()).chain(ids.iter().map(|id| Value::from(*id)));
        txn.execute_raw(db.statement(&sql, values)).await?;
    }
    Ok(())
}

/// Opens a row for each of these people, from the date of their status, on behalf of the system.
pub async fn open<'a>(
    db: &Database,
    txn: &DatabaseTransaction,
    people: impl Iterator<Item = &'a Record>,
) -> Result<(), DbErr> {
    let people: Vec<&Record> = people.collect();
    // Few columns, so more rows than of people fit before their parameters are too many (see `table`).
    for people in people.chunks(200) {
        let mut values = vec![Value::from(SYSTEM_PERSON)];
        let mut tuples = Vec::with_capacity(people.len());
        for person in people {
            let parameters = tuple(values.len() + 1, 4);
            tuples.push(format!("{},$1)", parameters.trim_end_matches(')')));
            values.extend([
                person.id.into(),
                person.program_status.map(ProgramStatus::name).into(),
                person.change_reason.map(ChangeReason::name).into(),
                person.status_date.into(),
            ]);
        }
        let sql = format!(
            "INSERT INTO program_status_history \
             (person_id, program_status, change_reason, effective_date, created_by) VALUES {}",
            tuples.join(",")
        );
        txn.execute_raw(db.statement(&sql, values)).await?;
    }
    Ok(())
}
