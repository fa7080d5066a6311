//! The columns of an export: what each is called, and where it comes from. Every value is read as text.

use model::action::ColumnGroup;
use sea_orm::sea_query::Expr;

use crate::{
    entity::people::person::{self, P},
    people::status_words::{label, reason},
    statement::{day, sql},
};

/// One column.
#[derive(Clone)]
pub struct ExportColumn {
    pub title: &'static str,
    /// What gives it as text, of the person `p` and their coach `c`.
    pub value: Expr,
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
pub fn columns(groups: &[ColumnGroup]) -> Vec<ExportColumn> {
    let mut columns = vec![
        text("School ID", P.col(person::Column::SchoolId)),
        text("Last name", P.col(person::Column::LastName)),
        text("First name", P.col(person::Column::FirstName)),
        text("Middle name", P.col(person::Column::MiddleName)),
    ];
    columns.extend(groups.iter().flat_map(|group| of_group(*group)));
    columns
}

fn of_group(group: ColumnGroup) -> Vec<ExportColumn> {
    match group {
        ColumnGroup::Contact => vec![
            text("Primary email", P.col(person::Column::PrimaryEmail)),
            text("Secondary email", P.col(person::Column::SecondaryEmail)),
            text("Opted out of email", yes_or_no(P.col(person::Column::EmailOptOut))),
        ],
        ColumnGroup::Program => vec![
            text("Program status", label(P.col(person::Column::ProgramStatus))),
            text("Reason", reason(P.col(person::Column::ChangeReason))),
            ExportColumn { title: "Status since", value: day(P.col(person::Column::StatusDate)), kind: Kind::Day },
            text("Activated", yes_or_no(P.col(person::Column::Activated))),
        ],
        ColumnGroup::Studies => vec![
            text("Student type", P.col(person::Column::StudentType)),
            text("Home campus", P.col(person::Column::HomeCampus)),
            text("Declared major", P.col(person::Column::DeclaredMajor)),
            text("Start term", P.col(person::Column::StartTerm)),
        ],
        ColumnGroup::Coach => vec![text("Coach", Expr::cust("TRIM(c.first_name || ' ' || c.last_name)"))],
        ColumnGroup::Personal => {
            vec![ExportColumn {
                title: "Birth date",
                value: sql("CAST($1 AS text)", [P.col(person::Column::BirthDate)]),
                kind: Kind::Day,
            }]
        }
        ColumnGroup::Extra => {
            vec![ExportColumn {
                title: "Other imported fields",
                value: P.col(person::Column::Extra),
                kind: Kind::Fields,
            }]
        }
    }
}

fn text(title: &'static str, value: Expr) -> ExportColumn {
    ExportColumn { title, value, kind: Kind::Text }
}

fn yes_or_no(condition: Expr) -> Expr {
    sql("CASE WHEN $1 THEN 'yes' ELSE 'no' END", [condition])
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
    use sea_orm::{
        IdenStatic, Iterable,
        sea_query::{PostgresQueryBuilder, Query},
    };

    use super::*;

    /// What means nothing outside of Docket, or is there in another form.
    const OURS: &[&str] = &[
        "id",
        "student",
        "coach_id",
        "sort_key",
        "given_key",
        "school_key",
        "email_key",
        "created_date",
        "modified_date",
    ];

    #[test]
    fn every_column_of_people_can_be_exported() {
        let exported: String = columns(ColumnGroup::ALL)
            .into_iter()
            .map(|column| Query::select().expr(column.value).to_string(PostgresQueryBuilder))
            .collect();
        let known = person::Column::iter().map(|column| column.as_str());
        let missing: Vec<&str> = known.filter(|name| !exported.contains(&format!("\"p\".\"{name}\""))).collect();
        assert_eq!(missing, OURS);
    }

    #[test]
    fn further_fields_are_read_by_people() {
        assert_eq!(fields(r#"{"Cohort":"B","Credits":120}"#), "Cohort: B; Credits: 120");
        assert_eq!(fields("{}"), "");
    }
}
