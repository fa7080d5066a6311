//! The sign-in page: a plain form that the server answers, with or without scripts. The server renders it, too.

use crate::components::erase::Erase;
use leptos::prelude::*;

use crate::{
    components::{blank::Notice, icon::Icon, topbar::Brand},
    url,
};

/// The form, with what was said about the last try; `demo`: accounts with their passwords, none outside a demo.
#[component]
pub fn Login(search: String, demo: Vec<(String, String)>) -> impl IntoView {
    let value = |key: &str| url::value(&search, key).unwrap_or_default();
    let failed = value("failed");
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Sign in"</h1>
        {message(&failed).map(|(title, text)| view! { <Notice title text tone=tone(&failed)/> })}
        <form method="post" action="/login">
            <div class="field">
                <label for="username">"Username"</label>
                <input
                    class="input large"
                    id="username"
                    name="username"
                    autocomplete="username"
                    autocapitalize="none"
                    spellcheck="false"
                    required
                    value=value("username")
                />
            </div>
            <div class="field">
                <label for="password">"Password"</label>
                <input class="input large" id="password" name="password" type="password" autocomplete="current-password" required/>
            </div>
            <input type="hidden" name="next" value=value("next")/>
            <button class="button primary large wide">"Sign in"</button>
        </form>
        {demo_box(demo)}
        <p class="meta soft">"No account, or locked out? Ask your Docket administrator."</p>
    }
}

fn demo_box(accounts: Vec<(String, String)>) -> AnyView {
    if accounts.is_empty() {
        return ().erase();
    }
    let lines = accounts
        .into_iter()
        .map(|(username, password)| view! { <dt>{username}</dt><dd class="id">{password}</dd> })
        .collect_view();
    view! {
        <section class="notice neutral" aria-labelledby="demo-h">
            <Icon name="key"/>
            <div>
                <h2 id="demo-h">"Demo on this machine"</h2>
                <dl class="defs">{lines}</dl>
                <small>"Made-up people. These passwords end with the demo."</small>
            </div>
        </section>
    }
    .erase()
}

/// What went wrong, by the word in the address.
fn message(failed: &str) -> Option<(&'static str, &'static str)> {
    match failed {
        "" => None,
        "credentials" => Some(("Username or password is wrong", "Check both and try again.")),
        "throttled" => Some(("Too many tries", "Wait a few minutes, then try again.")),
        "ended" => Some(("You were signed out", "Your session has ended. Sign in to go on where you were.")),
        _ => Some(("You could not be signed in", "Please try again.")),
    }
}

fn tone(failed: &str) -> &'static str {
    if failed == "ended" { "info" } else { "danger" }
}
