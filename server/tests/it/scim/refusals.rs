//! Who is no directory, and what is wrong with what one sends: in the shape that it knows.

use axum::{
    body::{Body, to_bytes},
    http::{Method, header},
};
use serde_json::{Value, json};

use super::{Answered, Directory, body};
use crate::site::request;

testkit::tests!(
    without_a_token_of_the_directory_nothing_is_answered,
    a_token_of_the_directory_opens_nothing_else,
    what_is_wrong_is_told_in_the_shape_that_directories_know,
    what_has_changed_since_is_not_overwritten,
    whatever_is_too_much_is_refused_before_it_is_read,
    whatever_is_nested_deeply_is_refused,
    whoever_asks_too_quickly_waits_and_others_do_not,
);

const ERROR: &str = "urn:ietf:params:scim:api:messages:2.0:Error";

/// The status and the kind of a refusal, which has the shape that directories know.
fn refused((status, body): Answered) -> (u16, String) {
    assert_eq!((&body["schemas"], &body["status"]), (&json!([ERROR]), &json!(status.to_string())), "{body}");
    assert!(body["detail"].is_string(), "{body}");
    (status, body["scimType"].as_str().unwrap_or_default().to_owned())
}

async fn without_a_token_of_the_directory_nothing_is_answered() {
    let mut d = Directory::with("").await;
    let good = std::mem::take(&mut d.token);
    for token in ["", "x", &good[1..], &d.site.token("admin").await] {
        d.token = token.to_owned();
        assert_eq!(refused(d.get("/Users").await), (401, String::new()), "{token}");
        assert_eq!(refused(d.post("/Users", &body!("entra_user")).await), (401, String::new()));
    }
    d.token = good;
    assert_eq!(d.get("/Users").await.0, 200);
    d.site.caseload.directory().revoke_tokens("test").await.unwrap();
    assert_eq!(refused(d.get("/Users").await).0, 401);
}

async fn a_token_of_the_directory_opens_nothing_else() {
    let d = Directory::with("").await;
    for path in ["/api/1/me", "/api/1/people", "/events?topics=tasks", "/api/1/admin/audit"] {
        let asked = request(Method::GET, path, Some(&d.token)).body(Body::empty()).unwrap();
        assert_eq!(d.site.send(asked).await.status(), 401, "{path}");
    }
}

async fn what_is_wrong_is_told_in_the_shape_that_directories_know() {
    let d = Directory::with("").await;
    let id = d.made("/Users", &body!("entra_user")).await;
    let (at, nobody) = (format!("/Users/{id}"), "/Users/0192f3a4-0000-7000-8000-000000000001");
    let one = |operation: Value| json!({ "Operations": [operation] });
    let kind = |kind: &str, status: u16| (status, kind.to_owned());
    for filter in ["userName co %22x%22", "userName eq x", "emails.value eq %22x%22", "active eq true"] {
        let path = format!("/Users?filter={}", filter.replace(' ', "%20"));
        assert_eq!(refused(d.get(&path).await), kind("invalidFilter", 400), "{filter}");
    }
    assert_eq!(refused(d.get("/Users?startIndex=one").await), kind("invalidValue", 400));
    assert_eq!(refused(d.post("/Users", &json!({ "active": true })).await), kind("invalidValue", 400));
    assert_eq!(refused(d.post("/Users", &json!({ "userName": 7 })).await), kind("invalidValue", 400));
    assert_eq!(
        refused(d.post("/Users", &json!({ "schemas": ["x"], "userName": "x" })).await),
        kind("invalidSyntax", 400)
    );
    assert_eq!(refused(d.post("/Users", &body!("entra_user")).await), kind("uniqueness", 409));
    assert_eq!(refused(d.post("/Users", &json!({ "userName": "x\0" })).await).0, 400);
    let color = one(json!({ "op": "replace", "path": "color", "value": "x" }));
    assert_eq!(refused(d.patch(&at, &color).await), kind("invalidPath", 400));
    let own = one(json!({ "op": "replace", "path": "id", "value": "x" }));
    assert_eq!(refused(d.patch(&at, &own).await), kind("mutability", 400));
    assert_eq!(refused(d.patch(&at, &one(json!({ "op": "remove" }))).await), kind("noTarget", 400));
    assert_eq!(refused(d.patch(nobody, &body!("okta_user_disable")).await), kind("", 404));
    assert_eq!(refused(d.get(nobody).await), kind("", 404));
    assert_eq!(refused(d.get("/Users/x").await), kind("", 404));
    assert_eq!(refused(d.get("/Nothing").await), kind("", 404));
    assert_eq!(refused(d.send(Method::PUT, "/Users", None).await), kind("", 405));
    let group = body!("okta_group", "{user}" = "0192f3a4-0000-7000-8000-000000000001");
    assert_eq!(refused(d.post("/Groups", &group).await), kind("invalidValue", 400));
    assert_eq!(
        refused(d.get("/Groups?filter=id%20eq%20%22x%22%20or%20id%20eq%20%22y%22").await),
        kind("invalidFilter", 400)
    );
    let json = [(header::CONTENT_TYPE.as_str(), "application/json")];
    assert_eq!(refused(d.send_text(Method::POST, "/Users", &json, "{".to_owned()).await), kind("invalidSyntax", 400));
    let form = [(header::CONTENT_TYPE.as_str(), "text/plain")];
    assert_eq!(refused(d.send_text(Method::POST, "/Users", &form, "{}".to_owned()).await), kind("", 415));
}

