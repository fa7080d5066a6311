//! Whom a line of an uploaded list is about that was not used: another line of the list names the same person.

use std::collections::HashMap;

use model::{PersonId, TaskId};
use queue::Database;
use sea_orm::FromQueryResult;

use crate::{
    Actor, Result, access,
    people::{fold::key, list::rows::list_name},
    statement::{ValueList, composed},
};

/// Who is meant by a school ID that a list gave.
#[derive(FromQueryResult)]
pub struct NamedInList {
    school_key: String,
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
    let sql = "SELECT p.school_key, p.id, p.school_id, p.first_name, p.middle_name, p.last_name
         FROM task_person tp JOIN person p ON p.id = tp.person_id
         WHERE tp.task_id = $1 AND p.school_key IN ($2) AND ($3)";
    let parts = [task.into(), ValueList::Texts(&keys).query(), access::visible(actor)];
    let found = NamedInList::find_by_statement(composed(db, sql, parts)).all(db.reader()).await?;
    Ok(found.into_iter().map(|named| (named.school_key.clone(), named)).collect())
}
