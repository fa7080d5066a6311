//! Requests that fill what has a form of its own, and rows of whatever else a page can show.

use std::{collections::BTreeSet, time::Duration};

use axum::body::Body;
use axum::http::{Method, header};
use model::TaskKind;
use queue::lock::{Lock, LockRequest};
use serde_json::{Value, json};

use super::markup::short;
use crate::site::{Site, request};

/// Kinds that hold nothing that anybody types, or nothing else than the kinds above.
const NOTHING_TYPED: [(TaskKind, &str); 5] = [
    (TaskKind::ReassignCoach, "a reason, as the others"),
    (TaskKind::ReassignByList, "a reason, as the others"),
    (TaskKind::Undo, "what it undoes"),
    (TaskKind::Import, "the columns of people, which are filled as such"),
    (TaskKind::SelfTest, "an ending"),
];

/// A finished task of the coach's for each action, one that failed, and one that is still to come.
pub async fn tasks(site: &Site) -> Vec<String> {
    let (note, reason) = (short("comment"), short("reason"));
    let mut ids = Vec::new();
    let bodies = [
        ("program-status", json!({ "programStatus": "INACTIVE", "comment": note, "reason": reason })),
        ("watch", json!({ "operation": "WATCH", "reason": reason })),
        ("early-alert", json!({ "alertReason": "GRADES", "comment": short("alert"), "reason": reason })),
        ("export", json!({ "format": "CSV", "reason": reason })),
        (
            "email",
            json!({
                "subject": short("subject"), "body": short("body"),
                "toPrimary": true, "toSecondary": false, "createJournalEntry": true, "confirmTotal": 12, "reason": reason,
            }),
        ),
    ];
    let asked = bodies.iter().map(|(kind, _)| *kind).chain(NOTHING_TYPED.iter().map(|(kind, _)| kind.name()));
    let kinds: BTreeSet<&str> = TaskKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(asked.collect::<BTreeSet<_>>(), kinds, "each kind is asked for here, or it is said why not");
    for (kind, body) in bodies {
        ids.push(site.finished(kind, body).await);
    }
    // An email is held for a minute, in which it can be called off.
    site.test_db.clock.advance(Duration::from_secs(120));
    site.work().await;
    let admin = site.token("admin").await;
    for body in [json!({ "outcome": "permanent" }), json!({ "triggerDate": "2999-01-01T00:00:00Z" })] {
        let answer = site.server.post("/api/1/admin/self-test").authorization_bearer(&admin).json(&body).await;
        ids.push(answer.json::<Value>()[0]["id"].as_str().unwrap().to_owned());
    }
    site.work().await;
    ids
}

/// Sends a form, as a browser does, and says whether it was taken.
async fn form(site: &Site, token: &str, path: &str, pairs: &[(&str, &str)]) {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let request = request(Method::POST, path, Some(token))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "text/html")
        .header(header::REFERER, "http://127.0.0.1:3000/people");
    let answer = site.send(request.body(Body::from(body)).unwrap()).await;
    let location = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default();
    assert!(answer.status().is_redirection() && !location.contains("__err"), "{path}: {} {location}", answer.status());
}

/// Uploads a file, as a browser does, and says whether it was taken.
async fn upload(site: &Site, token: &str, path: &str, content: &str) {
    let head = "content-disposition: form-data; name=\"file\"; filename=\"a.csv\"";
    let body = format!("--seam\r\n{head}\r\n\r\n{content}\r\n--seam--\r\n");
    let request = request(Method::POST, path, Some(token))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=seam")
        .header(header::ACCEPT, "text/html");
    let answer = site.send(request.body(Body::from(body)).unwrap()).await;
    let location = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default();
    assert!(answer.status().is_redirection() && !location.contains("__err"), "{path}: {} {location}", answer.status());
}

