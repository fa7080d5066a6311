//! One task: how far it is, what became of each person, what happened, and what can be done about it.

pub mod api;
mod cancel;
pub mod details;
pub mod head;
mod ledger;
pub mod ledger_lines;
mod pace;
pub mod page_address;
mod problems;
mod progress;
pub mod related;

use std::time::Duration;

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};
use model::TaskRow;
use serde::{Deserialize, Serialize};

use crate::{
    account::Account,
    answer::{Answer, Html, Load, load, load_after, read},
    components::{
        blank::{Notice, Refused},
        frame::Frame,
        loaded::Loaded,
        values::time::now,
    },
    live::{self, Live},
    url,
};
use pace::TaskPace;

/// How often the ledger is loaded again while people are being treated.
const LEDGER: Duration = Duration::from_secs(3);

/// A task as it was loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundTask {
    pub row: TaskRow,
    /// Its timeline and details.
    pub aside: Html,
}

/// What the page knows of its task, newest first: what was heard, or what was loaded.
#[derive(Clone, Copy)]
pub struct ShownTask {
    row: RwSignal<Option<TaskRow>>,
    aside: RwSignal<Option<Html>>,
    pace: RwSignal<TaskPace>,
}

/// The page of a task.
#[component]
pub fn TaskPage() -> impl IntoView {
    let search = url::own_search();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    let ledger_part = Memo::new(move |_| page_address::ledger_part(&search.get()));
    let found = load(move || (id.get(), String::new()), |id, _| Box::pin(api::task(id)));
    let people =
        load_after(found, move || (id.get(), ledger_part.get()), |id, search| Box::pin(api::ledger(id, search)));
    let now =
        ShownTask { row: RwSignal::new(None), aside: RwSignal::new(None), pace: RwSignal::new(TaskPace::default()) };
    listen(id, now, found, people);

    let path = use_location().pathname;
    let show = move |answer: Answer| match read::<FoundTask>(answer) {
        Ok(found) => {
            let first = found.row.clone();
            now.arrive(found);
            shown(first, now, people, search)
        }
        Err(refusal) => view! {
            <h1 class="hidden">"Task"</h1>
            <Refused refusal retry=path.get_untracked()/>
        }
        .erase(),
    };
    let row = ArcRwSignal::from(now.row);
    let title =
        ArcSignal::derive(move || row.with(|row| row.as_ref().map_or("Task".to_owned(), |row| row.title.clone())));
    view! {
        <Frame title live=true toasts=false skips=&[("people", "Skip to the people")]>
            <Loaded from=found show what="the task"/>
        </Frame>
    }
    .erase()
}

impl ShownTask {
    /// Takes over what was loaded, unless something newer has been heard.
    fn arrive(self, loaded: FoundTask) {
        let newer = |known: &TaskRow| known.id != loaded.row.id || known.modified_date <= loaded.row.modified_date;
        if self.row.with_untracked(|known| known.as_ref().is_none_or(newer)) {
            self.row.set(Some(loaded.row));
        }
        self.aside.set(Some(loaded.aside));
    }
}

/// Takes over each step of the task that is heard of; its people are loaded again now and then, and at its end.
fn listen(id: Memo<String>, now_known: ShownTask, found: Load, people: Load) {
    let account = Account::expect();
    let due = RwSignal::new(false);
    let again = Action::new_unsync(move |(): &()| api::task(id.get_untracked()));
    // The people are asked for once the task is known, so that they are never of before an end that the page tells.
    Effect::new(move |_| match again.value().get().map(read::<FoundTask>) {
        Some(Ok(found)) => {
            now_known.arrive(found);
            people.refetch();
        }
        // It is not to be seen any more, which the page says in the place of what it shows.
        Some(Err(refusal)) if refusal.0.status < 500 => found.refetch(),
        Some(Err(_)) => people.refetch(),
        None => {}
    });
    let catch_up = move || {
        again.dispatch(());
    };
    live::follow(
        move || format!("task:{}", id.get()),
        true,
        move |heard| {
            if id.with_untracked(|id| *id != heard.id.to_string()) {
                return;
            }
            let before = now_known.row.with_untracked(|row| row.as_ref().map(|row| row.status));
            now_known.pace.update(|pace| pace.note(now(), heard.treated()));
            let status = heard.status;
            now_known.row.set(Some(heard));
            if before != Some(status) {
                catch_up();
                account.running.refetch();
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
        },
    );
    Live::expect().on_resync(catch_up);
}

fn shown(first: TaskRow, now: ShownTask, people: Load, search: Memo<String>) -> AnyView {
    let ShownTask { row, aside, pace } = now;
    let now = Memo::new(move |_| row.get().unwrap_or_else(|| first.clone()));
    let refused = search.with_untracked(|search| url::refusal(search));
    view! {
        {move || head::head(now.get(), &search.get())}
        {refused.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })}
        {move || progress::progress(now.get(), &pace.read())}
        <div class=if now.with_untracked(|row| row.description().has_ledger()) { "columns" } else { "columns bare" }>
            <div>
                <div class="stack">
                    {move || problems::problems(&now.get())}
                    <ledger::Ledger now people search/>
                </div>
                {move || aside.get()}
            </div>
        </div>
        <cancel::CancelDialog now search/>
    }
    .erase()
}
