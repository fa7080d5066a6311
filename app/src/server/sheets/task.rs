//! One task: how far it is, what became of each person, what happened, and what can be done about it.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{Cursor, TaskId, TaskRow, TaskState, ledger::SORTED};

use crate::{
    components::{
        blank::Refused,
        frame::{PageContent, Pulse},
        type_erasure::Erase,
    },
    pages::task::{
        cancel::cancel_dialog,
        details::Aside,
        hold, ledger,
        ledger_lines::{self, LinePart, Lines},
        page_address, problems,
        top::TaskTop,
    },
    refusal::Refusal,
    server::{
        self, answer,
        asked::{Asked, Made},
    },
    url,
};

/// How often the people are looked at again while they are being treated, in milliseconds.
const LOOK: u32 = 3_000;

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: id, search } = asked;
    let id: TaskId = server::id(id, "task")?;
    let task = answer(caseload.tasks().get(actor, id).await)?;
    let row = task.row.clone();
    let has_ledger = row.description().has_ledger();
    // Asked for once the task is known, its people are never of before an end that the page tells.
    let people = match has_ledger {
        false => ().erase(),
        true => lines(caseload, actor, &row, search).await.unwrap_or_else(|refusal| {
            view! { <Refused refusal retry=url::join(&format!("/tasks/{id}"), search)/> }.erase()
        }),
    };
    let refused = url::refusal(search).map(|refusal| (refusal.0.title, refusal.0.detail));
    let title = row.title.clone();
    let view = view! {
        <TaskTop row=row.clone() search=search.to_owned() refused/>
        {(row.state == TaskState::Held).then(|| hold::panel(&row, row.owner_id == actor.person_id, !caseload.mail().is_configured()))}
        <div class=if has_ledger { "columns" } else { "columns bare" }>
            <div>
                <div class="stack">
                    {problems::problems(&row)}
                    {ledger::ledger(&row, people, search)}
                </div>
                <div class="stack" id="aside"><Aside task role=actor.role/></div>
            </div>
        </div>
        {cancel_dialog(&row, search)}
    };
    Ok(PageContent {
        skips: &[("people", "Skip to the people")],
        topics: format!("task:{id}"),
        pulse: Some(Pulse { again: search.to_owned(), wait: LOOK, is_fresh: false }),
        ..PageContent::new(title, view.erase())
    })
}

/// One page of the ledger. While the task runs, the list of everybody is that of the people it treated last, latest first: it treats
/// them in the order of the ledger.
async fn lines(caseload: &Caseload, actor: &Actor, row: &TaskRow, search: &str) -> Result<AnyView, Refusal> {
    let part_of = page_address::ledger_part(search);
    let mut query = answer(page_address::query(&part_of))?;
    let part = LinePart::of(row, &query);
    if let LinePart::SoFar(treated) = part {
        query.limit = Some(ledger_lines::LATEST);
        query.after = Some(Cursor::after(treated.saturating_sub(ledger_lines::LATEST.into())));
    }
    let mut page = answer(caseload.tasks().ledger(actor, row.id, &query).await)?;
    if let LinePart::SoFar(_) = part {
        page.items.retain(|line| line.outcome.is_some());
        page.items.reverse();
        page.next = None;
    }
    let path = format!("/tasks/{}", row.id);
    let sort = (row.total.is_none_or(|total| total <= SORTED)).then_some(query.sort);
    Ok(view! { <div class="stack tight"><Lines page part path search=part_of sort/></div> }.erase())
}
