//! Pages that the server renders whole, all of them behind one component: the browser puts their markup in place without
//! knowing how it is made, so that one more of them costs it nothing to download.

pub mod api;
pub mod sheet;

use std::time::Duration;

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::{
    answer::{Answer, Html, Load, load, read},
    components::{blank::Refused, frame::Frame, loaded::Loaded, title::PageTitle, type_erasure::Erase},
    live, url,
};
use sheet::Sheet;

/// How often a page that moves looks whether something has happened.
const LOOK: Duration = Duration::from_millis(400);

/// How long until a page that could not be brought anew is asked for again.
const AGAIN: Duration = Duration::from_secs(2);

/// The pages below an address that has one route for all of them: each is a page of its own.
#[component]
pub fn ServedPages() -> impl IntoView {
    let path = url::own_path();
    // Still while the browser is on its way to a page with a route of its own.
    let here = Memo::new(move |before: Option<&String>| {
        let path = path.get();
        let ours = path.starts_with("/admin/") && path != "/admin/import";
        before.filter(|_| !ours).cloned().unwrap_or(path)
    });
    move || {
        // Read, since a memo that nobody reads follows nothing.
        here.with(|_| ());
        view! { <ServedPage/> }.erase()
    }
}

/// What a page that moves has been told, and what it waits for.
#[derive(Clone, Copy)]
struct Motion {
    /// What it asks for instead of its own address; empty while it asks for that.
    again: RwSignal<String>,
    topics: RwSignal<String>,
    state: StoredValue<SheetState>,
}

#[derive(Default)]
struct SheetState {
    /// What the sheet says to ask for next; nothing while another one is on its way.
    asks: Option<String>,
    /// Whether something has happened since it was asked for last.
    happened: bool,
    /// Whether an answer is on its way.
    waits: bool,
    /// The markup that is shown.
    shown: Option<Html>,
}

impl Motion {
    /// Something has happened.
    fn note(self) {
        self.state.update_value(|state| state.happened = true);
    }

    /// The page is brought from its beginning: what this one would ask for is over.
    fn begin_anew(self) {
        self.state.update_value(|state| state.asks = None);
        self.again.set(String::new());
    }

    /// What is to be asked for now, if anything.
    fn due(self) -> Option<String> {
        self.state.try_update_value(|state| {
            let due = state.happened && !state.waits;
            let asks = state.asks.clone().filter(|_| due)?;
            (state.happened, state.waits) = (false, true);
            Some(asks)
        })?
    }
}

