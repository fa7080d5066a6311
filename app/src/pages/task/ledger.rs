//! The people of a task with what became of each, by outcome.

use leptos::prelude::*;
use model::{LedgerRow, Page, TaskRow, grouped, ledger::LedgerFilter};

use super::{People, address};
use crate::{
    components::{
        badge::{NowThen, OutcomeBadge},
        blank::{Blank, Loading, Refused},
        time::Time,
    },
    url,
};

/// The section.
#[component]
pub fn Ledger(now: Memo<TaskRow>, people: People, search: Memo<String>) -> impl IntoView {
    let path = now.with_untracked(|row| format!("/tasks/{}", row.id));
    let ended = Memo::new(move |_| now.with(|row| row.status.is_finished()));
    let tabs = {
        let path = path.clone();
        std::iter::once(None)
            .chain(LedgerFilter::ALL.iter().copied().map(Some))
            .map(|filter| {
                let path = path.clone();
                let href = move || address::with_outcome(&path, &search.get(), filter);
                let current = move || {
                    (address::outcome(&search.get()).as_deref() == filter.map(LedgerFilter::name)).then_some("page")
                };
                let label = match filter {
                    None => "All",
                    Some(LedgerFilter::Open) => "Not reached",
                    Some(filter) => filter.label(),
                };
                let count = move || now.with(|row| grouped(count(row, filter)));
                view! {
                    <li>
                        <a href=href aria-current=current data-noscroll>{label}" "<span class="count">{count}</span></a>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <section id="people" aria-labelledby="h-people" class="stack tight" tabindex="-1">
            <div class="section">
                <h2 id="h-people">{move || if ended.get() { "People" } else { "People so far" }}</h2>
            </div>
            <nav aria-label="Outcome"><ul class="tabs segmented">{tabs}</ul></nav>
            <Transition fallback=|| view! { <Loading what="people"/> }>
                {move || {
                    let path = path.clone();
                    Suspend::new(async move {
                        match people.await {
                            Ok(page) => view! { <Lines page ended path search/> }.into_any(),
                            Err(refusal) => {
                                view! { <Refused refusal retry=url::join(&path, &search.get_untracked())/> }.into_any()
                            }
                        }
                    })
                }}
            </Transition>
        </section>
    }
    .into_any()
}

#[component]
fn Lines(page: Page<LedgerRow>, ended: Memo<bool>, path: String, search: Memo<String>) -> impl IntoView {
    let (first, onward) = (path.clone(), path);
    let shown = page.items.len();
    if shown == 0 {
        return view! { <Blank icon="people" title="Nobody is here" text="No person of this task has this outcome."/> }.into_any();
    }
    let lines = page.items.into_iter().map(|row| view! { <Line row ended/> }).collect_view();
    view! {
        <div class="tableframe">
            <table class="table still cards">
                <caption class="hidden">"People of this task, with what became of them"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"School id"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col">"Change"</th>
                        <th scope="col" class="num">"Time"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <div class="pager">
            <div>{format!("{} of {}", grouped(shown as u64), page.total.label())}</div>
            <div>
                {move || url::value(&search.get(), "after").map(|_| view! {
                    <a class="button" href=url::join(&first, &url::set(&search.get(), "after", None)) data-noscroll>"First page"</a>
                })}
                {page.next.map(|next| view! {
                    <a class="button" href=move || url::join(&onward, &url::set(&search.get(), "after", Some(&next))) data-noscroll>
                        "Next"
                    </a>
                })}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn Line(row: LedgerRow, ended: Memo<bool>) -> impl IntoView {
    let outcome = row.outcome;
    view! {
        <tr>
            <th scope="row">{row.name}</th>
            <td class="brief id soft">{row.school_id}</td>
            <td class="first">
                <span class="line">
                    {move || view! { <OutcomeBadge outcome ended=ended.get()/> }}
                    <span class="meta soft">{row.reason_label.or(row.reason)}</span>
                </span>
            </td>
            <td class="first"><NowThen now=row.before then=row.after verb="became"/></td>
            <td class="brief num soft">{row.date.map(|at| view! { <Time at exact=true/> })}</td>
        </tr>
    }
    .into_any()
}

/// How many people a tab has.
fn count(row: &TaskRow, filter: Option<LedgerFilter>) -> u64 {
    match filter {
        None => row.total.unwrap_or_else(|| row.treated()),
        Some(LedgerFilter::Done) => row.succeeded,
        Some(LedgerFilter::Skipped) => row.skipped,
        Some(LedgerFilter::Failed) => row.failed,
        Some(LedgerFilter::Uncertain) => row.uncertain,
        Some(LedgerFilter::Open) => row.open(),
    }
}
