//! The document, and the page at each address. The server alone renders them, and whole: without scripts nothing could put late
//! parts in their places, and the answer's status is known before its first byte.

use axum::http::request::Parts;
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{MetaTags, provide_meta_context};
use model::{
    Problem, TaskQuery, TaskState,
    preferences::{DateFormat, NumberFormat, Preferences, Theme},
};

use super::{routes::PageAsked, sheets};
use crate::{
    components::{
        blank::Refused,
        frame::{Around, PageContent, bell::bell, frame, keys_dialog::KeysDialog},
        icon::Sprite,
        title::{PageTitle, TitlesAreText},
        type_erasure::Erase,
    },
    pages::{admin::tasks::check, approvals::list, people::page_address, settings::second_factor},
    refusal::Refusal,
    url,
};

/// All of the help.
const HELP: &str = "/help";

/// The pages where a device is asked for a passkey; no other loads the script for it.
const WITH_PASSKEYS: [&str; 3] = ["/login", "/login/code", second_factor::PASSKEYS];

/// How many of the tasks that ended last are told of.
const NOTICES: u32 = 8;

/// The document around a page; `base` is the path that Docket is served under.
pub fn shell(options: LeptosOptions, base: &str) -> impl IntoView {
    let preferences = use_context::<Preferences>().unwrap_or_default();
    let theme = (preferences.theme != Theme::Auto).then(|| preferences.theme.name());
    let file = |name: &str| format!("/{}/{name}", options.site_pkg_dir);
    let nonce = use_nonce();
    let path = use_context::<Parts>().map(|parts| parts.uri.path().to_owned()).unwrap_or_default();
    let passkey = WITH_PASSKEYS.contains(&path.as_str()).then(|| {
        let nonce = nonce.clone();
        view! { <script type="module" src=file("passkey.js") nonce=nonce></script> }
    });
    view! {
        <!DOCTYPE html>
        <html
            lang="en"
            data-theme=theme
            data-zone=preferences.time_zone
            data-dates=(preferences.dates != DateFormat::Named).then(|| preferences.dates.name())
            data-numbers=(preferences.numbers != NumberFormat::Comma).then(|| preferences.numbers.separator().to_string())
            data-keys-off=!preferences.shortcuts
            data-live-off=!preferences.live
            data-base=(!base.is_empty()).then(|| base.to_owned())
        >
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="stylesheet" href=file("docket.css")/>
                <link rel="modulepreload" href=file("frontend.js") nonce=nonce.clone()/>
                <link rel="modulepreload" href=file("idiomorph.js") nonce=nonce.clone()/>
                <link rel="preload" href=file("frontend_bg.wasm") r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
                <link rel="modulepreload" href=file("forms.js") nonce=nonce.clone()/>
                <link rel="modulepreload" href=file("go.js") nonce=nonce.clone()/>
                <script type="module" src=file("page.js") nonce=nonce></script>
                {passkey}
                <TitlesAreText/>
                <MetaTags/>
            </head>
            <body>
                <App/>
                <Sprite/>
                <KeysDialog on=preferences.shortcuts/>
            </body>
        </html>
    }
}

/// Whichever page is at the address that was asked for.
#[component]
fn App() -> impl IntoView {
    provide_meta_context();
    let parts = use_context::<Parts>();
    let asked = parts.as_ref().and_then(|parts| parts.extensions.get::<PageAsked>()).cloned();
    let (path, search) = parts.map_or_else(Default::default, |parts| {
        (parts.uri.path().to_owned(), parts.uri.query().unwrap_or_default().to_owned())
    });
    let page = async move { page(asked, &path, &search).await };
    view! { <Suspense>{Suspend::new(page)}</Suspense> }.erase()
}

async fn page(asked: Option<PageAsked>, path: &str, search: &str) -> AnyView {
    if let Some(asked) = &asked
        && let Some((title, view)) = asked.open(search).await
    {
        return view! {
            <PageTitle text=format!("{title} · Docket")/>
            <div class="login"><main id="content" tabindex="-1"><div class="stack">{view}</div></main></div>
        }
        .erase();
    }
    let (caseload, actor) = match super::caller() {
        Ok(caller) => caller,
        Err(refusal) => return frame(refused(refusal, path, search), None, 0, Around::default(), path),
    };
    let page = match &asked {
        Some(asked) => asked.made(&caseload, &actor, search).await,
        None => super::answer(Err(Problem::not_found("page"))),
    };
    // Whoever does not get a page may need help all the more, and not with that page.
    let help = match (&page, &asked) {
        (Ok(_), Some(asked)) => asked.help().map(|topic| topic.path()),
        _ => Some(HELP.to_owned()),
    };
    let page = page.unwrap_or_else(|refusal| refused(refusal, path, search));
    let running = super::answer_part(caseload.tasks().running_count(&actor).await).unwrap_or_default();
    let ended = TaskQuery { states: TaskState::ENDED.to_vec(), limit: Some(NOTICES), ..TaskQuery::default() };
    let ended = super::answer_part(caseload.tasks().list(&actor, &ended).await);
    let waiting = super::answer_part(caseload.approvals().waiting(&actor).await).unwrap_or_default();
    let bell = ended.ok().map(|ended| bell(&waiting, ended.items, actor.preferences.notices_read));
    let is_used = caseload.approvals().are_needed() || !waiting.is_empty() || path.starts_with(list::PAGE);
    let approvals = is_used.then_some(waiting.len() as u64);
    let views = sheets::views_of(&caseload, &actor, path, search).await;
    let selected = page_address::selection(search).map(|token| token.to_string()).unwrap_or_default();
    let go = url::with("/go", &[(page_address::SEL, selected)]);
    let around = Around { bell, views, approvals, help, go };
    frame(page, Some(&actor.me()), running, around, check::place(path, search))
}

/// What stands in the place of a page that is not shown.
fn refused(refusal: Refusal, path: &str, search: &str) -> PageContent {
    let title = refusal.0.title.clone();
    let view = view! { <Refused whole=true refusal retry=url::join(path, search)/> };
    PageContent::new(title, view.erase())
}
