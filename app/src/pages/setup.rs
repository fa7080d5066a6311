//! The first account, made under the link that a start without any prints. The server renders it.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, frame::topbar::Brand},
    refusal::Refusal,
};

/// The form, with the token of the link and what was typed before.
#[component]
pub fn Setup(token: String, name: Option<String>, username: String, refusal: Option<Refusal>) -> impl IntoView {
    let refused = refusal.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    let fields = [
        ("name", "Your name", "text", "name", false, name),
        ("username", "Username", "text", "username", true, Some(username)),
        ("password", "Password, at least 10 characters", "password", "new-password", true, None),
    ]
    .map(|(id, label, kind, complete, required, value)| {
        view! {
            <div class="field">
                <label for=id>{label}</label>
                <input class="input large" id=id name=id type=kind autocomplete=complete required=required value=value/>
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
