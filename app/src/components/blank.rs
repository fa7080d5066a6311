//! What stands in place of a list or page that has nothing to show: empty, refused, or not reachable.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::Problem;

use super::{
    frame::go_dialog::{GO_TO, LETTERS},
    icon::Icon,
    search_field::SearchField,
};
use crate::{refusal::Refusal, url};

/// An empty place: what is so, and as its children the ways on from here.
#[component]
pub fn Blank<C: IntoView + 'static>(
    icon: &'static str,
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    #[prop(optional)] danger: bool,
    /// Whether it stands for a whole page, whose heading is its own then.
    #[prop(optional)]
    whole: bool,
    children: TypedChildren<C>,
) -> impl IntoView {
    let title = match whole {
        true => view! { <h1>{title}</h1> }.erase(),
        false => view! { <h2>{title}</h2> }.erase(),
    };
    blank(icon, title, text, danger, children.into_inner()().erase())
}

fn blank(icon: &'static str, title: AnyView, text: String, danger: bool, ways_on: AnyView) -> AnyView {
    view! {
        <div class=if danger { "blank danger" } else { "blank" }>
            <Icon name=icon/>
            {title}
            <p>{text}</p>
            <div class="line">{ways_on}</div>
        </div>
    }
    .erase()
}

/// A page or list that could not be shown, with what to do about it. `retry` is the page's own address.
#[component]
pub fn Refused(refusal: Refusal, #[prop(into)] retry: String, #[prop(optional)] whole: bool) -> impl IntoView {
    let Problem { status, title, detail, request_id, .. } = refusal.0;
    let id = request_id.map(|id| view! { <span class="meta soft">"Request " <span class="id">{id}</span></span> });
    // Links out of here are external, so that the browser asks the server anew.
    match status {
        401 => view! {
            <Blank whole=whole icon="key" title="You were signed out" text="Your session has ended. Sign in again to continue where you were.">
                <a class="button primary" rel="external" href=url::with("/login", &[("failed", "ended"), ("next", retry.as_str())])>
                    "Sign in again"
                </a>
            </Blank>
        }
        .erase(),
        403 => view! {
            <Blank whole=whole icon="lock" title=title text=detail>
                {ways_on(whole)}
            </Blank>
        }
        .erase(),
        404 => view! {
            <Blank whole=whole icon="search" title=title text=detail>
                {ways_on(whole)}
            </Blank>
        }
        .erase(),
        400..=499 => view! {
            <Blank whole=whole icon="problems" title=title text=detail>
                <a class="button" rel="external" href=retry.split('?').next().unwrap_or("/").to_owned()>"Start over"</a>
                {id}
            </Blank>
        }
        .erase(),
        _ => view! {
            <Blank whole=whole icon="failed" danger=true title=title text=detail>
                <a class="button primary" rel="external" href=retry><Icon name="retrying"/>"Try again"</a>
                {id}
            </Blank>
        }
        .erase(),
    }
}

/// Where somebody can go from a page that they do not get. In place of a list there is the page around it.
fn ways_on(whole: bool) -> AnyView {
    let search = whole.then(|| {
        view! {
            <form class="line" method="get" action="/go" role="search">
                <SearchField label=GO_TO placeholder=GO_TO value="" longest=LETTERS grows=true/>
                <button class="button">"Find"</button>
            </form>
        }
    });
    view! {
        {search}
        <a class="button" href="/people">"Go to people"</a>
        <a class="button quiet" href="/tasks">"Go to my tasks"</a>
    }
    .erase()
}

/// A message above a form or list: something that was asked for was refused.
#[component]
pub fn Notice(
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    #[prop(default = "danger")] tone: &'static str,
    /// The page where something can be done about it, and what its link says.
    #[prop(optional)]
    link: Option<(String, &'static str)>,
) -> impl IntoView {
    let icon = match tone {
        "danger" | "warn" => "problems",
        "ok" => "done",
        _ => "info",
    };
    view! {
        <div class=format!("notice {tone}") role=(tone == "danger").then_some("alert")>
            <Icon name=icon/>
            <div>
                <strong>{title}</strong>
                <p>{text}</p>
                {link.map(|(href, text)| view! { <a href=href>{text}</a> })}
            </div>
        </div>
    }
    .erase()
}

/// A list that is on its way; drawn only when it takes long enough to be noticed.
#[component]
pub fn Loading(what: &'static str) -> impl IntoView {
    view! {
        <ul class="skeleton" aria-hidden="true"><li></li><li></li><li></li><li></li></ul>
        <p class="meta soft loading" role="status">{format!("Loading {what}…")}</p>
    }
}
