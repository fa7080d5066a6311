//! Why a task did not work, as codes. Each has its words for people, so that none can be shown without any; what a newer
//! version has stored and this one does not know still reads as a sentence.

use crate::enum_words::words;

words! {
    /// The code of an error; the detail behind it is for administrators.
    TaskErrorCode {
        NotPermitted = "not_permitted", "The person who submitted it no longer has permission.";
        Drifted = "drifted", "The list of people changed too much before the task started, so nobody was changed. Submit it again.";
        Database = "database", "The database did not answer.";
        /// It did, and would not take what was to be written.
        DatabaseRefused = "database_refused", "The database could not save the change.";
        /// How the attempt ended, the database would not take.
        Unwritable = "unwritable", "Docket could not save the result.";
        Panic = "panic", "Docket ran into an error of its own.";
        BadBookmark = "bad_bookmark", "Docket could not tell where to resume.";
        Internal = "internal", "Docket ran into an error of its own.";
        BadSpec = "bad_spec", "Docket could not read what was asked for.";
        UnknownKind = "unknown_kind", "This version of Docket cannot run tasks of this kind.";
        /// One chunk, or the time since the last one, went on for too long.
        Deadline = "deadline", "It took too long without making progress.";
        ProcessDied = "process_died", "Docket stopped while running this task.";
        Poison = "poison", "Docket stopped several times while running this task.";
        TooManyRows = "too_many_rows", "More people now match than one file can hold.";
        BadFile = "bad_file", "The file could not be read.";
        MailServer = "mail_server", "The mail server could not be reached, or refused the email.";
        Erased = "erased", "Its text named a person who has since been erased.";
        Files = "files", "The file could not be stored.";
        SelfTest = "self_test", "The self-test was asked to fail.";
    }
}

/// What is said of a code that only another version knows.
pub const UNKNOWN: &str = "The cause was recorded by another version of Docket and cannot be shown here.";

/// The words for a stored error, a code alone or before a colon and its detail.
pub fn in_words(stored: &str) -> String {
    code_of(stored).map_or(UNKNOWN, TaskErrorCode::label).to_owned()
}

/// The code that a stored error begins with, if this version knows it.
pub fn code_of(stored: &str) -> Option<TaskErrorCode> {
    stored.split(':').next().unwrap_or_default().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_as_a_sentence_of_its_own() {
        for code in TaskErrorCode::ALL {
            let words = in_words(&format!("{code}: what an administrator reads"));
            assert!(words.ends_with('.') && words != UNKNOWN, "{code}: {words}");
        }
        for code in ["deadline", "process_died", "unwritable"] {
            assert!(!in_words(code).contains("went wrong"), "{code}");
        }
    }

    #[test]
    fn what_a_newer_version_stored_still_reads() {
        assert_eq!(in_words("quantum: entangled"), UNKNOWN);
        assert_eq!(in_words(""), UNKNOWN);
    }
}
