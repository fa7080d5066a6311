//! What no well-behaved client sends: NUL characters, bytes that are no UTF-8, and strange headers, at every door there is.

use std::collections::BTreeMap;

use axum::{
    body::Body,
    http::{HeaderValue, Method, Request, header},
};
use model::Role;
use serde_json::Value;
use testkit::On;

use crate::{
    access::{PAGES, SERVER_FUNCTIONS, Sent, routes},
    site::{self, PASSWORD, Site},
};

testkit::tests!(where_a_task_runs_is_told_to_administrators_only);

testkit::on_both!(
    within testkit::LONGEST * 5;
    no_request_by_rest_is_answered_with_a_fault_for_what_it_sent,
    no_request_by_a_page_is_answered_with_a_fault_for_what_it_sent,
    a_nul_is_refused_with_the_name_of_its_field,
);

/// A door, with the body that is usual there.
struct Door {
    method: Method,
    path: String,
    kind: &'static str,
    body: Vec<u8>,
}

fn doors(site: &Site) -> Vec<Door> {
    let mut doors = Vec::new();
    for (method, path, sent, _) in routes(site.coach_id.person()) {
        let (kind, body) = match sent {
            Sent::Nothing => ("text/plain", Vec::new()),
            Sent::Json(value) => ("application/json", value.to_string().into()),
            Sent::Form(form) => ("application/x-www-form-urlencoded", form.into()),
            Sent::Parts(name, content) => {
                ("multipart/form-data; boundary=b", part(name, "list.csv", content.as_bytes()))
            }
        };
        doors.push(Door { method, path: path.to_owned(), kind, body });
    }
    for (path, _) in PAGES {
        doors.push(Door { method: Method::GET, path: (*path).to_owned(), kind: "text/plain", body: Vec::new() });
    }
    for (path, form, _) in SERVER_FUNCTIONS {
        let path = format!("/api/page/{path}");
        doors.push(Door {
            method: Method::POST,
            path,
            kind: "application/x-www-form-urlencoded",
            body: (*form).into(),
        });
    }
    doors
}

fn part(name: &str, file: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n");
    [head.as_bytes(), content, b"\r\n--b--\r\n"].concat()
}

/// Bodies that differ from the usual one in what they must not hold: each field by itself, and the whole.
fn bodies(door: &Door) -> Vec<Vec<u8>> {
    let usual = String::from_utf8_lossy(&door.body).into_owned();
    let mut bodies =
        vec![Vec::new(), b"\0".to_vec(), b"\xff\xfe".to_vec(), b"{\"a\":\"\xff\"}".to_vec(), b"%00=%ff".to_vec()];
    match door.kind {
        "application/json" => {
            let value: Value = serde_json::from_str(&usual).unwrap();
            for text in ["a\0b", "\u{fffe}\u{202e}", "\r\n"] {
                bodies.extend(with_each(&value, &Value::from(text)).iter().map(|value| value.to_string().into()));
            }
        }
        "application/x-www-form-urlencoded" => {
            let fields: Vec<&str> = usual.split('&').collect();
            for at in 0..fields.len() {
                for odd in ["%00", "%ff", "%0d%0a", "a%00b"] {
                    let mut fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
                    fields[at].push_str(odd);
                    bodies.push(fields.join("&").into());
                }
            }
        }
        _ if !door.body.is_empty() => {
            for odd in [&b"\0"[..], b"G1\0,coach\n", b"\xff\xfe,coach\n", b"G1-0000001,co\0ach\n"] {
                for name in ["file", "schoolIds", "mapping"] {
                    bodies.push(part(name, "list.csv", odd));
                    bodies.push(part(name, "a\u{202e}\\\"b", odd));
                }
            }
        }
        _ => {}
    }
    bodies
}

/// The value with each of its texts in turn replaced.
fn with_each(value: &Value, by: &Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, inner)| {
                with_each(inner, by).into_iter().map(move |inner| (name.clone(), inner)).collect::<Vec<_>>()
            })
            .map(|(name, inner)| {
                let mut fields = fields.clone();
                fields.insert(name, inner);
                Value::Object(fields)
            })
            .collect(),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .flat_map(|(at, inner)| with_each(inner, by).into_iter().map(move |inner| (at, inner)).collect::<Vec<_>>())
            .map(|(at, inner)| {
                let mut values = values.clone();
                values[at] = inner;
                Value::Array(values)
            })
            .collect(),
        _ => vec![by.clone()],
    }
}

