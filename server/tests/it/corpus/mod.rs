//! Markup in every field that a person, a program or a file can fill, and every page that shows any of it: none of it becomes
//! a part of a page. A field or a page that is new and has no row here fails the test.

mod doors;
mod erased;
mod fields;
mod markup;
pub mod pages;

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    body::{Body, to_bytes},
    http::{Method, header},
};
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

use crate::{
    access::SERVER_FUNCTIONS,
    site::{Site, request},
};
use fields::Filled;
use markup::{Judged, hostile};

// Some hundred pages, one after the other.
testkit::tests!(within testkit::LONGEST * 3; markup_in_any_field_is_text_on_every_page);

/// What has been looked at.
#[derive(Default)]
struct Seen {
    pages: BTreeSet<String>,
    /// Where each field was shown.
    fields: BTreeMap<String, BTreeSet<String>>,
    foreign: Vec<String>,
    failed: Vec<String>,
}

impl Seen {
    fn note(&mut self, address: &str, judged: Judged) {
        self.pages.insert(address.to_owned());
        for field in judged.fields {
            self.fields.entry(field).or_default().insert(address.to_owned());
        }
        self.foreign.extend(judged.foreign.into_iter().map(|what| format!("{address}: {what}")));
    }
}

/// What an address may name.
struct Names {
    tasks: Vec<String>,
    person: String,
    account: String,
    selection: String,
    lock: String,
    import: String,
}

impl Names {
    /// The addresses that one stands for.
    fn fill(&self, address: &str) -> Vec<String> {
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
        let filled = address
            .replace("{person}", &self.person)
            .replace("{account}", &self.account)
            .replace("{selection}", &self.selection)
            .replace("{lock}", &encoded(&self.lock))
            .replace("{import}", &self.import)
            .replace("{text}", &encoded(&hostile("address")));
        match filled.contains("{task}") {
            true => self.tasks.iter().map(|task| filled.replace("{task}", task)).collect(),
            false => vec![filled],
        }
    }
}

async fn markup_in_any_field_is_text_on_every_page() {
    let site = Site::with("queue.self_test = true").await;
    let known: BTreeSet<String> = fields::columns().map(|(table, column, _)| format!("{table}.{column}")).collect();
    assert_eq!(known, fields::in_schema(site.caseload.db()).await, "every text in the schema needs a row in fields.rs");
    let tokens = [("coach", site.token("coach").await), ("admin", site.token("admin").await)];
    let document: Value = site.server.get("/api/1/openapi.json").authorization_bearer(&tokens[1].1).await.json();
    let known_texts: BTreeSet<String> = fields::REQUESTS.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(known_texts, fields::in_requests(&document), "every text in a request needs a row in fields.rs");
    let tasks = doors::tasks(&site).await;
    let _held = doors::kept(&site, &tasks).await;
    let person = site.somebody().await;
    let selection = select(&site, &tokens[0].1, &person).await;
    fill(&site).await;
    let lock = text(&site, "SELECT name FROM scheduler_lock WHERE name LIKE '%scheduler_lock%' LIMIT 1").await;
    let import = text(&site, "SELECT lower(hex(id)) FROM prepared_import LIMIT 1").await;
    let names = Names { tasks, person, account: site.coach_id.to_string(), selection, lock, import };

    let mut seen = Seen::default();
    for address in pages::addresses() {
        for filled in names.fill(address) {
            for (who, token) in &tokens {
                open(&site, &mut seen, address, &filled, (who, token)).await;
            }
        }
    }
    for (path, form, _) in SERVER_FUNCTIONS {
        let filled = names.fill(&form.replace("{id}", "{task}").replace("{preview}", "x")).swap_remove(0);
        call(&site, &mut seen, path, &filled, &tokens[0].1).await;
    }
    assert_eq!(seen.foreign, Vec::<String>::new());
    assert_eq!(seen.failed, Vec::<String>::new());
    let filled = fields::columns().filter(|(.., filled)| *filled != Filled::Ours).count();
    eprintln!(
        "{filled} columns of {} are filled; {} fields were shown on {} pages, {} times together:",
        known.len(),
        seen.fields.len(),
        seen.pages.len(),
        seen.fields.values().map(BTreeSet::len).sum::<usize>()
    );
    for (field, pages) in &seen.fields {
        eprintln!("{field}: on {} pages", pages.len());
    }
    let missed: Vec<&&str> = SHOWN.iter().filter(|field| !seen.fields.contains_key(**field)).collect();
    assert_eq!(missed, Vec::<&&str>::new(), "these are shown somewhere, or this test looks past it");
}

