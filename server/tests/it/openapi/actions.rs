//! Actions as the document says that they are asked for.

use serde_json::{Value, json};

use super::Described;
use crate::json_schemas::sample;

testkit::tests!(every_action_takes_the_least_that_is_required, a_self_test_takes_every_ending,);

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