/// What is kept in a form of its own, and the rows that columns without any would need.
pub async fn kept(site: &Site, tasks: &[String]) -> Option<Lock> {
    let (coach, admin) = (site.token("coach").await, site.token("admin").await);
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("q", &short("view")).finish();
    form(site, &coach, "/api/page/save-view", &[("name", "Mine"), ("query", &query)]).await;
    let letter = [("subject", short("draft-subject")), ("body", short("draft-body")), ("cc", short("cc"))];
    let mut typed: Vec<(&str, &str)> = letter.iter().map(|(name, value)| (*name, value.as_str())).collect();
    typed.extend([("do", "template-save"), ("templateName", "Mine"), ("to", "primary")]);
    form(site, &coach, "/api/page/actions/email", &typed).await;
    let failed = [("id", tasks[5].as_str()), ("reason", &short("verb-reason"))];
    form(site, &admin, "/api/page/admin/tasks/abandon", &failed).await;
    // A column and a value that are text on the page of a file.
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let file = format!("id,name,{}\nE-1,{},x\n,y,z\n", cell(&short("column")), cell(&short("value")));
    upload(site, &admin, "/admin/import", &file).await;
    let paused = [("kind", "export"), ("reason", &short("pause-reason"))];
    form(site, &admin, "/api/page/admin/kinds/pause", &paused).await;
    let held = site.caseload.queue().locks("somebody").try_lock(LockRequest::new("held")).await.unwrap();
    for sql in [
        "INSERT INTO process (id, system_id, host, version, started_date, heartbeat_date, slots, busy, stopping)
         SELECT 'p', 's', 'h', 'v', created_date, created_date, 8, 0, FALSE FROM queued_task LIMIT 1",
        "INSERT OR IGNORE INTO schedule (name, expression, time_zone, next_fire, paused)
         SELECT 'prune-files', 'every 1h', 'UTC', created_date, FALSE FROM queued_task LIMIT 1",
        "INSERT INTO schedule_fire (schedule, planned_date, fired_date, process, outcome, detail)
         SELECT 'prune-files', created_date, created_date, 'p', 'FAILED', 'd' FROM queued_task LIMIT 1",
        "INSERT INTO address_wish (person_id, address, token_hash, created_date, expiry_date)
         SELECT person_id, 'a', 'h', created_date, created_date FROM account LIMIT 1",
        "INSERT INTO passkey (id, person_id, name, credential_id, public_key, device_state, transports, signs_in_alone, created_date)
         SELECT randomblob(16), person_id, 'n', hex(randomblob(4)), 'k', 's', 0, FALSE, created_date FROM account",
        "INSERT INTO password_link (person_id, id, purpose, address, token_hash, created_date, expiry_date)
         SELECT person_id, person_id, 'INVITATION', 'a', 'h', created_date, created_date FROM account LIMIT 1",
        "INSERT INTO bulk_preview (id, actor_id, created_date, verb, filter, tasks)
         SELECT id, owner_id, created_date, 'retry', '{}', '[]' FROM queued_task LIMIT 1",
        "INSERT INTO coach_wish (task_id, position, superseded, line, wanted) SELECT id, 1, FALSE, 1, 'w' FROM queued_task",
        "INSERT INTO import_choice (task_id, person, line, cells) SELECT id, 'p', 1, '[]' FROM queued_task LIMIT 1",
        "INSERT INTO import_matching (id, owner_id, name, content, used_date)
         SELECT id, owner_id, 'n', '{}', created_date FROM prepared_import",
        "INSERT INTO approval (task_id, asked_by, asked_date, expiry_date, total, will_change, skipped, note)
         SELECT id, owner_id, created_date, created_date, 1, 1, '{}', 'n' FROM queued_task",
        "INSERT INTO journal_entry (person_id, entry, created_date, created_by, task_id)
         SELECT p.id, 'e', t.created_date, t.owner_id, t.id FROM person p, queued_task t",
        "INSERT INTO person_extra (person_id, name, value) SELECT id, 'n', 'v' FROM person",
        "INSERT INTO notice (task_id, purpose, address, subject, body, state, tries, created_date, state_date)
         SELECT id, 'ENDED', 'a', 's', 'b', 'SENT', 1, created_date, created_date FROM queued_task LIMIT 1",
        "INSERT INTO task_verb (task_id, verb_date, actor_id, verb, reason)
         SELECT id, created_date, owner_id, 'retry', 'r' FROM queued_task",
        "INSERT INTO throughput (step, start_date, kind, done, problems, failed, abandoned, people, waits, runs)
         SELECT 60, created_date, 'export', 1, 0, 0, 0, 1, '[]', '[]' FROM queued_task LIMIT 1",
        "UPDATE outbox SET bounce_note = 'b', bounce_date = state_date, reply = 'r', copy_address = 'c'",
        "UPDATE person SET middle_name = 'm', secondary_email = 's'",
        "UPDATE task_person SET given = 'g'",
        "UPDATE queued_task SET finish_reason = 'f', workflow_status_desc = 'd', scheduled_by_process = 'p'",
    ] {
        site.caseload.db().write(sql, []).await.unwrap();
    }
    held
}
