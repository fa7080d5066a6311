//! The document of the REST interface describes what there is, and nothing else: routes, parameters, bodies and answers.

use std::collections::BTreeSet;

use axum::http::Method;
use axum_test::TestResponse;
use model::TaskKind;
use serde_json::{Value, json};
use server::{
    api::openapi,
    config::{Config, Http},
    router,
};

use crate::{
    json_schemas::{resolved, sample, wrong},
    site::Site,
};

testkit::tests!(
    the_document_is_whole,
    over_tls_the_cookie_has_its_other_name,
    every_parameter_is_taken,
    a_parameter_is_taken_twice_only_if_it_is_a_list,
    every_member_of_a_body_is_taken_and_no_other,
    null_is_the_same_as_leaving_out_and_the_document_says_so,
    what_is_above_a_documented_bound_is_refused,
    a_member_that_is_there_twice_is_refused_and_changes_nobody,
    every_action_takes_the_least_that_is_required,
    a_self_test_takes_every_ending,
    answers_are_as_they_are_described,
    the_page_runs_files_of_this_server_only,
);

/// Where the document and its page are. They describe the interface and are no part of it.
const OURSELVES: [&str; 3] = ["/api/1/openapi.json", "/api/1/docs", "/api/1/problems"];

fn http(settings: &str) -> Http {
    Config::from_text(settings).unwrap().http
}

#[test]
fn every_kind_of_task_can_be_asked_for() {
    let document = openapi::document(&http(""));
    for kind in TaskKind::ALL {
        let path = match kind {
            TaskKind::Undo => "/api/1/tasks/{id}/undo".to_owned(),
            TaskKind::SelfTest => "/api/1/admin/self-test".to_owned(),
            // A file of it is uploaded on its page.
            TaskKind::Import => continue,
            kind => format!("/api/1/people/{kind}"),
        };
        assert!(document["paths"][&path]["post"].is_object(), "{path}");
    }
}

/// The calls of the document, with their paths and methods.
fn calls(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, call)| (path.as_str(), method.as_str(), call))
    })
}

/// A site, its document, and how to send to it as its administrator.
struct Described {
    site: Site,
    document: Value,
    token: String,
    person: String,
    task: String,
}

impl Described {
    async fn new() -> Described {
        let site = Site::with("queue.self_test = true").await;
        let (task, person, token) = (site.finished_task().await, site.somebody().await, site.token("admin").await);
        let schedule =
            "INSERT INTO schedule (name, expression, time_zone, paused) VALUES ('nightly', '0 3 * * *', 'UTC', FALSE)";
        site.test_db.db.write(schedule, []).await.unwrap();
        let document = site.server.get("/api/1/openapi.json").authorization_bearer(&token).await.json();
        Described { site, document, token, person, task }
    }

    fn at(&self, path: &str) -> String {
        let id = if path.contains("/people/{id}") { &self.person } else { &self.task };
        let name = if path.contains("schedules") { "nightly" } else { "audit" };
        path.replace("{id}", id).replace("{kind}", "self-test").replace("{name}", name)
    }

    async fn get(&self, path: &str) -> TestResponse {
        self.site.server.get(path).authorization_bearer(&self.token).await
    }

    async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.site.server.post(&self.at(path)).authorization_bearer(&self.token).json(body).await
    }

    /// A text of this format that the handlers can do something with.
    fn text(&self, format: &str) -> Value {
        match format {
            "uuid" => json!(self.person),
            "date" => json!("2026-08-31"),
            "date-time" => json!(self.site.test_db.clock.now() + chrono::TimeDelta::days(1)),
            _ => json!("G1-0000001"),
        }
    }

    /// A body with every member for each way to say whom it is about.
    fn bodies(&self, call: &Value) -> Vec<Value> {
        let body = self.body(call, true);
        let ways = self.document["components"]["schemas"]["Target"]["oneOf"].as_array().unwrap();
        let ways = if body.get("target").is_some() { ways.as_slice() } else { &[] };
        let by = |way| {
            let target = sample(&self.document, way, true, &|format| self.text(format));
            let mut body = body.clone();
            body["target"] = target;
            body
        };
        if ways.is_empty() { vec![body.clone()] } else { ways.iter().map(by).collect() }
    }

    fn body(&self, call: &Value, whole: bool) -> Value {
        let schema = &call["requestBody"]["content"]["application/json"]["schema"];
        sample(&self.document, schema, whole, &|format| self.text(format))
    }
}

