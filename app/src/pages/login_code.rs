//! The second step of a sign-in: a code, after the password was right. A plain form that the server answers.

use leptos::prelude::*;

use super::settings::second_factor::device_form::{DeviceAsked, passkey_form};
use crate::{
    components::{blank::Notice, frame::topbar::Brand, type_erasure::Erase},
    url,
};

/// Where it is.
const PAGE: &str = "/login/code";

/// Who has typed their password, and what they can show beside it; a recovery code does in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAsked {
    pub username: String,
    /// A code of their app.
    pub app: bool,
    pub passkey: bool,
}

/// The form for whoever has typed the password of an account, with what was typed at the last try. Nobody: it is too late.
#[component]
pub fn EnterCode(search: String, asked: Option<CodeAsked>, typed: String) -> impl IntoView {
    let value = |key: &str| url::value(&search, key).unwrap_or_default();
    let (failed, next) = (value("failed"), value("next"));
    let again = || url::with("/login", &way(&next, false));
    let Some(CodeAsked { username, app, passkey }) = asked else {
        return view! {
            <div class="brand"><Brand/>"Docket"</div>
            <h1>"Sign in again"</h1>
            <p class="soft">"Nobody has entered a password in this browser within the last five minutes."</p>
            <a class="button primary large wide" href=again()>"Sign in"</a>
        }
        .into_view()
        .erase();
    };
    let by_recovery = value("with") == RECOVERY || !app;
    let (label, hint, mode, complete) = match by_recovery {
        true => (
            "Recovery code",
            "One of the codes that you kept when you set up your second factor. Each works once.",
            None,
            "off",
        ),
        false => (
            "6-digit code",
            "From your authenticator app. A new one comes every 30 seconds.",
            Some("numeric"),
            "one-time-code",
        ),
    };
    let (other, other_label) = match by_recovery {
        true => (url::with(PAGE, &way(&next, false)), "Use your authenticator app"),
        false => (url::with(PAGE, &way(&next, true)), "Use a recovery code"),
    };
    let is_wrong = matches!(failed.as_str(), "wrong" | "used");
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>{if app { "Enter your code" } else { "Use your passkey" }}</h1>
        <p class="soft">{format!("Signing in as {username}. ")}<a href=again()>"Not you?"</a></p>
        {message(&failed, by_recovery).map(|(title, text)| view! { <Notice title text/> })}
        {passkey.then(|| with_passkey(next.clone(), !app))}
        <form method="post" action=PAGE>
            <div class="field">
                <label for="code">{label}</label>
                <input
                    class="input large"
                    id="code"
                    name="code"
                    inputmode=mode
                    autocomplete=complete
                    autocapitalize="none"
                    spellcheck="false"
                    maxlength="40"
                    required
                    autofocus=app
                    value=typed
                    aria-describedby="code-hint"
                    aria-invalid=is_wrong.then_some("true")
                />
                <span class="hint" id="code-hint">{hint}</span>
            </div>
            <label class="choice">
                <input type="checkbox" name="remember" value="yes"/>
                <span>"Do not ask in this browser for 30 days"<small>"Not on a shared computer"</small></span>
            </label>
            <input type="hidden" name="next" value=next/>
            <input type="hidden" name="with" value=by_recovery.then_some(RECOVERY)/>
            <button class=if app { "button primary large wide" } else { "button large wide" }>"Continue"</button>
        </form>
        {app.then(|| view! { <a class="button quiet large wide" href=other>{other_label}</a> })}
        <p class="meta soft">"Neither device nor recovery codes? Ask your Docket administrator."</p>
    }
    .into_view()
    .erase()
}

/// A passkey in place of a code; `stands_out`: there is nothing else but recovery codes.
fn with_passkey(next: String, stands_out: bool) -> AnyView {
    let fields = view! {
        <label class="choice">
            <input type="checkbox" name="remember" value="yes"/>
            <span>"Do not ask in this browser for 30 days"<small>"Not on a shared computer"</small></span>
        </label>
        <input type="hidden" name="next" value=next/>
    };
    let class = if stands_out { "button primary large wide" } else { "button large wide" };
    let without = "A passkey needs scripts. A code works without them.";
    let form = passkey_form(
        "/login/code/passkey",
        DeviceAsked::ForOne,
        ("Use a passkey", class),
        fields.into_view().erase(),
        without,
    );
    view! { {form}<p class="or meta soft">"or with a code"</p> }.into_view().erase()
}

/// The word in the address for a recovery code.
const RECOVERY: &str = "recovery";

/// What goes along from one of these pages to another.
fn way(next: &str, by_recovery: bool) -> Vec<(&'static str, &str)> {
    let next = Some(("next", next)).filter(|(_, next)| !next.is_empty());
    next.into_iter().chain(by_recovery.then_some(("with", RECOVERY))).collect()
}

/// What went wrong, by the word in the address.
fn message(failed: &str, by_recovery: bool) -> Option<(&'static str, &'static str)> {
    match failed {
        "" => None,
        "wrong" if by_recovery => Some((
            "That code is not right",
            "Check it letter by letter. A code that was used once does not work again.",
        )),
        "wrong" => Some((
            "That code is not right",
            "Enter the one that your app shows now. If it happens again, check that your phone’s clock is right.",
        )),
        "used" => Some(("That code has been used", "Wait for the next one, which comes within 30 seconds.")),
        "passkey" => Some(("That passkey could not be used", "Try again, or enter a code.")),
        "throttled" => Some(("Too many attempts", "Wait a few minutes, then try again.")),
        _ => Some(("Sign-in did not work", "Try again.")),
    }
}
