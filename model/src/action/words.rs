//! How an action is called with what was chosen for it. What is so of every action of a kind is in [`TaskKind`].

use crate::TaskKind;

/// How an action is called.
pub trait ActionWords {
    fn kind(&self) -> TaskKind;

    /// What it does, as a title: `Set status to Inactive`.
    fn title(&self) -> String;

    /// The button that does it to so many, who are given as words: `Set 1,204 people to Inactive`.
    fn button(&self, people: &str) -> String;

    /// What happens to those it is for, after their number: `will change to Inactive`.
    fn will(&self) -> String;

    /// What it did to so many, who are given as words: `1,204 people changed to Inactive`.
    fn did(&self, people: &str) -> String;

    /// What a person awaits while it is pending, without the time: `Inactive`.
    fn pending_label(&self) -> String;
}
