//! What happened to a person: all of it, or one sort of entry, a page at a time.

use leptos::prelude::*;
use model::{
    Outcome,
    person::MessageState,
    timeline::{Happened, Timeline, TimelineEntry, TimelineKind},
};

use super::messages;
use crate::{
    components::{
        icon::Icon,
        tip::Tip,
        type_erasure::Erase,
        values::{
            badge::{NowThen, OutcomeBadge},
            time::Time,
        },
    },
    help::hint::Hint,
    url,
};

/// Which sort of entry is shown, in the address.
pub const ONLY: &str = "only";

/// That sort; nothing where all of it is shown.
pub fn only(search: &str) -> Option<TimelineKind> {
    url::value(search, ONLY).and_then(|only| only.parse().ok())
}

/// The section.
#[component]
pub fn Happenings(
    person: String,
    timeline: Timeline,
    /// What stands in place of the entries of a sort.
    own_list: Option<AnyView>,
    search: String,
) -> impl IntoView {
    let page = format!("/people/{person}");
    let only = only(&search);
    let kinds = [None].into_iter().chain(TimelineKind::ALL.iter().copied().map(Some));
    let kinds = kinds.map(|kind| {
        let href = url::join(&page, &url::set(&search, ONLY, kind.map(TimelineKind::name)));
        let label = kind.map_or("All", TimelineKind::label);
        view! { <li><a href=href aria-current=(kind == only).then_some("true")>{label}</a></li> }
    });
    let first = (!url::begins(&search)).then(|| {
        view! { <a class="button" href=url::join(&page, &url::from_first(&search))>"First page"</a> }
    });
    let next = timeline.next.map(|next| {
        view! { <a class="button" href=url::join(&page, &url::following(&search, &next))>"Next"</a> }
    });
    let pager = (own_list.is_none() && (first.is_some() || next.is_some()))
        .then(|| view! { <div class="pager"><div></div><div>{first}{next}</div></div> });
    let alerted = timeline.entries.iter().any(|entry| matches!(entry.what, Happened::Alert { .. }));
    let tip = alerted.then(|| view! { <div><Tip on=Hint::EarlyAlert/></div> });
    let entries = match (own_list, timeline.entries.is_empty()) {
        (Some(list), _) => list,
        (None, true) => view! { <p class="soft">{nothing(only)}</p> }.erase(),
        (None, false) => {
            view! { <ol class="timeline">{timeline.entries.into_iter().map(entry).collect_view()}</ol> }.erase()
        }
    };
    // Paper has no tabs that say what is left out.
    let narrowed = only.map(|only| format!(": {}", only.label()));
    view! {
        <section aria-labelledby="h-timeline">
            <div class="section"><h2 id="h-timeline">"Timeline"{narrowed}</h2>{tip}</div>
            <nav aria-label="Sort of entry"><ul class="tabs">{kinds.collect_view()}</ul></nav>
            {entries}
            {pager}
        </section>
    }
}

fn entry(entry: TimelineEntry) -> AnyView {
    let TimelineEntry { key, date, what, by_name, task_id, is_undo } = entry;
    let (name, tone) = if is_undo { ("undo", "") } else { look(&what) };
    let href = task_id.map(|task| format!("/tasks/{task}"));
    // The entry of a task is called by it, and needs no other link.
    let link = href.clone().filter(|_| !matches!(what, Happened::Task { .. }));
    let (what, mut notes) = told(what, href, is_undo);
    notes.extend(by_name.map(|name| format!("by {name}")));
    let notes = notes.join(" · ");
    let between = (!notes.is_empty() && link.is_some()).then_some(" · ");
    view! {
        <li data-key=key>
            <Icon name tone/>
            <div>
                {what}
                <Time at=date/>
                <small>{notes}{between}{link.map(|href| view! { <a href=href>"Task"</a> })}</small>
            </div>
        </li>
    }
    .erase()
}

