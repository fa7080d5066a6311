//! What becomes of the tasks of somebody whose account is disabled.

use leptos::{prelude::*, server_fn::ServerFn};
use model::AccountId;

use crate::{
    components::{type_erasure::Erase, values::numbers::counted},
    pages::admin::{
        act::{self, VerbButton},
        api::{CloseLeftTasks, HandOverTasks},
    },
    refusal::{Refusal, wrong},
};

/// How many stand still, and the two things that can be done about them; nothing where none do.
pub fn panel(id: AccountId, waiting: u64, refusal: Option<&Refusal>) -> Option<AnyView> {
    if waiting == 0 {
        return None;
    }
    let (problem, given) = (wrong(refusal, "to"), refusal.and_then(|refusal| refusal.given("to")).unwrap_or_default());
    let to = view! {
        <div class="field">
            <label for="left-to">"New owner " <span class="soft">"(only to hand over)"</span></label>
            <input
                class="input"
                id="left-to"
                name="to"
                maxlength="100"
                autocomplete="off"
                value=given
                aria-describedby="left-to-hint left-to-problem"
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="hint" id="left-to-hint">"The username of somebody who has permission for what the tasks do"</span>
            <span class="problem" id="left-to-problem">{problem}</span>
        </div>
    }
    .erase();
    let (hand_over, close) = match waiting {
        1 => ("Hand over the task", "Close the task"),
        _ => ("Hand over the tasks", "Close the tasks"),
    };
    let verbs = vec![
        VerbButton::new(HandOverTasks::url(), hand_over, "people", ""),
        VerbButton::new(CloseLeftTasks::url(), close, "abandoned", "danger outlined"),
    ];
    let form = act::form_with("left", verbs, vec![("id", id.to_string())], Some(to), refusal);
    let stand = format!("{} still.", counted(waiting, "task stands", "tasks stand"));
    Some(
        view! {
            <section aria-labelledby="h-left" class="panel">
                <h2 id="h-left">"Tasks that stand still"</h2>
                <p class="soft">
                    {stand}
                    " Hand over what waits and is scheduled to somebody else: it runs as them, and skips people beyond their reach. Or close it, and it never runs. If you enable the account, it goes on."
                </p>
                {form}
            </section>
        }
        .erase(),
    )
}
