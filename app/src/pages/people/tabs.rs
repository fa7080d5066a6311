//! Whose people: one's caseload, the watch list, or everyone, each with its count.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::short;
use leptos::prelude::*;
use model::{Scope, Total, person::ScopeCounts};

use crate::url;

/// The tabs.
pub fn scope_tabs(counts: Option<&ScopeCounts>, search: &str) -> AnyView {
    view! { <nav aria-label="Which people"><ul class="tabs">{tabs(counts, search)}</ul></nav> }.erase()
}

fn tabs(counts: Option<&ScopeCounts>, search: &str) -> AnyView {
    // Those who reach everyone see everyone unless they say otherwise.
    let reaches_everyone = counts.is_some_and(|counts| counts.all.is_some());
    let default = if reaches_everyone { Scope::All } else { Scope::Caseload };
    let asked = url::value(search, "scope").and_then(|name| name.parse().ok()).unwrap_or(default);
    Scope::ALL
        .iter()
        .filter(|scope| **scope != Scope::All || reaches_everyone)
        .map(|scope| {
            let href = url::join("/people", &url::set(search, "scope", Some(scope.name())));
            let count = counts.and_then(|counts| count(counts, *scope)).map(short);
            view! {
                <li>
                    <a href=href aria-current=(asked == *scope).then_some("page") data-noscroll>
                        {scope.label()}
                        <span class="count">{count}</span>
                    </a>
                </li>
            }
        })
        .collect_view()
        .erase()
}

fn count(counts: &ScopeCounts, scope: Scope) -> Option<Total> {
    match scope {
        Scope::Caseload => Some(counts.caseload),
        Scope::Watchlist => Some(counts.watchlist),
        Scope::All => counts.all,
    }
}