/// What is said of it, and what stands below that.
fn told(what: Happened, task: Option<String>, is_undo: bool) -> (AnyView, Vec<String>) {
    let some = |notes: [Option<String>; 2]| notes.into_iter().flatten().collect();
    match what {
        Happened::Status { before, after, why } => {
            let (now, then) = (before.map(|before| before.label().to_owned()), Some(after.label().to_owned()));
            let undone = is_undo.then_some("Undone, back to ");
            let (now, then) = if is_undo { (None, then) } else { (now, then) };
            let words = view! { <span class="line">{undone}<NowThen now then verb="became"/></span> };
            (words.erase(), why)
        }
        Happened::Email { subject, state, address, reply } => {
            let state = state.label().to_lowercase();
            (format!("Email “{subject}”: {state}").erase(), some([address, reply]))
        }
        Happened::Bounced { subject, note } => (format!("Email “{subject}” bounced").erase(), some([note, None])),
        Happened::Alert { reason, comment } => {
            (format!("Early alert: {}", reason.label()).erase(), some([comment, None]))
        }
        Happened::Journal(entry) => (entry.erase(), vec!["Journal".to_owned()]),
        Happened::Coach { former, now } => {
            let words = match (former, now) {
                (_, Some(now)) if is_undo => format!("Change of coach undone, back to {now}"),
                (_, None) if is_undo => "Change of coach undone, back to no coach".to_owned(),
                (Some(former), Some(now)) => format!("Coach changed from {former} to {now}"),
                (None, Some(now)) => format!("Coach changed to {now}"),
                (Some(former), None) => format!("{former} is not the coach any more"),
                (None, None) => "Coach changed".to_owned(),
            };
            (words.erase(), Vec::new())
        }
        Happened::Watched => ("Put on a watch list".erase(), Vec::new()),
        Happened::Task { title, outcome, reason, before, after } => {
            let changed = after.is_some().then(|| view! { <NowThen now=before then=after verb="became"/> });
            let told = view! {
                <span class="line">
                    <a href=task>{title}</a>
                    <OutcomeBadge outcome=Some(outcome)/>
                    {changed}
                </span>
            };
            (told.erase(), some([reason, None]))
        }
        Happened::Added => ("Added to Docket".erase(), Vec::new()),
    }
}

fn look(what: &Happened) -> (&'static str, &'static str) {
    match what {
        Happened::Status { .. } | Happened::Coach { .. } => ("swap", ""),
        Happened::Email { state: MessageState::Sent, .. } => ("mail", "is-ok"),
        Happened::Email { state, .. } => {
            let (name, tone) = messages::look(*state);
            let tones = [("accent", "is-accent"), ("ok", "is-ok"), ("warn", "is-warn"), ("danger", "is-danger")];
            (name, tones.into_iter().find(|(of, _)| *of == tone).map_or("", |(_, tone)| tone))
        }
        Happened::Bounced { .. } => ("undo", "is-warn"),
        Happened::Alert { .. } => ("problems", "is-warn"),
        Happened::Journal(_) => ("file", ""),
        Happened::Watched => ("watch", ""),
        // What became of this person, whatever became of others.
        Happened::Task { outcome: Outcome::Done, .. } => ("done", "is-ok"),
        Happened::Task { outcome: Outcome::Skipped, .. } => ("skipped", ""),
        Happened::Task { outcome: Outcome::Failed, .. } => ("failed", "is-danger"),
        Happened::Task { outcome: Outcome::Uncertain, .. } => ("uncertain", "is-warn"),
        Happened::Added => ("plus", "is-ok"),
    }
}

/// What is said where there is no entry.
fn nothing(only: Option<TimelineKind>) -> &'static str {
    match only {
        None => "Nothing has happened yet.",
        Some(TimelineKind::Status) => "No status on record.",
        Some(TimelineKind::Email) => "No emails on record.",
        Some(TimelineKind::Alert) => "No early alerts.",
        Some(TimelineKind::Journal) => "No journal entries.",
        Some(TimelineKind::Coach) => "No change of coach on record.",
        Some(TimelineKind::Watch) => "On nobody’s watch list so far.",
        Some(TimelineKind::Task) => "No tasks on record.",
    }
}
