//! Pausing and resuming a kind of task.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{Total, admin::KindInfo};

use super::{
    act::{self, VerbButton},
    api::{PauseKind, ResumeKind},
    words,
};
use crate::components::values::numbers::{grouped, short, tasks};
use crate::{
    components::{type_erasure::Erase, values::time::Time},
    refusal::Refusal,
};

/// The page.
pub fn view(kind: KindInfo, refusal: Option<Refusal>) -> AnyView {
    let name = words::kind(&kind.kind);
    let waiting = match kind.waiting {
        Total { value, exact: true } => tasks(value),
        some => format!("{} tasks", short(some)),
    };
    let (title, consequence, verb) = match kind.paused {
        true => (
            format!("Resume “{name}”?"),
            format!("{waiting} of this kind will start as soon as slots are free."),
            VerbButton::new(ResumeKind::url(), "Resume this kind", "right", "primary"),
        ),
        false => (
            format!("Pause “{name}”?"),
            format!(
                "No task of this kind will start until you resume it. Waiting: {}. Running: {}{}. Owners of waiting tasks see that it is paused.",
                short(kind.waiting),
                grouped(kind.running),
                if kind.running > 0 { ", which will finish" } else { "" }
            ),
            VerbButton::new(PauseKind::url(), "Pause this kind", "held", "primary"),
        ),
    };
    let since = kind.paused_date.map(|at| {
        let by = kind.paused_by.clone().unwrap_or_default();
        let reason = kind.pause_reason.clone().map(|reason| view! { ": “"<bdi>{reason}</bdi>"”" });
        view! { <p>"Paused since "<Time at ahead=true/>{format!(" by {by}")}{reason}</p> }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/processes#kinds">"Kinds of task"</a></li>
                </ol>
                <h1>{title}</h1>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        <section class="panel measure" aria-label="Confirm">
            {since}
            <p>{consequence}</p>
            {act::form("kind", vec![verb], vec![("kind", kind.kind.clone())], refusal.as_ref())}
            <a class="button quiet" href="/admin/processes#kinds">"Cancel"</a>
        </section>
    }
    .erase()
}
