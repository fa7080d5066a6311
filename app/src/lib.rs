//! The pages of Docket, rendered by the server and taken over by the browser. They show and ask; what is allowed and what
//! happens is decided by `caseload`, which only the bodies of server functions reach.

pub mod account;
pub mod answer;
pub mod components;
pub mod live;
pub mod pages;
pub mod refusal;
#[cfg(feature = "ssr")]
pub mod server;
pub mod url;

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{MetaTags, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Redirect, Route, Router},
    hooks::use_location,
    path,
};

use components::{
    form,
    frame::{help::Help, keys},
    icon::Sprite,
    title::TitlesAreText,
    type_erasure::Erase,
    values::time::ReadersClock,
};
use live::Live;
use model::preferences::{Preferences, Theme};
use pages::{
    not_found::NotFoundPage,
    people::PeoplePage,
    served::{ServedPage, ServedPages},
    task::TaskPage,
    tasks::TasksPage,
};

/// The document around the application, for the server; `base` is the path that Docket is served under.
pub fn shell(options: LeptosOptions, base: &str) -> impl IntoView {
    let preferences = use_context::<Preferences>().unwrap_or_default();
    let theme = (preferences.theme != Theme::Auto).then(|| preferences.theme.name());
    let script = format!("/{}/served.js", options.site_pkg_dir);
    let stylesheet = format!("/{}/docket.css", options.site_pkg_dir);
    view! {
        <!DOCTYPE html>
        <html
            lang="en"
            data-theme=theme
            data-zone=preferences.time_zone
            data-keys-off=!preferences.shortcuts
            data-live-off=!preferences.live
            data-base=(!base.is_empty()).then(|| base.to_owned())
        >
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="stylesheet" href=stylesheet/>
                <HydrationScripts options root=base/>
                <script type="module" src=script nonce=use_nonce()></script>
                <TitlesAreText/>
                <MetaTags/>
            </head>
            <body>
                <App/>
                <Sprite/>
                <Help on=preferences.shortcuts/>
            </body>
        </html>
    }
}

/// The application: every page at its address.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    ReadersClock::provide();
    Live::provide();
    Effect::new(|_| {
        keys::look_after();
        // Tests wait for this: from here on scripts answer clicks.
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-hydrated", "true");
        }
    });
    view! {
        <Router base=url::base()>
            <Pages/>
        </Router>
    }
}

/// Pages are rendered whole: without scripts nothing could put late parts in their places, and the answer's status is
/// known before its first byte.
#[component]
fn Pages() -> impl IntoView {
    account::Account::provide(use_location().pathname);
    Effect::new(|_| form::look_after());
    view! {
        <FlatRoutes fallback=NotFoundPage>
            <Route path=path!("/") view=|| view! { <Redirect path="/people"/> }.erase() ssr=SsrMode::Async/>
            <Route path=path!("/login") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/setup") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/people") view=PeoplePage ssr=SsrMode::Async/>
            <Route path=path!("/people/ids") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/people/reassign") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/people/:id/erase") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/people/:id") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/actions/new/:kind") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/admin/import") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/admin") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/admin/*page") view=ServedPages ssr=SsrMode::Async/>
            <Route path=path!("/settings") view=ServedPage ssr=SsrMode::Async/>
            <Route path=path!("/tasks") view=TasksPage ssr=SsrMode::Async/>
            <Route path=path!("/tasks/:id") view=TaskPage ssr=SsrMode::Async/>
        </FlatRoutes>
    }
}
