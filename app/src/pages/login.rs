//! The sign-in page: a plain form that the server answers, with or without scripts. Whoever signs in with a password that was made
//! for them chooses their own there before anything else. The server renders it, too.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;

use super::{
    done,
    settings::{
        password::fields,
        second_factor::device_form::{DeviceAsked, passkey_form},
    },
};
use crate::{
    components::{blank::Notice, frame::topbar::Brand, icon::Icon},
    refusal::Refusal,
    url,
};

/// The form, with what was said and typed at the last try; `forgot`: whether a link to a new password can be sent; `passkeys`: whether one can
/// be used in place of all of it; `ways`: the providers
/// by which people can sign in instead; `demo`: accounts with their passwords, none outside a demo.
#[component]
pub fn Login(
    search: String,
    username: String,
    forgot: bool,
    passkeys: bool,
    ways: Vec<(String, String)>,
    demo: Vec<(String, String)>,
) -> impl IntoView {
    let value = |key: &str| url::value(&search, key).unwrap_or_default();
    let failed = value("failed");
    // What most people take stands out.
    let sign_in = if ways.is_empty() { "button primary large wide" } else { "button large wide" };
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Sign in"</h1>
        {done::notice(&search)}
        {message(&failed).map(|(title, text)| view! { <Notice title text tone=tone(&failed)/> })}
        {with_provider(ways, &value("next"))}
        <form method="post" action="/login">
            {username_field("Username", username, failed == "username", None)}
            <div class="field">
                <label for="password">"Password"</label>
                <input
                    class="input large"
                    id="password"
                    name="password"
                    type="password"
                    autocomplete="current-password"
                    required
                    aria-invalid=(failed == "password").then_some("true")
                />
            </div>
            <input type="hidden" name="next" value=value("next")/>
            <button class=sign_in>"Sign in"</button>
        </form>
        {passkeys.then(|| by_passkey(value("next")))}
        {forgot.then(|| view! { <a class="button quiet large wide" href="/forgot">"Forgot your password?"</a> })}
        {demo_box(demo)}
        <p class="meta soft">"No account, or locked out? Ask your Docket administrator."</p>
    }
}

/// The whole of a sign-in, for whoever has a passkey that makes sure of them.
fn by_passkey(next: String) -> AnyView {
    let fields = view! { <input type="hidden" name="next" value=next/> }.into_view().erase();
    let without = "Signing in with a passkey needs scripts. Your password works without them.";
    passkey_form(
        "/login/passkey",
        DeviceAsked::ForOne,
        ("Sign in with a passkey", "button large wide"),
        fields,
        without,
    )
}

/// A link to each provider: a page of another host, to which a form may not lead.
fn with_provider(ways: Vec<(String, String)>, next: &str) -> Option<AnyView> {
    let link = |(name, label): (String, String)| {
        let address = match next {
            "" => format!("/login/with/{name}"),
            next => url::with(&format!("/login/with/{name}"), &[("next", next)]),
        };
        view! { <a class="button primary large wide" href=address rel="external"><Icon name="college"/>{format!("Sign in with {label}")}</a> }
    };
    let any = !ways.is_empty();
    any.then(|| {
        view! {
            <div class="stack tight">{ways.into_iter().map(link).collect_view()}</div>
            <p class="or meta soft">"or with a Docket password"</p>
        }
        .erase()
    })
}

/// The second step of a sign-in with a password that was made by somebody else; then on to `next`.
#[component]
pub fn ChoosePassword(next: String, refusal: Option<Refusal>) -> impl IntoView {
    let refused = refusal.as_ref().filter(|refusal| refusal.0.errors.is_empty());
    let refused =
        refused.map(|refusal| view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> });
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Choose a password"</h1>
        {refused}
        <form method="post" action="/settings/password">
            <p class="soft">"You signed in with a one-time password. It will not work again, so choose your own."</p>
            {fields("One-time password", refusal.as_ref())}
            <input type="hidden" name="next" value=next/>
            <button class="button primary large wide">"Save password and continue"</button>
        </form>
        <form method="post" action="/logout"><button class="button quiet">"Sign out"</button></form>
    }
}

/// Who somebody says to be, with what is wrong with it.
pub fn username_field(label: &'static str, value: String, invalid: bool, problem: Option<String>) -> AnyView {
    view! {
        <div class="field">
            <label for="username">{label}</label>
            <input
                class="input large"
                id="username"
                name="username"
                autocomplete="username"
                autocapitalize="none"
                spellcheck="false"
                required
                aria-invalid=(invalid || problem.is_some()).then_some("true")
                aria-describedby="username-problem"
                value=value
            />
            <span class="problem" id="username-problem">{problem}</span>
        </div>
    }
    .erase()
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
        "username" => Some(("The username is missing", "Enter your username and your password.")),
        "password" => Some(("The password is missing", "Enter your password.")),
        "credentials" => Some(("Username or password is wrong", "Check both and try again.")),
        "spent" => Some((
            "That password has been used",
            "It was a one-time password. Ask your Docket administrator for a new one.",
        )),
        "throttled" => Some(("Too many attempts", "Wait a few minutes, then try again.")),
        "passkey" => Some(("That passkey could not be used", "Try again, or sign in with your username and password.")),
        "late" => Some((
            "Sign in again",
            "The code came later than five minutes after your password, or your account has changed meanwhile.",
        )),
        "not-asked" => Some((
            "Sign in again",
            "You took too long there, or signed in from another page meanwhile. Nothing was lost.",
        )),
        "provider" | "provider-unknown" => {
            Some(("You were not signed in", "Try again, or ask your Docket administrator."))
        }
        "provider-away" => Some((
            "That sign-in cannot be reached right now",
            "Try again in a moment. If it still does not work, ask your Docket administrator.",
        )),
        "unbelievable" => Some((
            "You were not signed in",
            "The answer could not be checked. Try again; if it happens again, tell your Docket administrator.",
        )),
        "no-role" => {
            Some(("You have no role in Docket", "Ask whoever looks after your college’s accounts to give you one."))
        }
        "no-account" => Some(("You have no account in Docket", "Ask your Docket administrator for one.")),
        "disabled" => Some(("Your account is disabled", "Ask your Docket administrator.")),
        "ended" => Some(("You were signed out", "Your session has ended. Sign in to continue where you were.")),
        _ => Some(("Sign-in did not work", "Try again.")),
    }
}

fn tone(failed: &str) -> &'static str {
    if failed == "ended" { "info" } else { "danger" }
}
