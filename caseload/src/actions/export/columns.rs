//! The columns of an export: what each is called, and where it comes from. Every value is read as text.

use model::action::ColumnGroup;
use queue::Database;

use crate::people::status_words::{label, reason};

/// One column.
#[derive(Clone)]
pub struct Column {
    pub title: &'static str,
    /// The expression over the person `p` and their coach `c` that gives it as text.
    pub sql: String,
    pub kind: Kind,
}

/// What its texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// A day, as `2026-05-31`.
    Day,
    /// Further fields, as a JSON object.
    Fields,
}

/// School id and name, and then the groups that were chosen, in their order.
pub fn columns(db: &Database, groups: &[ColumnGroup]) -> Vec<Column> {
    let mut columns = vec![
        text("School id", "p.school_id"),
        text("Last name", "p.last_name"),
        text("First name", "p.first_name"),
        text("Middle name", "p.middle_name"),
    ];
    columns.extend(groups.iter().flat_map(|group| of_group(db, *group)));
    columns
}

fn of_group(db: &Database, group: ColumnGroup) -> Vec<Column> {
    match group {
        ColumnGroup::Contact => vec![
            text("Primary email", "p.primary_email"),
            text("Secondary email", "p.secondary_email"),
            text("No email wanted", yes_or_no("p.email_opt_out")),
        ],
        ColumnGroup::Program => vec![
            text("Program status", label("p.program_status")),
            text("Reason", reason("p.change_reason")),
            Column { title: "Status since", sql: day(db, "p.status_date"), kind: Kind::Day },
            text("Activated", yes_or_no("p.activated")),
        ],
        ColumnGroup::Studies => vec![
            text("Student type", "p.student_type"),
            text("Home campus", "p.home_campus"),
            text("Declared major", "p.declared_major"),
            text("Start term", "p.start_term"),
        ],
        ColumnGroup::Coach => vec![text("Coach", "TRIM(c.first_name || ' ' || c.last_name)")],
        ColumnGroup::Personal => {
            vec![Column { title: "Birth date", sql: "CAST(p.birth_date AS text)".to_owned(), kind: Kind::Day }]
        }
        ColumnGroup::Extra => {
            vec![Column { title: "Further fields", sql: "p.extra".to_owned(), kind: Kind::Fields }]
        }
    }
}

fn text(title: &'static str, sql: impl Into<String>) -> Column {
    Column { title, sql: sql.into(), kind: Kind::Text }
}

fn yes_or_no(condition: &str) -> String {
    format!("CASE WHEN {condition} THEN 'yes' ELSE 'no' END")
}

/// The day of an instant, in UTC.
fn day(db: &Database, column: &str) -> String {
    match db.is_postgres() {
        true => format!("CAST(CAST({column} AT TIME ZONE 'UTC' AS date) AS text)"),
        false => format!("SUBSTR({column}, 1, 10)"),
    }
}

/// Further fields as people read them: `Advisor: Lund; Cohort: B`.
pub fn fields(json: &str) -> String {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    let fields = fields.into_iter().map(|(name, value)| match value {
        serde_json::Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    });
    fields.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_fields_are_read_by_people() {
        assert_eq!(fields(r#"{"Cohort":"B","Credits":120}"#), "Cohort: B; Credits: 120");
        assert_eq!(fields("{}"), "");
    }
}
