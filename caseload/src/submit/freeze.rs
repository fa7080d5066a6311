//! Freezing: writing down who a task is about, as the rows that become its ledger. After that nobody joins or leaves, so an
//! action that changes its own filter still treats everybody.

use std::collections::BTreeMap;

use model::{PersonId, SchoolId, TaskId, ledger::LedgerFilter};
use queue::Database;
use sea_orm::{
    ConnectionTrait, DbErr, EntityTrait, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, access,
    entity::{
        insert_all,
        people::person::{Column, P},
        tasks::task_person::{self, ActiveModel},
    },
    people::filter,
    people::targeted_people::TargetedPeople,
    statement::{ValueList, at_most, composed},
    tasks::ledger_lines,
};

/// As many as are looked for at once.
const NAMED: usize = 5_000;

/// Where a freeze in pieces has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Frozen {
    /// Rows written so far; positions run from 1.
    pub count: i64,
    /// The last person written, in the order of ids.
    pub last: Option<PersonId>,
    /// The last line of another task's ledger that was looked at.
    #[serde(default)]
    pub line: i64,
}

/// Writes down the next `limit` people who match. Done when it writes fewer.
///
/// By id, not by name: the rows then lie in the order of the people's own table, which made a million of them three times
/// as fast to treat.
pub async fn freeze_matching(
    db: &Database,
    txn: &impl ConnectionTrait,
    actor: &Actor,
    task_id: TaskId,
    targeted: (&model::PeopleFilter, &[PersonId]),
    from: Frozen,
    limit: u64,
) -> Result<Frozen, DbErr> {
    let mut matching = filter::compile_without(targeted.0, targeted.1, actor);
    if let Some(last) = from.last {
        matching = matching.and(P.col(Column::Id).gt(last));
    }
    let insert = "INSERT INTO task_person (task_id, position, person_id)
         SELECT $1, $2 + row_number() OVER (ORDER BY id), id
         FROM (SELECT p.id FROM person p WHERE $3 ORDER BY p.id LIMIT $4) AS next";
    let parts = [task_id.into(), from.count.into(), matching, at_most(limit.cast_signed())];
    let written = txn.execute_raw(composed(db, insert, parts)).await?.rows_affected();
    if written == 0 {
        return Ok(from);
    }
    let count = from.count + written.cast_signed();
    let last = task_person::Entity::find_by_id((task_id, count)).select_only().column(task_person::Column::PersonId);
    let last: Option<Option<PersonId>> = last.into_tuple().one(txn).await?;
    Ok(Frozen { count, last: last.flatten(), ..from })
}

/// Writes down those of the next `limit` lines of another task that have one of these outcomes. Done when `line` reaches the
/// last of them.
pub async fn freeze_lines(
    db: &Database,
    txn: &impl ConnectionTrait,
    task_id: TaskId,
    source: (TaskId, &[LedgerFilter]),
    from: Frozen,
    limit: u64,
) -> Result<Frozen, DbErr> {
    let insert = "INSERT INTO task_person (task_id, position, person_id, given)
         SELECT $1, $2 + row_number() OVER (ORDER BY tp.position), tp.person_id, tp.given FROM task_person tp
         WHERE tp.task_id = $3 AND tp.position > $4 AND tp.position <= $5 AND $6";
    let (to, wanted) =
        (from.line.saturating_add(limit.cast_signed()), ledger_lines::to_treat_again(source.0, source.1));
    let parts = [task_id.into(), from.count.into(), source.0.into(), from.line.into(), to.into(), wanted];
    let written = txn.execute_raw(composed(db, insert, parts)).await?.rows_affected();
    let count = from.count + written.cast_signed();
    Ok(Frozen { count, line: to, ..from })
}

/// Writes down listed people. Those the actor may not know of stand there as they were given, like those who do not exist.
pub async fn freeze_listed(
    db: &Database,
    txn: &impl ConnectionTrait,
    actor: &Actor,
    task_id: TaskId,
    ids: &[PersonId],
    school_ids: &[SchoolId],
) -> Result<Frozen, DbErr> {
    let LookedUp { known, unknown } = look_up_listed(db, txn, actor, ids, school_ids).await?;
    let known = known.into_iter().map(|(id, given)| (Some(id), given));
    let rows: Vec<_> = known.chain(unknown.into_iter().map(|given| (None, Some(given)))).collect();
    let count = rows.len() as i64;
    let lines =
        rows.into_iter().zip(1..).map(|((id, given), position)| ActiveModel::meant(task_id, position, id, given));
    insert_all(db, txn, lines.collect()).await?;
    Ok(Frozen { count, ..Frozen::default() })
}

/// What came of looking for listed people.
pub struct LookedUp {
    /// Those the actor may know of, with what was given for them where that is not their id.
    known: BTreeMap<PersonId, Option<String>>,
    /// What was given for the others.
    pub unknown: Vec<String>,
}

/// Looks for listed people.
pub async fn look_up_listed(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    ids: &[PersonId],
    school_ids: &[SchoolId],
) -> Result<LookedUp, DbErr> {
    let mut known = BTreeMap::new();
    let mut unknown = Vec::new();
    for part in ids.chunks(NAMED) {
        let found = look_up(db, connection, actor, (Column::Id, access::visible), &ValueList::People(part)).await?;
        let found: BTreeMap<PersonId, ()> = found.into_iter().map(|(id, _)| (id, ())).collect();
        for id in part {
            match found.contains_key(id) {
                true => drop(known.insert(*id, None::<String>)),
                false => unknown.push(id.to_string()),
            }
        }
    }
    for part in school_ids.chunks(NAMED) {
        let found =
            look_up(db, connection, actor, (Column::SchoolId, access::by_school_id), &ValueList::SchoolIds(part))
                .await?;
        let found: BTreeMap<SchoolId, PersonId> = found.into_iter().map(|(id, school_id)| (school_id, id)).collect();
        for school_id in part {
            match found.get(school_id) {
                Some(id) => drop(known.insert(*id, Some(school_id.to_string()))),
                None => unknown.push(school_id.to_string()),
            }
        }
    }
    Ok(LookedUp { known, unknown })
}

/// Writes down all targeted at once; for numbers that fit one transaction.
pub async fn freeze(
    db: &Database,
    txn: &impl ConnectionTrait,
    actor: &Actor,
    task_id: TaskId,
    targeted: &TargetedPeople,
) -> Result<Frozen, DbErr> {
    match targeted {
        TargetedPeople::Listed { ids, school_ids } => freeze_listed(db, txn, actor, task_id, ids, school_ids).await,
        TargetedPeople::Matching { filter, exclude } => {
            let all = i64::MAX.unsigned_abs();
            freeze_matching(db, txn, actor, task_id, (filter, exclude), Frozen::default(), all).await
        }
        TargetedPeople::Ledger { task, outcomes } => {
            let all = i64::MAX.unsigned_abs();
            freeze_lines(db, txn, task_id, (*task, outcomes), Frozen::default(), all).await
        }
    }
}

/// The condition that an actor may know of the person `p`.
type ReachCondition = fn(&Actor) -> Expr;

async fn look_up(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    (column, known): (Column, ReachCondition),
    values: &ValueList<'_>,
) -> Result<Vec<(PersonId, SchoolId)>, DbErr> {
    let sql = "SELECT p.id, p.school_id FROM person p WHERE p.student AND $1 IN ($2) AND ($3)";
    let found = composed(db, sql, [P.col(column), values.query(), known(actor)]);
    let rows = connection.query_all_raw(found).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "school_id")?))).collect()
}
