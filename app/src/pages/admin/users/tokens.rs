//! The access tokens of an account, and locking one out.

use leptos::{prelude::*, server_fn::ServerFn};
use model::admin::UserRow;

use crate::{
    components::{type_erasure::Erase, values::time::Time},
    pages::{
        admin::api::RevokeTokenOf,
        settings::tokens::{last_used, until},
    },
    refusal::{Refusal, wrong},
};

pub fn tokens(user: &UserRow, me: bool, refusal: Option<&Refusal>) -> Option<AnyView> {
    if user.tokens.is_empty() {
        return None;
    }
    let options = user.tokens.iter().map(|token| {
        view! {
            <label class="choice" data-key=token.id.to_string()>
                <input type="radio" name="token" value=token.id.to_string() required/>
                <span>
                    {token.name.clone()}
                    " "
                    <span class="meta soft">
                        {token.scope.label()} ", created " <Time at=token.created_date date=true/> ", expires " {until(token)}
                        ", last used: " {last_used(token)}
                    </span>
                </span>
            </label>
        }
    });
    let wrong = wrong(refusal, "reason");
    Some(
        view! {
            <section aria-labelledby="h-tokens" class="panel">
                <h2 id="h-tokens">"Access tokens"</h2>
                <p class="soft">{if me { "Programs use these with your permissions." } else { "Programs use these with their permissions." }}</p>
                <form class="stack tight" method="post" action=RevokeTokenOf::url()>
                    <input type="hidden" name="id" value=user.person_id.to_string()/>
                    <fieldset class="choices"><legend class="hidden">"Token"</legend>{options.collect_view()}</fieldset>
                    <div class="field">
                        <label for="token-reason">"Reason " <span class="soft">"(kept in the audit trail)"</span></label>
                        <input
                            class="input"
                            id="token-reason"
                            name="reason"
                            required
                            maxlength="500"
                            autocomplete="off"
                            aria-describedby="token-problem"
                            aria-invalid=wrong.is_some().then_some("true")
                        />
                        <span class="problem" id="token-problem">{wrong}</span>
                    </div>
                    <div class="line"><button class="button danger">"Revoke token"</button></div>
                </form>
            </section>
        }
        .erase(),
    )
}
