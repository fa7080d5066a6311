//! What somebody has beside their password, and what they can do about it.

use leptos::prelude::*;
use model::account::{AuthenticatorApp, SecondFactor};

use super::{
    new_app::PAGE,
    passkeys::{self, OFF},
};
use crate::{
    components::{
        icon::Icon,
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::{badge::Badge, time::Time},
    },
    refusal::Refusal,
};

/// What the section goes by.
pub struct SecondFactorPart {
    pub factor: Option<SecondFactor>,
    /// Whether somebody with this role must have one.
    pub needed: bool,
    /// Whether passkeys can be used here.
    pub passkeys: bool,
    /// How many recovery codes are made.
    pub made: usize,
}

/// `has_password`: otherwise a provider lets them in, and asks for more if it wants to.
pub fn section(part: &SecondFactorPart, has_password: bool, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let content = match (has_password, &part.factor) {
        (false, _) => {
            view! { <p class="soft">"Your institution asks for one where you sign in, if it wants to."</p> }.erase()
        }
        (true, None) => view! {
            <p class="soft">
                "With a passkey or an authenticator app, nobody can sign in with your password alone. A passkey is kept by your phone, computer or security key."
            </p>
            <div class="line">
                {part.passkeys.then(passkeys::link)}
                <a class="button" href=PAGE><Icon name="plus"/>"Set up an authenticator app"</a>
            </div>
            {(!part.passkeys).then(off)}
        }
        .into_view()
        .erase(),
        (true, Some(factor)) => change(factor, part, proof, refusal),
    };
    view! {
        <section aria-labelledby="h-factor" class="stack tight measure">
            <div class="section"><h2 id="h-factor">"Second factor"</h2></div>
            {content}
        </section>
    }
    .erase()
}

fn off() -> AnyView {
    view! { <p class="meta soft">{OFF}</p> }.into_view().erase()
}

/// The app, with when it was set up and used; or the way to one.
fn app(app: Option<AuthenticatorApp>) -> AnyView {
    let Some(AuthenticatorApp { set_up, used }) = app else {
        return view! { <a class="button" href=PAGE><Icon name="plus"/>"Set up an authenticator app"</a> }
            .into_view()
            .erase();
    };
    view! {
        <div class="line">
            <strong>"Authenticator app"</strong>
            <Badge icon="done" tone="ok" text="On"/>
            <a class="button small" href=PAGE>"Replace…"</a>
        </div>
        <p class="meta soft">"Set up "<Time at=set_up date=true/>", last used "<Time at=used/></p>
    }
    .into_view()
    .erase()
}

/// How many recovery codes are too few to lose one more.
const FEW: u64 = 2;

fn change(factor: &SecondFactor, part: &SecondFactorPart, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let made = part.made;
    let left = format!("Recovery codes: {} of {made} left", factor.codes_left);
    let is_only = factor.passkeys.is_empty();
    let remove = match (factor.app, part.needed && is_only) {
        (None, _) | (_, true) => None,
        _ => {
            let action = format!("{PAGE}/remove");
            Some(view! { <button class="button danger outlined" formaction=action>"Remove the app"</button> })
        }
    };
    let few = (factor.codes_left <= FEW).then(|| view! { <Badge icon="problems" tone="warn" text="Make new ones"/> });
    let needed = part.needed.then_some(" Your role needs a second factor, so the last one cannot be removed.");
    let passkeys = factor.passkeys.iter().cloned().map(passkeys::passkey).collect_view();
    let another = part.passkeys.then(passkeys::link);
    // Enter in the field would press the first button.
    view! {
        <form class="stack tight" method="post" action=format!("{PAGE}/codes")>
            <button disabled hidden></button>
            {app(factor.app)}
            {passkeys}
            {another}
            {(!part.passkeys).then(off)}
            <div class="line"><strong>{left}</strong>{few}</div>
            <p class="meta soft">"For when you do not have your device. Each works once. New ones take the place of all former ones."{needed}</p>
            {own_password("factor-own", proof, refusal)}
            <div class="line">
                <button class="button" formaction=format!("{PAGE}/codes")>{format!("Make {made} new codes")}</button>
                {remove}
            </div>
        </form>
    }
    .erase()
}
