//! The audit trail: who did what to which, when and why.

use std::collections::HashMap;

use leptos::prelude::*;
use model::{
    AttemptOutcome, Outcome, Page, Permission, ProgramStatus, Role, TaskState, WorkflowStatus,
    action::ColumnGroup,
    admin::{AuditEntry, AuditQuery},
};

use serde_json::Value;

use super::{
    fields::{days, select},
    words,
};
use crate::components::values::numbers;
use crate::components::values::numbers::grouped;
use crate::{
    components::{
        blank::Blank,
        fold::fold,
        icon::Icon,
        type_erasure::Erase,
        values::{pager, time::Time},
    },
    url,
};

/// Where the page is.
const PAGE: &str = "/admin/audit";
/// What can be asked for, with its name: a noun with a dot means every verb on it.
const NOUNS: [(&str, &str); 13] = [
    ("-session.", "All but sign-ins"),
    ("task.", "One task"),
    ("tasks.", "Many tasks"),
    ("account.", "Accounts"),
    ("token.", "Tokens"),
    ("session.", "Sign-ins"),
    ("request.", "Refused requests"),
    ("export.", "Exports"),
    ("ledger.", "Task results"),
    ("person.", "People"),
    ("kind.", "Kinds of task"),
    ("lock.", "Locks"),
    ("schedule.", "Schedules"),
];

/// What the page shows.
pub struct AuditContent {
    pub query: AuditQuery,
    pub page: Page<AuditEntry>,
    /// How the things are called that entries are about, by their ids.
    pub names: HashMap<String, String>,
    /// Usernames and names, for the choice.
    pub actors: Vec<(String, String)>,
}

/// The page; `search` is the query string.
pub fn view(content: AuditContent, search: &str) -> AnyView {
    let AuditContent { query, page, names, actors } = content;
    let total = page.total;
    let kept = url::from_first(search);
    let nouns = NOUNS.iter().map(|(noun, name)| ((*noun).to_owned(), (*name).to_owned())).collect();
    let object = query.object_id.clone().map(|id| view! { <input type="hidden" name="objectId" value=id/> });
    let object_kind =
        query.object_kind.clone().map(|kind| view! { <input type="hidden" name="objectKind" value=kind/> });
    let credential =
        query.credential.clone().map(|credential| view! { <input type="hidden" name="credential" value=credential/> });
    let first = query.after.is_some().then(|| view! { <a class="button" href=url::join(PAGE, &kept)>"First page"</a> });
    let set = [
        query.actor.is_some(),
        query.action.is_some(),
        query.since.is_some() || query.until.is_some(),
        query.source.is_some(),
    ];
    let set = set.into_iter().filter(|set| *set).count();
    let shown = page.items.len();
    let next = page.next.map(|next| {
        view! { <a class="button" href=url::join(PAGE, &url::following(search, &next))>"Next"</a> }
    });
    let list = match page.items.is_empty() {
        true => view! {
            <Blank icon="audit" title="Nothing matches" text="No entries match these filters.">
                <a class="button" href=PAGE>"Clear filters"</a>
            </Blank>
        }
        .erase(),
        false => view! {
            {table_of(page.items, Some(&names))}
            <div class="pager">
                <div>{pager::place(shown, total, query.after.is_none())}</div>
                <div>{first}{next}</div>
            </div>
        }
        .erase(),
    };
    view! {
        <header class="head">
            <div>
                <h1>"Audit trail"</h1>
                <p class="facts"><span>"who did what, newest first"</span><span>"nothing in it can be changed"</span></p>
            </div>
            <div class="line">
                <a class="button" href=url::join("/admin/audit.csv", &kept) rel="external" download>
                    <Icon name="export"/>
                    "Download as CSV"
                </a>
            </div>
        </header>
        <form class="filters many" role="search" method="get" action=PAGE data-noscroll aria-label="Filters">
            {fold(set, false)}
            {select("actor", "All users", actors, query.actor.as_deref())}
            {select("action", "All actions", nouns, query.action.as_deref())}
            {days(query.since, query.until)}
            <input
                class="input"
                name="source"
                aria-label="IP address"
                placeholder="IP address"
                autocomplete="off"
                value=query.source.clone()
            />
            {credential}
            {object}
            {object_kind}
            <button class="button">"Apply"</button>
        </form>
        {list}
    }
    .erase()
}

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
fn table_of(entries: Vec<AuditEntry>, names: Option<&HashMap<String, String>>) -> AnyView {
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
                        <th scope="col">"Signed in with"</th>
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
    let name = names.get(&id).cloned().unwrap_or_else(|| match entry.object_kind.as_str() {
        "kind" => words::kind(&id),
        "schedule" | "lock" => words::schedule(&id).map_or_else(|| id.clone(), str::to_owned),
        _ => id.parse().map_or_else(|_| id.clone(), model::short_id),
    });
    view! { ": "<a href=href title=id>{name}</a> }.into_view().erase()
}

fn line(entry: AuditEntry, names: Option<&HashMap<String, String>>) -> AnyView {
    let who = entry.actor_name.clone().unwrap_or_else(|| nobody(entry.credential.as_deref()).to_owned());
    let about = names.map(|names| about(&entry, names));
    let asked = entry.detail.get("first").and_then(Value::as_str).filter(|_| entry.object_kind == "request");
    let asked = asked.map(|asked| view! { <span class="sub id">{asked.to_owned()}</span> });
    let is_empty = entry.detail.as_object().is_none_or(serde_json::Map::is_empty);
    let detail = (!is_empty).then(|| {
        let lines = told(&entry.detail).into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
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
                {format!(" {}", in_a_sentence(&entry.label))}
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

/// What was done, after a name: `Ada Moss retried a task`.
fn in_a_sentence(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Who it was that has no name here.
fn nobody(credential: Option<&str>) -> &'static str {
    match credential {
        Some("docket" | "command") => "Docket",
        Some("password") => "Unknown, at sign-in",
        _ => "Unknown",
    }
}

/// By what they were known and from where, each with a link to all that was done so.
fn by(entry: &AuditEntry) -> AnyView {
    // Docket is who it was already.
    let credential = entry.credential.clone().filter(|credential| credential != "docket").map(|credential| {
        let (kind, id) = credential.split_once(':').unwrap_or((&credential, ""));
        let short: String = id.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
        let words = match kind {
            "session" => format!("Session …{short}"),
            "token" => format!("Token …{short}"),
            "task" => format!("Task …{short}"),
            "password" => "Password".to_owned(),
            "command" => "Command".to_owned(),
            other => other.to_owned(),
        };
        // All that was done with any password is nobody's trail.
        match id {
            "" => view! { <span>{words}</span> }.erase(),
            id => view! { <a href=url::with(PAGE, &[("credential", credential.as_str())]) title=id.to_owned()>{words}</a> }
                .erase(),
        }
    });
    let source = entry.source.clone().map(|source| {
        view! { <a class="sub" href=url::with(PAGE, &[("source", source.as_str())])>{source.clone()}</a> }
    });
    view! { {credential}{source} }.erase()
}

/// Whatever was noted, line by line: its name, and its value or what it was before and is now.
fn told(detail: &Value) -> Vec<(String, String)> {
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
fn spelled(key: &str) -> String {
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
fn summary(entry: &AuditEntry) -> AnyView {
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
