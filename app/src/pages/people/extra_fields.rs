//! The menu of fields that an import keeps beyond the known ones. Such a field has a text to type: what is in it, nobody knows.

use std::collections::BTreeSet;

use leptos::prelude::*;
use model::extra_fields::{LONGEST, key, named};

use crate::components::{icon::Icon, type_erasure::Erase};

/// The menu, unless there is no such field; `chosen` says how many are set.
pub fn menu(names: Vec<String>, pairs: &[(String, String)], chosen: fn(usize) -> Option<AnyView>) -> AnyView {
    let set: Vec<(&str, &str)> = pairs.iter().filter_map(|(key, value)| Some((named(key)?, value.as_str()))).collect();
    let names: BTreeSet<&str> = names.iter().map(String::as_str).chain(set.iter().map(|(name, _)| *name)).collect();
    if names.is_empty() {
        return ().erase();
    }
    let typed = names.into_iter().flat_map(|name| {
        let mut values: Vec<&str> = set.iter().filter(|(of, _)| *of == name).map(|(_, value)| *value).collect();
        if values.is_empty() {
            values.push("");
        }
        values.into_iter().map(move |value| (name, value)).collect::<Vec<_>>()
    });
    let fields = typed
        .enumerate()
        .map(|(place, (name, value))| {
            let id = format!("extra-{place}");
            view! {
                <div class="field">
                    <label for=id.clone()>{name.to_owned()}</label>
                    <input
                        class="input"
                        id=id
                        name=key(name)
                        maxlength=LONGEST.to_string()
                        autocomplete="off"
                        value=value.to_owned()
                    />
                </div>
            }
        })
        .collect_view();
    view! {
        <details class="menu start">
            <summary class="button">"Other fields"{chosen(set.len())}<Icon name="down"/></summary>
            <div class="panel stack tight">
                <p class="meta soft">"Type the whole value as it was imported, with its capital letters."</p>
                <div class="scroll stack tight">{fields}</div>
            </div>
        </details>
    }
    .erase()
}
