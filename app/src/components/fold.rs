//! The word that filters are behind where a screen has no room for them. Without scripts it works, too: it is a box that the
//! style reads.

use leptos::prelude::*;

use super::{icon::Icon, type_erasure::Erase};

/// It says how many filters are set; `open` where one of them is refused.
pub fn fold(set: usize, open: bool) -> AnyView {
    let says = if set > 0 { format!("Filters · {set}") } else { "Filters".to_owned() };
    view! {
        <label class="button fold">
            <input class="hidden" type="checkbox" checked=open/>
            {says}
            <Icon name="down"/>
        </label>
    }
    .erase()
}