/// Header values that are allowed and that nobody expects.
const VALUES: [&[u8]; 4] = [b"\xff\xfe", b"", b"a\tb", b"bytes=9-1,=;\"\\,q=%00"];
/// Headers that are read, but for those without which nothing is reached.
const READ: [&str; 11] = [
    "accept",
    "accept-encoding",
    "host",
    "idempotency-key",
    "if-none-match",
    "if-range",
    "last-event-id",
    "range",
    "referer",
    "user-agent",
    "x-forwarded-for",
];
const ALONE: [&str; 5] = ["authorization", "content-length", "content-type", "cookie", "origin"];
const NAMES: [&str; 11] = ["q", "after", "sort", "limit", "name", "sel", "window", "state", "since", "done", "__err"];

/// A request that is usual but for one thing.
#[derive(Clone)]
struct Odd {
    uri: String,
    headers: Vec<(&'static str, &'static [u8])>,
    body: Vec<u8>,
}

/// All that is odd at the n-th door; `fill` puts ids in their places. What a header or a parameter that is read in one place for
/// all doors says is another thing from door to door.
fn oddities(n: usize, door: &Door, fill: &impl Fn(&str) -> String) -> Vec<Odd> {
    let usual = fill(&door.path).replace("{*path}", "frontend.js").replace("{*page}", "tasks");
    let body = fill(&String::from_utf8_lossy(&door.body)).into_bytes();
    let plain = Odd { uri: usual.clone(), headers: Vec::new(), body };
    let mut found = vec![plain.clone()];
    found.extend(bodies(door).into_iter().map(|body| {
        let body = String::from_utf8(body).map_or_else(|error| error.into_bytes(), |text| fill(&text).into_bytes());
        Odd { body, ..plain.clone() }
    }));
    for odd in ["%00", "%ff", "a%00b", "%c0%80", "%0d%0a", "%2e%2e%2f"] {
        let held = |part: &str| if part.starts_with('{') { odd.to_owned() } else { part.to_owned() };
        let path: Vec<String> = door.path.split('/').map(held).collect();
        found.push(Odd { uri: path.join("/"), ..plain.clone() });
        found.push(Odd { uri: format!("{usual}?{odd}={odd}"), ..plain.clone() });
    }
    for (at, name) in NAMES.iter().enumerate().filter(|_| door.method == Method::GET) {
        let odd = ["%00", "%0d%0a", "%ff"][(n + at) % 3];
        found.push(Odd { uri: format!("{usual}?{name}={odd}"), ..plain.clone() });
    }
    found.extend(VALUES.map(|value| Odd { headers: READ.map(|name| (name, value)).into(), ..plain.clone() }));
    for (at, name) in ALONE.into_iter().enumerate() {
        found.push(Odd { headers: vec![(name, VALUES[(n + at) % VALUES.len()])], ..plain.clone() });
    }
    found
}

/// An administrator at a browser, who has just signed in: another one for each door that may end that, or be shut after many
/// wrong passwords.
async fn session(site: &Site, username: &str) -> String {
    if username != "admin" {
        site::add(&site.caseload, username, Role::Administrator).await;
    }
    let body = serde_json::json!({ "username": username, "password": PASSWORD }).to_string();
    let request = Request::post("/api/1/session").header(header::CONTENT_TYPE, "application/json");
    let answer = site.send(request.body(Body::from(body)).unwrap()).await;
    site::cookie(&site::session_set(answer.headers()))
}

async fn no_request_by_rest_is_answered_with_a_fault_for_what_it_sent(on: On) {
    none_is_a_fault(on, |door| door.path.starts_with("/api/1/")).await;
}

async fn no_request_by_a_page_is_answered_with_a_fault_for_what_it_sent(on: On) {
    none_is_a_fault(on, |door| !door.path.starts_with("/api/1/")).await;
}

