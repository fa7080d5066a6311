//! What happened to a task, latest first. A wait that comes again and again is one line, which can be opened. The server renders
//! it.

use chrono::TimeDelta;
use leptos::prelude::*;
use model::{
    TaskState,
    task::{Event, EventKind},
};

use crate::components::values::numbers::counted;
use crate::components::{
    icon::Icon,
    type_erasure::Erase,
    values::time::{Time, span},
};

/// As many waits of one sort, one after the other, are told in one line.
const MANY: usize = 3;

/// The list.
pub fn list(events: &[Event]) -> AnyView {
    let mut lines = Vec::new();
    let mut rest = events;
    while let Some((first, others)) = rest.split_first() {
        let waits = alike(rest);
        rest = match rest.split_at_checked(waits * 2).filter(|_| waits >= MANY) {
            Some((waits, after)) => {
                lines.push(folded(waits));
                after
            }
            None => {
                lines.push(entry(first));
                others
            }
        };
    }
    view! { <ol class="timeline">{lines}</ol> }.erase()
}

/// How many times the same has happened at the beginning of these: a stop, after which (and so before it here) it went on.
fn alike(events: &[Event]) -> usize {
    let pairs = events.as_chunks::<2>().0.iter();
    let stops = |stop: &Event| matches!(stop.kind, EventKind::Interrupted | EventKind::Trouble);
    let first = events.get(1);
    pairs
        .take_while(|[on, stop]| {
            let same = first.is_some_and(|first| (&first.text, &first.note) == (&stop.text, &stop.note));
            on.kind == EventKind::Started && on.note.is_none() && stops(stop) && same
        })
        .count()
}

/// What is said of several waits.
struct Waits<'a> {
    title: String,
    /// What happened each time.
    what: &'a Event,
    first: model::Instant,
    last: model::Instant,
}

fn waits(events: &[Event]) -> Option<Waits<'_>> {
    let pairs = events.as_chunks::<2>().0;
    let ([_, last], [_, first]) = (pairs.first()?, pairs.last()?);
    let all: TimeDelta = pairs.iter().map(|[on, stop]| on.date - stop.date).sum();
    let what = if last.kind == EventKind::Trouble { "Failed and waited" } else { "Waited" };
    let times = counted(pairs.len() as u64, "time", "times");
    let all = span(all.num_seconds().unsigned_abs());
    Some(Waits { title: format!("{what} {times}, {all} in all"), what: last, first: first.date, last: last.date })
}

fn folded(events: &[Event]) -> AnyView {
    let Some(Waits { title, what, first, last }) = waits(events) else { return ().erase() };
    let (_, tone) = look(what);
    let note = what.note.clone().map(|note| format!(". {note}"));
    view! {
        <li>
            <Icon name="retrying" tone/>
            <div>
                <details class="disclosure">
                    <summary><Icon name="right"/>{title}</summary>
                    <p class="soft">{format!("Each time: {}", what.text)}{note}</p>
                    <p class="soft">"First at "<Time at=first exact=true/>", last at "<Time at=last exact=true/></p>
                </details>
            </div>
        </li>
    }
    .erase()
}

fn entry(event: &Event) -> AnyView {
    let (name, tone) = look(event);
    let text = match event.task_id {
        Some(id) => view! { <a href=format!("/tasks/{id}")>{event.text.clone()}</a> }.erase(),
        None => event.text.clone().erase(),
    };
    view! {
        <li>
            <Icon name tone/>
            <div>
                {text}
                <Time at=event.date exact=true/>
                {event.note.clone().map(|note| view! { <small>{note}</small> })}
            </div>
        </li>
    }
    .erase()
}

/// As the badge of the state that it led to.
fn look(event: &Event) -> (&'static str, &'static str) {
    match event.kind {
        EventKind::Trouble if event.text.starts_with(TaskState::DoneWithProblems.label()) => ("problems", "is-warn"),
        EventKind::Trouble if event.text == Event::TO_RETRY => ("retrying", "is-warn"),
        EventKind::Submitted | EventKind::Ended => ("done", "is-ok"),
        EventKind::Started => ("running", "is-accent"),
        EventKind::Interrupted => ("retrying", "is-warn"),
        EventKind::Trouble => ("failed", "is-danger"),
        EventKind::Undone => ("undo", ""),
        EventKind::Stopped => ("cancelled", ""),
        EventKind::Moved => ("scheduled", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(second: u32, kind: EventKind, text: &str) -> Event {
        let date = format!("2026-11-21T14:{:02}:{:02}Z", second / 60, second % 60).parse().unwrap();
        Event { date, kind, text: text.to_owned(), note: None, task_id: None }
    }

    #[test]
    fn waits_of_one_sort_are_one_line() {
        let mut events = vec![event(0, EventKind::Submitted, "Submitted"), event(1, EventKind::Started, "Started")];
        for wait in 0..24 {
            events.push(event(10 + wait * 20, EventKind::Interrupted, "Waiting to retry"));
            events.push(event(25 + wait * 20, EventKind::Started, "Resumed"));
        }
        events.push(event(500, EventKind::Trouble, Event::TO_RETRY));
        events.push(event(510, EventKind::Started, "Resumed"));
        events.reverse();
        assert_eq!(alike(&events), 1, "the latest was of another sort");
        let rest = &events[2..];
        assert_eq!(alike(rest), 24);
        let told = waits(&rest[..48]).unwrap();
        assert_eq!(told.title, "Waited 24 times, 6 min in all");
        assert_eq!(
            (told.first, told.last),
            (event(10, EventKind::Started, "").date, event(470, EventKind::Started, "").date)
        );
        assert_eq!(alike(&rest[48..]), 0, "what began it is told by itself");
        assert_eq!(look(&events[1]), ("retrying", "is-warn"), "as its badge, not as one that failed for good");
    }
}
