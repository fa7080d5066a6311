//! Each member of a body: taken, left out, too large, and there twice.

use serde_json::{Value, json};

use super::{Described, calls, is_taken, said};
use crate::json_schemas::resolved;

testkit::tests!(
    every_member_of_a_body_is_taken_and_no_other,
    null_is_the_same_as_leaving_out_and_the_document_says_so,
    what_is_above_a_documented_bound_is_refused,
    a_member_that_is_there_twice_is_refused_and_changes_nobody,
);

/// Of what is asked for there is none, and this is the answer that is right.
const NONE: [(&str, u16); 2] = [("/api/1/session", 401), ("/api/1/tasks/{id}/people/{person}/bounce", 404)];

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
        // What is decided once is not decided again.
        if path.starts_with("/api/1/approvals/") {
            continue;
        }
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