async fn none_is_a_fault(on: On, at: fn(&Door) -> bool) {
    let site = Site::on(on, "queue.self_test = true").await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    // Nobody gets further than an administrator, and a coach is turned back where the database was not asked yet: one of them
    // for each database asks for everything, which takes half the time.
    let coach = (header::AUTHORIZATION, format!("Bearer {}", site.token("coach").await));
    let fill = |text: &str| {
        let id = if text.contains("people/{id}") { &person } else { &task };
        text.replace("{id}", id)
            .replace("{person}", &person)
            .replace("{kind}", "export")
            .replace("{name}", "prune-files")
    };
    let (mut faults, mut asked) = (BTreeMap::new(), 0_u32);
    let usual = session(&site, "admin").await;
    for (n, door) in doors(&site).iter().enumerate().filter(|(_, door)| at(door)) {
        let ends =
            ["/settings", "/login", "/logout", "/api/1/session"].iter().any(|door_to| door.path.starts_with(door_to));
        let admin = match ends {
            true => session(&site, &format!("admin{n}")).await,
            false => usual.clone(),
        };
        let admin = (header::COOKIE, admin);
        for odd in oddities(n, door, &fill) {
            let (name, caller) = if on == On::Sqlite { &coach } else { &admin };
            let mut request = Request::builder()
                .method(door.method.clone())
                .uri(&odd.uri)
                .header(name, caller)
                .header(header::ACCEPT, "text/html")
                .header(header::CONTENT_TYPE, door.kind)
                .body(Body::from(odd.body.clone()))
                .unwrap();
            for (name, value) in &odd.headers {
                request.headers_mut().insert(*name, HeaderValue::from_bytes(value).unwrap());
            }
            let status = site.send(request).await.status().as_u16();
            asked += 1;
            if status >= 500 {
                let what = format!("{} {:?} {:?}", odd.uri, odd.headers, String::from_utf8_lossy(&odd.body));
                faults.entry(format!("{} {}: {status}", door.method, door.path)).or_insert(what);
            }
        }
    }
    assert!(asked > 1_000, "{asked} requests");
    assert_eq!(faults, BTreeMap::new(), "of {asked} requests");
}

async fn a_nul_is_refused_with_the_name_of_its_field(on: On) {
    let site = Site::on(on, "").await;
    let token = site.token("coach").await;
    let body = serde_json::json!({ "target": { "schoolIds": ["G1-0000001", "G1\0"] }, "programStatus": "ACTIVE" });
    let answer = site.server.post("/api/1/people/program-status").authorization_bearer(&token).json(&body).await;
    answer.assert_status_bad_request();
    assert_eq!(answer.json::<Value>()["errors"][0]["field"], "target.schoolIds[1]");
    let answer = site.server.get("/api/1/people?q=a%00b").authorization_bearer(&token).await;
    answer.assert_status_bad_request();
    assert_eq!(answer.json::<Value>()["errors"][0]["field"], "q");
    let form = format!("username=co%00ach&password={PASSWORD}");
    let answer = site.server.post("/login").text(form).content_type("application/x-www-form-urlencoded").await;
    answer.assert_status_bad_request();
    assert_eq!(answer.json::<Value>()["errors"][0]["field"], "username");
}

async fn where_a_task_runs_is_told_to_administrators_only() {
    let site = Site::new().await;
    let body = serde_json::json!({ "target": { "everyone": true }, "programStatus": "INACTIVE" });
    let token = site.token("coach").await;
    let task: Value =
        site.server.post("/api/1/people/program-status").authorization_bearer(&token).json(&body).await.json();
    let id = task["id"].as_str().unwrap();
    let sql = "UPDATE queued_task SET scheduled_by_process = 'db7.internal-1' WHERE id = $1";
    site.caseload.db().write(sql, [uuid::Uuid::parse_str(id).unwrap().into()]).await.unwrap();
    let ask = async |who: &str, path: &str| {
        let answer = site.server.get(path).authorization_bearer(site.token(who).await).await;
        answer.assert_status_ok();
        answer.text()
    };
    let (of_one, page) = (format!("/api/1/tasks/{id}"), format!("/tasks/{id}"));
    for (who, list) in [("coach", ""), ("manager", "?scope=all")] {
        let lists = [format!("/api/1/tasks{list}"), format!("/tasks{list}")];
        for path in [&of_one, &page, &lists[0], &lists[1]] {
            let answer = ask(who, path).await;
            assert!(answer.contains(id) && !answer.contains("db7.internal"), "{path} as {who}: {answer}");
        }
    }
    for path in [of_one, format!("/admin/tasks/{id}")] {
        assert!(ask("admin", &path).await.contains("db7.internal"), "{path}");
    }
}
