//! The document as it stands, and the page that shows it.

use std::collections::BTreeSet;

use model::TaskKind;
use serde_json::{Value, json};
use server::{
    api::openapi,
    config::{Config, Http},
    router,
};

use super::calls;
use crate::site::Site;

testkit::tests!(the_document_is_whole, over_tls_the_cookie_has_its_other_name, the_page_runs_files_of_this_server_only,);

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
