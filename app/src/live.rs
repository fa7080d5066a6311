//! Live updates: what the badge in the top bar says, who holds them back, and the event stream behind them. A page is followed
//! by the topics that its markup names, and asks for itself again whenever something of them has happened.

mod stream;

use std::{cell::RefCell, rc::Rc, time::Duration};

use leptos::prelude::*;
use model::{AccountId, TaskRow};
use web_sys::Element;

use crate::components::values::numbers;
use crate::{components::values::time::now, url};
use stream::{Stream, StreamEvent};

/// How often the connection is looked after, and the list fetched while there is none.
const TICK: Duration = Duration::from_secs(5);
/// How often it is asked whether the stream still says something.
const LISTEN: Duration = Duration::from_secs(1);
/// After this long without a word the connection is taken for lost, in milliseconds. The server says something every three seconds.
const SILENT: f64 = 10_000.0;
/// After this long without a connection the page calls itself stale, in milliseconds.
const STALE: f64 = 15_000.0;

/// The element of the page that is asked for again.
const PAGE: &str = "page";
/// Says on the document that rows stay as they are.
const HELD: &str = "data-held";

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
#[derive(Clone)]
pub struct Live {
    pub link: ArcRwSignal<Link>,
    /// Paused by the reader.
    pub paused: ArcRwSignal<bool>,
    /// How many people or tasks are selected: rows must not change under a selection.
    pub held: ArcRwSignal<u64>,
    /// The task that the page is about, as it was heard of last.
    pub task: ArcRwSignal<Option<TaskRow>>,
    /// A task of the reader's that has ended while the page was open.
    pub ended: ArcRwSignal<Option<TaskRow>>,
    /// Goes up when the reader's running tasks may be others.
    pub running: ArcRwSignal<u32>,
    topics: ArcRwSignal<String>,
    account: ArcRwSignal<Option<AccountId>>,
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
            let more = format!(", {} selected", numbers::grouped(held));
            return Badge { state: "paused", label: "Paused".to_owned(), more };
        }
        Link::Off => ("paused", "Not live".to_owned()),
        Link::Open => ("on", "Live".to_owned()),
        Link::Lost(since) if now - since > STALE => ("stale", format!("Not updated since {}", clock(since))),
        Link::Lost(_) => ("reconnecting", "Reconnecting".to_owned()),
    };
    Badge { state, label, more: String::new() }
}

impl Live {
    fn new() -> Live {
        Live {
            link: ArcRwSignal::new(Link::Off),
            paused: ArcRwSignal::new(false),
            held: ArcRwSignal::new(0),
            task: ArcRwSignal::new(None),
            ended: ArcRwSignal::new(None),
            running: ArcRwSignal::new(0),
            topics: ArcRwSignal::new(String::new()),
            account: ArcRwSignal::new(None),
        }
    }

    /// Those of the browser's page, of which there is one. On the server, which renders many at once, each asks for its own.
    pub fn of_page() -> Live {
        thread_local! {
            static LIVE: RefCell<Option<Live>> = const { RefCell::new(None) };
        }
        match cfg!(target_arch = "wasm32") {
            true => LIVE.with_borrow_mut(|live| live.get_or_insert_with(Live::new).clone()),
            false => Live::new(),
        }
    }

    /// Takes note of a task of the reader's that has come to its end, for whoever is looking elsewhere.
    fn note(&self, row: &TaskRow) {
        if self.account.get_untracked() == Some(row.owner_id) {
            let own_page = self.topics.with_untracked(|topics| *topics == format!("task:{}", row.id));
            if row.status.is_finished() && !own_page {
                self.ended.set(Some(row.clone()));
            }
            self.running.update(|n| *n += 1);
        }
    }

    /// Whether rows may change now.
    fn flows(&self) -> bool {
        !self.paused.get() && self.held.get() == 0
    }

