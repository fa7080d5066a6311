//! The first account, made under the link that a start without any prints. The server renders it.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, frame::topbar::Brand, optional::Optional},
    refusal::{Refusal, wrong},
};

/// What a username can be (caseload/src/accounts/staff_accounts.rs).
pub const USERNAME: &str = "Letters, digits and . - _ @ + without spaces.";

/// The form, with the token of the link and what was typed before.
#[component]
pub fn Setup(token: String, name: Option<String>, username: String, refusal: Option<Refusal>) -> impl IntoView {
    // What belongs to a field is said there.
    let is_placed = ["name", "username", "password"].iter().any(|id| wrong(refusal.as_ref(), id).is_some());
    let unplaced = refusal.as_ref().filter(|_| !is_placed);
    let refused =
        unplaced.map(|refusal| view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> });
    let fields = [
        ("name", "Your name", "text", "name", false, name, "First and last name, as students and colleagues see it."),
        ("username", "Username", "text", "username", true, Some(username), USERNAME),
        (
            "password",
            "Password",
            "password",
            "new-password",
            true,
            None,
            "At least 10 characters. A few unrelated words work best.",
        ),
    ]
    .map(|(id, label, kind, complete, required, value, hint)| {
        let wrong = wrong(refusal.as_ref(), id);
        let (hint_id, problem_id) = (format!("{id}-hint"), format!("{id}-problem"));
        view! {
            <div class="field">
                <label for=id>{label}{(!required).then(|| view! { <Optional/> })}</label>
                <input
                    class="input large"
                    id=id
                    name=id
                    type=kind
                    autocomplete=complete
                    autocapitalize=(id == "username").then_some("none")
                    spellcheck=(id != "name").then_some("false")
                    required=required
                    value=value
                    aria-describedby=format!("{hint_id} {problem_id}")
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="hint" id=hint_id>{hint}</span>
                <span class="problem" id=problem_id>{wrong}</span>
            </div>
        }
    });
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Create the first account"</h1>
        {refused}
        <form method="post" action="/setup">
            <p class="soft">"It will be an administrator account. This link works once."</p>
            {fields.into_iter().collect_view()}
            <input type="hidden" name="token" value=token/>
            <button class="button primary large wide">"Create account"</button>
        </form>
    }
}

/// What is there once somebody has an account.
#[component]
pub fn SetUp() -> impl IntoView {
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Docket is set up"</h1>
        <p class="soft">"The first account exists, so this link no longer works. An administrator can add more accounts."</p>
        <a class="button primary large wide" href="/login">"Sign in"</a>
    }
}
