//! Somebody who is erased and whom every text names that anybody can fill: afterwards none does, but what is listed here.

use std::collections::BTreeMap;

use sea_orm::ConnectionTrait;
use serde_json::json;

use super::{
    doors,
    fields::{self, Filled},
    fill, select,
};
use crate::site::Site;

testkit::tests!(within testkit::LONGEST * 3; no_text_names_whoever_is_erased);

/// A school id that every text in a field holds as a word.
const NAMED: &str = "evil";

/// Tables and columns that may go on naming them, and why that is meant.
const STAYS: &[(&str, &str)] = &[
    ("access_token", "of staff"),
    ("account.username", "of staff"),
    ("address_wish.address", "of staff"),
    ("audit", "a record that nobody changes: an id, and what was said of it"),
    ("bulk_preview.filter", "narrows tasks, for half an hour"),
    ("export.path", "made of the id of a task"),
    ("import_choice", "while an import runs; found by a hash of the school id"),
    ("notice.address", "of staff"),
    ("outbox.address", "of others"),
    ("outbox.address_key", "of others"),
    ("outbox.copy_address", "of others"),
    ("outbox.message_id", "made of an id of its own"),
    ("passkey.name", "of staff"),
    ("password_link.address", "of staff"),
    ("person", "others"),
    ("person_extra", "of others"),
    ("process", "of machines"),
    ("queued_task.idempotency_key", "made by a program"),
    ("queued_task.scheduled_by_process", "of machines"),
    ("schedule", "of settings"),
    ("schedule_fire.process", "of machines"),
    ("scheduler_lock", "of machines"),
    ("task_attempt.error_code", "one of ours"),
    ("task_attempt.process", "of machines"),
    ("task_failure.fingerprint", "made of a code of ours"),
    ("task_person", "lines of others"),
    ("throughput.kind", "one of ours"),
];

async fn no_text_names_whoever_is_erased() {
    let site = Site::with("queue.self_test = true").await;
    let tasks = doors::tasks(&site).await;
    let _held = doors::kept(&site, &tasks).await;
    let admin = site.token("admin").await;
    let person = site.somebody().await;
    select(&site, &site.token("coach").await, &person).await;
    fill(&site).await;
    let named = "UPDATE person SET school_id = $1, school_key = $1 WHERE id = $2";
    let id: model::PersonId = person.parse().unwrap();
    site.caseload.db().write(named, [NAMED.into(), id.into()]).await.unwrap();
    let filled = fields::columns().filter(|(.., filled)| *filled != Filled::Ours);
    let filled: Vec<String> = filled.map(|(table, column, _)| format!("{table}.{column}")).collect();
    let before = naming(&site, &person).await;
    let empty: Vec<&String> = filled.iter().filter(|column| !before.contains_key(*column)).collect();
    assert_eq!(empty, Vec::<&String>::new(), "these name nobody yet, so that nothing is proved of them");

    let erase = site.server.post(&format!("/api/1/people/{person}/erase")).authorization_bearer(&admin);
    let answer = erase.json(&json!({ "schoolId": NAMED, "reason": "a request" })).await;
    answer.assert_status_success();
    let after = naming(&site, &person).await;
    let stays = |column: &str, stays: &str| column == stays || column.split('.').next() == Some(stays);
    let left: Vec<_> = after.iter().filter(|(column, _)| !STAYS.iter().any(|(may, _)| stays(column, may))).collect();
    assert_eq!(left, Vec::<(&String, &String)>::new(), "forget them here too, or say above why they stay");
    let gone: Vec<_> = STAYS.iter().filter(|(may, _)| !after.keys().any(|column| stays(column, may))).collect();
    assert_eq!(gone, Vec::<&(&str, &str)>::new(), "nobody is named here any more");
}

/// The columns in which a text names them, with one such text.
async fn naming(site: &Site, id: &str) -> BTreeMap<String, String> {
    let db = site.caseload.db();
    let mut found = BTreeMap::new();
    for column in fields::in_schema(db).await {
        let (table, name) = column.split_once('.').unwrap();
        let sql = format!("SELECT {name} FROM {table} WHERE {name} LIKE $1 OR {name} LIKE $2 LIMIT 1");
        let values = [format!("%{NAMED}%"), format!("%{id}%")].map(Into::into);
        if let Some(row) = db.reader().query_one_raw(db.statement(&sql, values)).await.unwrap() {
            found.insert(column.clone(), row.try_get_by_index(0).unwrap());
        }
    }
    found
}