    /// Takes over what the page follows.
    pub fn arrive(&self) {
        let page = document().get_element_by_id(PAGE);
        let said = |name| page.as_ref().and_then(|page| page.get_attribute(name));
        self.account.set(said("data-account").and_then(|id| id.parse().ok()));
        let topics = said("data-topics").unwrap_or_default();
        if self.topics.with_untracked(|before| *before != topics) {
            self.topics.set(topics);
        }
    }

    /// Follows the pages that are shown, for as long as there are scripts.
    pub fn follow(&self) {
        self.paused.set(starts_paused());
        connect(self.clone());
    }
}

/// Says that the page may not be as it is any more.
fn changed() {
    url::tell("docket:changed", "");
}

/// Whether what the page has now holds for the moment between its first paint and the connection.
fn is_fresh() -> bool {
    let page: Option<Element> = document().get_element_by_id(PAGE);
    page.is_none_or(|page| page.has_attribute("data-fresh"))
}

fn connect(live: Live) {
    let stream = StoredValue::new_local(None::<Stream>);
    let known = StoredValue::new(false);
    let last_word = StoredValue::new(now());
    let refetch = {
        let live = live.clone();
        move || {
            changed();
            live.running.update(|n| *n += 1);
        }
    };
    let lost = {
        let live = live.clone();
        move || {
            if !matches!(live.link.get_untracked(), Link::Lost(_)) {
                live.link.set(Link::Lost(now()));
            }
        }
    };
    let hear = {
        let (live, refetch, lost) = (live.clone(), refetch.clone(), lost.clone());
        move |heard: StreamEvent| match heard {
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
                if live.topics.with_untracked(|topics| *topics == format!("task:{}", row.id)) {
                    live.task.set(Some(*row));
                }
                changed();
            }
            StreamEvent::Alive => {}
            StreamEvent::Beat => changed(),
            StreamEvent::Missed => refetch(),
            StreamEvent::Broken => lost(),
        }
    };
    let heard: Rc<dyn Fn(StreamEvent)> = Rc::new(move |heard| {
        if !matches!(heard, StreamEvent::Broken) {
            last_word.set_value(now());
        }
        hear(heard);
    });
    let open = {
        let (live, lost) = (live.clone(), lost.clone());
        move || {
            let opened = live.topics.with_untracked(|topics| Stream::open(topics, heard.clone()));
            if opened.is_none() {
                lost();
            }
            stream.set_value(opened);
        }
    };

    // A memo, because what it reads is set again and again to what it was, and each time would open a new stream.
    let flows = {
        let (live, off) = (live.clone(), switched_off());
        Memo::new(move |_| live.flows() && !off)
    };
    Effect::new({
        let (live, open) = (live.clone(), open.clone());
        move |_| {
            let wanted = live.topics.with(|topics| !topics.is_empty());
            let flows = flows.get();
            if let Some(root) = document().document_element() {
                let _ = root.toggle_attribute_with_force(HELD, !flows);
            }
            stream.set_value(None);
            live.link.set(Link::Off);
            if flows && wanted {
                known.set_value(is_fresh());
                open();
            }
        }
    });

    let look_after = {
        let (live, open) = (live.clone(), open.clone());
        move || {
            if !flows.get_untracked() || live.topics.with_untracked(String::is_empty) {
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
        }
    };
    let listen = move || {
        if live.link.get_untracked() == Link::Open && now() - last_word.get_value() > SILENT {
            live.link.set(Link::Lost(last_word.get_value()));
            open();
        }
    };
    set_interval(look_after.clone(), TICK);
    set_interval(listen, LISTEN);
    let _ = window_event_listener(leptos::ev::visibilitychange, move |_| look_after());
}

/// `?live=off` in the address with which the page was opened. It holds however its list is turned over, and no link carries it on to
/// another page: whoever wants none to move says so in the settings.
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
        assert_eq!(say(Link::Lost(1_000.0), false, 0).label, "Not updated since 14:02");
        assert_eq!(say(Link::Lost(1_000.0), false, 0).state, "stale");
    }
}
