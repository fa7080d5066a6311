//! What an administrator can do about a cause of failures, in plain words. What went wrong says the cause's own title; the text of
//! the error stands behind it.

use model::{TaskErrorCode, TaskKind, ledger::FailReason};

/// By the code of the error. One that only another version knows gets what holds for all.
pub fn remedy(code: &str) -> &'static str {
    let Some(code) = model::error_code::code_of(code) else {
        return "Read the error text and fix the cause, then retry. Close what nobody needs anymore.";
    };
    match code {
        TaskErrorCode::NotPermitted => {
            "Give the person the permission back, then retry. Close what nobody needs anymore."
        }
        TaskErrorCode::Drifted => "Close, and let the owner submit again for the people who match today.",
        TaskErrorCode::Database | TaskErrorCode::Unwritable => {
            "Check that the database is running, can be reached and has free space. Then retry."
        }
        TaskErrorCode::DatabaseRefused
        | TaskErrorCode::Panic
        | TaskErrorCode::Internal
        | TaskErrorCode::BadBookmark => "Retry once. If it fails again, keep the error text for support, and close.",
        TaskErrorCode::BadSpec => {
            "Another version of Docket may have submitted this. Retry after an upgrade, or close and submit again."
        }
        TaskErrorCode::UnknownKind => "Start a process that can run this kind, then retry.",
        TaskErrorCode::Deadline => "Check whether the database, the mail server or the file store is slow. Then retry.",
        TaskErrorCode::ProcessDied | TaskErrorCode::Poison => {
            "Check the memory and the log of the processes first: a retry can stop them again."
        }
        TaskErrorCode::TooManyRows => "Close, and let the owner set a filter and export fewer people.",
        TaskErrorCode::BadFile => "Close, and import a corrected file.",
        TaskErrorCode::MailServer => {
            "Check that the mail server can be reached and accepts Docket’s sender address. Then retry."
        }
        TaskErrorCode::Erased => "Close. An email without that name can be written instead.",
        TaskErrorCode::Files => "Check that the file store can be reached and has free space. Then retry.",
        TaskErrorCode::SelfTest => "Nothing is broken: the test was meant to fail. Close it.",
    }
}

/// The same of people who failed in a task of this kind that is done, by the reason. One of an action's own gets what holds for all.
pub fn for_people(kind: &str, reason: &str) -> &'static str {
    match reason.parse::<FailReason>() {
        // A column that has the reasons is named before it.
        Err(_) if kind == TaskKind::Import.name() && reason.contains(": ") && reason.ends_with("needs a reason") => {
            "Fill in the reason in the file, then import it again."
        }
        Err(_) if kind == TaskKind::Import.name() && reason.ends_with("needs a reason") => {
            "Import the file again, and choose a reason beside the value or match a column to “Reason of the status”."
        }
        Err(_) if kind == TaskKind::Import.name() && reason.ends_with("not a known value") => {
            "Import the file again, and match the values on the way."
        }
        Err(_) if kind == TaskKind::Import.name() => "Correct the lines in the file, then import it again.",
        Ok(FailReason::NotConfigured) => "Set up a mail server. Then the owner can resend the email.",
        Ok(FailReason::Rejected | FailReason::BadAddress | FailReason::PartlyRefused | FailReason::Bounced) => {
            "Correct their email addresses. Then the owner can resend the email."
        }
        Ok(FailReason::Deferred) => {
            "Check that the mail server accepts email from Docket. Then the owner can resend the email."
        }
        Ok(FailReason::Refused) => "Check whether their records are complete. Then retry for them on the task’s page.",
        Ok(FailReason::Unconfirmed | FailReason::Erased) => "Nothing can be repeated for them.",
        Err(_) => "Correct what was wrong. Then retry for them on the task’s page.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_says_what_to_do() {
        for reason in FailReason::ALL {
            let words = for_people("EMAIL", reason.name());
            assert!(words.ends_with('.') && words.chars().count() <= 120, "{}: {words}", reason.name());
        }
        assert!(for_people("PROGRAM_STATUS", "STATUS_LOCKED").contains("retry"));
        let of_line = |reason| for_people(TaskKind::Import.name(), reason);
        assert_eq!(of_line("name: the last name is missing"), "Correct the lines in the file, then import it again.");
        let unknown = "Import the file again, and match the values on the way.";
        assert_eq!([of_line("Status: not a known value"), of_line("Status: “x” is not a known value")], [unknown; 2]);
        let of_column = of_line("Status reason: Non-participating needs a reason");
        assert_eq!(of_column, "Fill in the reason in the file, then import it again.", "the column is matched");
        assert!(of_line("Non-participating needs a reason").contains("choose a reason"));
    }

    #[test]
    fn every_cause_says_what_to_do() {
        for code in TaskErrorCode::ALL {
            let words = remedy(code.name());
            assert!(words.ends_with('.') && words.chars().count() <= 120, "{code}: {words}");
        }
        assert!(remedy("quantum").contains("error text"));
    }
}
