//! Who can decide: whoever could run the task for each of its people, and is not the one who submitted it.

use model::{AccountId, Role, TaskId, TaskKind, account::Right, approval::Deciders};
use queue::Database;
use sea_orm::{
    ConnectionTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Result, access,
    statement::{at_most, composed, sql},
    submit::spec::Spec,
};

/// As many are looked at.
const MOST: i64 = 500;
/// As many are named.
const NAMED: usize = 3;

/// Somebody who can decide.
pub(super) struct Decider {
    pub name: String,
    pub address: Option<String>,
}

/// Everybody who can, by name.
pub(super) async fn of_task(
    db: &Database,
    connection: &impl ConnectionTrait,
    task: TaskId,
    owner: AccountId,
    right: Right,
    frozen: bool,
) -> Result<Vec<Decider>> {
    let coach = if frozen { only_coach(db, connection, task).await? } else { None };
    let permitted = match right {
        Right::Permission(permission) => Expr::cust("a.permissions").like(format!("%\"{permission}\"%")),
        Right::Administrator => Expr::cust("a.role").eq(Role::Administrator.name()),
    };
    let everyone: Vec<&str> = Role::ALL.iter().filter(|role| role.reaches_everyone()).map(|role| role.name()).collect();
    let reaches = Expr::cust("a.role").is_in(everyone).or(Expr::cust("a.person_id").is_in(coach));
    let found = "SELECT p.first_name, p.last_name, p.primary_email FROM account a JOIN person p ON p.id = a.person_id
         WHERE NOT a.disabled AND a.person_id <> $1 AND ($2) AND ($3) ORDER BY p.sort_key, p.id LIMIT $4";
    let parts = [owner.into(), permitted, reaches, at_most(MOST)];
    let rows = connection.query_all_raw(composed(db, found, parts)).await?;
    rows.iter()
        .map(|row| {
            let (first, last): (String, String) = (row.try_get("", "first_name")?, row.try_get("", "last_name")?);
            let address: Option<String> = row.try_get("", "primary_email")?;
            let address = address.filter(|address| !address.trim().is_empty());
            Ok(Decider { name: format!("{first} {last}").trim().to_owned(), address })
        })
        .collect()
}

/// The same, to be told.
pub(super) fn told(all: &[Decider]) -> Deciders {
    let names: Vec<String> = all.iter().take(NAMED).map(|decider| decider.name.clone()).collect();
    let more = (all.len() - names.len()) as u64;
    Deciders { names, more }
}

/// Whose people they all are, if they are of one coach.
async fn only_coach(db: &Database, connection: &impl ConnectionTrait, task: TaskId) -> Result<Option<AccountId>> {
    let found = "SELECT DISTINCT p.coach_id FROM task_person tp JOIN person p ON p.id = tp.person_id AND p.student
         WHERE tp.task_id = $1 LIMIT 2";
    let rows = connection.query_all_raw(db.statement(found, [task.into()])).await?;
    match rows.as_slice() {
        [one] => Ok(one.try_get::<Option<AccountId>>("", "coach_id")?),
        _ => Ok(None),
    }
}

/// The condition that somebody may decide on the task `waiting`, as far as its row and the people who are written down tell. What puts something
/// back says by itself what it takes.
pub(super) fn might_decide(actor: &Actor) -> Expr {
    let may = |kind: &&TaskKind| **kind == TaskKind::Undo || actor.may(kind.description().right);
    let kinds = TaskKind::ALL.iter().filter(may).map(|kind| kind.name());
    let permitted = Expr::cust("waiting.kind").is_in(kinds);
    if actor.role.reaches_everyone() {
        return permitted;
    }
    let within = "EXISTS (SELECT 1 FROM task_person tp WHERE tp.task_id = waiting.id)
         AND NOT EXISTS (SELECT 1 FROM task_person tp JOIN person p ON p.id = tp.person_id AND p.student
            WHERE tp.task_id = waiting.id AND NOT ($1))";
    permitted.and(sql(within, [access::reach(actor)]))
}

/// Whether all people of a task are within somebody's reach. Of a task that has not written them down, only whoever reaches everyone can tell.
pub(super) async fn reaches_all(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    task: TaskId,
    spec: &Spec,
) -> Result<bool> {
    if actor.role.reaches_everyone() {
        return Ok(true);
    }
    if !spec.frozen {
        return Ok(false);
    }
    let beyond = "SELECT 1 AS one FROM task_person tp JOIN person p ON p.id = tp.person_id AND p.student
         WHERE tp.task_id = $1 AND $2 LIMIT 1";
    let beyond = composed(db, beyond, [task.into(), sql("NOT ($1)", [access::reach(actor)])]);
    Ok(connection.query_one_raw(beyond).await?.is_none())
}
