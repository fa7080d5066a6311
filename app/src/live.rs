//! Live updates: what the badge in the top bar says, who holds them back, and the following of a topic. A page that follows
//! nothing has no badge. Everything a page misses while it does not listen it fetches again through its ordinary server
//! function.

mod stream;

use std::{rc::Rc, sync::Arc, time::Duration};

use leptos::prelude::*;
use model::TaskRow;

use crate::{account::Account, components::values::time::now};
use stream::{Stream, StreamEvent};

/// How often the connection is looked after, and the list fetched while there is none.
const TICK: Duration = Duration::from_secs(5);
/// How often it is asked whether the stream still says something.
const LISTEN: Duration = Duration::from_secs(1);
/// After this long without a word the connection is taken for lost, in milliseconds. The server says something every three seconds.
const SILENT: f64 = 10_000.0;
/// After this long without a connection the page calls itself stale, in milliseconds.
const STALE: f64 = 15_000.0;

/// Where the connection is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// Not opened: no scripts yet, or switched off in the address.
    Off,
    Open,
    /// Lost since this moment, in milliseconds since 1970.
    Lost(f64),
}

/// Live updates of the page that is shown.
#[derive(Clone, Copy)]
pub struct Live {
    pub link: RwSignal<Link>,
    /// Paused by the reader.
    pub paused: RwSignal<bool>,
    /// How many people are selected: rows must not change under a selection.
    pub held: RwSignal<u64>,
    /// Goes up when the page should fetch everything again.
    pub resync: RwSignal<u32>,
    /// Goes up with each look at the queue as a whole.
    pub beat: RwSignal<u32>,
    /// A task of the reader's that has ended while the page was open.
    pub ended: RwSignal<Option<TaskRow>>,
}

/// What the badge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// `on`, `paused`, `reconnecting` or `stale`.
    pub state: &'static str,
    pub label: String,
    /// What follows the label where there is room for it.
    pub more: String,
}

/// The badge for a state; `clock` writes a moment as the reader's time of day.
pub fn badge(link: Link, paused: bool, held: u64, now: f64, clock: impl Fn(f64) -> String) -> Badge {
    let (state, label) = match link {
        _ if paused => ("paused", "Paused by you".to_owned()),
        _ if held > 0 => {
            let more = format!(", {} selected", model::grouped(held));
            return Badge { state: "paused", label: "Paused".to_owned(), more };
        }
        Link::Off => ("paused", "Not live".to_owned()),
        Link::Open => ("on", "Live".to_owned()),
        Link::Lost(since) if now - since > STALE => ("stale", format!("Stale since {}", clock(since))),
        Link::Lost(_) => ("reconnecting", "Reconnecting".to_owned()),
    };
    Badge { state, label, more: String::new() }
}

impl Live {
    /// Live updates for a page; called once where the application begins.
    pub fn provide() {
        let paused = RwSignal::new(false);
        Effect::new(move |_| paused.set(starts_paused()));
        provide_context(Live {
            link: RwSignal::new(Link::Off),
            paused,
            held: RwSignal::new(0),
            resync: RwSignal::new(0),
            beat: RwSignal::new(0),
            ended: RwSignal::new(None),
        });
    }

    /// Those of the page.
    pub fn expect() -> Live {
        expect_context()
    }

    /// Does this whenever something may have been missed.
    pub fn on_resync(self, catch_up: impl Fn() + 'static) {
        Effect::new(move |before: Option<u32>| {
            let now = self.resync.get();
            if before.is_some_and(|before| before != now) {
                catch_up();
            }
            now
        });
    }

    /// Takes note of a task of the reader's that has come to its end, for whoever is looking elsewhere.
    fn note(self, row: &TaskRow) {
        let account = Account::expect();
        if account.known().is_some_and(|me| me.person_id == row.owner_id) {
            if row.status.is_finished() {
                self.ended.set(Some(row.clone()));
            }
            account.running.refetch();
        }
    }

    /// Whether rows may change now.
    pub fn flows(self) -> bool {
        !self.paused.get() && self.held.get() == 0
    }
}