/// Whether it was understood: done, or refused for what it says. Whoever is not let in, what is not there and what broke shows
/// nothing of that.
fn is_taken(answer: &TestResponse) -> bool {
    let text = answer.text();
    let is_foreign = text.contains("called “") || text.contains("does not have the expected form");
    matches!(answer.status_code().as_u16(), 200..300 | 400 | 409 | 422) && !is_foreign
}

/// Of what is asked for there is none, and this is the answer that is right.
const NONE: [(&str, u16); 2] = [("/api/1/session", 401), ("/api/1/tasks/{id}/people/{person}/bounce", 404)];

#[test]
fn every_route_is_described_and_nothing_else_is() {
    let document = openapi::document(&http(""));
    let described: BTreeSet<_> =
        calls(&document).map(|(path, method, _)| format!("{} {path}", method.to_uppercase())).collect();
    let table = router::table();
    let routes = table.routes().iter().filter(|(_, path)| path.starts_with("/api/1/") && !OURSELVES.contains(path));
    assert_eq!(described, routes.map(|(method, path)| format!("{method} {path}")).collect());
}

#[test]
fn every_call_says_how_it_is_named_and_where_it_takes_what_its_path_leaves_open() {
    let document = openapi::document(&http(""));
    let mut names = BTreeSet::new();
    for (path, method, call) in calls(&document) {
        assert!(names.insert(call["operationId"].as_str().unwrap()), "{} is not the only one", call["operationId"]);
        assert!(call["summary"].is_string() && call["tags"][0].is_string(), "{method} {path}");
        let open: BTreeSet<_> = path.split('{').skip(1).map(|part| part.split('}').next().unwrap()).collect();
        let parameters = call["parameters"].as_array().into_iter().flatten();
        let taken = parameters.filter(|one| one["in"] == "path").map(|one| one["name"].as_str().unwrap());
        assert_eq!(open, taken.collect(), "{method} {path}");
    }
}

async fn the_document_is_whole() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let answer = site.server.get("/api/1/openapi.json").await;
    assert_eq!(answer.content_type(), "application/json");
    let document: Value = answer.json();
    assert_eq!((&document["openapi"], &document["info"]["title"]), (&json!("3.1.0"), &json!("Docket")));
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let text = answer.text();
    let references: BTreeSet<_> =
        text.split("\"$ref\":\"#").skip(1).filter_map(|part| part.split('"').next()).collect();
    assert!(references.len() > 30, "{references:?}");
    let missing: Vec<_> = references.into_iter().filter(|at| document.pointer(at).is_none()).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let names = texts_under(&document, "properties");
    assert!(names.len() > 200, "{names:?}");
    let odd: Vec<_> = names.iter().filter(|name| !name.chars().all(|c| c.is_ascii_alphanumeric())).collect();
    assert_eq!(odd, Vec::<&String>::new(), "are written otherwise than all others");
    for inside in [".md", "[`", "::"] {
        assert!(!text.contains(inside), "what only readers of the code can follow: {inside}");
    }
}

/// The names of what stands under each of these, wherever it is.
fn texts_under(document: &Value, key: &str) -> BTreeSet<String> {
    match document {
        Value::Object(members) => {
            let own = members.get(key).and_then(Value::as_object).into_iter().flat_map(|named| named.keys().cloned());
            own.chain(members.values().flat_map(|member| texts_under(member, key))).collect()
        }
        Value::Array(members) => members.iter().flat_map(|member| texts_under(member, key)).collect(),
        _ => BTreeSet::new(),
    }
}

async fn over_tls_the_cookie_has_its_other_name() {
    let cookie = |document: Value| document["components"]["securitySchemes"]["session"]["name"].clone();
    let at = |url: &str| openapi::document(&http(&format!("http.public_url = '{url}'")));
    assert_eq!(cookie(at("http://127.0.0.1:3000")), "docket");
    assert_eq!(cookie(at("https://docket.example.edu")), "__Host-docket");
    let under = at("https://example.edu/docket");
    assert_eq!(under["servers"], json!([{ "url": "/docket" }]));
    assert_eq!(cookie(under), "__Secure-docket");
}

/// What parameters take that are written as a text and are not any.
const EXAMPLES: &[(&str, &str)] = &[
    ("action", "task."),
    ("actor", "coach"),
    ("kind", "export"),
    ("owner", "coach"),
    ("reason", "NOT_FOUND"),
    ("since", "2026-01-01"),
    ("source", "127.0.0.1"),
    ("stalled", "yes"),
    ("state", "FAILED"),
    ("until", "2026-01-01"),
];

