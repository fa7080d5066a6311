//! What the numbers of a task count: people, but for a self-test, which treats nobody and has steps.

use model::{TaskRow, grouped};

/// Whether a task is about people.
pub fn has_people(row: &TaskRow) -> bool {
    row.kind != "self-test"
}

/// Whether it keeps a line for each of them: an export changes nobody.
pub fn has_ledger(row: &TaskRow) -> bool {
    has_people(row) && row.kind != "export"
}

/// What became of those who are done.
pub fn done(row: &TaskRow) -> &'static str {
    match row.kind.as_str() {
        "self-test" => "done",
        "export" => "exported",
        "undo" => "put back",
        "import" => "imported",
        "email" => "written to",
        _ => "changed",
    }
}

/// One of them, and several.
pub fn names(row: &TaskRow) -> (&'static str, &'static str) {
    match row.kind.as_str() {
        "self-test" => ("step", "steps"),
        "import" => ("line", "lines"),
        _ => ("person", "people"),
    }
}

/// `12 people`, or `1 step`.
pub fn counted(row: &TaskRow, n: u64) -> String {
    let (one, many) = names(row);
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}
