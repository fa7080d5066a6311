//! What several pages of accounts show.

use leptos::prelude::*;
use model::{Role, admin::UserRow};

use crate::components::{icon::Icon, type_erasure::Erase, values::badge::Badge};

pub fn state(user: &UserRow) -> AnyView {
    match user.disabled {
        true => view! { <Badge icon="lock" tone="" text="Disabled"/> }.erase(),
        false => view! { <Badge icon="done" tone="ok" text="Active"/> }.erase(),
    }
}

pub fn roles(chosen: &str) -> AnyView {
    let options = Role::ALL.iter().map(|role| {
        view! { <option value=role.name() selected=role.name() == chosen>{role.label()}</option> }
    });
    view! {
        <div class="field">
            <label for="role">"Role"</label>
            <span class="select">
                <select id="role" name="role">{options.collect_view()}</select>
                <Icon name="down"/>
            </span>
            <span class="hint">"Coaches can act on their caseload, managers on everyone. Administrators also manage the queue and users."</span>
        </div>
    }
    .erase()
}
