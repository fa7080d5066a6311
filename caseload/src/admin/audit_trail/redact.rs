//! What administrators are not shown unless they ask for it: what was typed, and what names people. Whatever is not known to be
//! harmless is hidden, so that a new field of a request is until somebody has thought about it.

use model::{counted, grouped};
use queue::Task;
use serde_json::{Value, json};

/// The keys of a request whose texts are words of Docket's own, ids of tasks and of staff, or what many people share.
const HARMLESS: [&str; 20] = [
    "alertReason",
    "by",
    "changeReason",
    "coach",
    "coachId",
    "coachName",
    "columns",
    "format",
    "homeCampus",
    "kind",
    "major",
    "operation",
    "outcome",
    "outcomes",
    "programStatus",
    "reason",
    "scope",
    "sort",
    "startTerm",
    "task",
];

/// What a task was asked to do, without what it says about people; and whether something was left out.
pub fn request(task: &Task) -> (Option<Value>, bool) {
    let Some(spec) = task.execution_spec.as_deref() else { return (None, false) };
    let (value, left_out) = hidden("", serde_json::from_str(spec).unwrap_or_default());
    (Some(value), left_out)
}

/// How far it has come, likewise.
pub fn bookmark(task: &Task) -> Value {
    hidden("", serde_json::from_str(&task.execution_state).unwrap_or_default()).0
}

/// A text of a machine with the addresses in it taken out.
pub fn addresses(text: &str) -> String {
    let word = |word: &str| {
        let is_address = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        if is_address { "(address)".to_owned() } else { word.to_owned() }
    };
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '"' | ',' | ';' | ':' | '“' | '”' | '\'');
    let parts = text.split_inclusive(ends).map(|part| match part.chars().next_back().filter(|last| ends(*last)) {
        Some(last) => format!("{}{last}", word(&part[..part.len() - last.len_utf8()])),
        None => word(part),
    });
    parts.collect()
}

fn hidden(key: &str, value: Value) -> (Value, bool) {
    match value {
        Value::Object(members) => {
            let mut left_out = false;
            let members = members.into_iter().map(|(key, value)| {
                let (value, hid) = hidden(&key, value);
                left_out |= hid;
                (key, value)
            });
            (Value::Object(members.collect()), left_out)
        }
        Value::Array(items) if items.iter().any(Value::is_string) && !HARMLESS.contains(&key) => {
            (Value::from(format!("({} hidden)", grouped(items.len() as u64))), true)
        }
        Value::Array(items) => {
            let (items, hid): (Vec<_>, Vec<_>) = items.into_iter().map(|item| hidden(key, item)).unzip();
            (Value::Array(items), hid.into_iter().any(|hid| hid))
        }
        Value::String(text) if !text.is_empty() && !HARMLESS.contains(&key) => {
            (json!(format!("({} hidden)", counted(text.chars().count() as u64, "character", "characters"))), true)
        }
        other => (other, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_people_is_hidden_and_the_rest_is_not() {
        let spec = json!({
            "action": { "kind": "email", "email": { "subject": "Dear Ann", "toPrimary": true, "cc": [] } },
            "members": { "ids": ["a", "b", "c"], "filter": { "q": "ann", "homeCampus": ["Harbour"] } },
            "total": 3,
        });
        let (shown, left_out) = hidden("", spec);
        assert!(left_out);
        let wanted = json!({
            "action": { "kind": "email", "email": { "subject": "(8 characters hidden)", "toPrimary": true, "cc": [] } },
            "members": { "ids": "(3 hidden)", "filter": { "q": "(3 characters hidden)", "homeCampus": ["Harbour"] } },
            "total": 3,
        });
        assert_eq!(shown, wanted);
        assert!(!hidden("", json!({ "total": 3 })).1);
    }

    #[test]
    fn what_nobody_has_thought_about_is_hidden() {
        assert_eq!(hidden("", json!({ "nickname": "Annie" })), (json!({ "nickname": "(5 characters hidden)" }), true));
        assert_eq!(hidden("", json!({ "initial": "A" })).0, json!({ "initial": "(1 character hidden)" }));
    }

    #[test]
    fn addresses_are_taken_out_of_what_a_server_said() {
        let said = "RCPT TO:<ann.kim@college.example>: 550 no mailbox ann.kim@college.example, ask @help";
        assert_eq!(addresses(said), "RCPT TO:<(address)>: 550 no mailbox (address), ask @help");
    }
}
