//! What stands around every page but the sign-in: skip links, top bar, rail, and the page itself.

pub mod bell;
pub mod go_dialog;
pub mod keys;
pub mod keys_dialog;
pub mod rail;
pub mod toast;
pub mod topbar;

use leptos::prelude::*;
use model::{Me, Problem};

use super::{
    blank::Refused,
    title::PageTitle,
    type_erasure::Erase,
    values::time::{RenderedAt, on_paper},
};
use crate::refusal::Refusal;
use go_dialog::go_dialog;
use rail::{SavedViews, rail};
use toast::Toast;
use topbar::topbar;

/// A page as it is put into its frame.
pub struct PageContent {
    pub title: String,
    pub view: AnyView,
    /// Parts of the page to skip to, by id and name, after the page itself.
    pub skips: &'static [(&'static str, &'static str)],
    /// What it follows; nothing for a page that stays as it is.
    pub pulse: Option<Pulse>,
    /// The topics of the event stream; a page that stays as it is hears of the end of tasks all the same.
    pub topics: String,
}

/// How a page that moves by itself asks for itself again.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulse {
    /// The query string that brings what is on the page as it is by then.
    pub again: String,
    /// The least time between two looks, in milliseconds.
    pub wait: u32,
    /// Whether what it shows still holds when the stream is opened.
    pub is_fresh: bool,
}

impl PageContent {
    pub fn new(title: impl Into<String>, view: AnyView) -> PageContent {
        PageContent { title: title.into(), view, skips: &[], pulse: None, topics: "tasks".to_owned() }
    }
}

/// What somebody who is signed in has around every page.
#[derive(Default)]
pub struct Around {
    pub bell: Option<AnyView>,
    pub views: SavedViews,
    /// How many tasks wait for the reader's decision; nothing where no task needs a second person.
    pub approvals: Option<u64>,
    /// Where the help is for whoever is there.
    pub help: Option<String>,
    /// Where one goes to whatever one can name, with those who are selected on the page.
    pub go: String,
}

/// What paper begins with: whose it is, and how old.
fn printed(me: &Me) -> Option<AnyView> {
    let at = use_context::<RenderedAt>()?.now;
    let name = me.name.clone();
    Some(view! { <p class="printed meta">"Docket · "{name}" · as of "{on_paper(at)}</p> }.erase())
}

/// A page in its frame.
pub fn frame(page: PageContent, me: Option<&Me>, running: u64, around: Around, path: &str) -> AnyView {
    let PageContent { title, view, skips, pulse, topics } = page;
    let is_live = pulse.is_some();
    let (again, wait, is_fresh) = match pulse {
        Some(pulse) => (Some(pulse.again), Some(pulse.wait.to_string()), pulse.is_fresh),
        None => (None, None, true),
    };
    let account = me.map(|me| me.person_id.to_string());
    view! {
        <PageTitle text=format!("{title} · Docket")/>
        <nav class="skip" aria-label="Skip" id="skip">
            <a href="#content">"Skip to the page"</a>
            {skips.iter().map(|(id, name)| view! { <a href=format!("#{id}")>{*name}</a> }).collect_view()}
        </nav>
        <div class="shell">
            {topbar(me, is_live, around.bell, around.help, around.go)}
            {rail(me, running, around.approvals, around.views, path)}
            <main id="content" tabindex="-1">
                {me.and_then(printed)}
                <div
                    class="page"
                    id="page"
                    data-account=account
                    data-topics=topics
                    data-again=again
                    data-wait=wait
                    data-fresh=is_fresh
                >
                    {view}
                </div>
            </main>
        </div>
        <Toast/>
        {me.map(|_| go_dialog())}
        // Shown in the place of the page where an answer says so.
        <template id="ended">
            <Refused whole=true refusal=Refusal(Problem::signed_out()) retry=String::new()/>
        </template>
    }
    .erase()
}
