//! An email: its text is kept as a draft, and is no part of the address. It has a page of its own to be written on.

use model::composer::Typed;

use super::form::Fields;
use crate::components::values::numbers::people;
use crate::{components::type_erasure::Erase, pages::new_action::draft::Draft};

pub const FIELDS: Fields = Fields {
    title: "Email",
    hint: None,
    names: &["subject", "body", "to", "cc", "journal"],
    is_kept: true,
    tidy: |_| (),
    action: |draft| typed(draft).action(),
    controls: |_, _| ().erase(),
    button: |count| format!("Send to {}", people(count)),
};

/// What was typed.
fn typed(draft: &Draft) -> Typed {
    let choice = |name: &str| draft.choice(name).to_owned();
    Typed {
        subject: choice("subject"),
        body: choice("body"),
        to: choice("to"),
        cc: choice("cc"),
        journal: choice("journal"),
    }
}

/// A draft that is kept elsewhere, as the choices of its form.
pub fn choices(typed: &Typed) -> impl Iterator<Item = (String, String)> {
    let all = [
        ("subject", &typed.subject),
        ("body", &typed.body),
        ("to", &typed.to),
        ("cc", &typed.cc),
        ("journal", &typed.journal),
    ];
    let given = all.map(|(name, value)| (name.to_owned(), value.clone()));
    given.into_iter().filter(|(_, value)| !value.is_empty())
}
