//! One person: who they are, what needs to be known first, what happened to them, and who watches them. The server renders it;
//! nothing here runs in the browser.

mod alert;
pub mod api;
pub mod erase;
mod facts;
mod messages;
mod tasks;
pub mod timeline;

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Permission, Role, TaskKind,
    person::{Message, MessageState, PersonDetail, PersonTask},
    timeline::{Timeline, TimelineKind},
};

use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        offered_actions::offered_to,
        type_erasure::Erase,
        values::{
            badge::{PendingBadge, StatusBadge},
            time::{self, Time},
        },
    },
    refusal::Refusal,
};

/// The page.
#[component]
pub fn Person(
    person: PersonDetail,
    timeline: Timeline,
    /// The early alerts on them, latest first.
    alerts: Timeline,
    /// The query string of the page, which says what of the timeline is shown.
    search: String,
    messages: Vec<Message>,
    tasks: Vec<PersonTask>,
    role: Role,
    permissions: Vec<Permission>,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let row = person.row.clone();
    let pending = row.pending.clone().map(|change| view! { <PendingBadge change/> });
    let aside = match (row.reached, row.activated) {
        (false, _) => Some("no longer yours"),
        (true, Some(false)) => Some("not activated"),
        (true, _) => None,
    };
    let refused = refusal.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    let reached = row.reached;
    let beyond = (!reached).then(|| {
        view! {
            <Notice tone="info" title="No longer yours" text="You watch this person. They now have another coach."/>
        }
    });
    let contact = reached.then(|| contact(&messages));
    let id = row.id.to_string();
    let only = timeline::only(&search);
    let ahead = tasks::ahead(&tasks);
    // These sorts have a list of their own, which says more.
    let own_list = match only {
        Some(TimelineKind::Email) => messages::list(&id, messages),
        Some(TimelineKind::Task) => tasks::list(tasks),
        _ => None,
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/people">"People"</a></li>
                    {row.school_id.clone().map(|id| view! { <li class="id">{id}</li> })}
                </ol>
                <div class="title">
                    <h1>{person.full_name.clone()}</h1>
                    {row.program_status.map(|status| view! { <StatusBadge status/> })}
                    {pending}
                    {aside.map(|words| view! { <span class="meta soft nowrap">{words}</span> })}
                </div>
                {brief(&person, contact)}
            </div>
            <div class="line">
                {reached.then(|| acts(&row.id.to_string(), &permissions))}
                <WatchToggle id=row.id.to_string() since=person.watched_date reached/>
                {(role == Role::Administrator).then(|| view! {
                    <a class="button quiet" href=format!("/people/{}/erase", row.id)>"Erase…"</a>
                })}
            </div>
        </header>
        {refused}
        {beyond}
        {reached.then(|| alert::latest(alerts))}
        <div class="columns">
            <div>
                <div class="stack">
                    {reached.then(|| view! {
                        {ahead}
                        <timeline::Happenings person=id timeline own_list search/>
                    })}
                </div>
                {reached.then(|| view! { <facts::Facts person/> })}
            </div>
        </div>
    }
}

/// When they were last written to, as far as the reader can see it.
fn contact(messages: &[Message]) -> AnyView {
    let went = |message: &&Message| matches!(message.state, MessageState::Sent | MessageState::Uncertain);
    match messages.iter().find(went) {
        Some(message) => view! { <span>"Last emailed "<Time at=message.date date=true/></span> }.erase(),
        None => view! { <span>"No sent emails on record"</span> }.erase(),
    }
}

/// Who this is, in a line: on a small screen the details are far below.
fn brief(person: &PersonDetail, contact: Option<AnyView>) -> Option<AnyView> {
    let row = &person.row;
    let studies = [&row.declared_major, &row.home_campus].into_iter().flatten().cloned().collect::<Vec<_>>().join(", ");
    let since = [&row.student_type, &row.start_term].into_iter().flatten().cloned().collect::<Vec<_>>().join(", ");
    let coach = person.coach.as_ref().map(|coach| format!("Coach {coach}")).unwrap_or_default();
    let facts: Vec<_> = [studies, since, coach].into_iter().filter(|fact| !fact.is_empty()).collect();
    let facts = facts.into_iter().map(|fact| view! { <span>{fact}</span> }).collect::<Vec<_>>();
    (!facts.is_empty() || contact.is_some()).then(|| view! { <p class="facts">{facts}{contact}</p> }.erase())
}

/// What is most often done about one person.
pub const ACTS: [TaskKind; 3] = [TaskKind::Email, TaskKind::ProgramStatus, TaskKind::EarlyAlert];

/// Leads to each action that may be done, aimed at this person alone.
fn acts(id: &str, permissions: &[Permission]) -> AnyView {
    let offered = offered_to(permissions);
    let buttons = ACTS.iter().filter_map(|kind| offered.iter().find(|offered| offered.kind == *kind));
    let buttons = buttons.enumerate().map(|(place, offered)| {
        let class = if place == 0 { "button primary" } else { "button" };
        view! {
            <button class=class name="kind" value=offered.kind.name()><Icon name=offered.icon/>{offered.words}</button>
        }
    });
    view! {
        <form class="line" method="post" action=api::SelectPerson::url() aria-label="Actions">
            <input type="hidden" name="id" value=id.to_owned()/>
            {buttons.collect_view()}
        </form>
    }
    .erase()
}

/// Onto the watch list or off it, at once.
#[component]
fn WatchToggle(id: String, since: Option<model::Instant>, reached: bool) -> impl IntoView {
    let watched = since.is_some();
    let words = if watched { "Stop watching" } else { "Watch" };
    // Of those within reach it stands among their details.
    let since = since.filter(|_| !reached);
    (watched || reached).then(|| {
        view! {
            {since.map(|at| view! { <span class="meta soft">"watched " {time::since(at)} " " <Time at date=true/></span> })}
            <form method="post" action=api::WatchPerson::url()>
                <input type="hidden" name="id" value=id/>
                <input type="hidden" name="watched" value=if watched { "" } else { "yes" }/>
                <button class="button" aria-pressed=if watched { "true" } else { "false" }><Icon name="watch"/>{words}</button>
            </form>
        }
    })
}