/// Whichever page is at this address.
#[component]
pub fn ServedPage() -> impl IntoView {
    let search = url::own_search();
    let path = url::own_path().get_untracked();
    let asked = path.clone();
    // Nobody is signed in there yet.
    let path_is_bare = matches!(path.as_str(), "/login" | "/setup");
    let moves = path.starts_with("/admin");
    let motion = Motion {
        again: RwSignal::default(),
        // Pages that stay as they are say the end of a task all the same.
        topics: RwSignal::new("tasks".to_owned()),
        state: StoredValue::default(),
    };
    let query = Memo::new(move |_| {
        let again = motion.again.get();
        if again.is_empty() { search.get() } else { again }
    });
    let found = load(move || (asked.clone(), query.get()), |path, search| Box::pin(api::sheet(path, search)));
    let title = RwSignal::new(String::new());
    let show = move |answer: Answer| {
        motion.state.update_value(|state| state.waits = false);
        match read::<Sheet>(answer) {
            Ok(sheet) => {
                title.set(sheet.title);
                // What answers a question from before says nothing of what to ask next.
                let current =
                    query.with_untracked(|query| query.trim_start_matches('?') == sheet.of.trim_start_matches('?'));
                if let Some(pulse) = sheet.pulse.filter(|_| current) {
                    motion.topics.set(pulse.topics);
                    motion.state.update_value(|state| {
                        (state.asks, state.shown) = (Some(pulse.again), Some(sheet.html.clone()));
                    });
                }
                view! { <Live html=sheet.html motion/> }.erase()
            }
            Err(refusal) => {
                // What is shown is better than nothing, and is asked for again before long.
                let lost = refusal.0.status >= 500 || refusal.0.status == 429;
                let shown =
                    motion.state.with_value(|state| state.shown.clone().filter(|_| lost && state.asks.is_some()));
                if let Some(html) = shown {
                    set_timeout(move || motion.note(), AGAIN);
                    return view! { <Live html motion/> }.erase();
                }
                title.set(refusal.0.title.clone());
                view! { <Refused refusal retry=url::join(&path, &search.get_untracked())/> }.erase()
            }
        }
    };
    if !path_is_bare {
        live::follow(move || motion.topics.get(), true, move |_| motion.note());
        if moves {
            move_on(search, query, motion, found);
        }
    }
    Effect::new(move |before: Option<String>| {
        let now = title.get();
        // What had the focus is gone with the sheet before; one that moves is still the same.
        if before.is_some_and(|before| !before.is_empty() && before != now)
            && !moves
            && let Some(main) = document().get_element_by_id("content")
            && let Some(main) = main.dyn_ref::<web_sys::HtmlElement>()
        {
            let _ = main.focus();
        }
        now
    });
    if path_is_bare {
        // As in the frame: asked for outside of the page.
        let title = ArcRwSignal::from(title);
        return view! {
            <PageTitle text=move || format!("{} · Docket", title.get())/>
            <div class="login"><main id="content" tabindex="-1"><Loaded from=found show/></main></div>
        }
        .erase();
    }
    view! { <Frame title live=moves><Loaded from=found show what="the page"/></Frame> }.erase()
}

/// Brings what is on the page as it is now, whenever something has happened.
fn move_on(search: Memo<String>, query: Memo<String>, motion: Motion, found: Load) {
    let live = live::Live::expect();
    Effect::new(move |before: Option<String>| {
        let now = search.get();
        if before.is_some_and(|before| before != now) {
            motion.begin_anew();
        }
        now
    });
    live.on_resync(move || motion.note());
    Effect::new(move |_| {
        live.beat.track();
        motion.note();
    });
    let look = move || {
        if !live.flows() {
            return;
        }
        match motion.due() {
            // What is asked for already is not asked for by saying so again.
            Some(asks) if query.with_untracked(|query| *query == asks) => found.refetch(),
            Some(asks) => motion.again.set(asks),
            None => {}
        }
    };
    Effect::new(move |_| {
        let timer = set_interval_with_handle(look, LOOK);
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
        });
    });
}

/// The markup. A choice marked with `data-says` writes that on the button that it decides about; a link marked with `data-anew`
/// brings the page from its beginning, even if it leads to where one is.
#[component]
fn Live(html: Html, motion: Motion) -> impl IntoView {
    let page = NodeRef::<html::Div>::new();
    let live = live::Live::expect();
    // Rows stay as they are under a selection.
    let hold = move || {
        let chosen = page.get_untracked().and_then(|page| page.query_selector_all("input[name=only]:checked").ok());
        live.held.set(chosen.map_or(0, |chosen| chosen.length().into()));
    };
    // What was chosen may have left with its row.
    Effect::new(move |_| {
        page.track();
        hold();
    });
    let on_change = move |event: web_sys::Event| {
        hold();
        let chosen = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let says = chosen.and_then(|chosen| chosen.get_attribute("data-says"));
        let button = page.get_untracked().and_then(|page| page.query_selector("button[data-said]").ok().flatten());
        if let (Some(says), Some(button)) = (says, button) {
            button.set_text_content(Some(&says));
        }
    };
    let on_click = move |event: web_sys::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.and_then(|target| target.closest("[data-anew]").ok().flatten()).is_some() {
            event.prevent_default();
            motion.begin_anew();
        }
    };
    view! { <div node_ref=page on:change=on_change on:click=on_click>{html}</div> }
}
