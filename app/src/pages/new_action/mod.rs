//! Composing an action: choose, check, confirm. Which of these is shown is in the address, and all three are rendered by the
//! server.

pub mod api;
pub mod breakdown;
pub mod check;
pub mod choose;
pub mod composer;
mod composing;
pub mod confirm;
pub mod draft;
pub mod email;
pub mod fields;
pub mod letter_preview;
pub mod mistakes;
pub mod preview_people;
pub mod sample;

use draft::Draft;

use crate::url;

/// The value of `show` for all the people of a preview.
pub const EVERYBODY: &str = "ALL";

/// The last step of what is not sent.
pub const LAST_STEP: &str = "Check and submit";

/// Which part of composing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComposeStep {
    Choose,
    Check,
    /// The people behind a number of a preview.
    Show,
}

/// The part that an address asks for.
pub fn step(draft: &Draft, search: &str) -> ComposeStep {
    let value = |key: &str| url::value(search, key);
    match (value("preview"), value("show"), value("step").as_deref()) {
        (Some(_), Some(_), _) => ComposeStep::Show,
        // An undo has nothing to choose.
        _ if draft.fields().is_none() => ComposeStep::Check,
        // What cannot be submitted is not checked but put right first.
        (_, _, Some("check")) if draft.action().is_ok() => ComposeStep::Check,
        _ => ComposeStep::Choose,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_submitted_is_not_checked() {
        let step = |search: &str| step(&Draft::read("program-status", search), search);
        assert_eq!(step("sel=x&programStatus=INACTIVE&step=check"), ComposeStep::Check);
        assert_eq!(step("sel=x&programStatus=NON_PARTICIPATING&step=check"), ComposeStep::Choose);
        assert_eq!(step("sel=x"), ComposeStep::Choose);
        assert_eq!(step("programStatus=INACTIVE&preview=p&show=CHANGE"), ComposeStep::Show);
    }

    #[test]
    fn an_undo_is_checked_at_once() {
        assert_eq!(step(&Draft::read("undo", "task=x"), "task=x"), ComposeStep::Check);
    }
}
