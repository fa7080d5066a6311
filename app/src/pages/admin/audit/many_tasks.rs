//! What was done to many tasks at once: which they were, how they were chosen, how they were and how they are now.

use std::collections::HashMap;

use leptos::prelude::*;
use model::{
    TaskId,
    admin::{AdminTaskQuery, AuditEntry},
    enum_words::{Reader, capital},
};
use serde_json::Value;

use super::details::{spelled, told};
use crate::{
    components::{
        type_erasure::Erase,
        values::numbers::{self, grouped},
    },
    pages::admin::{
        fields::end_of_day,
        tasks::{PAGE, check::FAILURES},
        words,
    },
    url,
};

/// The tasks that are named with an operation, and the most whose list can be asked for.
const NAMED: usize = 5;
const LISTED: usize = 50;

/// The cause of failures that the tasks of an entry were chosen by.
pub fn cause_of(entry: &AuditEntry) -> Option<&str> {
    entry.detail.get("filter")?.get("cause")?.as_str()
}

/// What was noted, with what the causes are called as far as that is known.
pub fn noted(detail: &Value, names: Option<&HashMap<String, String>>) -> Vec<(String, AnyView)> {
    let mut lines = Vec::new();
    let part = |name: &str| detail.get(name);
    let ids = part("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ids: Vec<TaskId> = ids.iter().filter_map(|id| id.as_str()?.parse().ok()).collect();
    if !ids.is_empty() {
        let all = part("count").and_then(Value::as_u64).unwrap_or_default();
        lines.push(("Tasks".to_owned(), links(&ids, all)));
    }
    lines.extend(part("filter").and_then(chosen_by).map(|(words, cause)| {
        let cause = cause.map(|cause| {
            let name = names.and_then(|names| names.get(&cause)).map_or("one cause of failures", String::as_str);
            let before = if words.is_empty() { "Cause: " } else { "; cause: " };
            view! { {before}<a href=url::with(FAILURES, &[("cause", cause.as_str())])>{name.to_owned()}</a> }
        });
        ("Chosen by".to_owned(), view! { {words}{cause} }.into_view().erase())
    }));
    for (name, when) in [("Before", "before"), ("After", "after")] {
        let counts = part(when).and_then(states);
        lines.extend(counts.map(|counts| (name.to_owned(), counts.erase())));
    }
    let mut others = detail.clone();
    if let Some(members) = others.as_object_mut() {
        members.retain(|key, _| !["tasks", "count", "filter", "before", "after"].contains(&key.as_str()));
    }
    lines.extend(told(&others).into_iter().map(|(name, value)| (name, value.erase())));
    lines
}

/// Some of the tasks, and how many more there are.
fn links(ids: &[TaskId], all: u64) -> AnyView {
    let named = ids.iter().take(NAMED).enumerate().map(|(place, id)| {
        let comma = (place > 0).then_some(", ");
        view! { {comma}<a class="id" href=format!("/admin/tasks/{id}") title=id.to_string()>{model::short_id(*id)}</a> }
    });
    let more = all.max(ids.len() as u64).saturating_sub(NAMED as u64);
    let more = (more > 0).then(|| {
        let words = format!("{} more", grouped(more));
        let list = (ids.len() <= LISTED).then(|| {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            url::with(PAGE, &[("only", ids.join(","))])
        });
        match list {
            Some(list) => view! { " and "<a href=list>{words}</a> }.into_view().erase(),
            None => format!(" and {words}").erase(),
        }
    });
    view! { {named.collect_view()}{more} }.into_view().erase()
}

/// How tasks were chosen, in words, and the cause that they had in common.
fn chosen_by(filter: &Value) -> Option<(String, Option<String>)> {
    let pairs = filter.as_object()?.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    let query = AdminTaskQuery::from_pairs(pairs, Reader::Person).ok()?;
    if query.is_everything() {
        return Some(("All tasks, without a filter".to_owned(), None));
    }
    let states: Vec<String> = query.states.iter().map(|state| state.label().to_lowercase()).collect();
    let said = [
        query.only.as_ref().map(|only| format!("{} selected one by one", numbers::tasks(only.len() as u64))),
        (!states.is_empty()).then(|| either(&states)),
        query.kind.as_deref().map(|kind| format!("kind: {}", words::kind(kind))),
        query.owner.as_ref().map(|owner| format!("owner: {owner}")),
        query.process.as_ref().map(|process| format!("process: {process}")),
        query.stalled.then(|| "stalled".to_owned()),
        query.error.as_ref().map(|error| format!("with “{error}” in an error")),
        query.window.map(|window| format!("submitted in the {}", window.label().to_lowercase())),
        query.ended.map(|window| format!("ended in the {}", window.label().to_lowercase())),
        query.since.map(|since| format!("submitted since {}", end_of_day(since, false))),
        query.until.map(|until| format!("submitted until {}", end_of_day(until, true))),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    Some((capital(&said.join("; ")), query.cause))
}

/// `failed, could not start or waiting`.
fn either(words: &[String]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// `2 failed, 1 waiting to retry`.
fn states(counts: &Value) -> Option<String> {
    let counts = counts.as_object()?.iter();
    let told: Vec<String> = counts
        .filter_map(|(state, count)| Some(format!("{} {}", grouped(count.as_u64()?), spelled(state).to_lowercase())))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(detail: &Value, names: &HashMap<String, String>) -> Vec<String> {
        let plain = |html: String| {
            let mut text = String::new();
            let mut within = false;
            for c in html.chars() {
                match c {
                    '<' => within = true,
                    '>' => within = false,
                    _ if !within => text.push(c),
                    _ => {}
                }
            }
            text
        };
        noted(detail, Some(names))
            .into_iter()
            .map(|(name, value)| format!("{name}: {}", plain(value.to_html())))
            .collect()
    }

    #[test]
    fn what_was_done_to_many_tasks_is_told_in_words_with_a_few_links() {
        let ids: Vec<String> = (1..=17_u128).map(|n| TaskId::from_u128(n << 96).to_string()).collect();
        let detail = serde_json::json!({
            "count": 17,
            "filter": { "cause": "9f00aa", "ended": "24h", "state": "FAILED,COULD_NOT_START" },
            "before": { "FAILED": 16, "COULD_NOT_START": 1 },
            "after": { "QUEUED": 17 },
            "tasks": ids,
        });
        let names = HashMap::from([("9f00aa".to_owned(), "The mail server refused".to_owned())]);
        let lines = shown(&detail, &names);
        assert!(lines[0].ends_with(" and 12 more"), "{lines:?}");
        let wanted = [
            "Chosen by: Failed or could not start; ended in the last 24 hours; cause: The mail server refused",
            "Before: 1 could not start, 16 failed",
            "After: 17 waiting",
        ];
        assert_eq!(lines[1..], wanted);
        let html = links(&[TaskId::from_u128(7)], 1).to_html();
        assert!(html.contains("/admin/tasks/00000000-0000-0000-0000-000000000007"), "{html}");
    }

    #[test]
    fn one_that_was_submitted_many_times_has_its_own_facts() {
        let lines = shown(&serde_json::json!({ "kind": "self-test", "count": 2, "tasks": [] }), &HashMap::new());
        assert_eq!(lines, ["Kind: Self-test"]);
        let all = shown(&serde_json::json!({ "filter": {} }), &HashMap::new());
        assert_eq!(all, ["Chosen by: All tasks, without a filter"]);
    }
}
