//! What is chosen for the watch list.

use crate::{Action, Problem, text::words};

words! {
    /// Whether people come onto the watch list or leave it.
    WatchOperation {
        Watch = "WATCH", "Watch";
        Unwatch = "UNWATCH", "Stop watching";
    }
}

impl Action {
    /// A change of the watch list from what somebody chose or sent.
    pub fn watch(operation: &str) -> Result<Action, Problem> {
        if operation.trim().is_empty() {
            return Err(Problem::field("operation", "required", "Choose whether to watch these people or to stop."));
        }
        let operation = operation
            .trim()
            .parse()
            .map_err(|why| Problem::field("operation", "unknown", format!("Operation: {why}.")))?;
        Ok(Action::Watch { operation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_one_of_two() {
        assert_eq!(Action::watch("WATCH").unwrap(), Action::Watch { operation: WatchOperation::Watch });
        assert_eq!(Action::watch("").unwrap_err().errors[0].code, "required");
        assert_eq!(Action::watch("watch").unwrap_err().errors[0].code, "unknown");
    }
}
