//! The statements that read and write many people at once, for import and generation.

use std::collections::HashMap;

use model::{ChangeReason, Instant, PersonId, ProgramStatus, TaskId};
use queue::Database;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};

use crate::import::rows::record::Record;
use crate::{accounts::system_person::ensure_system_person, people::fold::Keys};

/// Rows in one INSERT. SQLite looks a parameter up by walking over all of them, so that the cost of a statement grows with
/// the square of its rows: at 50 it does not show, at 500 it is most of the time.
const ROWS: usize = 50;

/// Ids in one IN list, for the same reason.
pub const IDS: usize = 500;

/// Begins the transaction of a batch; whoever calls it commits it.
pub async fn begin(db: &Database) -> Result<DatabaseTransaction, DbErr> {
    let txn = db.begin_write().await?;
    prepare(db, &txn).await?;
    Ok(txn)
}

/// Makes a transaction one that writes people.
pub async fn prepare(db: &Database, txn: &DatabaseTransaction) -> Result<(), DbErr> {
    if db.is_postgres() {
        // A plan that was kept from when the table was empty reads all of it for each of the statements below, until
        // somebody analyzes the table: at 100,000 people that was nine tenths of the time.
        txn.execute_unprepared("SET LOCAL plan_cache_mode = force_custom_plan").await?;
    }
    ensure_system_person(db, txn).await
}

/// The people with these school ids, locked until the transaction ends, so that no action changes them between the
/// comparison and the write. PostgreSQL gets one statement, which locks in the order of ids as actions do, so that neither
/// waits for the other in a circle. Uses the index `person_school_id`.
pub async fn find<'a>(
    db: &Database,
    txn: &DatabaseTransaction,
    school_ids: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Record>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().collect();
    let mut found = Vec::new();
    let most = if db.is_postgres() { school_ids.len().max(1) } else { IDS };
    for ids in school_ids.chunks(most) {
        let sql = format!("SELECT * FROM person WHERE school_id IN {} ORDER BY id {{for update}}", tuple(1, ids.len()));
        let values = ids.iter().map(|id| Value::from(*id));
        found.extend(Record::find_by_statement(db.statement(&sql, values)).all(txn).await?);
    }
    Ok(found)
}

/// Who has these school ids already, without a lock.
pub async fn ids<'a>(
    db: &Database,
    txn: &DatabaseTransaction,
    school_ids: impl IntoIterator<Item = &'a str>,
) -> Result<HashMap<String, PersonId>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().collect();
    let mut found = HashMap::new();
    for ids in school_ids.chunks(IDS) {
        let sql = format!("SELECT school_id, id FROM person WHERE school_id IN {}", tuple(1, ids.len()));
        let values = ids.iter().map(|id| Value::from(*id));
        for row in txn.query_all_raw(db.statement(&sql, values)).await? {
            found.insert(row.try_get("", "school_id")?, row.try_get("", "id")?);
        }
    }
    Ok(found)
}

/// The lines of a task's ledger on which people with these school ids stand.
pub async fn on_ledger<'a>(
    db: &Database,
    txn: &DatabaseTransaction,
    task: TaskId,
    school_ids: impl IntoIterator<Item = &'a str>,
) -> Result<HashMap<String, u64>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().collect();
    let mut found = HashMap::new();
    for ids in school_ids.chunks(IDS) {
        let sql = format!(
            "SELECT p.school_id, tp.position FROM person p JOIN task_person tp ON tp.person_id = p.id AND tp.task_id = $1
             WHERE p.school_id IN {}",
            tuple(2, ids.len())
        );
        let values = std::iter::once(Value::from(task)).chain(ids.iter().map(|id| Value::from(*id)));
        for row in txn.query_all_raw(db.statement(&sql, values)).await? {
            let position: i64 = row.try_get("", "position")?;
            found.insert(row.try_get("", "school_id")?, position.cast_unsigned());
        }
    }
    Ok(found)
}

const UPSERT: &str = "
ON CONFLICT (school_id) DO UPDATE SET
    first_name = excluded.first_name, middle_name = excluded.middle_name, last_name = excluded.last_name,
    primary_email = excluded.primary_email, secondary_email = excluded.secondary_email,
    birth_date = excluded.birth_date, student_type = excluded.student_type, home_campus = excluded.home_campus,
    declared_major = excluded.declared_major, start_term = excluded.start_term, coach_id = excluded.coach_id,
    program_status = excluded.program_status, change_reason = excluded.change_reason,
    status_date = excluded.status_date, activated = excluded.activated, email_opt_out = excluded.email_opt_out,
    extra = excluded.extra, sort_key = excluded.sort_key, given_key = excluded.given_key,
    school_key = excluded.school_key, email_key = excluded.email_key, modified_date = excluded.modified_date";

/// Writes people who are new or changed, by school id, as of `now`. A person who is there keeps id and created date.
pub async fn write(db: &Database, txn: &DatabaseTransaction, people: &[Record], now: Instant) -> Result<(), DbErr> {
    for people in people.chunks(ROWS) {
        let mut values = vec![Value::from(now)];
        let mut tuples = Vec::with_capacity(people.len());
        for person in people {
            let first = values.len() + 1;
            values.extend(row(person));
            let parameters = tuple(first, values.len() + 1 - first);
            tuples.push(format!("{},$1,$1)", parameters.trim_end_matches(')')));
        }
        let sql = format!(
            "INSERT INTO person (id, student, school_id, first_name, middle_name, last_name, primary_email, \
             secondary_email, birth_date, student_type, home_campus, declared_major, start_term, coach_id, \
             program_status, change_reason, status_date, activated, email_opt_out, extra, sort_key, given_key, \
             school_key, email_key, created_date, modified_date) VALUES {} {UPSERT}",
            tuples.join(",")
        );
        txn.execute_raw(db.statement(&sql, values)).await?;
    }
    Ok(())
}

/// The values of a row, in the order of the columns above.
fn row(person: &Record) -> [Value; 24] {
    let email = person.primary_email.as_deref();
    let middle = person.middle_name.as_deref();
    let keys = Keys::new(&person.school_id, &person.first_name, middle, &person.last_name, email);
    [
        person.id.into(),
        person.student.into(),
        person.school_id.clone().into(),
        person.first_name.clone().into(),
        person.middle_name.clone().into(),
        person.last_name.clone().into(),
        person.primary_email.clone().into(),
        person.secondary_email.clone().into(),
        person.birth_date.into(),
        person.student_type.clone().into(),
        person.home_campus.clone().into(),
        person.declared_major.clone().into(),
        person.start_term.clone().into(),
        person.coach_id.into(),
        person.program_status.map(ProgramStatus::name).into(),
        person.change_reason.map(ChangeReason::name).into(),
        person.status_date.into(),
        person.activated.into(),
        person.email_opt_out.into(),
        serde_json::Value::Object(person.extra.clone()).to_string().into(),
        keys.sort_key.into(),
        keys.given_key.into(),
        keys.school_key.into(),
        keys.email_key.into(),
    ]
}

/// `($first,…)` with `count` parameters.
pub fn tuple(first: usize, count: usize) -> String {
    let parameters: Vec<String> = (first..first + count).map(|place| format!("${place}")).collect();
    format!("({})", parameters.join(","))
}
