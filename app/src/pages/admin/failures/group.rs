//! A cause of failures: how it stands, which tasks its numbers count, and what can be done to them.

use leptos::prelude::*;
use model::{
    TaskErrorCode,
    admin::{FailureGroup, Window},
};

use crate::{
    components::{icon::Icon, type_erasure::Erase, values::badge::Badge},
    pages::admin::tasks::check::{self, AskedOn},
    url,
};

/// Whether it was meant to fail.
pub fn is_test(group: &FailureGroup) -> bool {
    model::error_code::code_of(&group.code) == Some(TaskErrorCode::SelfTest)
}

/// How it stands.
pub fn state(group: &FailureGroup) -> AnyView {
    match (group.dead, group.retrying) {
        (0, 0) => view! { <Badge icon="done" tone="ok" text="Resolved"/> }.erase(),
        (0, _) => view! { <Badge icon="retrying" tone="warn" text="Waiting to retry"/> }.erase(),
        _ => view! { <Badge icon="failed" tone="danger" text="Failed"/> }.erase(),
    }
}

/// The tasks that a number of a cause counts, and no others: those that failed for good within the period, or those that will be
/// retried. Of both together the period says nothing, since these have not ended.
pub fn counted_by(group: &FailureGroup, window: Window) -> Vec<(&'static str, String)> {
    let states = match (group.dead, group.retrying) {
        (1.., 0) => "FAILED,COULD_NOT_START",
        (0, _) => "RETRYING,WAITING",
        _ => "FAILED,COULD_NOT_START,RETRYING,WAITING",
    };
    let mut pairs = vec![("cause", group.cause.clone()), ("state", states.to_owned())];
    pairs.extend((group.retrying == 0).then(|| ("ended", window.name().to_owned())));
    pairs
}

/// The question before all tasks of a cause are retried or closed. Those that retry by themselves are left to it as long as there
/// are others. `from` is where it is asked.
fn ask(group: &FailureGroup, verb: &str, window: Window, from: AskedOn) -> String {
    let mut pairs = vec![("do", format!("{verb}-all")), (check::FROM, from.name().to_owned())];
    pairs.extend(counted_by(
        &FailureGroup { retrying: if group.dead > 0 { 0 } else { group.retrying }, ..group.clone() },
        window,
    ));
    url::with("/admin/tasks/check", &pairs)
}

/// What can be done to the tasks of a cause, in these words, that which helps first; `class` is what the buttons are beside.
pub fn verbs(
    group: &FailureGroup,
    window: Window,
    from: AskedOn,
    [retry, close]: [String; 2],
    class: [&'static str; 2],
) -> AnyView {
    let button = |verb: &str, text: String, icon: &'static str, class: &'static str| {
        let says = (from == AskedOn::Failures).then(|| format!("{text} {}", group.title));
        view! { <a class=class href=ask(group, verb, window, from) aria-label=says><Icon name=icon/>{text}</a> }.erase()
    };
    let [first, second] = class;
    match is_test(group) {
        true => [button("abandon", close, "abandoned", first), button("retry", retry, "retrying", second)],
        false => [button("retry", retry, "retrying", first), button("abandon", close, "abandoned", second)],
    }
    .into_iter()
    .collect_view()
    .erase()
}
