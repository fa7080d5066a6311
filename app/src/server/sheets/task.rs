//! One task: how far it is, what became of each person, what happened, and what can be done about it.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{
    Cursor, LedgerQuery, PersonId, TaskDetail, TaskId, TaskKind, TaskRow, TaskState,
    composer::{Shown, Typed},
    ledger::{LedgerSort, SORTED},
    parameters::MAX_LIMIT,
    person::CoachChoice,
};

use crate::{
    components::{
        blank::Refused,
        frame::{PageContent, Pulse},
        type_erasure::Erase,
    },
    pages::{
        done::{self, Done},
        new_action::letter_preview::{TaskEmail, message},
        task::{
            cancel::cancel_dialog,
            details::{aside, details, reasons, reschedule, wrong_start},
            file, hold, ledger,
            ledger_lines::{self, LinePart, Lines},
            page_address,
            problems::{Onlooker, problems},
            top::TaskTop,
        },
    },
    refusal::Refusal,
    server::{
        self, answer,
        asked::{Asked, Made},
        sheets::approvals,
    },
    url,
};

/// The longest ledger that begins in the order of names: a look at every line of it costs nothing to speak of.
const BY_NAME: u64 = 10_000;

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
    let is_held = row.state == TaskState::Held;
    let mut message = email(caseload, actor, &task).await?;
    let first = is_held.then(|| message.take()).flatten();
    let reader = Onlooker { role: actor.role, sending: caseload.mail().sending() };
    let file = task.file.as_ref().map(|file| file::panel(&id.to_string(), file));
    let asked = (!has_ledger).then(|| details(&task, actor.role));
    let refusal = url::refusal(search);
    // What is wrong with a start is said at its field, where there is one.
    let said_there = row.state == TaskState::Scheduled && wrong_start(refusal.as_ref()).is_some();
    let refused = refusal.clone().filter(|_| !said_there).map(|refusal| (refusal.0.title, refusal.0.detail));
    // Once it has begun, what was said of its start is of no use.
    let is_moved = row.state == TaskState::Scheduled && Done::StartChanged.is_said(search);
    let moved = is_moved.then(|| done::notice(search));
    let chosen = ledger::chosen(&task, &coaches_of(caseload, &task).await?);
    let approval = approvals::beside(caseload, actor, &row).await?;
    let title = row.title.clone();
    let view = view! {
        <TaskTop row=row.clone() search=search.to_owned() refused/>
        {reschedule(&row, refusal.as_ref())}
        {moved}
        {approval}
        {is_held.then(|| hold::panel(&row, row.owner_id == actor.person_id, reader.sending))}
        {file}
        <div class="columns">
            <div>
                <div class="stack">
                    {problems(&task, reader)}
                    {is_held.then(|| hold::who(&row, reader.sending))}
                    {first}
                    {reasons(&task)}
                    {ledger::ledger(&row, chosen, people, search)}
                    {message}
                    {asked}
                </div>
                <div class="stack" id="aside">{aside(&task, reader)}</div>
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

/// The coaches that the filter of a task names.
async fn coaches_of(caseload: &Caseload, task: &TaskDetail) -> Result<Vec<CoachChoice>, Refusal> {
    let pairs = url::pairs(task.filter_query.as_deref().unwrap_or_default());
    let ids: Vec<PersonId> =
        pairs.iter().filter(|(key, _)| key == "coach").filter_map(|(_, id)| id.parse().ok()).collect();
    answer(caseload.people().coaches_named(&ids).await)
}

/// The text of an email as one person sees it: one whom it went to, or else the first of its people who can get it.
async fn email(caseload: &Caseload, actor: &Actor, task: &TaskDetail) -> Result<Option<AnyView>, Refusal> {
    if task.row.kind != TaskKind::Email.name() {
        return Ok(None);
    }
    let Some(email) = answer(caseload.emails().of_task(actor, task.row.id).await)? else { return Ok(None) };
    let mut shown = answer(caseload.emails().as_sent(actor, task.row.id).await)?;
    let is_sent = shown.is_some();
    if !is_sent {
        let query = LedgerQuery { sort: by_name(&task.row), ..LedgerQuery::default() };
        let page = answer(caseload.tasks().ledger(actor, task.row.id, &query).await)?;
        for person in page.items.into_iter().filter_map(|line| line.person_id) {
            // Whoever is out of reach by now is passed over, and so is whoever has no address or wants no email.
            shown = caseload.emails().letter(actor, &Typed::of(&email), person).await.ok().filter(Shown::gets_it);
            if shown.is_some() {
                break;
            }
        }
    }
    let is_over = task.row.status.is_finished();
    let (from, reply_to) = answer(caseload.emails().sender_of(actor, task.row.id).await)?;
    Ok(Some(message(&email, TaskEmail { shown, is_sent, is_over, from, reply_to })))
}

/// The order that a ledger begins in, where that is not the one of the task.
fn by_name(row: &TaskRow) -> Option<LedgerSort> {
    // The lines of a file are listed as they stand in it.
    let is_file = row.kind == TaskKind::Import.name();
    (!is_file && row.total.is_some_and(|total| total <= BY_NAME)).then_some(LedgerSort::Name)
}

/// One page of the ledger, by name once all is known. While the task runs, the list of everybody is that of the people it treated last, latest first: it treats
/// them in the order of the ledger.
async fn lines(caseload: &Caseload, actor: &Actor, row: &TaskRow, search: &str) -> Result<AnyView, Refusal> {
    let mut part_of = page_address::ledger_part(search);
    let mut query = answer(page_address::query(&part_of))?;
    let part = LinePart::of(row, &query);
    // A page further on goes on in the order that it says itself.
    if matches!(part, LinePart::Whole | LinePart::Ahead) && query.sort.is_none() && query.after.is_none() {
        query.sort = by_name(row);
        part_of = query.sort.map_or(part_of.clone(), |_| page_address::by_name(&part_of));
    }
    if let LinePart::SoFar(treated) = part {
        query.limit = Some(ledger_lines::LATEST);
        query.after = Some(Cursor::after(treated.saturating_sub(ledger_lines::LATEST.into())));
    }
    // What is asked for again every few seconds is no longer than any list.
    if part == LinePart::Growing {
        query.limit = query.limit.map(|limit| limit.min(MAX_LIMIT));
    }
    let mut page = answer(caseload.tasks().ledger(actor, row.id, &query).await)?;
    if let LinePart::SoFar(_) = part {
        page.items.retain(|line| line.outcome.is_some());
        page.items.reverse();
        page.next = None;
    }
    let (path, failed) = (format!("/tasks/{}", row.id), ledger::begins(row.description().failed));
    let coach = [TaskKind::ReassignCoach, TaskKind::ReassignByList].map(TaskKind::name);
    let about_coach = coach.contains(&row.kind.as_str());
    let sort = (row.total.is_none_or(|total| total <= SORTED)).then_some(query.sort);
    Ok(view! { <div class="stack tight"><Lines page part failed unit=row.description().unit.1 about_coach path search=part_of sort/></div> }.erase())
}
