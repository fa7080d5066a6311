//! The ledger of a task: one line for each person, with what became of them.

use serde::{Deserialize, Serialize};

use crate::{Cursor, Instant, PersonId, enum_words::words};

words! {
    /// What became of one person.
    Outcome {
        Done = "DONE", "Done";
        Skipped = "SKIPPED", "Skipped";
        Failed = "FAILED", "Failed";
        /// An outside effect that may or may not have happened.
        Uncertain = "UNCERTAIN", "Uncertain";
    }
}

words! {
    /// Why a person was skipped. The order is the one in which they are tested: the first that holds is the reason.
    SkipReason {
        NotFound = "NOT_FOUND", "not found";
        OutOfReach = "OUT_OF_REACH", "not in the caseload";
        NotActivated = "NOT_ACTIVATED", "not activated";
        AlreadyThere = "ALREADY_THERE", "no change needed";
        /// Off the watch list before the task came.
        NotWatched = "NOT_WATCHED", "not watched";
        /// No longer as the task left them that is to be undone.
        ChangedSince = "CHANGED_SINCE", "changed since";
        /// An import that says what Docket knows already.
        Unchanged = "UNCHANGED", "unchanged";
        /// Without the address that was asked for.
        NoAddress = "NO_ADDRESS", "no email address";
        OptedOut = "OPTED_OUT", "opted out of email";
        /// Somebody before them in the same task has it, too.
        SameAddress = "SAME_ADDRESS", "same address as another";
        /// A list names somebody who has no account that is in use.
        UnknownCoach = "UNKNOWN_COACH", "new coach not found";
        /// A list gives a name that several have.
        AmbiguousCoach = "AMBIGUOUS_COACH", "new coach’s name on several accounts";
        /// Of several rows of one person in an import, another one.
        AnotherRow = "ANOTHER_ROW", "repeated, another line of this person was used";
        /// A second line of a person in an import.
        Repeated = "REPEATED", "repeated, the first line of this person was used";
        /// No longer one of those who matched when it was submitted, at the time when a second person approved it.
        NoLongerMatches = "NO_LONGER_MATCHES", "no longer match";
    }
}

words! {
    /// Why a person failed, while the others of the task went on.
    FailReason {
        /// The database would not take what was to be written for this person.
        Refused = "REFUSED", "could not be saved";
        /// The mail server refused the message for good.
        Rejected = "REJECTED", "refused by the mail server";
        /// The mail server did not take the message now; while the line is open it is tried again.
        Deferred = "DEFERRED", "delayed by the mail server";
        BadAddress = "BAD_ADDRESS", "not an email address";
        /// There is no mail server to give the message to.
        NotConfigured = "NOT_CONFIGURED", "email is not set up";
        /// Sent to one of two addresses; the other was refused.
        PartlyRefused = "PARTLY_REFUSED", "one of two addresses refused";
        /// Sent, and noted by hand as come back.
        Bounced = "BOUNCED", "bounced";
        /// Nobody can say whether the message left.
        Unconfirmed = "UNCONFIRMED", "may or may not have been sent";
        /// What was wrong named somebody who has been erased since.
        Erased = "ERASED", "erased";
    }
}

/// One line of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LedgerRow {
    /// The person's number in the task, from 1; the order of treatment.
    pub position: i64,
    /// Absent for somebody who was not found.
    pub person_id: Option<PersonId>,
    pub school_id: Option<String>,
    /// `Last, First`; for somebody who was not found, what was given.
    pub name: String,
    /// Absent while the task has not come to the person; for a finished task: not reached.
    pub outcome: Option<Outcome>,
    /// The reason code of a skip or failure.
    pub reason: Option<String>,
    /// The reason in words, within the action: `already Inactive`.
    pub reason_label: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub date: Option<Instant>,
}

/// Which lines of a ledger are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerQuery {
    pub outcome: Option<LedgerFilter>,
    pub reason: Option<String>,
    /// In the order of treatment when absent.
    pub sort: Option<LedgerSort>,
    pub after: Option<Cursor>,
    pub limit: Option<u32>,
}

/// The most lines on a page of a ledger, which people print: a program reads [`MAX_LIMIT`](crate::parameters::MAX_LIMIT) at a time.
pub const PAGE_OF_LINES: u32 = 1_000;

/// The longest ledger that is sorted otherwise than by the order of treatment.
pub const SORTED: u64 = 100_000;

words! {
    /// By which column a ledger is sorted; what is empty comes last either way.
    LedgerSort {
        Name = "name", "Name";
        NameDescending = "-name", "Name, Z to A";
        SchoolId = "schoolId", "School ID";
        SchoolIdDescending = "-schoolId", "School ID, descending";
        /// What needs somebody first.
        Outcome = "outcome", "Outcome, failed first";
        OutcomeDescending = "-outcome", "Outcome, failed last";
        Details = "details", "Details";
        DetailsDescending = "-details", "Details, Z to A";
        Time = "time", "Time";
        TimeDescending = "-time", "Time, latest first";
    }
}

words! {
    /// An outcome to filter by, or those the task has not come to.
    LedgerFilter {
        Done = "DONE", "Done";
        Skipped = "SKIPPED", "Skipped";
        Failed = "FAILED", "Failed";
        Uncertain = "UNCERTAIN", "Uncertain";
        /// Not yet, or no longer to be, treated.
        Open = "OPEN", "Not processed";
    }
}