async fn what_has_changed_since_is_not_overwritten() {
    let d = Directory::with("").await;
    let id = d.made("/Users", &body!("entra_user")).await;
    let at = format!("/Users/{id}");
    let change = async |version: &str, body: &Value| {
        let headers = [("if-match", version), ("content-type", "application/scim+json")];
        d.send_text(Method::PATCH, &at, &headers, body.to_string()).await
    };
    assert_eq!(change("W/\"1\"", &body!("entra_user_disable")).await.0, 200);
    assert_eq!(refused(change("W/\"1\"", &body!("entra_user_enable")).await).0, 412);
    assert_eq!(change("*", &body!("entra_user_enable")).await.0, 200);
    let asked = request(Method::GET, &format!("/scim/v2{at}"), Some(&d.token)).body(Body::empty()).unwrap();
    let answer = d.site.send(asked).await;
    assert_eq!(answer.headers()[header::ETAG], "W/\"3\"");
    let read: Value = serde_json::from_slice(&to_bytes(answer.into_body(), usize::MAX).await.unwrap()).unwrap();
    assert_eq!(read["meta"]["version"], "W/\"3\"");
}

async fn whatever_is_too_much_is_refused_before_it_is_read() {
    let d = Directory::with("[scim]\nbody_kib = 4\noperations = 2\nfilter_bytes = 40\nusers = 1").await;
    let long = json!({ "userName": "x", "displayName": "y".repeat(5_000) });
    assert_eq!(refused(d.post("/Users", &long).await), (413, String::new()));
    let id = d.made("/Users", &body!("entra_user")).await;
    let active = json!({ "op": "replace", "path": "active", "value": false });
    let three = json!({ "Operations": [active, active, active] });
    assert_eq!(refused(d.patch(&format!("/Users/{id}"), &three).await), (400, "tooMany".to_owned()));
    let path = format!("/Users?filter=userName%20eq%20%22{}%22", "x".repeat(40));
    assert_eq!(refused(d.get(&path).await), (400, "invalidFilter".to_owned()));
    assert_eq!(refused(d.post("/Users", &body!("okta_user")).await), (409, String::new()));
}

async fn whatever_is_nested_deeply_is_refused() {
    let d = Directory::with("").await;
    let id = d.made("/Users", &body!("entra_user")).await;
    let deep =
        |open: &str, middle: &str, close: &str, levels: usize| open.repeat(levels) + middle + &close.repeat(levels);
    let headers = [(header::CONTENT_TYPE.as_str(), "application/scim+json")];
    for levels in [5_000, 100_000] {
        for deep in [deep("[", "", "]", levels), deep("{\"a\":", "1", "}", levels), deep("[", "", "", levels)] {
            let bodies = [
                (Method::POST, "/Users".to_owned(), deep.clone()),
                (Method::POST, "/Users".to_owned(), format!("{{\"userName\":\"x\",\"nothing\":{deep}}}")),
                (Method::POST, "/Groups".to_owned(), format!("{{\"displayName\":\"x\",\"members\":{deep}}}")),
                (
                    Method::PATCH,
                    format!("/Users/{id}"),
                    format!("{{\"Operations\":[{{\"op\":\"add\",\"path\":\"title\",\"value\":{deep}}}]}}"),
                ),
            ];
            for (method, path, body) in bodies {
                let (status, _) = refused(d.send_text(method.clone(), &path, &headers, body).await);
                assert_eq!(status, 400, "{method} {path}");
            }
        }
    }
    let path = format!("emails{}", "[type eq \"x\"]".repeat(50));
    let step = json!({ "op": "replace", "path": path, "value": "x" });
    let asked = json!({ "Operations": [step] });
    assert_eq!(refused(d.patch(&format!("/Users/{id}"), &asked).await), (400, "invalidPath".to_owned()));
    assert_eq!(d.get(&format!("/Users/{id}")).await.1["meta"]["version"], "W/\"1\"", "nothing of it was done");
}

/// A token that was lost kept nobody from asking as quickly as they could.
async fn whoever_asks_too_quickly_waits_and_others_do_not() {
    let mut d = Directory::with("[limits]\nrequests_per_second = 1\nrequest_burst = 3").await;
    for _ in 0..3 {
        assert_eq!(d.get("/ServiceProviderConfig").await.0, 200);
    }
    let asked = request(Method::GET, "/scim/v2/Users", Some(&d.token)).body(Body::empty()).unwrap();
    let answer = d.site.send(asked).await;
    assert_eq!((answer.status().as_u16(), answer.headers()[header::RETRY_AFTER].to_str().unwrap()), (429, "1"));
    assert_eq!(refused(d.post("/Users", &body!("entra_user")).await), (429, String::new()));
    d.token = d.site.caseload.directory().issue_token("another", caseload::tokens::days(30)).await.unwrap();
    d.made("/Users", &body!("entra_user")).await;
}
