//! Whom a line of an uploaded list is about that was not used: another line of the list names the same person.

use std::collections::HashMap;

use model::{PersonId, TaskId, ledger::LedgerSort};
use queue::Database;
use sea_orm::{ConnectionTrait, FromQueryResult, sea_query::Expr};
use serde_json::Value as Json;

use crate::{
    Actor, Result, access,
    people::{fold::key, list::rows::list_name},
    statement::{ValueList, composed, named_texts},
};

/// Who is meant by a school ID that a list gave.
#[derive(FromQueryResult)]
pub struct NamedInList {
    school_key: String,
    sort_key: String,
    pub id: PersonId,
    pub school_id: String,
    pub first_name: String,
    pub middle_name: Option<String>,
    pub last_name: String,
}

impl NamedInList {
    pub fn name(&self) -> String {
        list_name(&self.last_name, &self.first_name, self.middle_name.as_deref())
    }
}

/// Those of a task or preview whom another line names by one of these, by folded school ID, as far as the actor may see them.
pub async fn find(
    db: &Database,
    actor: &Actor,
    task: TaskId,
    given: &[String],
) -> Result<HashMap<String, NamedInList>> {
    if given.is_empty() {
        return Ok(HashMap::new());
    }
    let keys: Vec<String> = given.iter().map(|given| key(given)).collect();
    let sql = "SELECT p.school_key, p.sort_key, p.id, p.school_id, p.first_name, p.middle_name, p.last_name
         FROM task_person tp JOIN person p ON p.id = tp.person_id
         WHERE tp.task_id = $1 AND p.school_key IN ($2) AND ($3)";
    let parts = [task.into(), ValueList::Texts(&keys).query(), access::visible(actor)];
    let found = NamedInList::find_by_statement(composed(db, sql, parts)).all(db.reader()).await?;
    Ok(found.into_iter().map(|named| (named.school_key.clone(), named)).collect())
}

/// By what the lines of a list stand that another line replaces: a query for the position of each as `key`, and as `value` the name
/// or school ID of whom both are about. Nothing where the ledger is sorted by something else.
pub async fn sort_texts(db: &Database, actor: &Actor, task: TaskId, sort: LedgerSort) -> Result<Option<Expr>> {
    let text: fn(&NamedInList) -> &str = match sort {
        LedgerSort::Name | LedgerSort::NameDescending => |named| &named.sort_key,
        LedgerSort::SchoolId | LedgerSort::SchoolIdDescending => |named| &named.school_key,
        _ => return Ok(None),
    };
    let lines = "SELECT tp.position, tp.given FROM task_person tp
         JOIN coach_wish w ON w.task_id = tp.task_id AND w.position = tp.position
         WHERE tp.task_id = $1 AND w.superseded AND tp.given IS NOT NULL";
    let rows = db.reader().query_all_raw(composed(db, lines, [task.into()])).await?;
    let lines = rows.iter().map(|row| Ok((row.try_get("", "position")?, row.try_get("", "given")?)));
    let lines = lines.collect::<Result<Vec<(i64, String)>>>()?;
    let given: Vec<String> = lines.iter().map(|(_, given)| given.clone()).collect();
    let named = find(db, actor, task, &given).await?;
    // What is folded is known here and not to the database, which finds it by the position.
    let texts = lines
        .iter()
        .filter_map(|(position, given)| Some((position.to_string(), Json::from(text(named.get(&key(given))?)))));
    Ok(Some(named_texts(&Json::Object(texts.collect()))))
}
