//! One task: how far it is, what became of each person, what happened, and what can be done about it.

pub mod address;
pub mod api;
mod cancel;
mod details;
mod head;
mod ledger;
mod pace;
mod progress;
mod troubles;

use std::time::Duration;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};
use model::{TaskDetail, TaskRow};

use crate::{
    components::{
        blank::{Loading, Notice, Refused},
        frame::Frame,
        time::now,
    },
    live::{self, Live},
    pages::tasks::api::{CancelTask, RetryTask},
    url,
};
use pace::Pace;

/// How often the ledger is loaded again while people are being treated.
const LEDGER: Duration = Duration::from_secs(3);

/// The page of a task.
#[component]
pub fn TaskPage() -> impl IntoView {
    let search = url::own_search();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    let ledger_query = Memo::new(move |_| address::ledger_part(&search.get()));
    let found = Resource::new(move || id.get(), api::task);
    let people = Resource::new(move || (id.get(), ledger_query.get()), |(id, query)| api::ledger(id, query));
    let (retry, cancel) = (ServerAction::<RetryTask>::new(), ServerAction::<CancelTask>::new());
    let (row, pace) = (RwSignal::new(None::<TaskRow>), RwSignal::new(Pace::default()));

    listen(id, row, pace, found, people);
    let live = Live::expect();
    Effect::new(move |before: Option<_>| {
        let now = (live.resync.get(), retry.version().get(), cancel.version().get());
        if before.is_some_and(|before| before != now) {
            found.refetch();
            people.refetch();
        }
        now
    });

    let title = Signal::derive(move || row.with(|row| row.as_ref().map_or("Task".to_owned(), |row| row.title.clone())));
    let path = use_location().pathname;
    view! {
        <Frame title live=true skips=&[("people", "Skip to the people")]>
            <Transition fallback=|| view! { <Loading what="the task"/> }>
                {move || Suspend::new(async move {
                    match found.await {
                        Ok(task) => {
                            // What was heard may be newer than what was loaded.
                            if row.with_untracked(|known| known.as_ref().is_none_or(|known| {
                                known.id != task.row.id || known.modified_date <= task.row.modified_date
                            })) {
                                row.set(Some(task.row.clone()));
                            }
                            view! { <Shown task row pace people search retry cancel/> }.into_any()
                        }
                        Err(refusal) => view! {
                            <h1 class="hidden">"Task"</h1>
                            <Refused refusal retry=path.get_untracked()/>
                        }
                        .into_any(),
                    }
                })}
            </Transition>
        </Frame>
    }
    .into_any()
}

type Found = Resource<Result<TaskDetail, crate::refusal::Refusal>>;
type People = Resource<Result<model::Page<model::LedgerRow>, crate::refusal::Refusal>>;

/// Takes over each step of the task that is heard of; its people are loaded again now and then, and at its end.
fn listen(id: Memo<String>, row: RwSignal<Option<TaskRow>>, pace: RwSignal<Pace>, found: Found, people: People) {
    let due = RwSignal::new(false);
    live::follow(move || format!("task:{}", id.get()), true, move |heard| {
        if id.with_untracked(|id| *id != heard.id.to_string()) {
            return;
        }
        let before = row.with_untracked(|row| row.as_ref().map(|row| row.status));
        pace.update(|pace| pace.note(now(), heard.treated()));
        let status = heard.status;
        row.set(Some(heard));
        if before != Some(status) {
            found.refetch();
            people.refetch();
        } else if !due.get_untracked() {
            due.set(true);
            set_timeout(
                move || {
                    due.set(false);
                    people.refetch();
                },
                LEDGER,
            );
        }
    });
}

#[component]
fn Shown(
    task: TaskDetail,
    row: RwSignal<Option<TaskRow>>,
    pace: RwSignal<Pace>,
    people: People,
    search: Memo<String>,
    retry: ServerAction<RetryTask>,
    cancel: ServerAction<CancelTask>,
) -> impl IntoView {
    let first = task.row.clone();
    let now = Memo::new(move |_| row.get().unwrap_or_else(|| first.clone()));
    let refused = move || {
        let refusal = retry.value().get().and_then(Result::err).or_else(|| cancel.value().get().and_then(Result::err));
        refusal.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })
    };
    view! {
        <head::Head now retry search/>
        {refused}
        <progress::Progress now pace/>
        <div class="columns">
            <div>
                <div class="stack">
                    <troubles::Troubles now/>
                    <ledger::Ledger now people search/>
                </div>
                <details::Aside task now/>
            </div>
        </div>
        <cancel::CancelDialog now cancel search/>
    }
    .into_any()
}
