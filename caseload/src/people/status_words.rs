//! The words of a status, for statements that give what people read.

use model::{ChangeReason, ProgramStatus};

/// The status of a row `alias` with its reason, in words: `Non-participating (Health)`.
pub fn worded(alias: &str) -> String {
    let status = label(&format!("{alias}.program_status"));
    format!("({status} || COALESCE(' (' || {} || ')', ''))", reason(&format!("{alias}.change_reason")))
}

/// The words that people read for the reason in a column.
pub fn reason(column: &str) -> String {
    let labels: String =
        ChangeReason::ALL.iter().map(|r| format!("WHEN '{}' THEN '{}' ", r.name(), r.label())).collect();
    format!("CASE {column} {labels}END")
}

/// The word that people read for the status in a column.
pub fn label(column: &str) -> String {
    let labels: String =
        ProgramStatus::ALL.iter().map(|s| format!("WHEN '{}' THEN '{}' ", s.name(), s.label())).collect();
    format!("CASE {column} {labels}END")
}
