//! Choosing a password by a link that was sent to one's own address: asking for the link, and following it. For strangers, so that
//! neither page says who has an account.

use leptos::prelude::*;

use super::{done, login::username_field, settings::password::new_password};
use crate::{
    components::{blank::Notice, frame::topbar::Brand},
    refusal::{Refusal, wrong},
};

/// Where the link is asked for.
#[component]
pub fn Forgotten(search: String, username: String, refusal: Option<Refusal>, sends: bool) -> impl IntoView {
    let problem = wrong(refusal.as_ref(), "username");
    let unplaced = refusal.as_ref().filter(|_| problem.is_none());
    let refused =
        unplaced.map(|refusal| view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> });
    let asked = done::notice(&search);
    let again =
        asked.is_some().then(|| view! { <a class="button large wide" href="/forgot">"Ask for another link"</a> });
    let form = (sends && asked.is_none()).then(|| {
        view! {
            <form method="post" action="/forgot">
                <p class="soft">"We send a link to your email address. With it you choose a new password."</p>
                {username_field("Username or email address", username, false, problem)}
                <button class="button primary large wide">"Send the link"</button>
            </form>
        }
    });
    let instead = match sends {
        true => "No email address in Docket? Ask your Docket administrator for a new password.",
        false => "This server sends no email. Ask your Docket administrator for a new password.",
    };
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Forgot your password?"</h1>
        {asked}
        {refused}
        {form}
        {again}
        <p class="meta soft">{instead}</p>
        <a class="button quiet large wide" href="/login">"Back to sign in"</a>
    }
}

/// Where the link leads: whose account it is, and the password to be.
#[component]
pub fn ChooseByLink(token: String, username: String, is_new: bool, refusal: Option<Refusal>) -> impl IntoView {
    let problem = wrong(refusal.as_ref(), "password");
    let unplaced = refusal.as_ref().filter(|_| problem.is_none());
    let refused =
        unplaced.map(|refusal| view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> });
    let consequence = match is_new {
        true => "You sign in with this username and the password that you choose here.",
        false => "Wherever you are signed in now, you will be signed out, and your access tokens end.",
    };
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"Choose a password"</h1>
        {refused}
        <form method="post" action="/password">
            <p class="soft">{consequence}</p>
            <div class="field">
                <label for="username">"Username"</label>
                // For password managers, which keep what belongs together.
                <input class="input large" id="username" autocomplete="username" required readonly value=username/>
            </div>
            {new_password(problem)}
            <input type="hidden" name="token" value=token/>
            <button class="button primary large wide">"Save password"</button>
        </form>
    }
}

/// What is there where a link has ended.
#[component]
pub fn LinkGone() -> impl IntoView {
    view! {
        <div class="brand"><Brand/>"Docket"</div>
        <h1>"This link no longer works"</h1>
        <p class="soft">"It was used before, is too old, or a newer one was sent. You can ask for a new one."</p>
        <a class="button primary large wide" href="/forgot">"Get a new link"</a>
        <a class="button quiet large wide" href="/login">"Back to sign in"</a>
    }
}
