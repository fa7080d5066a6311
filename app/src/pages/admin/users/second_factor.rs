//! The second factor of somebody, for the administrator who resets it when it is lost.

use leptos::prelude::*;
use model::{
    AccountId,
    account::{AuthenticatorApp, SecondFactor},
};

use crate::{
    components::{
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::{numbers::counted, time::Time},
    },
    pages::admin::act::{self, VerbButton},
    refusal::Refusal,
};

/// `me`: it is one's own, which is changed in the settings.
pub fn panel(id: AccountId, factor: &SecondFactor, me: bool, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let verb = VerbButton::new(format!("/admin/users/{id}/second-factor"), "Reset the second factor", "lock", "danger");
    let own = own_password("factor-own", proof, refusal);
    let (about, form) = match me {
        true => (
            "You replace or remove your own in “Settings”.",
            view! { <div class="line"><a class="button" href="/settings">"Settings"</a></div> }.erase(),
        ),
        false => (
            "For somebody who has lost their device and their recovery codes. It removes the app and all passkeys and signs them out; they sign in with their password alone and can set up another one.",
            act::form_with("factor", vec![verb], Vec::new(), own, refusal),
        ),
    };
    let left = factor.codes_left;
    let app = factor.app.map(|AuthenticatorApp { set_up, used }| {
        view! {
            <span>"Authenticator app, set up "<Time at=set_up date=true/></span>
            <span>"Last used "<Time at=used/></span>
        }
    });
    let passkeys = match factor.passkeys.len() {
        0 => None,
        many => Some(view! { <span>{counted(many as u64, "passkey", "passkeys")}</span> }),
    };
    view! {
        <section aria-labelledby="h-factor" class="panel">
            <h2 id="h-factor">"Second factor"</h2>
            <p class="facts">
                {app}
                {passkeys}
                <span>{format!("Recovery codes left: {left}")}</span>
            </p>
            <p class="soft">{about}</p>
            {form}
        </section>
    }
    .erase()
}
