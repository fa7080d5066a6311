//! People of staff as rows, and among them Docket itself, for histories that no member of staff wrote.

use model::{AccountId, PersonId};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};

use crate::people::fold::Keys;

/// The person that stands for Docket itself, in histories that no member of staff wrote.
pub const SYSTEM_PERSON: AccountId = AccountId::from_u128(1);

/// Makes sure that [`SYSTEM_PERSON`] is there.
pub async fn ensure_system_person(db: &Database, txn: &impl ConnectionTrait) -> Result<(), DbErr> {
    insert_staff(db, txn, SYSTEM_PERSON.person(), "SYSTEM", "Docket", "").await
}

/// Writes a person of staff, who need not be new.
pub(super) async fn insert_staff(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: PersonId,
    school_id: &str,
    first: &str,
    last: &str,
) -> Result<(), DbErr> {
    let keys = Keys::new(school_id, first, None, last, None);
    txn.execute_raw(db.statement(
        "INSERT INTO person (id, student, school_id, first_name, last_name, activated, email_opt_out, extra, sort_key,
            given_key, school_key, created_date, modified_date)
         VALUES ($1, FALSE, $2, $3, $4, TRUE, FALSE, '{}', $5, $6, $7, {now}, {now})
         ON CONFLICT DO NOTHING",
        [
            id.into(),
            school_id.into(),
            first.into(),
            last.into(),
            keys.sort_key.into(),
            keys.given_key.into(),
            keys.school_key.into(),
        ],
    ))
    .await?;
    Ok(())
}
