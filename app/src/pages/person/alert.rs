//! The early alert on a person that is new enough to be on everybody’s mind: above all else.

use chrono::TimeDelta;
use leptos::prelude::*;
use model::timeline::{Happened, Timeline, TimelineEntry};

use crate::components::{
    icon::Icon,
    type_erasure::Erase,
    values::time::{RenderedAt, Time},
};

/// So long it stands there; afterwards it is in the timeline alone. Nobody has to close one.
const NEW: TimeDelta = TimeDelta::days(30);

/// The latest of these alerts, if it is new.
pub fn latest(alerts: Timeline) -> Option<AnyView> {
    let TimelineEntry { date, what: Happened::Alert { reason, comment }, by_name, task_id, .. } =
        alerts.entries.into_iter().next()?
    else {
        return None;
    };
    let now = use_context::<RenderedAt>()?.now;
    if now - date > NEW {
        return None;
    }
    let by = by_name.map(|name| format!("by {name} "));
    let task = task_id.map(|task| view! { " · "<a href=format!("/tasks/{task}")>"Task"</a> });
    Some(
        view! {
            <section class="notice warn" aria-labelledby="h-alert">
                <Icon name="problems"/>
                <div>
                    <h2 id="h-alert">{format!("Early alert: {}", reason.label())}</h2>
                    {comment.map(|comment| view! { <p><bdi>{comment}</bdi></p> })}
                    <p class="meta soft">"Raised "{by}<Time at=date/>{task}</p>
                </div>
            </section>
        }
        .erase(),
    )
}
