//! Composing a program status change: choose, check, confirm. Which of these is shown is in the address.

pub mod api;
mod check;
mod confirm;
pub mod draft;
mod form;
mod sample;
mod shown;
mod sum;

use leptos::prelude::*;

use crate::{
    components::{
        blank::{Blank, Loading, Refused},
        frame::Frame,
    },
    pages::people::api::selection,
    refusal::Refusal,
    url,
};
use api::SubmitProgramStatus;
use draft::Draft;

/// Which part of composing is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Choose,
    Check,
    /// The people behind a number of a preview: its token, which of them, and from where.
    Show { preview: String, which: String, after: String },
}

fn step(search: &str) -> Step {
    let value = |key: &str| url::value(search, key);
    match (value("preview"), value("show"), value("step").as_deref()) {
        (Some(preview), Some(which), _) => Step::Show { preview, which, after: value("after").unwrap_or_default() },
        // What cannot be submitted is not checked but put right first.
        (_, _, Some("check")) if Draft::read(search).action().is_ok() => Step::Check,
        _ => Step::Choose,
    }
}

/// The page.
#[component]
pub fn ComposePage() -> impl IntoView {
    let search = url::own_search();
    let submit = ServerAction::<SubmitProgramStatus>::new();
    let shown = Memo::new(move |_| (step(&search.get()), Draft::read(&search.get())));
    // A refusal belongs to the step that it was met at.
    Effect::new(move |before: Option<Step>| {
        let (now, _) = shown.get();
        if before.is_some_and(|before| before != now) {
            submit.value().set(None);
        }
        now
    });
    let title = Signal::derive(move || match shown.get().0 {
        Step::Choose => "Set program status".to_owned(),
        Step::Check => "Check".to_owned(),
        Step::Show { .. } => "People of this check".to_owned(),
    });
    view! {
        <Frame title>
            {move || match shown.get() {
                (Step::Choose, draft) => {
                    let tried = search.with(|search| url::value(search, "step").is_some());
                    view! { <Choose draft tried submit/> }.into_any()
                }
                (Step::Check, draft) => view! { <check::Check draft submit/> }.into_any(),
                (Step::Show { preview, which, after }, draft) => {
                    view! { <shown::Shown draft preview which after/> }.into_any()
                }
            }}
        </Frame>
    }
    .into_any()
}

/// Choosing, once it is known how many people are selected. `tried` says that what was chosen did not pass.
#[component]
fn Choose(draft: Draft, tried: bool, submit: ServerAction<SubmitProgramStatus>) -> impl IntoView {
    let token = draft.sel.clone();
    let selected = Resource::new(move || token.clone(), |token| selection(token, String::new()));
    view! {
        <Suspense fallback=|| view! { <Loading what="the selection"/> }>
            {move || {
                let draft = draft.clone();
                Suspend::new(async move {
                    match selected.await {
                        Ok(view) if view.count > 0 => view! { <form::ComposeForm draft tried selected=view submit/> }.into_any(),
                        Ok(_) => gone().into_any(),
                        Err(Refusal(problem)) if problem.status == 404 => gone().into_any(),
                        Err(refusal) => view! { <Refused refusal retry=draft.compose_link()/> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// Nobody is selected, or not any more.
fn gone() -> impl IntoView {
    view! {
        <h1 class="hidden">"Set program status"</h1>
        <Blank
            icon="people"
            title="Nobody is selected"
            text="Selections are kept for 30 minutes. Select people in the list, then choose what to do."
        >
            <a class="button primary" href="/people">"Go to people"</a>
        </Blank>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_submitted_is_not_checked() {
        assert_eq!(step("sel=x&programStatus=INACTIVE&step=check"), Step::Check);
        assert_eq!(step("sel=x&programStatus=NON_PARTICIPATING&step=check"), Step::Choose);
        assert_eq!(step("sel=x"), Step::Choose);
        let shown = Step::Show { preview: "p".into(), which: "CHANGE".into(), after: String::new() };
        assert_eq!(step("programStatus=INACTIVE&preview=p&show=CHANGE"), shown);
    }
}
