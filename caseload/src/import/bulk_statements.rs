//! The statements that read and write many people at once, for import and generation.

use std::collections::HashMap;

use model::{Instant, PersonId, SchoolId, TaskId};
use queue::{Database, Transaction};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, IdenStatic, Iterable, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Set,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    accounts::system_person::ensure_system_person,
    entity::{
        people::person::{ActiveModel, Column, Entity, Model, P},
        upsert_all,
    },
    import::rows::person_row::Record,
    people::{extra_fields, fold::Keys},
    statement::composed,
};

/// Ids in one IN list. SQLite looks a parameter up by walking over all of them, so that the cost of a statement grows with the
/// square of its values.
pub const IDS: usize = 500;

/// Begins the transaction of a batch; whoever calls it commits it.
pub async fn begin(db: &Database) -> Result<Transaction, DbErr> {
    let txn = db.begin_write().await?;
    prepare(db, &txn).await?;
    Ok(txn)
}

/// Makes a transaction one that writes people.
pub async fn prepare(db: &Database, txn: &Transaction) -> Result<(), DbErr> {
    db.plan_each_time(txn).await?;
    ensure_system_person(db, txn).await
}

/// The people with these school ids, locked until the transaction ends, so that no action changes them between the
/// comparison and the write. PostgreSQL gets one statement, which locks in the order of ids as actions do, so that neither
/// waits for the other in a circle. Uses the index `person_school_id`.
pub async fn find<'a>(
    db: &Database,
    txn: &Transaction,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
) -> Result<Vec<Record>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().map(SchoolId::as_str).collect();
    let mut found = Vec::new();
    let most = if db.has_one_writer() { IDS } else { school_ids.len().max(1) };
    for ids in school_ids.chunks(most) {
        let these = Entity::find().filter(Column::SchoolId.is_in(ids.iter().copied())).order_by_asc(Column::Id);
        let locked = db.build(&these.lock_exclusive().into_query());
        for row in Model::find_by_statement(locked).all(txn).await? {
            found.push(Record::try_from(row)?);
        }
    }
    Ok(found)
}

/// The same as they are now, without a lock.
pub async fn look<'a>(
    db: &Database,
    connection: &impl ConnectionTrait,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
) -> Result<Vec<Record>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().map(SchoolId::as_str).collect();
    let mut found = Vec::new();
    for ids in school_ids.chunks(IDS) {
        let these = Entity::find().filter(Column::SchoolId.is_in(ids.iter().copied()));
        for row in Model::find_by_statement(db.build(&these.into_query())).all(connection).await? {
            found.push(Record::try_from(row)?);
        }
    }
    Ok(found)
}

/// Who has these school ids already, without a lock.
pub async fn ids<'a>(
    db: &Database,
    txn: &impl ConnectionTrait,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
) -> Result<HashMap<SchoolId, PersonId>, DbErr> {
    ids_of(db, txn, school_ids, None).await
}

/// The same for members of staff. No file brings any, so that who they are is the same before an import and while it runs.
pub async fn staff<'a>(
    db: &Database,
    txn: &impl ConnectionTrait,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
) -> Result<HashMap<SchoolId, PersonId>, DbErr> {
    ids_of(db, txn, school_ids, Some(Column::Student.eq(false))).await
}

async fn ids_of<'a>(
    db: &Database,
    txn: &impl ConnectionTrait,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
    which: Option<Expr>,
) -> Result<HashMap<SchoolId, PersonId>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().map(SchoolId::as_str).collect();
    let mut found = HashMap::new();
    for ids in school_ids.chunks(IDS) {
        let these = Entity::find().select_only().columns([Column::SchoolId, Column::Id]);
        let these = these.filter(Column::SchoolId.is_in(ids.iter().copied()));
        let these = which.iter().cloned().fold(these, QueryFilter::filter);
        for row in txn.query_all_raw(db.build(&these.into_query())).await? {
            found.insert(row.try_get("", "school_id")?, row.try_get("", "id")?);
        }
    }
    Ok(found)
}

/// The lines of a task's ledger on which people with these school ids stand.
pub async fn on_ledger<'a>(
    db: &Database,
    txn: &Transaction,
    task: TaskId,
    school_ids: impl IntoIterator<Item = &'a SchoolId>,
) -> Result<HashMap<SchoolId, u64>, DbErr> {
    let school_ids: Vec<&str> = school_ids.into_iter().map(SchoolId::as_str).collect();
    let mut found = HashMap::new();
    for ids in school_ids.chunks(IDS) {
        let sql = "SELECT p.school_id, tp.position FROM person p
             JOIN task_person tp ON tp.person_id = p.id AND tp.task_id = $1 WHERE $2";
        let these = P.col(Column::SchoolId).is_in(ids.iter().copied());
        for row in txn.query_all_raw(composed(db, sql, [task.into(), these])).await? {
            let position: i64 = row.try_get("", "position")?;
            found.insert(row.try_get("", "school_id")?, position.cast_unsigned());
        }
    }
    Ok(found)
}

/// Writes people who are new or changed, by school id, as of `now`. A person who is there keeps id and created date.
pub async fn write(db: &Database, txn: &Transaction, people: &[Record], now: Instant) -> Result<(), DbErr> {
    let kept = [Column::Id, Column::Student, Column::SchoolId, Column::CreatedDate];
    let changed = Column::iter().filter(|column| !kept.iter().any(|kept| kept.as_str() == column.as_str()));
    let conflict = OnConflict::column(Column::SchoolId).update_columns(changed).to_owned();
    upsert_all(db, txn, people.iter().map(|person| row(person, now)).collect(), conflict).await?;
    extra_fields::follow(db, txn, people.iter().map(|person| (person.id, &person.extra))).await
}

/// The row of somebody who is written now.
fn row(person: &Record, now: Instant) -> ActiveModel {
    let email = person.primary_email.as_deref();
    let middle = person.middle_name.as_deref();
    let keys = Keys::new(person.school_id.as_str(), &person.first_name, middle, &person.last_name, email);
    ActiveModel {
        id: Set(person.id),
        student: Set(person.student),
        school_id: Set(person.school_id.clone()),
        first_name: Set(person.first_name.clone()),
        middle_name: Set(person.middle_name.clone()),
        last_name: Set(person.last_name.clone()),
        primary_email: Set(person.primary_email.clone()),
        secondary_email: Set(person.secondary_email.clone()),
        birth_date: Set(person.birth_date),
        student_type: Set(person.student_type.clone()),
        home_campus: Set(person.home_campus.clone()),
        declared_major: Set(person.declared_major.clone()),
        start_term: Set(person.start_term.clone()),
        coach_id: Set(person.coach_id),
        program_status: Set(person.program_status),
        change_reason: Set(person.change_reason),
        status_date: Set(person.status_date),
        activated: Set(person.activated),
        email_opt_out: Set(person.email_opt_out),
        extra: Set(serde_json::Value::Object(person.extra.clone()).to_string()),
        sort_key: Set(keys.sort_key),
        given_key: Set(keys.given_key),
        school_key: Set(keys.school_key),
        email_key: Set(keys.email_key),
        created_date: Set(now),
        modified_date: Set(now),
    }
}
