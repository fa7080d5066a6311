//! The password.

use leptos::prelude::*;

use super::wrong;
use crate::{components::erase::Erase, refusal::Refusal};

pub fn section(refusal: Option<&Refusal>) -> AnyView {
    let (current, new) = (wrong(refusal, "current"), wrong(refusal, "password"));
    view! {
        <section aria-labelledby="h-password" class="stack tight measure">
            <div class="section"><h2 id="h-password">"Password"</h2></div>
            <form class="stack" method="post" action="/settings/password">
                <Secret id="current" label="Current password" complete="current-password" problem=current/>
                <Secret id="password" label="New password" complete="new-password" problem=new/>
                <p class="meta soft">"At least 10 characters. Your other sessions end, and you stay signed in here."</p>
                <div class="line"><button class="button">"Change password"</button></div>
            </form>
        </section>
    }
    .erase()
}

#[component]
fn Secret(id: &'static str, label: &'static str, complete: &'static str, problem: Option<String>) -> impl IntoView {
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
                aria-describedby=format!("{id}-problem")
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="problem" id=format!("{id}-problem")>{problem}</span>
        </div>
    }
}
