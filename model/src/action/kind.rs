//! What every kind of action says of itself.

use crate::Permission;

/// What every kind of action says of itself.
pub trait Kind {
    /// Its name in URLs and in the queue.
    fn kind(&self) -> &'static str;

    /// The right it takes.
    fn permission(&self) -> Permission;

    /// Whether it leaves people other than they were, and so climbs the risk ladder and keeps a ledger.
    fn changes_people(&self) -> bool {
        true
    }

    /// Whether nothing can put it back: then it is confirmed by its number, however few they are, and held for a while.
    fn cannot_be_taken_back(&self) -> bool {
        false
    }

    /// Whether it can be composed anew with the same choices.
    fn can_be_repeated(&self) -> bool {
        true
    }

    /// What it does, as a title: `Set status to Inactive`.
    fn title(&self) -> String;

    /// The button that does it: `Set 1,204 people to Inactive`.
    fn button(&self, count: u64) -> String;

    /// What happens to those it is for, after their number: `will change to Inactive`.
    fn will(&self) -> String;

    /// What a person awaits while it is pending, without the time: `Inactive`.
    fn pending_label(&self) -> String;
}
