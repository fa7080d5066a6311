//! The audit trail: who did what to which, when and why.

mod chips;
mod details;
mod entries;
mod many_tasks;
mod signed_in_with;

use std::collections::HashMap;

use leptos::prelude::*;
use model::{
    Page,
    admin::{AuditEntry, AuditQuery},
};

use super::fields::{DAYS, SOURCE, TypedFilter, days, select, source};
use crate::{
    components::{blank::Blank, fold::fold, icon::Icon, type_erasure::Erase, values::pager},
    url,
};
use chips::chips;
pub use entries::section;
use entries::table_of;
pub use many_tasks::cause_of;
use signed_in_with::PAGE;

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

/// The fields of its filter that are typed.
pub const TYPED: [&str; 3] = [DAYS[0], DAYS[1], SOURCE];

/// What the page shows.
pub struct AuditContent {
    pub query: AuditQuery,
    pub typed: TypedFilter,
    pub page: Page<AuditEntry>,
    /// How the things are called that entries are about, by their ids.
    pub names: HashMap<String, String>,
    /// Usernames and names, for the choice.
    pub actors: Vec<(String, String)>,
}

/// The page; `search` is the query string.
pub fn view(content: AuditContent, search: &str) -> AnyView {
    let AuditContent { query, typed, page, names, actors } = content;
    let total = page.total;
    let kept = url::from_first(search);
    let nouns = NOUNS.iter().map(|(noun, name)| ((*noun).to_owned(), (*name).to_owned())).collect();
    let object = query.object_id.clone().map(|id| view! { <input type="hidden" name="objectId" value=id/> });
    let object_kind =
        query.object_kind.clone().map(|kind| view! { <input type="hidden" name="objectKind" value=kind/> });
    let credential =
        query.credential.clone().map(|credential| view! { <input type="hidden" name="credential" value=credential/> });
    let first = query.after.is_some().then(|| view! { <a class="button" href=url::join(PAGE, &kept)>"First page"</a> });
    let chips = chips(&query, &names);
    let set = [
        query.actor.is_some(),
        query.action.is_some(),
        query.since.is_some() || query.until.is_some() || typed.has_wrong_days(),
        query.source.is_some() || typed.has_wrong(SOURCE),
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
                <p class="facts"><span>"Who did what, newest first"</span><span>"Nothing in it can be changed"</span></p>
            </div>
            <div class="line">
                <a class="button" href=url::join("/admin/audit.csv", &kept) rel="external" download>
                    <Icon name="export"/>
                    "Download as CSV"
                </a>
            </div>
        </header>
        <form class="filters many" role="search" method="get" action=PAGE data-noscroll aria-label="Filters">
            {fold(set, typed.is_wrong())}
            {select("actor", "All users", actors, query.actor.as_deref())}
            {select("action", "All actions", nouns, query.action.as_deref())}
            {days(query.since, query.until, &typed)}
            {source(query.source.clone(), &typed)}
            {credential}
            {object}
            {object_kind}
            <button class="button">"Apply"</button>
        </form>
        {chips}
        {list}
    }
    .erase()
}
