//! The role and permissions of an account, and what they become.

use leptos::prelude::*;
use model::{Permission, Role, admin::UserRow};

use super::shared::roles;
use crate::{
    components::{
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
    },
    refusal::{Refusal, wrong},
};

pub fn rights(user: &UserRow, me: bool, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let given = |field: &str| refusal.and_then(|refusal| refusal.given(field));
    let (role, ticked, reason) = (given("role"), given("permissions"), given("rights-reason"));
    let wrong = wrong(refusal, "reason");
    let roles = roles(role.as_deref().unwrap_or(user.role.name()));
    let mine = (me && user.role == Role::Administrator).then(|| {
        view! { <p class="soft">"This is your own account. With another role you can no longer open these pages."</p> }
    });
    let boxes = Permission::ALL.iter().map(|permission| {
        let checked = match &ticked {
            Some(ticked) => ticked.split(',').any(|name| name == permission.name()),
            None => user.permissions.contains(permission),
        };
        view! {
            <label class="choice">
                <input type="checkbox" name=permission.name() value="yes" checked=checked/>
                <span>{permission.label()}</span>
            </label>
        }
    });
    view! {
        <form class="stack tight" method="post" action=format!("/admin/users/{}/change", user.person_id)>
            {roles}
            {mine}
            <fieldset class="field">
                <legend>"Permissions"</legend>
                <div class="choices">{boxes.collect_view()}</div>
            </fieldset>
            <div class="field">
                <label for="rights-reason">"Reason " <span class="soft">"(kept in the audit trail)"</span></label>
                <input
                    class="input"
                    id="rights-reason"
                    name="reason"
                    required
                    maxlength="500"
                    autocomplete="off"
                    value=reason
                    aria-describedby="rights-problem"
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="problem" id="rights-problem">{wrong}</span>
            </div>
            {own_password("rights-own", proof, refusal)}
            <div class="line"><button class="button primary">"Save role and permissions"</button></div>
        </form>
    }
    .erase()
}
