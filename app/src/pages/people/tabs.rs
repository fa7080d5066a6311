//! Whose people: one's caseload, the watch list, or everyone, each with its count.

use leptos::prelude::*;
use model::{Me, Scope, Total, grouped, person::ScopeCounts};

use crate::{account::Account, refusal::Refusal, url};

/// The tabs.
#[component]
pub fn ScopeTabs(search: Memo<String>, counts: Resource<Result<ScopeCounts, Refusal>>) -> impl IntoView {
    let account = Account::expect();
    let tabs = move || {
        Suspend::new(async move {
            let counts = counts.await.ok();
            let me = account.me.await.ok();
            Scope::ALL
                .iter()
                .filter(|scope| **scope != Scope::All || counts.as_ref().is_none_or(|counts| counts.all.is_some()))
                .map(|scope| {
                    let scope = *scope;
                    let usual = usual(me.as_ref());
                    let current = move || {
                        let asked = url::value(&search.get(), "scope").and_then(|name| name.parse().ok());
                        (asked.unwrap_or(usual) == scope).then_some("page")
                    };
                    let href = move || url::join("/people", &url::set(&search.get(), "scope", Some(scope.name())));
                    let count = counts.as_ref().and_then(|counts| count(counts, scope)).map(short);
                    view! {
                        <li>
                            <a href=href aria-current=current>
                                {scope.label()}
                                " "
                                {count.map(|count| view! { <span class="count">{count}</span> })}
                            </a>
                        </li>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <nav aria-label="Which people">
            <ul class="tabs">
                <Transition>{tabs}</Transition>
            </ul>
        </nav>
    }
    .into_any()
}

/// The scope somebody sees when the address names none.
fn usual(me: Option<&Me>) -> Scope {
    match me {
        Some(me) if me.role.reaches_everyone() => Scope::All,
        _ => Scope::Caseload,
    }
}

fn count(counts: &ScopeCounts, scope: Scope) -> Option<Total> {
    match scope {
        Scope::Caseload => Some(counts.caseload),
        Scope::Watchlist => Some(counts.watchlist),
        Scope::All => counts.all,
    }
}

/// `261`, or `10,000+`.
fn short(total: Total) -> String {
    let number = grouped(total.value);
    if total.exact { number } else { format!("{number}+") }
}
