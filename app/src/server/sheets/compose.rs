//! Composing an action, step by step.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{
    Action, Preview, Problem, Target, TaskKind,
    composer::{Shown, Typed},
    preview::{PendingTask, WrongLines},
};

use super::rendered::rendered;
use crate::components::values::{numbers, time::span};
use crate::{
    components::frame::PageContent,
    components::{blank::Blank, type_erasure::Erase},
    help::figures::kept_for,
    pages::{
        new_action::{
            ComposeStep, EVERYBODY, check::Checked, choose::Choose, draft::Draft, email::Compose, fields::email,
            preview_people::Shown as ShownPeople, step,
        },
        reassign_by_list::Reassign,
    },
    refusal::Refusal,
    server::{
        self, answer_part,
        asked::{Asked, Made},
        refused_start,
    },
    url,
};

/// The step that the address asks for.
async fn sheet_of(caseload: &Caseload, actor: &Actor, draft: Draft, search: &str) -> Result<PageContent, Refusal> {
    let step = step(&draft, search);
    // It is told with whatever else is wrong.
    let late = match url::value(search, "step") {
        Some(_) if step != ComposeStep::Show => refused_start(caseload, &draft).await,
        _ => None,
    };
    match step {
        // What would be refused is not confirmed first.
        ComposeStep::Check if late.is_none() || draft.fields().is_none() => check(caseload, actor, draft, search).await,
        ComposeStep::Check | ComposeStep::Choose => choose(caseload, actor, draft, search, late).await,
        ComposeStep::Show => show(caseload, actor, draft, search).await,
    }
}

/// Where a list is uploaded.
pub async fn list(Asked { actor, search, .. }: Asked<'_>) -> Made {
    server::answer(actor.require(TaskKind::ReassignByList.right()))?;
    rendered("Reassign coaches by list", view! { <Reassign refusal=url::refusal(search)/> })
}

/// What an uploaded list would do.
async fn checked_list(caseload: &Caseload, actor: &Actor, draft: Draft, search: &str) -> Result<PageContent, Refusal> {
    if url::value(search, "show").is_some() {
        return show(caseload, actor, draft, search).await;
    }
    let token = server::id(&draft.sel, "list")?;
    let preview = server::answer(caseload.actions().preview_kept(actor, token).await)?;
    let refusal = url::refusal(search);
    let (sending, role) = (caseload.mail().sending(), actor.role);
    let pending = conflicts(caseload, actor, &preview).await?;
    let wrong = server::answer(caseload.actions().wrong_lines(actor, token).await)?;
    rendered("Check", view! { <Checked draft preview held=None letter=None pending wrong sending role refusal/> })
}

/// The page of a kind of action.
pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: kind, search } = asked;
    let read = Draft::read(kind, search);
    let mut draft = Draft { offset: server::offset(actor, &read.start, &read.offset), ..read };
    if draft.fields().is_some_and(|fields| fields.is_kept)
        && let Some((typed, _)) = server::answer(caseload.emails().draft(actor).await)?
    {
        draft.choices = email::choices(&typed).collect();
    }
    match draft.kind() {
        None | Some(TaskKind::Import | TaskKind::SelfTest) => return server::answer(Err(Problem::not_found("page"))),
        Some(TaskKind::ReassignByList) => return checked_list(caseload, actor, draft, search).await,
        Some(_) => {}
    }
    match sheet_of(caseload, actor, draft.clone(), search).await {
        Err(refusal) if refusal.0.status == 404 && draft.fields().is_some() => gone(&draft),
        answer => answer,
    }
}

async fn choose(
    caseload: &Caseload,
    actor: &Actor,
    draft: Draft,
    search: &str,
    late: Option<Problem>,
) -> Result<PageContent, Refusal> {
    let fields = server::answer(draft.fields().ok_or_else(|| Problem::not_found("page")))?;
    if let Some(kind) = draft.kind() {
        server::answer(actor.require(kind.right()))?;
    }
    let selection = server::answer(draft.selection())?;
    let selected = server::answer(caseload.selections().get(actor, selection, &[]).await)?;
    if fields.is_kept {
        let person = url::value(search, "person").and_then(|id| id.parse().ok());
        let context = server::answer(caseload.emails().context(actor, selection, person).await)?;
        let title = format!("Email {}", numbers::people(selected.count));
        return rendered(
            title,
            view! { <Compose draft context selected role=actor.role search=search.to_owned() late/> },
        );
    }
    let coaches = server::answer(caseload.people().coaches().await)?;
    let file_kept = file_kept(caseload);
    rendered(fields.title, view! { <Choose draft fields search=search.to_owned() selected coaches file_kept late/> })
}

