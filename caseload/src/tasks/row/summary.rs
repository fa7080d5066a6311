//! What a task did, in one line, once it has ended.

use model::{Action, TaskRow, WorkflowStatus, action::did, kind::Effect};

/// The line; nothing of a task that has not ended.
pub(crate) fn summary(row: &TaskRow, action: Option<&Action>) -> Option<String> {
    if !row.status.is_finished() {
        return None;
    }
    let (kind, completed) = (row.description(), row.status == WorkflowStatus::Completed);
    let count = |n| model::counted(n, kind.unit.0, kind.unit.1);
    let tried = row.succeeded + row.failed + row.uncertain + row.open();
    let nothing = match kind.cannot_be_taken_back {
        true => "No emails sent",
        false => "Nobody was changed",
    };
    // An import tells its lines in words of its own.
    let told = row.trouble.clone().filter(|_| completed && action.is_none());
    Some(match (row.succeeded, kind.effect) {
        _ if told.is_some() => told.unwrap_or_default(),
        (_, Effect::Reads) if !completed => "No file was created".to_owned(),
        (0, Effect::Changes) if row.uncertain > 0 => done_to(0, tried, &count, action, kind.done),
        (0, Effect::Changes) => match (completed, row.failed, row.skipped) {
            (true, 0, 1) => format!("{nothing}: the one {} was skipped", kind.unit.0),
            (true, 0, skipped @ 2..) => format!("{nothing}: all {} were skipped", count(skipped)),
            (true, failed @ 1.., _) if failed == tried => {
                all_failed(failed, row.skipped, &count, kind.cannot_be_taken_back)
            }
            _ => nothing.to_owned(),
        },
        (done, _) => done_to(done, tried, &count, action, kind.done),
    })
}

/// So many of those whom it was tried for. An action is done to people, whatever its task counts: of the lines of a list that are
/// about one person, all but one are skipped.
fn done_to(done: u64, tried: u64, count: &dyn Fn(u64) -> String, action: Option<&Action>, word: &str) -> String {
    let tried_in_words = if action.is_some() { model::people(tried) } else { count(tried) };
    let people = match done == tried {
        true => tried_in_words,
        false => format!("{} of {tried_in_words}", model::grouped(done)),
    };
    action.map_or_else(|| format!("{people} {word}"), |action| did(action, &people))
}

/// Nobody is done, and nothing else happened.
fn all_failed(failed: u64, skipped: u64, count: &dyn Fn(u64) -> String, is_email: bool) -> String {
    let so = if is_email { "; no emails sent" } else { "" };
    match (skipped, failed) {
        (0, 1) => format!("Failed for the one person{so}"),
        (0, _) => format!("Failed for all {}{so}", count(failed)),
        _ => format!("Failed for {} of {}, the rest were skipped{so}", model::grouped(failed), count(failed + skipped)),
    }
}

/// The line of a task that was undone for so many of those whom it had changed, after what it did.
pub(crate) fn then_restored(did: &str, some: u64, changed: u64) -> String {
    match some < changed {
        true => format!("{did}, then {} restored", model::grouped(some)),
        false => format!("{did}, then restored"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: &str, action: &str, [succeeded, skipped, failed, total]: [u64; 4]) -> String {
        let action: Action = serde_json::from_str(action).unwrap();
        let at = "2026-11-21T14:05:00Z";
        let id = "00000000-0000-0000-0000-000000000007";
        let row = serde_json::json!({
            "id": id, "kind": action.kind().name(), "title": "", "status": status, "state": "DONE", "label": "",
            "ownerId": id, "ownerName": "", "total": total, "succeeded": succeeded, "skipped": skipped, "failed": failed,
            "uncertain": 0, "attempt": 1, "failures": 0, "maxFailures": 5, "createdDate": at, "triggerDate": at,
            "modifiedDate": at, "canRetry": false, "canAbandon": false, "canUndo": false, "canRepeat": false,
        });
        summary(&serde_json::from_value(row).unwrap(), Some(&action)).unwrap_or_default()
    }

    const WATCH: &str = r#"{"kind":"watch","operation":"WATCH"}"#;
    const ALERT: &str = r#"{"kind":"early-alert","alertReason":"OTHER"}"#;
    const STATUS: &str = r#"{"kind":"program-status","programStatus":"INACTIVE"}"#;
    const LIST: &str = r#"{"kind":"reassign-list","file":"spring.csv"}"#;
    const EMAIL: &str = r#"{"kind":"email","subject":"Slots","body":"Hello","recipients":"PRIMARY"}"#;

    #[test]
    fn a_task_says_what_it_did_in_the_words_of_its_action() {
        assert_eq!(told("COMPLETED", WATCH, [3, 0, 0, 3]), "Watching 3 people");
        assert_eq!(told("COMPLETED", ALERT, [3, 0, 0, 3]), "Alert raised on 3 people");
        assert_eq!(told("COMPLETED", STATUS, [1_204, 30, 6, 1_240]), "1,204 of 1,210 people changed to Inactive");
        assert_eq!(told("ABANDONED", EMAIL, [2, 0, 0, 5]), "2 of 5 people emailed");
        assert_eq!(told("EXECUTING", WATCH, [1, 0, 0, 3]), "");
    }

    /// “4 lines moved to the coaches in the list” was said of four people.
    #[test]
    fn a_list_counts_lines_and_moves_people() {
        assert_eq!(told("COMPLETED", LIST, [4, 5, 0, 9]), "4 people moved to the coaches in the list");
        assert_eq!(told("COMPLETED", LIST, [3, 5, 1, 9]), "3 of 4 people moved to the coaches in the list");
        assert_eq!(told("COMPLETED", LIST, [0, 9, 0, 9]), "Nobody was changed: all 9 lines were skipped");
        assert_eq!(told("COMPLETED", LIST, [0, 1, 0, 1]), "Nobody was changed: the one line was skipped");
    }

    #[test]
    fn where_nobody_is_done_that_is_said_first() {
        assert_eq!(told("COMPLETED", EMAIL, [0, 0, 193, 193]), "Failed for all 193 people; no emails sent");
        assert_eq!(told("COMPLETED", STATUS, [0, 0, 1, 1]), "Failed for the one person");
        assert_eq!(told("COMPLETED", STATUS, [0, 2, 3, 5]), "Failed for 3 of 5 people, the rest were skipped");
        assert_eq!(told("COMPLETED", STATUS, [0, 5, 0, 5]), "Nobody was changed: all 5 people were skipped");
        assert_eq!(told("ABANDONED", EMAIL, [0, 0, 0, 5]), "No emails sent");
        assert_eq!(told("FAILURE", STATUS, [0, 0, 0, 5]), "Nobody was changed");
    }

    #[test]
    fn what_was_undone_says_both_what_it_did_and_what_was_put_back() {
        let did = told("COMPLETED", STATUS, [127, 11, 0, 138]);
        assert_eq!(then_restored(&did, 127, 127), "127 people changed to Inactive, then restored");
        assert_eq!(then_restored(&did, 100, 127), "127 people changed to Inactive, then 100 restored");
    }
}
