//! Proof that it is still them, in a form that decides who may come in, where the sign-in is too long ago: their own password, typed once
//! more, or another sign-in by which they come in.

use leptos::prelude::*;

use super::type_erasure::Erase;
use crate::refusal::{Refusal, wrong};

/// As the form sends it.
pub const NAME: &str = "own_password";

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnProof {
    Nothing,
    Password,
    /// They have no password here, and sign in once more at this address, with whom this names.
    SignInAgain {
        address: String,
        with: String,
    },
}

/// The field, where it is asked for; `id` tells it from that of another form.
pub fn own_password(id: &'static str, asked: &OwnProof, refusal: Option<&Refusal>) -> Option<AnyView> {
    // Why it is asked for stands above already.
    let missing = refusal
        .is_some_and(|refusal| refusal.0.errors.iter().any(|error| error.field == NAME && error.code == "required"));
    let wrong = match (missing, asked) {
        (true, OwnProof::SignInAgain { .. }) => Some("Sign in again to continue.".to_owned()),
        (true, _) => Some("Enter your password.".to_owned()),
        (false, _) => wrong(refusal, NAME),
    };
    if let OwnProof::SignInAgain { address, with } = asked {
        let (address, with) = (address.clone(), format!("Sign in again with {with}"));
        return Some(
            view! {
                <div class="field">
                    <p class="hint">"This takes a sign-in within the last five minutes. Sign in again before you fill in the form."</p>
                    <a class="button" href=address rel="external">{with}</a>
                    <span class="problem">{wrong}</span>
                </div>
            }
            .erase(),
        );
    }
    if *asked == OwnProof::Nothing && wrong.is_none() {
        return None;
    }
    let (hint, problem) = (format!("{id}-hint"), format!("{id}-problem"));
    Some(
        view! {
            <div class="field">
                <label for=id>"Your password"</label>
                <input
                    class="input"
                    type="password"
                    id=id
                    name=NAME
                    autocomplete="current-password"
                    aria-describedby=format!("{hint} {problem}")
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="hint" id=hint>"You signed in more than five minutes ago. Enter your password to confirm it is you."</span>
                <span class="problem" id=problem>{wrong}</span>
            </div>
        }
        .erase(),
    )
}