async fn every_parameter_is_taken() {
    let described = Described::new().await;
    // There is more than one page of everything.
    for _ in 0..2 {
        described.post("/api/1/admin/self-test", &json!({})).await.assert_status_success();
    }
    let mut refused = Vec::new();
    for (path, _, call) in calls(&described.document).filter(|(_, method, _)| *method == "get") {
        let parameters = call["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let value = match (name, EXAMPLES.iter().find(|(known, _)| *known == name)) {
                ("after", _) => {
                    described.get(&format!("{}?limit=1", described.at(path))).await.json::<Value>()["next"].clone()
                }
                ("only", _) => described.task.as_str().into(),
                (_, Some((_, example))) => (*example).into(),
                _ => sample(&described.document, &parameter["schema"], true, &|format| described.text(format)),
            };
            let value = value.as_array().map_or(&value, |values| &values[0]);
            let value = value.as_str().map_or(value.to_string(), str::to_owned);
            let answer = described.get(&format!("{}?{name}={value}", described.at(path))).await;
            // There is no failure here that could be asked for.
            let unknown = name == "cause" && said(&answer)[0]["code"] == "unknown";
            if !answer.status_code().is_success() && !unknown {
                refused.push(format!("{path}?{name}={value}: {}", answer.text()));
            }
        }
    }
    assert_eq!(refused, Vec::<String>::new());
    assert!(!is_taken(&described.get("/api/1/people?nothing=1").await), "what is no parameter would be noticed");
}

