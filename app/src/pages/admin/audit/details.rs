//! What was noted with an entry, in words.

use leptos::prelude::*;
use model::{
    AttemptOutcome, Outcome, Permission, ProgramStatus, Role, TaskState, WorkflowStatus, action::ColumnGroup,
    admin::AuditEntry,
};
use serde_json::Value;

use crate::{
    components::{
        type_erasure::Erase,
        values::numbers::{self, grouped},
    },
    pages::admin::words,
};

/// Whatever was noted, line by line: its name, and its value or what it was before and is now.
pub fn told(detail: &Value) -> Vec<(String, String)> {
    let none = serde_json::Map::new();
    let part = |when: &str| detail.get(when).and_then(Value::as_object).unwrap_or(&none);
    let (before, after) = (part("before"), part("after"));
    let new = after.keys().filter(|key| !before.contains_key(*key));
    let mut lines: Vec<_> = before
        .keys()
        .chain(new)
        .map(|key| {
            let [was, is] = [before, after].map(|part| in_a_line(key, part.get(key).unwrap_or(&Value::Null)));
            (spelled(key), if was == is { is } else { format!("{was} → {is}") })
        })
        .collect();
    let others = detail.as_object().unwrap_or(&none).iter();
    let others = others.filter(|(key, value)| !(value.is_object() && ["before", "after"].contains(&key.as_str())));
    lines.extend(others.map(|(key, value)| (spelled(key), in_a_line(key, value))));
    lines
}

/// `heldUntil` as `Held until`.
pub fn spelled(key: &str) -> String {
    let mut words = String::new();
    match key {
        "sha256" => return "Checksum (SHA-256)".to_owned(),
        "how" => return "Outcome".to_owned(),
        // A state, with how many there are.
        _ => {
            if let Ok(state) = key.parse::<TaskState>() {
                return state.label().to_owned();
            }
            if let Ok(status) = key.parse::<WorkflowStatus>() {
                return status.label().to_owned();
            }
        }
    }
    for letter in key.chars() {
        match letter {
            _ if words.is_empty() => words.extend(letter.to_uppercase()),
            'A'..='Z' => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            _ => words.push(letter),
        }
    }
    words
}

fn in_a_line(key: &str, value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) if key == "status" => words::status(text).to_owned(),
        Value::String(text) if key == "kind" => words::kind(text),
        Value::String(text) if key == "how" => match text.parse::<AttemptOutcome>() {
            Ok(how) => how.label().to_owned(),
            Err(_) => text.clone(),
        },
        Value::String(text) if key == "columns" => named(ColumnGroup::ALL, ColumnGroup::name, text, ColumnGroup::label),
        Value::String(text) if key == "programStatus" => {
            named(ProgramStatus::ALL, ProgramStatus::name, text, ProgramStatus::label)
        }
        Value::String(text) if key == "role" => named(Role::ALL, Role::name, text, Role::label),
        Value::String(text) if key == "permissions" => {
            named(Permission::ALL, Permission::name, text, Permission::label)
        }
        Value::String(text) if ["outcome", "outcomes"].contains(&key) => {
            named(Outcome::ALL, Outcome::name, text, Outcome::label)
        }
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(|value| in_a_line(key, value)).collect::<Vec<_>>().join(", "),
        Value::Object(members) if members.is_empty() => "none".to_owned(),
        Value::Object(members) => {
            let parts = members.iter().map(|(key, value)| format!("{}: {}", spelled(key), in_a_line(key, value)));
            parts.collect::<Vec<_>>().join("; ")
        }
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), grouped),
    }
}

/// A word as people know it; one of another version stays as it is stored.
fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, stored: &str, label: fn(T) -> &'static str) -> String {
    let found = all.iter().copied().find(|one| name(*one) == stored);
    found.map_or(stored, label).to_owned()
}

/// `Failed → Waiting` where a status is told before and after, or how many.
pub fn summary(entry: &AuditEntry) -> AnyView {
    let detail = &entry.detail;
    let status =
        |when: &str| detail.pointer(&format!("/{when}/status")).and_then(|value| value.as_str()).map(words::status);
    let count = detail.get("count").and_then(Value::as_u64).filter(|_| entry.object_kind == "tasks");
    match (status("before"), status("after"), count) {
        (Some(before), Some(after), _) => format!("{before} → {after}").erase(),
        (_, _, Some(n)) => numbers::tasks(n).erase(),
        _ => view! { <span data-shut>"Show details"</span><span data-open>"Hide details"</span> }.into_view().erase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_spelled_as_people_know_it() {
        assert_eq!(["FAILED", "QUEUED", "heldUntil"].map(spelled), ["Failed", "Waiting", "Held until"]);
    }

    #[test]
    fn details_are_lines_and_what_changed_says_from_what_to_what() {
        let detail = serde_json::json!({
            "before": { "status": "FAILURE", "attempt": 1 },
            "after": { "status": "QUEUED", "attempt": 1, "roles": [] },
            "heldUntil": null,
            "how": "FAILED",
            "filter": { "kind": "export", "programStatus": ["NO_SHOW"] },
            "columns": ["CONTACT", "OF_TOMORROW"],
            "total": 2000,
        });
        let mut lines = told(&detail);
        lines.sort();
        let lines: Vec<String> = lines.into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let expected = [
            "Attempt: 1",
            "Columns: Email addresses, OF_TOMORROW",
            "Filter: Kind: Export; Program status: No-show",
            "Held until: none",
            "Outcome: Failed",
            "Roles: none",
            "Status: Failed → Waiting",
            "Total: 2,000",
        ];
        assert_eq!(lines, expected);
    }
}
