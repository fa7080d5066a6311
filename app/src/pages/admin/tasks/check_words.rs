//! What the check of a verb on many tasks says where there is nothing to do, and of tasks that run.

use leptos::prelude::*;
use model::admin::{BulkPreview, BulkVerb};

use crate::components::{type_erasure::Erase, values::numbers::grouped};

/// What is said where a verb reaches no task, and why; `others` are there that it leaves alone.
pub const fn nothing(verb: BulkVerb, others: bool) -> (&'static str, &'static str, &'static str) {
    match (verb, others) {
        (BulkVerb::Retry, true) => (
            "Nothing to retry",
            "None of these tasks can be retried",
            "Only tasks that failed, could not start or are waiting to retry can be. These are not.",
        ),
        (BulkVerb::Abandon, true) => (
            "Nothing to close",
            "None of these tasks can be closed",
            "Only tasks that have not ended, or that failed, can be. These are over.",
        ),
        (BulkVerb::Retry, false) => ("Nothing to retry", "No task matches anymore", GONE),
        (BulkVerb::Abandon, false) => ("Nothing to close", "No task matches anymore", GONE),
    }
}

const GONE: &str = "They may have been retried or closed, or have ended since.";

/// What is said yes to where no filter is set: what the button does, and to how many.
pub fn yes(verb: BulkVerb, n: u64) -> String {
    let word = match verb {
        BulkVerb::Retry => "retry",
        BulkVerb::Abandon => "close",
    };
    if n == 1 { format!("Yes, {word} this task") } else { format!("Yes, {word} all {}", grouped(n)) }
}

/// What becomes of tasks that run while they are closed.
pub fn running(preview: &BulkPreview) -> Option<AnyView> {
    let (n, running) = (preview.will_change, preview.running);
    let who = match (running, n) {
        (0, _) => return None,
        (1, 1) => "It is running now. It stops".to_owned(),
        (1, _) => "1 of them is running now. It stops".to_owned(),
        (_, _) if running == n => "All of them are running now. They stop".to_owned(),
        _ => format!("{} of them are running now. They stop", grouped(running)),
    };
    let text = format!("{who} after the step that is under way, and leave the rest as it is.");
    let text = if running == 1 { text.replace("and leave", "and leaves") } else { text };
    Some(view! { <p>{text}</p> }.erase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below “7 done: not included” it said “Yes, include all tasks”.
    #[test]
    fn the_yes_is_to_the_tasks_of_the_button_and_not_to_those_left_alone() {
        assert_eq!(yes(BulkVerb::Abandon, 8), "Yes, close all 8");
        assert_eq!(yes(BulkVerb::Retry, 5_000), "Yes, retry all 5,000");
        assert_eq!(yes(BulkVerb::Retry, 1), "Yes, retry this task");
    }

    #[test]
    fn what_becomes_of_tasks_that_run_is_told_before_they_are_closed() {
        let told = |will_change, running| {
            let preview = BulkPreview {
                verb: BulkVerb::Abandon,
                will_change,
                preview_token: model::OperationToken::from_u128(1),
                running,
                left: Vec::new(),
                more: false,
                open: 0,
                sample: Vec::new(),
            };
            super::running(&preview).map(RenderHtml::to_html).unwrap_or_default()
        };
        assert_eq!(told(3, 0), "");
        assert!(told(1, 1).contains("It is running now. It stops after the step that is under way, and leaves"));
        assert!(told(3, 2).contains("2 of them are running now. They stop after"));
        assert!(told(3, 3).contains("All of them are running now."));
    }

    #[test]
    fn where_nothing_can_be_done_no_number_of_tasks_is_asked_about() {
        for verb in [BulkVerb::Retry, BulkVerb::Abandon] {
            for others in [false, true] {
                let (title, why, _) = nothing(verb, others);
                assert!(title.starts_with("Nothing to ") && !why.contains('0'), "{title} {why}");
            }
        }
    }
}
