//! The password.

use leptos::prelude::*;

use crate::{
    components::type_erasure::Erase,
    refusal::{Refusal, wrong},
};

/// `has`: whether there is one, or a provider lets its owner in.
pub fn section(has: bool, refusal: Option<&Refusal>) -> AnyView {
    let form = || {
        view! {
            <form class="stack" method="post" action="/settings/password">
                <div class="halves small">{fields("Current password", refusal)}</div>
                <p class="meta soft">
                    "This signs you out everywhere else and revokes your access tokens."
                </p>
                <div class="line"><button class="button">"Change password"</button></div>
            </form>
        }
        .erase()
    };
    let without =
        || view! { <p class="soft">"You sign in with your institution and have no password in Docket."</p> }.erase();
    view! {
        <section aria-labelledby="h-password" class="stack tight measure">
            <div class="section"><h2 id="h-password">"Password"</h2></div>
            {if has { form() } else { without() }}
        </section>
    }
    .erase()
}

/// The one that somebody has, under this name, and the one they choose.
pub fn fields(has: &'static str, refusal: Option<&Refusal>) -> AnyView {
    let (current, new) = (wrong(refusal, "current"), wrong(refusal, "password"));
    view! {
        <Secret id="current" label=has complete="current-password" problem=current/>
        {new_password(new)}
    }
    .into_view()
    .erase()
}

/// The one that somebody chooses.
pub fn new_password(problem: Option<String>) -> AnyView {
    view! {
        <Secret
            id="password"
            label="New password"
            complete="new-password"
            problem
            hint="At least 10 characters. A few unrelated words work best."
        />
    }
    .erase()
}

#[component]
fn Secret(
    id: &'static str,
    label: &'static str,
    complete: &'static str,
    problem: Option<String>,
    #[prop(optional)] hint: &'static str,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                class="input"
                type="password"
                id=id
                name=id
                autocomplete=complete
                required
                aria-describedby=format!("{id}-hint {id}-problem")
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="hint" id=format!("{id}-hint")>{hint}</span>
            <span class="problem" id=format!("{id}-problem")>{problem}</span>
        </div>
    }
}