/// Fields that some page shows.
const SHOWN: &[&str] = &[
    "access_token.name",
    "access_token.used_from",
    "account.username",
    "address",
    "alert",
    "body",
    "cc",
    "column",
    "comment",
    "draft-body",
    "draft-subject",
    "early_alert.comment",
    "email_template.name",
    "import_matching.name",
    "passkey.name",
    "pause-reason",
    "paused_kind.reason",
    "person.declared_major",
    "person.extra",
    "person.first_name",
    "person.home_campus",
    "person.last_name",
    "person.middle_name",
    "person.primary_email",
    "person.school_id",
    "person.secondary_email",
    "person.start_term",
    "person.student_type",
    "person_extra.name",
    "prepared_import.file",
    "process.host",
    "process.id",
    "process.kinds",
    "process.system_id",
    "process.version",
    "program_status_history.comment",
    "queued_task.finish_reason",
    "queued_task.scheduled_by_process",
    "queued_task.workflow_status_desc",
    "reason",
    "saved_view.name",
    "schedule.expression",
    "schedule.time_zone",
    "schedule_fire.detail",
    "schedule_fire.process",
    "scheduler_lock.locked_by",
    "scheduler_lock.name",
    "subject",
    "task_attempt.detail",
    "task_attempt.error_code",
    "task_attempt.process",
    "task_failure.fingerprint",
    "task_person.after_value",
    "task_person.before_value",
    "task_person.reason",
    "value",
    "verb-reason",
];

/// Writes into every column that anybody can fill.
async fn fill(site: &Site) {
    let db = site.caseload.db();
    for (table, column, filled) in fields::columns() {
        let expression = match filled {
            // Some have to differ from each other.
            Filled::Whole => "$1 || hex(randomblob(4))",
            Filled::As(expression) => expression,
            Filled::ByDoor | Filled::Ours => continue,
        };
        let sql = format!("UPDATE {table} SET {column} = {expression}");
        db.write(&sql, [hostile(&format!("{table}.{column}")).into()]).await.unwrap();
    }
}

async fn text(site: &Site, sql: &str) -> String {
    use sea_orm::ConnectionTrait;
    let db = site.caseload.db();
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap();
    row.map(|row| row.try_get_by_index(0).unwrap()).unwrap_or_default()
}

async fn select(site: &Site, token: &str, person: &str) -> String {
    let form = format!("shown={person}&ticked[0]={person}&whole_page=yes");
    let answer = send(site, Method::POST, "/api/page/select-shown", &form, "application/json", token).await;
    let view: Value = serde_json::from_str(&answer.1).unwrap();
    view["token"].as_str().unwrap().to_owned()
}

async fn send(site: &Site, method: Method, uri: &str, body: &str, accept: &str, token: &str) -> (u16, String) {
    let request = request(method, uri, Some(token))
        .header(header::ACCEPT, accept)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(body.to_owned()))
        .unwrap();
    let answer = site.send(request).await;
    let status = answer.status().as_u16();
    let html = answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    assert!(accept != "text/html" || html || status != 200, "{uri} is a page");
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.into()).unwrap())
}

async fn open(site: &Site, seen: &mut Seen, address: &str, filled: &str, (who, token): (&str, &str)) {
    let (status, html) = send(site, Method::GET, filled, "", "text/html", token).await;
    if status >= 500 {
        seen.failed.push(format!("{address} for {who}: {status}"));
    }
    let judged = Judged::page(&html);
    // Refusals and redirects are no pages.
    if judged.elements > 20 {
        seen.note(address, judged);
    }
}

async fn call(site: &Site, seen: &mut Seen, path: &str, form: &str, token: &str) {
    let (status, answer) =
        send(site, Method::POST, &format!("/api/page/{path}"), form, "application/json", token).await;
    if status >= 500 {
        seen.failed.push(format!("{path}: {status}"));
    }
    seen.note(path, Judged::answer(&answer));
}
