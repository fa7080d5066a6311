//! The second factor of somebody, for the administrator who resets it when it is lost.

use leptos::prelude::*;
use model::{AccountId, account::SecondFactor};

use crate::{
    components::{
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::time::Time,
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
            "For somebody who has lost their phone and their recovery codes. It signs them out; they sign in with their password alone and can set up another app.",
            act::form_with("factor", vec![verb], Vec::new(), own, refusal),
        ),
    };
    let (set_up, used, left) = (factor.set_up, factor.used, factor.codes_left);
    view! {
        <section aria-labelledby="h-factor" class="panel">
            <h2 id="h-factor">"Second factor"</h2>
            <p class="facts">
                <span>"Authenticator app, set up "<Time at=set_up date=true/></span>
                <span>"Last used "<Time at=used/></span>
                <span>{format!("Recovery codes left: {left}")}</span>
            </p>
            <p class="soft">{about}</p>
            {form}
        </section>
    }
    .erase()
}
