//! The server's doors of a person's page.

use leptos::prelude::*;

use crate::refusal::Refusal;

/// Puts a person on the caller's watch list when `watched` is filled, and takes them off it otherwise.
#[server(name = WatchPerson, prefix = "/api/page", endpoint = "watch-person")]
pub async fn watch_person(id: String, #[server(default)] watched: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let person = server::id(&id, "person")?;
    server::answer(caseload.people().set_watched(&actor, person, !watched.is_empty()).await)?;
    // Whoever was known for being watched alone has no page any more.
    let known = caseload.people().get(&actor, person).await.is_ok();
    server::send_form_to(&if known { format!("/people/{id}") } else { "/people?scope=watchlist".to_owned() });
    Ok(())
}

/// Puts the person in `watch` on the caller's watch list, or takes the one in `unwatch` off it, and goes back to the list, whose
/// query string is in `back`.
#[server(name = StarPerson, prefix = "/api/page", endpoint = "star-person")]
pub async fn star_person(
    #[server(default)] watch: String,
    #[server(default)] unwatch: String,
    #[server(default)] back: String,
) -> Result<(), Refusal> {
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let watched = unwatch.is_empty();
    let person = server::id(if watched { &watch } else { &unwatch }, "person")?;
    server::answer(caseload.people().set_watched(&actor, person, watched).await)?;
    server::send_form_to(&url::join("/people", &back));
    Ok(())
}

/// Selects one person, and goes on to composing an action of this kind.
#[server(name = SelectPerson, prefix = "/api/page", endpoint = "select-person")]
pub async fn select_person(id: String, kind: String) -> Result<(), Refusal> {
    use crate::server;
    use model::{PersonId, Problem, SelectionRequest, TaskKind};

    use crate::components::offered_actions::{compose, is_offered};
    let (caseload, actor) = server::caller()?;
    let person = server::id::<PersonId>(&id, "person")?;
    let kind = kind.parse::<TaskKind>().ok().filter(|kind| is_offered(*kind));
    let kind = server::answer(kind.ok_or_else(|| Problem::not_found("action")))?;
    let request = SelectionRequest { token: None, shown: id.clone(), ticked: id };
    let selected = server::answer(caseload.selections().select_shown(&actor, &request).await)?;
    // The way back leads to where one came from.
    server::send_form_to(&format!("{}&from={person}", compose(kind, selected.token)));
    Ok(())
}

/// Notes that a message came back, or that it did not.
#[server(name = NoteBounce, prefix = "/api/page", endpoint = "note-bounce")]
pub async fn note_bounce(person: String, task: String, #[server(default)] note: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let (id, task) = (server::id(&person, "person")?, server::id(&task, "message")?);
    server::answer(caseload.people().note_bounce(&actor, task, id, &note).await)?;
    server::send_form_to(&format!("/people/{person}?only=email"));
    Ok(())
}

/// Erases a person, and goes back to the list.
#[server(name = ErasePerson, prefix = "/api/page", endpoint = "erase-person")]
pub async fn erase_person(
    id: String,
    #[server(default)] school_id: String,
    #[server(default)] reason: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let person = server::id(&id, "person")?;
    let erased = caseload.people().erase(&actor, person, &school_id, Some(&reason)).await;
    server::answer(erased).map_err(|refusal| refusal.keeping(&[("schoolId", &school_id), ("reason", &reason)]))?;
    server::send_form_to(&forms::done("/people", Done::PersonErased));
    Ok(())
}