/// Follows `topics` as long as the page is shown, giving each row to `on_row`; `resync` goes up whenever something may have
/// been missed. `at_once` says whether that already holds for the moment between the first paint and the connection.
pub fn follow(
    topics: impl Fn() -> String + Send + Sync + 'static,
    at_once: bool,
    on_row: impl Fn(TaskRow) + Send + Sync + 'static,
) {
    let live = Live::expect();
    let topics = Memo::new(move |_| topics());
    let on_row: OnRow = Arc::new(on_row);
    // Connections belong to the browser alone, so they are not even held while the server renders.
    Effect::new(move |_| connect(live, topics, at_once, on_row.clone()));
    on_cleanup(move || {
        live.link.set(Link::Off);
        live.held.set(0);
        live.ended.set(None);
    });
}

type OnRow = Arc<dyn Fn(TaskRow) + Send + Sync>;

fn connect(live: Live, topics: Memo<String>, at_once: bool, on_row: OnRow) {
    let stream = StoredValue::new_local(None::<Stream>);
    let known = StoredValue::new(!at_once);
    let last_word = StoredValue::new(now());
    let account = Account::expect();
    let refetch = move || {
        live.resync.update(|n| *n += 1);
        account.running.refetch();
    };
    let lost = move || {
        if !matches!(live.link.get_untracked(), Link::Lost(_)) {
            live.link.set(Link::Lost(now()));
        }
    };
    let hear = move |heard: StreamEvent| match heard {
        StreamEvent::Opened => {
            if !known.get_value() {
                refetch();
            }
            known.set_value(false);
            live.link.set(Link::Open);
        }
        StreamEvent::Row(row) => {
            if row.treated() == 0 || row.status.is_finished() {
                live.note(&row);
            }
            on_row(*row);
        }
        StreamEvent::Alive => {}
        StreamEvent::Beat => live.beat.update(|n| *n += 1),
        StreamEvent::Missed => refetch(),
        StreamEvent::Broken => lost(),
    };
    let heard: Rc<dyn Fn(StreamEvent)> = Rc::new(move |heard| {
        if !matches!(heard, StreamEvent::Broken) {
            last_word.set_value(now());
        }
        hear(heard);
    });
    let heard = StoredValue::new_local(heard);
    let open = move || {
        let opened = topics.with_untracked(|topics| Stream::open(topics, heard.get_value()));
        if opened.is_none() {
            lost();
        }
        stream.set_value(opened);
    };

    // A memo, because what it reads is set again and again to what it was, and each time would open a new stream.
    let flows = Memo::new(move |_| live.flows() && !switched_off());
    Effect::new(move |_| {
        topics.track();
        let flows = flows.get();
        stream.set_value(None);
        live.link.set(Link::Off);
        if flows {
            open();
        }
    });

    let look_after = move || {
        if switched_off() || live.paused.get_untracked() || live.held.get_untracked() > 0 {
            return;
        }
        // A browser has few connections for all its tabs: those nobody looks at give theirs back.
        if document().hidden() {
            stream.set_value(None);
            lost();
        } else if stream.with_value(|stream| stream.as_ref().is_none_or(Stream::is_closed)) {
            open();
            refetch();
        } else if live.link.get_untracked() != Link::Open {
            refetch();
        }
    };
    let listen = move || {
        if live.link.get_untracked() == Link::Open && now() - last_word.get_value() > SILENT {
            live.link.set(Link::Lost(last_word.get_value()));
            open();
        }
    };
    let timers = [set_interval_with_handle(look_after, TICK), set_interval_with_handle(listen, LISTEN)];
    let seen = window_event_listener(leptos::ev::visibilitychange, move |_| look_after());
    on_cleanup(move || {
        timers.into_iter().flatten().for_each(|timer| timer.clear());
        seen.remove();
        stream.dispose();
    });
}

/// `?live=off` in the address.
fn switched_off() -> bool {
    window().location().search().is_ok_and(|search| search.contains("live=off"))
}

/// Whether the reader wants pages to stay as they are until told otherwise.
fn starts_paused() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-live-off"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_badge_says_why_nothing_moves() {
        let say = |link, paused, held| badge(link, paused, held, 60_000.0, |_| "14:02".to_owned());
        assert_eq!(say(Link::Open, false, 0).state, "on");
        let held = say(Link::Open, false, 1_204);
        assert_eq!(held.label + &held.more, "Paused, 1,204 selected");
        assert_eq!(say(Link::Open, true, 3).label, "Paused by you");
        assert_eq!(say(Link::Lost(59_000.0), false, 0).label, "Reconnecting");
        assert_eq!(say(Link::Lost(1_000.0), false, 0).label, "Stale since 14:02");
        assert_eq!(say(Link::Lost(1_000.0), false, 0).state, "stale");
    }
}
