//! What the form of a kind of action is made of.

use std::collections::BTreeMap;

use leptos::prelude::*;
use model::{Action, Problem, person::CoachChoice};

use crate::{help::hint::Hint, pages::new_action::draft::Draft};

/// The form of one kind.
pub struct Fields {
    /// What is composed: `Set program status`.
    pub title: &'static str,
    /// The word in it that is explained on the spot.
    pub hint: Option<Hint>,
    /// The names of the fields, as in the address and in refusals.
    pub names: &'static [&'static str],
    /// Whether what is typed is kept on the server, and not in the address.
    pub is_kept: bool,
    /// Takes away what counts for nothing with what else was chosen.
    pub tidy: fn(&mut BTreeMap<String, String>),
    /// What was chosen, or every field that is wrong.
    pub action: fn(&Draft) -> Result<Action, Problem>,
    /// The controls.
    pub controls: fn(&Draft, &FormContext) -> AnyView,
    /// What the button says while nothing is chosen.
    pub button: fn(u64) -> String,
}

/// What controls know beside the draft.
pub struct FormContext<'a> {
    /// For how many people it is.
    pub count: u64,
    /// What is wrong in the draft.
    pub problem: Option<&'a Problem>,
    /// Whom people can be given to.
    pub coaches: &'a [CoachChoice],
    /// For how long a file can be downloaded: `7 days`.
    pub file_kept: &'a str,
}

impl FormContext<'_> {
    /// What is wrong in a field.
    pub fn wrong(&self, field: &str) -> Option<String> {
        self.problem.and_then(|problem| problem.message_for(field)).map(str::to_owned)
    }
}
