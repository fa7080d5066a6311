//! What was noted with an entry, in words.

use leptos::prelude::*;
use model::{
    AttemptOutcome, Outcome, Permission, ProgramStatus, Role, TaskState, WorkflowStatus, action::ColumnGroup,
    admin::AuditEntry,
};
use serde_json::Value;

use crate::{
    components::{type_erasure::Erase, values::numbers::grouped},
    pages::admin::words,
};

/// Whatever was noted, line by line: its name, and its value or what it was before and is now.
pub fn told(detail: &Value) -> Vec<(String, String)> {
    let none = serde_json::Map::new();
    let part = |when: &str| detail.get(when).and_then(Value::as_object).unwrap_or(&none);
    let (before, after) = (part("before"), part("after"));
    let new = after.keys().filter(|key| !before.contains_key(*key));
    let mut lines = Vec::new();
    for key in before.keys().chain(new) {
        let [was, is] = [before, after].map(|part| part.get(key).unwrap_or(&Value::Null));
        if let (Value::Array(was), Value::Array(is)) = (was, is)
            && was != is
        {
            lines.extend(changes(key, was, is));
            continue;
        }
        let [was, is] = [was, is].map(|value| in_a_line(key, value));
        lines.push((spelled(key), if was == is { is } else { format!("{was} → {is}") }));
    }
    let others = detail.as_object().unwrap_or(&none).iter();
    let others = others.filter(|(key, value)| !(value.is_object() && ["before", "after"].contains(&key.as_str())));
    // That none was revoked says nothing.
    let others = others.filter(|(key, value)| !(*key == "tokens" && value.as_u64() == Some(0)));
    lines.extend(others.map(|(key, value)| (spelled(key), in_a_line(key, value))));
    lines
}

/// What is no longer in a list, and what is new in it.
fn changes(key: &str, was: &[Value], is: &[Value]) -> impl Iterator<Item = (String, String)> {
    let without = |some: &[Value], others: &[Value]| {
        let left: Vec<Value> = some.iter().filter(|one| !others.contains(one)).cloned().collect();
        (!left.is_empty()).then(|| in_a_line(key, &Value::Array(left)))
    };
    let named = [("Removed", without(was, is)), ("Added", without(is, was))];
    named.into_iter().filter_map(|(name, words)| Some((name.to_owned(), words?)))
}

/// `heldUntil` as `Held until`.
pub fn spelled(key: &str) -> String {
    let mut words = String::new();
    match key {
        "sha256" => return "Checksum (SHA-256)".to_owned(),
        "how" => return "Outcome".to_owned(),
        "schoolId" => return "School ID".to_owned(),
        "tokens" => return "Tokens revoked".to_owned(),
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

/// `Failed → Waiting` where a status is told before and after.
pub fn summary(entry: &AuditEntry) -> AnyView {
    let detail = &entry.detail;
    let status =
        |when: &str| detail.pointer(&format!("/{when}/status")).and_then(|value| value.as_str()).map(words::status);
    match (status("before"), status("after")) {
        (Some(before), Some(after)) => format!("{before} → {after}").erase(),
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
    fn of_permissions_only_those_are_told_that_were_given_or_taken() {
        let detail = serde_json::json!({
            "before": { "role": "coach", "permissions": ["watch", "export"] },
            "after": { "role": "coach", "permissions": ["watch", "email"] },
        });
        let of = |permission: Permission| permission.label().to_owned();
        let name = |text: &str| text.to_owned();
        let wanted = [
            (name("Removed"), of(Permission::Export)),
            (name("Added"), of(Permission::Email)),
            (name("Role"), Role::Coach.label().to_owned()),
        ];
        assert_eq!(told(&detail), wanted);
    }

    #[test]
    fn tokens_are_told_where_some_were_revoked() {
        assert_eq!(told(&serde_json::json!({ "tokens": 0 })), []);
        let two = told(&serde_json::json!({ "tokens": 2, "schoolId": "T-7" }));
        let lines = [("School ID", "T-7"), ("Tokens revoked", "2")];
        assert_eq!(two, lines.map(|(name, value)| (name.to_owned(), value.to_owned())));
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
