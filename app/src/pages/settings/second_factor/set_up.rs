//! Setting up an authenticator app: its key as a picture and as text, and the first code, which shows that the app has it.

use leptos::prelude::*;

use super::{
    new_app::{NewApp, PAGE, Picture},
    passkeys,
};
use crate::{
    components::{
        blank::Notice,
        frame::topbar::Brand,
        icon::Icon,
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::secret::secret,
    },
    refusal::{Refusal, wrong},
};

/// The page in the settings; `replaces`: there is an app already, which counts until the new one does.
pub fn set_up(
    app: Option<NewApp>,
    replaces: bool,
    next: String,
    proof: &OwnProof,
    refusal: Option<&Refusal>,
) -> AnyView {
    let (title, about) = match replaces {
        true => (
            "Replace your authenticator app",
            "Your present app counts until you have entered a code of the new one. Your recovery codes stay as they are.",
        ),
        false => (
            "Set up an authenticator app",
            "When you sign in with your password, Docket asks for a code of this app as well.",
        ),
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/settings">"Settings"</a></li></ol>
                <h1>{title}</h1>
            </div>
        </header>
        <p class="soft">{about}</p>
        {unplaced(refusal)}
        {form(app, next, proof, refusal)}
    }
    .erase()
}

/// The same for whoever has to do it before anything else.
#[component]
pub fn AtTheDoor(
    app: Option<NewApp>,
    passkeys: bool,
    next: String,
    proof: OwnProof,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let refusal = refusal.as_ref();
    // What is asked in two forms is said in the one that was sent.
    let of_passkey = refusal.filter(|refusal| refusal.given("form").is_some());
    let of_app = refusal.filter(|refusal| refusal.given("form").is_none());
    let or_passkey = passkeys.then(|| {
        view! {
            <p class="or meta soft">"or with a passkey that your phone, computer or security key keeps"</p>
            {passkeys::form(next.clone(), &proof, of_passkey)}
        }
    });
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Set up an authenticator app"</h1>
        <p class="soft">"Your role needs a second factor: from now on you sign in with your password and a code of this app."</p>
        {unplaced(refusal)}
        {form(app, next, &proof, of_app)}
        {or_passkey}
        <form method="post" action="/logout"><button class="button quiet">"Sign out"</button></form>
    }
}

/// What was refused that belongs to no field.
fn unplaced(refusal: Option<&Refusal>) -> Option<AnyView> {
    let refusal = refusal.filter(|refusal| refusal.0.errors.is_empty())?;
    Some(view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> }.erase())
}

fn form(app: Option<NewApp>, next: String, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let Some(NewApp { key, picture }) = app else {
        let (title, text) = ("There is no key right now", "Sign in with your password, and open this page again.");
        return view! { <Notice title text/> }.erase();
    };
    let wrong = wrong(refusal, "code");
    let typed = refusal.and_then(|refusal| refusal.given("code"));
    view! {
        <form class="stack measure" method="post" action=PAGE>
            <p>"Scan this with an authenticator app on your phone, and enter the code that it shows."</p>
            {picture.map(drawn)}
            <div class="notice neutral">
                <Icon name="key"/>
                <div>
                    <strong>"Or type this key into the app"</strong>
                    <p>"If the app asks for the type of key, choose “Time based”."</p>
                    {secret(key)}
                </div>
            </div>
            <div class="field">
                <label for="code">"6-digit code"</label>
                <input
                    class="input large short"
                    id="code"
                    name="code"
                    inputmode="numeric"
                    autocomplete="one-time-code"
                    maxlength="40"
                    required
                    value=typed
                    aria-describedby="code-problem"
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="problem" id="code-problem">{wrong}</span>
            </div>
            {own_password("app-own", proof, refusal)}
            <input type="hidden" name="next" value=next/>
            <div class="line"><button class="button primary large">"Turn on"</button></div>
        </form>
    }
    .erase()
}

/// Dark on light, whatever the page is: cameras look for that.
fn drawn(picture: Picture) -> AnyView {
    let Picture { squares, dark } = picture;
    view! {
        <svg
            role="img"
            aria-label="The key as a QR code"
            width="200"
            height="200"
            viewBox=format!("0 0 {squares} {squares}")
            shape-rendering="crispEdges"
        >
            <path fill="#fff" d=format!("M0 0h{squares}v{squares}h-{squares}z")/>
            <path fill="#000" d=dark/>
        </svg>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_that_was_refused_and_where_somebody_was_going_are_kept() {
        let problem = model::Problem::field("code", "wrong", "Not that one.");
        let refusal = Refusal(problem).keeping(&[("code", "12 3")]);
        let picture = Some(Picture { squares: 2, dark: "M0 0h1v1h-1z".to_owned() });
        let app = NewApp { key: "GEZD GNBV".to_owned(), picture };
        let html = form(Some(app), "/tasks?q=a".to_owned(), &OwnProof::Nothing, Some(&refusal)).to_html();
        for part in ["value=\"12 3\"", "Not that one.", "GEZD GNBV", "M0 0h1v1h-1z", "/tasks?q=a"] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
