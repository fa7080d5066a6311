//! A form whose answer comes from a device. Only scripts can ask one (`frontend/passkey.js`): without them it stays hidden, and what is said
//! in its place names the other ways.

use leptos::prelude::*;

use crate::components::type_erasure::Erase;

/// What the device is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceAsked {
    ToMakeOne,
    ForOne,
}

impl DeviceAsked {
    /// As browsers call it.
    fn verb(self) -> &'static str {
        match self {
            DeviceAsked::ToMakeOne => "create",
            DeviceAsked::ForOne => "get",
        }
    }
}

/// `action` takes the answer, and what is below it as `/question` says what to ask; `without`: what is said to whoever has no scripts.
pub fn passkey_form(
    action: &'static str,
    asked: DeviceAsked,
    (label, class): (&'static str, &'static str),
    fields: AnyView,
    without: &'static str,
) -> AnyView {
    view! {
        <form class="stack tight" method="post" action=action data-passkey=asked.verb() hidden>
            {fields}
            <input type="hidden" name="answer"/>
            <button class=class>{label}</button>
            <span class="problem" role="alert"></span>
        </form>
        <noscript><p class="meta soft">{without}</p></noscript>
    }
    .into_view()
    .erase()
}
