//! What stands around every page but the sign-in: skip links, top bar, rail, and the page itself.

pub mod help;
pub mod keys;
pub mod rail;
pub mod toast;
pub mod topbar;

use leptos::{html, prelude::*};

use super::{title::PageTitle, type_erasure::Erase, values::time::ReadersClock};
use crate::live::Live;
use rail::Rail;
use toast::Toast;
use topbar::Topbar;

/// A page in its frame.
#[component]
pub fn Frame<C: IntoView + 'static>(
    /// The server asks for it outside of the page, where only what is counted by reference can be read.
    #[prop(into)]
    title: ArcSignal<String>,
    /// Whether the page follows live updates.
    #[prop(optional)]
    live: bool,
    /// Parts of the page to skip to, by id and name, after the page itself.
    #[prop(optional)]
    skips: &'static [(&'static str, &'static str)],
    /// Whether the end of a task is said; its own page shows it anyway.
    #[prop(default = true)]
    toasts: bool,
    children: TypedChildren<C>,
) -> impl IntoView {
    frame(title, (live, toasts), skips, children.into_inner()().erase())
}

fn frame(
    title: ArcSignal<String>,
    (live, toasts): (bool, bool),
    skips: &'static [(&'static str, &'static str)],
    page: AnyView,
) -> AnyView {
    let main = NodeRef::<html::Main>::new();
    let said = ArcRwSignal::from(Live::expect().ended);
    // A page that scripts put in place of another tells nobody: the focus goes to its beginning.
    let followed_a_link = expect_context::<ReadersClock>().0.get_untracked().is_some();
    Effect::new(move |_| {
        if followed_a_link && let Some(main) = main.get() {
            let _ = main.focus();
        }
    });
    view! {
        <PageTitle text=move || {
            // For whoever has turned to another tab.
            let ended = said.get().map(|row| format!("{}: ", row.state.label()));
            format!("{}{} · Docket", ended.unwrap_or_default(), title.get())
        }/>
        <nav class="skip" aria-label="Skip">
            <a href="#content" rel="external">"Skip to the page"</a>
            {skips.iter().map(|(id, name)| view! { <a href=format!("#{id}") rel="external">{*name}</a> }).collect_view()}
        </nav>
        <div class="shell">
            <Topbar live/>
            <Rail/>
            <main id="content" tabindex="-1" node_ref=main>
                <div class="page">{page}</div>
            </main>
        </div>
        {toasts.then(|| view! { <Toast/> })}
    }
    .erase()
}