async fn check(caseload: &Caseload, actor: &Actor, draft: Draft, search: &str) -> Result<PageContent, Refusal> {
    let preview: Preview = match draft.fields() {
        None => {
            let task = server::answer(draft.undone())?;
            server::answer(caseload.tasks().preview_undo(actor, task).await)?
        }
        Some(_) => {
            let (action, selection) = (server::answer(draft.action())?, server::answer(draft.selection())?);
            server::answer(caseload.actions().preview(actor, action, Target::Selection(selection)).await)?
        }
    };
    let refusal = url::refusal(search);
    let held = caseload.actions().hold_of(&preview.action).map(|hold| hold.as_secs());
    let (sending, role) = (caseload.mail().sending(), actor.role);
    let letter = match (&preview.action, preview.sample.first()) {
        (Action::Email(email), Some(first)) => {
            let typed = Typed::of(email);
            // Whoever it was looked at for before, if they get it.
            let chosen = match url::value(search, "person").and_then(|id| id.parse().ok()) {
                Some(person) => answer_part(caseload.emails().letter(actor, &typed, person).await).ok(),
                None => None,
            };
            let shown = match chosen.filter(Shown::gets_it) {
                Some(shown) => shown,
                None => server::answer(caseload.emails().letter(actor, &typed, first.person_id).await)?,
            };
            let from = caseload.emails().shown_sender(actor);
            Some((shown, from, server::answer(caseload.emails().reply_to(actor).await)?))
        }
        _ => None,
    };
    let pending = conflicts(caseload, actor, &preview).await?;
    // Whoever was selected one by one stays who they are; of what changes people, the preview says that itself.
    let picked = !preview.action.changes_people() && is_picked(caseload, actor, &draft).await?;
    let file_kept = file_kept(caseload);
    rendered(
        "Check",
        view! { <Checked draft preview held letter pending wrong=WrongLines::default() picked file_kept sending role refusal/> },
    )
}

/// How long the file of an export is kept, as a sentence has it.
fn file_kept(caseload: &Caseload) -> String {
    kept_for(caseload.exports_kept(), span, numbers::grouped)
}

/// Whether the people were selected one by one, not by a filter.
async fn is_picked(caseload: &Caseload, actor: &Actor, draft: &Draft) -> Result<bool, Refusal> {
    let Ok(selection) = draft.selection() else { return Ok(false) };
    Ok(!server::answer(caseload.selections().get(actor, selection, &[]).await)?.matching)
}

/// The tasks that change the same, where there are any.
async fn conflicts(caseload: &Caseload, actor: &Actor, preview: &Preview) -> Result<Vec<PendingTask>, Refusal> {
    match preview.pending_elsewhere {
        0 => Ok(Vec::new()),
        _ => server::answer(caseload.actions().pending_tasks(actor, preview.preview_token).await),
    }
}

/// The people behind one of a preview's numbers.
async fn show(caseload: &Caseload, actor: &Actor, draft: Draft, search: &str) -> Result<PageContent, Refusal> {
    let token = server::id(&url::value(search, "preview").unwrap_or_default(), "preview")?;
    let which = url::value(search, "show").filter(|which| which != EVERYBODY);
    let after = server::answer(url::after(search))?;
    let people =
        server::answer(caseload.actions().preview_people(actor, token, which.as_deref(), after.as_ref()).await)?;
    rendered("People of this check", view! { <ShownPeople draft search=search.to_owned() people/> })
}

/// Nobody is selected, or not any more.
fn gone(draft: &Draft) -> Result<PageContent, Refusal> {
    let title = draft.fields().map_or("Nobody is selected", |fields| fields.title);
    let text = "Selections are kept for 30 minutes. Select people in the list, then choose what to do.";
    let blank = view! {
        <h1 class="hidden">{title}</h1>
        <Blank icon="people" title="Nobody is selected" text>
            <a class="button primary" href="/people">"Go to people"</a>
        </Blank>
    };
    rendered(title, blank.erase())
}
