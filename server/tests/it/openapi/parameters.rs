//! What a query string may say.

use serde_json::{Value, json};

use super::{Described, calls, is_taken, said};
use crate::json_schemas::sample;

testkit::tests!(every_parameter_is_taken, a_parameter_is_taken_twice_only_if_it_is_a_list,);

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
