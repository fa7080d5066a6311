//! The entries, each as a sentence with what was noted beside it.

use std::collections::HashMap;

use leptos::prelude::*;
use model::admin::AuditEntry;
use serde_json::Value;

use super::{
    details::{summary, told},
    many_tasks,
    signed_in_with::{PAGE, by, credential_words},
};
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{
            numbers::{counted, grouped},
            time::Time,
        },
    },
    pages::admin::words,
    url,
};

/// The trail of one thing, as a part of its page; `all` is where the rest of it can be seen.
pub fn section(entries: Vec<AuditEntry>, all: Option<String>) -> Option<AnyView> {
    if entries.is_empty() {
        return None;
    }
    Some(
        view! {
            <section aria-labelledby="h-audit">
                <div class="section"><h2 id="h-audit">"Audit trail"</h2>{all.map(|href| view! { <a href=href>"See all"</a> })}</div>
                {table_of(entries, None)}
            </section>
        }
        .erase(),
    )
}

/// The entries, each as a sentence; with `names` it says what it was about.
pub fn table_of(entries: Vec<AuditEntry>, names: Option<&HashMap<String, String>>) -> AnyView {
    let lines = entries.into_iter().map(|entry| line(entry, names)).collect_view();
    view! {
        <div class="tableframe">
            <table class="table still cards tall trail">
                <caption class="hidden">"Audit entries, newest first"</caption>
                <thead>
                    <tr>
                        <th scope="col" aria-sort="descending">"When"</th>
                        <th scope="col">"Who did what"</th>
                        <th scope="col">"Details"</th>
                        <th scope="col">"Through"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}

/// The page of what was done something to, if there is one.
fn page_of(entry: &AuditEntry) -> Option<String> {
    Some(match (entry.object_kind.as_str(), entry.object_id.as_deref()) {
        ("task", Some(id)) => format!("/admin/tasks/{id}"),
        ("person", Some(id)) => format!("/people/{id}"),
        ("account", Some(id)) => format!("/admin/users/{id}"),
        ("lock", _) => "/admin/locks".to_owned(),
        ("kind", Some(kind)) => url::below("/admin/kinds", kind),
        ("schedule", Some(name)) => url::below("/admin/schedules", name),
        _ => return None,
    })
}

/// What it was about, by its name where it has one: nobody knows an id by heart. What the sentence says already is not said again.
fn about(entry: &AuditEntry, names: &HashMap<String, String>) -> AnyView {
    let Some(href) = page_of(entry) else { return ().erase() };
    let id = entry.object_id.clone().unwrap_or_default();
    let own = entry.actor_id.is_some_and(|actor| actor.to_string() == id);
    if own && entry.object_kind == "account" {
        return ().erase();
    }
    let name = name_of(&entry.object_kind, &id, names);
    view! { ": "<a href=href title=id>{name}</a> }.into_view().erase()
}

/// What something is called, or the beginning of its id.
pub fn name_of(kind: &str, id: &str, names: &HashMap<String, String>) -> String {
    names.get(id).cloned().unwrap_or_else(|| match kind {
        "kind" => words::kind(id),
        "schedule" | "lock" => words::schedule(id).map_or_else(|| id.to_owned(), str::to_owned),
        _ => id.parse().map_or_else(|_| id.to_owned(), model::short_id),
    })
}

fn line(entry: AuditEntry, names: Option<&HashMap<String, String>>) -> AnyView {
    let who = entry.actor_name.clone().unwrap_or_else(|| nobody(entry.credential.as_deref()).to_owned());
    let about = names.map(|names| about(&entry, names));
    let asked = entry.detail.get("first").and_then(Value::as_str).filter(|_| entry.object_kind == "request");
    let asked = asked.map(|asked| view! { <span class="sub id">{asked.to_owned()}</span> });
    let noted = noted(&entry, names);
    let detail = (!noted.is_empty()).then(|| {
        let lines = noted.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
        view! {
            <details class="disclosure">
                <summary><Icon name="right"/>{summary(&entry)}</summary>
                <dl class="defs">{lines.collect_view()}</dl>
            </details>
        }
    });
    let reason = entry.reason.clone().map(|reason| view! { <span class="sub">{reason}</span> });
    let times = (entry.times > 1).then(|| format!(", {} times", grouped(entry.times)));
    view! {
        <tr data-key=entry.id.to_string() data-action=entry.action.clone()>
            <td class="brief nowrap"><Time at=entry.date exact=true/></td>
            <th scope="row" title=entry.action.clone()>
                <strong>{who}</strong>
                {format!(" {}", deed(&entry))}
                {times}
                {about}
                {asked}
                {reason}
            </th>
            <td class="first">{detail}</td>
            <td class="brief">{by(&entry)}</td>
        </tr>
    }
    .erase()
}

/// What was done, with how many: `retried 4 tasks`.
fn deed(entry: &AuditEntry) -> String {
    let words = in_a_sentence(&entry.label);
    let count = entry.detail.get("count").and_then(Value::as_u64).filter(|_| entry.object_kind == "tasks");
    match (count, words.rsplit_once(' ')) {
        (Some(count), Some((verb, things))) => {
            format!("{verb} {}", counted(count, things.trim_end_matches('s'), things))
        }
        _ => words,
    }
}

/// What was done, after a name: `Ada Moss retried a task`.
fn in_a_sentence(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Whatever else was noted, each with its name.
fn noted(entry: &AuditEntry, names: Option<&HashMap<String, String>>) -> Vec<(String, AnyView)> {
    if entry.object_kind == "tasks" {
        return many_tasks::noted(&entry.detail, names);
    }
    let mut detail = entry.detail.clone();
    let session = detail.as_object_mut().and_then(|members| members.remove("session"));
    let lines = told(&detail).into_iter().map(|(name, value)| (name, value.erase()));
    let session = session.as_ref().and_then(Value::as_str).map(|id| ("Session".to_owned(), session_link(id)));
    lines.chain(session).collect()
}

/// The session that an entry is about, with a link to all that was done in it.
fn session_link(id: &str) -> AnyView {
    let credential = format!("session:{id}");
    // What it is stands before it.
    let words = credential_words(&credential).replace("Session ", "");
    view! { <a href=url::with(PAGE, &[("credential", credential.as_str())]) title=id.to_owned() class="nowrap">{words}</a> }
        .erase()
}

/// Who it was that has no name here.
fn nobody(credential: Option<&str>) -> &'static str {
    match credential {
        Some("docket" | "command") => "Docket",
        Some(credential) if credential.starts_with("directory:") => "The directory",
        Some("password") => "Unknown, at sign-in",
        _ => "Unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str, object_kind: &str, detail: Value) -> AuditEntry {
        let entry = serde_json::json!({
            "id": 1, "date": "2026-05-01T10:00:00Z", "action": "a.b", "label": label, "objectKind": object_kind, "times": 1,
            "detail": detail,
        });
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn what_was_done_to_many_tasks_says_how_many() {
        let said = |label, kind, n: u64| deed(&entry(label, kind, serde_json::json!({ "count": n })));
        assert_eq!(said("Retried tasks", "tasks", 4), "retried 4 tasks");
        assert_eq!(said("Submitted self-tests", "tasks", 1), "submitted 1 self-test");
        assert_eq!(said("Retried a task", "task", 4), "retried a task");
    }

    #[test]
    fn a_sign_in_leads_to_what_was_done_in_its_session() {
        let begun = entry("Signed in", "account", serde_json::json!({ "session": "0199aa01ab2c" }));
        let lines = noted(&begun, None);
        assert_eq!(lines.len(), 1);
        let shown = lines.into_iter().map(|(name, value)| name + &value.to_html()).collect::<String>();
        assert!(shown.starts_with("Session") && shown.contains("…01ab2c"), "{shown}");
        assert!(shown.contains("/admin/audit?credential=session%3A0199aa01ab2c"), "{shown}");
    }
}
