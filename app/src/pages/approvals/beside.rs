//! What the owner of a task sees on its page while it waits for a second person, and once nobody approved it. The server renders it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    approval::{ApprovalDetail, ApprovalNeeded, ApprovalState},
    kind::Description,
};

use super::list;
use crate::{
    components::{
        type_erasure::Erase,
        values::{
            numbers::{counted, people},
            time::Time,
        },
    },
    pages::tasks::api::RepeatTask,
};

/// The panel; nothing of a task that was approved or cancelled.
pub fn panel(detail: &ApprovalDetail, own: bool) -> Option<AnyView> {
    let approval = &detail.approval;
    let unit = Description::of(&approval.kind).unit;
    let seen = view! { <a class="button" href=list::address(approval)>{if own { "See what you submitted" } else { "See what was submitted" }}</a> };
    let view = match approval.state {
        ApprovalState::Waiting => view! {
            <section class="panel" aria-labelledby="h-approval">
                <h2 id="h-approval">"Waiting for approval"</h2>
                <p>
                    "Nothing has happened yet. "<strong>{detail.deciders.in_words()}</strong>" can approve, until "
                    <Time at=approval.expiry_date ahead=true/>"."
                </p>
                <div class="line">{seen}</div>
            </section>
        }
        .erase(),
        ApprovalState::Declined | ApprovalState::Expired => {
            let said = approval.note.clone().map(|note| {
                view! { <p>"“"<bdi>{note}</bdi>"”"</p> }
            });
            let by = match (&approval.decided_by_name, approval.decided_date) {
                (Some(name), Some(at)) => view! { <p class="meta soft">{name.clone()}", "<Time at/></p> }.erase(),
                _ => view! { <p>"Nobody decided in time."</p> }.erase(),
            };
            let again = (own && Description::of(&approval.kind).can_be_repeated).then(|| {
                view! {
                    <form method="post" action=RepeatTask::url()>
                        <input type="hidden" name="id" value=approval.id.to_string()/>
                        <button class="button primary">"Change and ask again"</button>
                    </form>
                }
            });
            let kept = match again {
                Some(_) => format!(
                    "Nobody was changed. The {} are kept so that you can start from them.",
                    counted(approval.total, unit.0, unit.1)
                ),
                None => "Nobody was changed.".to_owned(),
            };
            view! {
                <section class="panel" aria-labelledby="h-approval">
                    <h2 id="h-approval">{approval.state.label()}</h2>
                    {said}
                    {by}
                    <p class="soft">{kept}</p>
                    <div class="line">{again}{seen}</div>
                </section>
            }
            .erase()
        }
        ApprovalState::Approved | ApprovalState::Cancelled => return None,
    };
    Some(view)
}

/// What is said before a submit that a second person has to approve: title, text, and whether it could be approved at all.
pub fn before(needed: &ApprovalNeeded) -> (&'static str, String) {
    let rule = match needed.above {
        Some(above) => format!("Tasks above {} need a second person.", people(above)),
        None => "Tasks of this kind need a second person.".to_owned(),
    };
    if needed.deciders.names.is_empty() {
        let text =
            format!("{rule} Nobody else has the permission for all of these people. Ask your Docket administrator.");
        return ("Nobody can approve this", text);
    }
    let text = format!(
        "{rule} Nothing happens until {} approves it, within {}. They see these numbers, and how they are by then.",
        needed.deciders.in_words(),
        model::lasting(needed.seconds)
    );
    ("This will wait for a second person", text)
}