async fn a_parameter_is_taken_twice_only_if_it_is_a_list() {
    let described = Described::new().await;
    let mut tried = 0;
    for (path, _, call) in calls(&described.document).filter(|(_, method, _)| *method == "get") {
        let parameters = call["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let value = sample(&described.document, &parameter["schema"], true, &|format| described.text(format));
            let with_commas =
                parameter["description"].as_str().is_some_and(|words| words.contains("with commas between"));
            let is_list = value.is_array() || with_commas;
            let value = value.as_array().map_or(&value, |values| &values[0]);
            let value = value.as_str().map_or(value.to_string(), str::to_owned);
            let answer = described.get(&format!("{}?{name}={value}&{name}={value}", described.at(path))).await;
            let errors = said(&answer);
            let twice = errors[0]["code"] == "duplicate" && errors[0]["field"] == name;
            assert_eq!(twice, !is_list, "{path}?{name}={value}: {}", answer.text());
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

async fn every_member_of_a_body_is_taken_and_no_other() {
    let described = Described::new().await;
    let with_bodies: Vec<_> =
        calls(&described.document).filter(|(.., call)| call.get("requestBody").is_some()).collect();
    assert!(with_bodies.len() > 10);
    for (path, _, call) in with_bodies {
        let mut body = described.body(call, true);
        let answer = described.post(path, &body).await;
        let is_none = NONE.contains(&(path, answer.status_code().as_u16()));
        assert!(is_taken(&answer) || is_none, "{path} {body}: {}", answer.text());
        body["nothing"] = json!(1);
        let answer = described.post(path, &body).await;
        assert_eq!(answer.status_code(), 400, "{path}");
        assert_eq!(answer.json::<Value>()["errors"][0]["field"], "nothing", "{path}");
    }
}

/// Each place in a body with a schema of its own: the way to it, and that schema.
fn places<'a>(document: &'a Value, schema: &'a Value, at: &str) -> Vec<(String, &'a Value, bool)> {
    let schema = resolved(document, schema);
    let mut found = Vec::new();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        let required = schema["required"].as_array().is_some_and(|required| required.contains(&json!(name)));
        found.extend(places(document, member, &at));
        found.push((at, resolved(document, member), required));
    }
    if let Some(items) = schema.get("items") {
        found.extend(places(document, items, &format!("{at}/0")));
    }
    for way in schema["oneOf"].as_array().into_iter().flatten() {
        found.extend(places(document, way, at));
    }
    found
}

async fn null_is_the_same_as_leaving_out_and_the_document_says_so() {
    let described = Described::new().await;
    let mut tried = 0;
    for (path, _, call) in calls(&described.document).filter(|(.., call)| call.get("requestBody").is_some()) {
        let schema = &call["requestBody"]["content"]["application/json"]["schema"];
        let bodies = described.bodies(call);
        let each = places(&described.document, schema, "");
        let each = each.iter().flat_map(|place| bodies.iter().map(move |body| (place, body.clone())));
        for ((at, member, required), mut body) in each {
            let Some(value) = body.pointer_mut(at) else { continue };
            *value = Value::Null;
            let with = described.post(path, &body).await;
            let (parent, name) = at.rsplit_once('/').unwrap();
            body.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().remove(name);
            let without = described.post(path, &body).await;
            assert_eq!((with.status_code(), said(&with)), (without.status_code(), said(&without)), "{path} {at}");
            let takes_null = crate::json_schemas::wrong(&described.document, member, &Value::Null, "").is_empty();
            assert_eq!(takes_null, !*required, "{path} {at}: {member}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

/// What is wrong, without what is of this one request.
fn said(answer: &TestResponse) -> Value {
    let answer: Value = serde_json::from_str(&answer.text()).unwrap_or_default();
    answer["errors"].clone()
}

async fn what_is_above_a_documented_bound_is_refused() {
    let described = Described::new().await;
    let (mut tried, mut wrong) = (0, Vec::new());
    // Of these something else is asked first: a preview of the list, and a message that came back.
    let otherwise = ["/api/1/people/reassign-list", "/api/1/tasks/{id}/people/{person}/bounce"];
    let bodies = calls(&described.document).filter(|(.., call)| call.get("requestBody").is_some());
    for (path, _, call) in bodies.filter(|(path, ..)| !otherwise.contains(path)) {
        let schema = &call["requestBody"]["content"]["application/json"]["schema"];
        let bodies = described.bodies(call);
        let each = places(&described.document, schema, "");
        let each = each.iter().flat_map(|place| bodies.iter().map(move |body| (place, body.clone())));
        for ((at, member, _), mut body) in each {
            let bound = |name: &str| member[name].as_u64().map(|most| usize::try_from(most).unwrap() + 1);
            // Of addresses no sample can be made, a reason goes with one status only, and nobody has made this preview.
            for other in ["cc", "changeReason", "previewToken"].iter().filter(|_| path.starts_with("/api/1/people/")) {
                body.as_object_mut().unwrap().remove(*other);
            }
            if let Some(coach) = body.get_mut("coachId") {
                *coach = json!(described.site.coach_id);
            }
            let Some(value) = body.pointer_mut(at) else { continue };
            let above = match (bound("maximum"), bound("maxLength"), bound("maxItems")) {
                (Some(number), ..) => json!(number),
                (_, Some(length), _) => json!("x".repeat(length)),
                (.., Some(items)) => vec![value[0].clone(); items].into(),
                _ => continue,
            };
            *value = above;
            let answer = described.post(path, &body).await;
            let named = at.rsplit('/').next().unwrap();
            let fields = said(&answer).as_array().cloned().unwrap_or_default();
            let is_named =
                fields.iter().any(|error| error["field"].as_str().is_some_and(|field| field.contains(named)));
            if answer.status_code() != 400 || !is_named {
                wrong.push(format!("{path} {at}: {}", answer.text()));
            }
            tried += 1;
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(tried > 30, "{tried}");
}

async fn a_member_that_is_there_twice_is_refused_and_changes_nobody() {
    let described = Described::new().await;
    for (path, _, call) in calls(&described.document).filter(|(.., call)| call.get("requestBody").is_some()) {
        let body = described.body(call, true);
        let (name, _) = body.as_object().unwrap().iter().next().unwrap();
        let text = body.to_string();
        let text = format!("{{\"{name}\":{},{}", body[name], &text[1..]);
        let sent = described.site.server.post(&described.at(path)).authorization_bearer(&described.token);
        let answer = sent.content_type("application/json").bytes(text.clone().into()).await;
        assert_eq!(answer.status_code(), 400, "{path} {text}");
        assert_eq!(
            said(&answer)[0],
            json!({ "field": name, "code": "duplicate", "message": format!("{name} is given more than once. Send it once.") })
        );
    }
    // Of two targets the last one won, and everybody was changed.
    let twice = r#"{"target":{"schoolIds":["G1-0000001"]},"target":{"everyone":true},"programStatus":"INACTIVE"}"#;
    let sent = described.site.server.post("/api/1/people/program-status").authorization_bearer(&described.token);
    let answer = sent.content_type("application/json").bytes(twice.into()).await;
    assert_eq!((answer.status_code().as_u16(), said(&answer)[0]["field"].clone()), (400, json!("target")));
}

async fn every_action_takes_the_least_that_is_required() {
    let described = Described::new().await;
    let ways = described.document["components"]["schemas"]["Target"]["oneOf"].as_array().unwrap();
    assert_eq!(ways.len(), 4);
    let paths = described.document["paths"].as_object().unwrap().keys();
    let actions: Vec<&str> =
        paths.filter_map(|path| path.strip_prefix("/api/1/people/")?.strip_suffix("/preview")).collect();
    assert!(actions.contains(&"email"), "{actions:?}");
    // Whom a list moves is in the list.
    for action in actions.into_iter().filter(|action| *action != "reassign-list") {
        for way in ways {
            let mut target = sample(&described.document, way, false, &|format| described.text(format));
            if target.get("query").is_some() {
                // Without any filter it would be everyone, who has to be asked for in so many words.
                target["query"] = json!({ "q": "G1-0000001" });
            }
            for (path, status) in
                [(format!("/api/1/people/{action}"), 202), (format!("/api/1/people/{action}/preview"), 200)]
            {
                let mut body = described.body(&described.document["paths"][&path]["post"], false);
                body["target"] = target.clone();
                if body.get("coachId").is_some() {
                    body["coachId"] = described.site.coach_id.to_string().into();
                }
                if action == "email" && status == 202 {
                    // Each email is confirmed, however few they are.
                    let preview = described.post(&format!("{path}/preview"), &body).await.json::<Value>();
                    body["previewToken"] = preview["previewToken"].clone();
                }
                let answer = described.post(&path, &body).await;
                assert_eq!(answer.status_code(), status, "{path} {body}: {}", answer.text());
            }
        }
    }
}

async fn a_self_test_takes_every_ending() {
    let described = Described::new().await;
    let endings = &described.document["components"]["schemas"]["SelfTest"]["properties"]["outcome"]["enum"];
    for ending in endings.as_array().unwrap() {
        let answer = described.post("/api/1/admin/self-test", &json!({ "outcome": ending })).await;
        assert_eq!(answer.status_code(), 202, "{ending}");
    }
}

async fn answers_are_as_they_are_described() {
    let described = Described::new().await;
    let later =
        json!({ "target": { "everyone": true }, "operation": "WATCH", "triggerDate": described.text("date-time") });
    let preview = json!({ "target": { "everyone": true }, "programStatus": "ACTIVE" });
    let mut wrongs = Vec::new();
    for (path, body) in [("/api/1/people/watch", &later), ("/api/1/people/program-status/preview", &preview)] {
        wrongs.extend(misdescribed(&described, path, Method::POST, described.post(path, body).await));
    }
    let path = "/api/1/tasks/{id}/undo/preview";
    wrongs.extend(misdescribed(&described, path, Method::POST, described.post(path, &json!({})).await));
    for (path, ..) in
        calls(&described.document).filter(|(path, method, _)| *method == "get" && !path.ends_with("/file"))
    {
        wrongs.extend(misdescribed(&described, path, Method::GET, described.get(&described.at(path)).await));
    }
    let refused = described.get("/api/1/people?nothing=1").await;
    wrongs.extend(misdescribed(&described, "/api/1/people", Method::GET, refused));
    assert_eq!(wrongs, Vec::<String>::new());
}

async fn the_page_runs_files_of_this_server_only() {
    let site = Site::new().await;
    let stranger = site.server.get("/api/1/docs").add_header("accept", "text/html").await;
    stranger.assert_status_see_other();
    assert_eq!(stranger.header("location"), "/login?next=%2Fapi%2F1%2Fdocs");
    site.sign_in("coach").await;
    let page = site.server.get("/api/1/docs").await;
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    );
    let html = page.text();
    assert_eq!(html.matches("<script src=\"/pkg/docs/").count(), html.matches("<script").count());
    assert!(!html.contains("//"), "nothing comes from elsewhere");
}

/// What an answer has that its description has not, or the other way round.
fn misdescribed(described: &Described, path: &str, method: Method, answer: TestResponse) -> Vec<String> {
    let call = &described.document["paths"][path][method.as_str().to_lowercase()];
    let status = answer.status_code().as_u16().to_string();
    let response = resolved(&described.document, &call["responses"][&status]);
    let kind = answer.content_type();
    let Some(content) = response["content"].get(&kind) else { return vec![format!("{path}: no {kind} for {status}")] };
    wrong(&described.document, &content["schema"], &answer.json(), path)
}
