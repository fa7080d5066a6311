//! Passkeys: those that somebody has, and the form that adds one.

use leptos::prelude::*;
use model::account::Passkey;

use super::{
    device_form::{DeviceAsked, passkey_form},
    new_app::PASSKEYS,
};
use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::{badge::Badge, time::Time},
    },
    refusal::{Refusal, wrong},
};

/// Where passkeys cannot be used, and why.
pub const OFF: &str = "Passkeys cannot be used here: Docket has no public address with a name, over https. Your administrator can set one.";

/// One in the list of those that somebody has, with the button that removes it with the form around it.
pub fn passkey(key: Passkey) -> AnyView {
    let Passkey { id, name, added, used, signs_in_alone } = key;
    let remove = format!("Remove {name}");
    let alone = signs_in_alone.then(|| view! { <Badge icon="done" tone="ok" text="Signs in without a password"/> });
    let used = match used {
        Some(used) => view! { ", last used "<Time at=used/> }.into_view().erase(),
        None => ", not used yet".into_view().erase(),
    };
    view! {
        <div class="line">
            <strong class="clamp"><bdi>{name}</bdi></strong>
            {alone}
            <button
                class="button small danger outlined"
                name="passkey"
                value=id.to_string()
                formaction=format!("{PASSKEYS}/remove")
                aria-label=remove
            >
                "Remove"
            </button>
        </div>
        <p class="meta soft">"Passkey, added "<Time at=added date=true/>{used}</p>
    }
    .into_view()
    .erase()
}

/// The page in the settings.
pub fn add_passkey(are_possible: bool, next: String, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let content = match are_possible {
        true => form(next, proof, refusal),
        false => view! { <Notice title="Passkeys are off" text=OFF tone="info"/> }.into_view().erase(),
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/settings">"Settings"</a></li></ol>
                <h1>"Add a passkey"</h1>
            </div>
        </header>
        <p class="soft measure">"Your phone, your computer or a security key keeps it. You sign in with your fingerprint, face or PIN there, and nobody can type it or send it on."</p>
        {unplaced(refusal)}
        {content}
    }
    .into_view()
    .erase()
}

/// What was refused that belongs to no field that is here.
fn unplaced(refusal: Option<&Refusal>) -> Option<AnyView> {
    let refusal = refusal.filter(|refusal| refusal.0.errors.is_empty())?;
    Some(view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> }.into_view().erase())
}

/// The form alone.
pub fn form(next: String, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let (unnamed, refused) = (wrong(refusal, "name"), wrong(refusal, "passkey"));
    let typed = refusal.and_then(|refusal| refusal.given("name"));
    let refused = refused.map(|text| view! { <Notice title="The passkey was not added" text=text/> });
    let fields = view! {
        {refused}
        <div class="field">
            <label for="passkey-name">"Name of the device"</label>
            <input
                class="input"
                id="passkey-name"
                name="name"
                maxlength="60"
                autocomplete="off"
                required
                value=typed
                aria-describedby="passkey-name-hint passkey-name-problem"
                aria-invalid=unnamed.is_some().then_some("true")
            />
            <span class="hint" id="passkey-name-hint">"So that you know it again: “My phone”"</span>
            <span class="problem" id="passkey-name-problem">{unnamed}</span>
        </div>
        {own_password("passkey-own", proof, refusal)}
        <input type="hidden" name="next" value=next/>
    };
    let without = "Adding a passkey needs scripts. An authenticator app works without them.";
    let form = passkey_form(
        PASSKEYS,
        DeviceAsked::ToMakeOne,
        ("Add a passkey", "button primary large"),
        fields.into_view().erase(),
        without,
    );
    view! { <div class="measure">{form}</div> }.into_view().erase()
}

/// The link to it.
pub fn link() -> AnyView {
    view! { <a class="button" href=PASSKEYS><Icon name="plus"/>"Add a passkey"</a> }.into_view().erase()
}
