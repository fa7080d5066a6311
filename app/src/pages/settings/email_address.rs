//! One's own email address, from the link that was sent there.

use leptos::prelude::*;

use crate::{
    components::{
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
    },
    refusal::Refusal,
};

/// The link was followed: it counts once the button is pressed, since programs follow links as well.
pub fn followed(token: String, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    view! {
        <form class="panel stack tight measure" method="post" action="/settings/address">
            <h2>"Confirm your email address"</h2>
            <p class="soft">"Replies, test emails and notices will go to this address."</p>
            <input type="hidden" name="token" value=token/>
            {own_password("address-password", proof, refusal)}
            <div class="line"><button class="button primary">"Use this address"</button></div>
        </form>
    }
    .erase()
}

/// What is said of an address that waits.
pub fn waiting(requested: Option<String>) -> Option<AnyView> {
    let text =
        requested.map(|address| format!("We sent a link to {address}. Open the link to confirm the address."))?;
    Some(view! { <span class="hint">{text}</span> }.erase())
}
