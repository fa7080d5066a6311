//! Who can approve a task, and what its owner is told of it before they submit it.

use serde::{Deserialize, Serialize};

/// Who can decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deciders {
    /// The first of them, by name.
    pub names: Vec<String>,
    /// How many there are beside them.
    pub more: u64,
}

impl Deciders {
    /// `Katrin Lund or Ines Moreau`; of many the first, and how many others.
    pub fn in_words(&self) -> String {
        let others = match self.more {
            0 => None,
            1 => Some("one other person".to_owned()),
            more => Some(format!("{} others", crate::grouped(more))),
        };
        let all: Vec<String> = self.names.iter().cloned().chain(others).collect();
        match all.as_slice() {
            [] => "Nobody".to_owned(),
            [one] => one.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }
}

/// What the owner of a task is told before they submit it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalNeeded {
    /// Above how many people a task needs a second person; absent where all tasks of its kind do.
    pub above: Option<u64>,
    pub deciders: Deciders,
    /// For how long it can be decided.
    pub seconds: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_can_decide_are_named_as_far_as_they_are_few() {
        let of = |names: &[&str], more| {
            Deciders { names: names.iter().map(|&name| name.to_owned()).collect(), more }.in_words()
        };
        assert_eq!(of(&["Katrin Lund"], 0), "Katrin Lund");
        assert_eq!(of(&["Katrin Lund", "Ines Moreau"], 0), "Katrin Lund or Ines Moreau");
        assert_eq!(of(&["Katrin Lund", "Ines Moreau"], 1), "Katrin Lund, Ines Moreau or one other person");
        assert_eq!(of(&["Katrin Lund"], 12), "Katrin Lund or 12 others");
        assert_eq!(of(&[], 0), "Nobody");
    }
}
