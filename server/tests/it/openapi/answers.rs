//! What is answered is as the document says.

use axum::http::Method;
use axum_test::TestResponse;
use serde_json::json;

use super::{Described, calls};
use crate::json_schemas::{resolved, wrong};

testkit::tests!(answers_are_as_they_are_described,);

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

/// What an answer has that its description has not, or the other way round.
fn misdescribed(described: &Described, path: &str, method: Method, answer: TestResponse) -> Vec<String> {
    let call = &described.document["paths"][path][method.as_str().to_lowercase()];
    let status = answer.status_code().as_u16().to_string();
    let response = resolved(&described.document, &call["responses"][&status]);
    let kind = answer.content_type();
    let Some(content) = response["content"].get(&kind) else { return vec![format!("{path}: no {kind} for {status}")] };
    wrong(&described.document, &content["schema"], &answer.json(), path)
}
