//! The spec of a task about people: the request as it was submitted, never changed afterwards.

use model::{Action, PersonId};
use queue::{Queue, Task, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Result,
    erase::erased::{ERASED, Erased},
    people::targeted_people::TargetedPeople,
};

/// What a task about people was asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Spec {
    pub action: Action,
    #[serde(rename = "members")]
    pub targeted: TargetedPeople,
    /// Whether the people were frozen before the submit; otherwise the task does it first.
    pub frozen: bool,
    /// How many people were counted at the submit.
    pub total: u64,
    /// How many of them were to be acted on, of what cannot be undone: the number that was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub will_change: Option<u64>,
    /// By how many the freeze of the task may differ from `total`; `None` for a scheduled task, which treats who matches then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_allowed: Option<u64>,
    /// Why it was submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Spec {
    /// Reads the spec of a task; the error is for administrators.
    pub fn decode(value: &Value) -> Result<Spec, String> {
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())
    }

    /// The spec of a task; `None` for kinds that are not about people.
    pub fn of(task: &Task) -> Option<Spec> {
        task.execution_spec.as_deref().and_then(Spec::read)
    }

    /// Reads a stored spec; `None` for kinds that are not about people.
    pub fn read(text: &str) -> Option<Spec> {
        serde_json::from_str(text).ok()
    }
}

/// Takes somebody who is erased out of what tasks were asked to do, and out of what was said of them. What takes their place in
/// a spec is an id, so that what remains can be read, and nobody's, so that a search for them does not become one for everybody.
pub async fn forget(queue: &Queue, txn: &Transaction, erased: &Erased) -> Result<()> {
    let nobody = PersonId::NOBODY.to_string();
    let words = erased.words.iter().cloned().chain([erased.id.to_string()]);
    let mut redacted: Vec<_> = words.map(|word| (word, nobody.clone())).collect();
    // Only those have texts that somebody may have typed.
    let typed_in = ["q", "comment", "body", "file", "reason"].map(|field| format!("\"{field}\":\""));
    for text in queue.specs_with(txn, &typed_in).await?.into_iter().filter(|text| erased.is_named_in(text)) {
        let spec: Value = serde_json::from_str(&text).unwrap_or_default();
        for (searched, text) in typed(&spec).into_iter().filter(|(_, text)| erased.is_named_in(text)) {
            redacted.push((text.to_owned(), if searched { nobody.clone() } else { ERASED.to_owned() }));
        }
    }
    Ok(queue.redact(txn, &redacted, |text| erased.is_named_in(text), ERASED).await?)
}

/// The texts in a spec that somebody may have typed, and whether each was searched for.
fn typed(value: &Value) -> Vec<(bool, &str)> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                ("q" | "comment" | "reason" | "subject" | "body" | "file", Value::String(text)) => {
                    vec![(key == "q", text.as_str())]
                }
                (_, value) => typed(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(typed).collect(),
        _ => Vec::new(),
    }
}
