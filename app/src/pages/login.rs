//! The sign-in page: a plain form that the server answers, with or without scripts.

use crate::components::erase::Erase;
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    answer::{Answer, load, read},
    components::{blank::Notice, icon::Icon, loaded::Loaded, topbar::Brand},
    url,
};

/// The accounts of a demo with their passwords; none outside one.
#[server(name = ReadDemoAccounts, prefix = "/api/page", endpoint = "demo-accounts")]
pub async fn demo_accounts() -> Answer {
    use crate::{answer::Raw, server::DemoAccounts};
    Ok(Raw::of(use_context::<DemoAccounts>().unwrap_or_default().0))
}

/// The sign-in page.
#[component]
pub fn LoginPage() -> impl IntoView {
    let search = url::own_search();
    let demo = load(Default::default, |_, _| Box::pin(demo_accounts()));
    // The page is not reached from within, so its address never changes under it.
    let value = move |key: &'static str| search.with_untracked(|search| url::value(search, key)).unwrap_or_default();
    view! {
        <Title text="Sign in · Docket"/>
        <div class="login">
            <main id="content">
                <div class="brand"><Brand/>"Docket"</div>
                <h1>"Sign in"</h1>
                {move || message(&value("failed")).map(|(title, text)| view! { <Notice title text tone=tone(&value("failed"))/> })}
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
                <Loaded from=demo show=demo_box/>
            </main>
            <footer>"No account, or locked out? Ask your Docket administrator."</footer>
        </div>
    }
    .erase()
}

fn demo_box(answer: Answer) -> AnyView {
    let accounts: Vec<(String, String)> = read(answer).unwrap_or_default();
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
