//! What is chosen for the watch list.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{Problem, TaskKind, enum_words::words};

words! {
    /// Whether people come onto the watch list or leave it.
    WatchOperation {
        Watch = "WATCH", "Watch";
        Unwatch = "UNWATCH", "Stop watching";
    }
}

/// Puts people on the submitter's watch list, or takes them off it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Watch {
    pub operation: WatchOperation,
}

impl ActionWords for Watch {
    fn kind(&self) -> TaskKind {
        TaskKind::Watch
    }

    fn title(&self) -> String {
        match self.operation {
            WatchOperation::Watch => "Add to watch list".to_owned(),
            WatchOperation::Unwatch => "Remove from watch list".to_owned(),
        }
    }

    fn button(&self, people: &str) -> String {
        format!("{} {}", self.operation.label(), people)
    }

    fn will(&self) -> String {
        match self.operation {
            WatchOperation::Watch => "will be on your watch list".to_owned(),
            WatchOperation::Unwatch => "will leave your watch list".to_owned(),
        }
    }

    fn did(&self, people: &str) -> String {
        match self.operation {
            WatchOperation::Watch => format!("Watching {people}"),
            WatchOperation::Unwatch => format!("Stopped watching {people}"),
        }
    }

    fn pending_label(&self) -> String {
        match self.operation {
            WatchOperation::Watch => "Watched".to_owned(),
            WatchOperation::Unwatch => "Unwatched".to_owned(),
        }
    }
}

impl Watch {
    /// A change of the watch list from what somebody chose or sent.
    pub fn chosen(operation: &str) -> Result<Watch, Problem> {
        if operation.trim().is_empty() {
            return Err(Problem::field("operation", "required", "Choose whether to watch these people or to stop."));
        }
        let operation = operation
            .trim()
            .parse()
            .map_err(|why| Problem::field("operation", "unknown", format!("Operation: {why}.")))?;
        Ok(Watch { operation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn an_operation_is_one_of_two() {
        assert_eq!(Action::watch("WATCH").unwrap(), Action::Watch(Watch { operation: WatchOperation::Watch }));
        assert_eq!(Action::watch("").unwrap_err().errors[0].code, "required");
        assert_eq!(Action::watch("watch").unwrap_err().errors[0].code, "unknown");
    }
}
