//! The words of a program status.

use crate::enum_words::words;

words! {
    /// Where a person stands in the program; exactly one is open for each person.
    ProgramStatus {
        Active = "ACTIVE", "Active";
        Inactive = "INACTIVE", "Inactive";
        /// Carries a [`ChangeReason`].
        NonParticipating = "NON_PARTICIPATING", "Non-participating";
        NoShow = "NO_SHOW", "No-show";
        Transitioned = "TRANSITIONED", "Transitioned";
    }
}

words! {
    /// Why a person is Non-participating; required for that status and refused for the others.
    ChangeReason {
        NotInterested = "NOT_INTERESTED", "Not interested";
        NoResponse = "NO_RESPONSE", "Does not respond";
        AcademicProgress = "ACADEMIC_PROGRESS", "Academic progress";
        Health = "HEALTH", "Health";
        Finances = "FINANCES", "Finances";
        Family = "FAMILY", "Family";
        MovedAway = "MOVED_AWAY", "Moved away";
        Other = "OTHER", "Other";
    }
}

impl ProgramStatus {
    /// Whether a change to this status needs a [`ChangeReason`].
    pub fn needs_reason(self) -> bool {
        matches!(self, ProgramStatus::NonParticipating)
    }
}
