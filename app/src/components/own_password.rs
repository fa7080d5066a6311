//! One's own password, typed once more in a form that decides who may come in, where the sign-in is too long ago.

use leptos::prelude::*;

use super::type_erasure::Erase;
use crate::refusal::{Refusal, wrong};

/// As the form sends it.
pub const NAME: &str = "own_password";

/// The field, where it is asked for; `id` tells it from that of another form.
pub fn own_password(id: &'static str, asked: bool, refusal: Option<&Refusal>) -> Option<AnyView> {
    // Why it is asked for stands above already.
    let missing = refusal
        .is_some_and(|refusal| refusal.0.errors.iter().any(|error| error.field == NAME && error.code == "required"));
    let wrong = if missing { Some("Enter your password.".to_owned()) } else { wrong(refusal, NAME) };
    if !asked && wrong.is_none() {
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
