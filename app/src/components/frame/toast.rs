//! What is said when a task of the reader's has ended while they look at something else.

use leptos::prelude::*;
use model::WorkflowStatus;

use crate::{components::icon::Icon, live::Live};

/// The place for it, which is there before there is anything to say, so that it is read out.
#[island]
pub fn Toast() -> impl IntoView {
    let ended = RwSignal::from(Live::of_page().ended);
    // For whoever has turned to another tab: before whatever the page is called by then.
    Effect::new(move |before: Option<String>| {
        let said = ended.get().map(|row| format!("{}: ", row.state.label())).unwrap_or_default();
        let title = document().title();
        let own = title.strip_prefix(before.as_deref().unwrap_or_default()).unwrap_or(&title);
        document().set_title(&format!("{said}{own}"));
        said
    });
    let words = move || {
        ended.get().map(|row| {
            // For a minute, which the style counts; afterwards it is on the task's page.
            let undo = row.can_undo.then(|| {
                view! { <a class="button small undo" href=format!("/actions/new/undo?task={}", row.id)>"Undo…"</a> }
            });
            let problems = row.failed + row.uncertain > 0 || row.trouble.is_some();
            let icon = match (problems, row.status) {
                (true, _) => "problems",
                (false, WorkflowStatus::Abandoned) => "cancelled",
                _ => "done",
            };
            view! {
                <div class=if problems { "toast danger" } else { "toast" }>
                    <Icon name=icon/>
                    <div>
                        <strong>{row.title}</strong>
                        <p>{row.label}" · "<a href=format!("/tasks/{}", row.id)>"Show"</a></p>
                    </div>
                    {undo}
                    <button type="button" class="button quiet small" on:click=move |_| ended.set(None)>
                        <Icon name="close"/>
                        <span class="hidden">"Close"</span>
                    </button>
                </div>
            }
        })
    };
    view! { <div class="toasts" role="status">{words}</div> }
}
