//! What is chosen for an export.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{FieldError, Problem, TaskKind, enum_words::words};

words! {
    /// The kind of file.
    ExportFormat {
        Csv = "CSV", "CSV";
        Xlsx = "XLSX", "Excel workbook";
    }
}

words! {
    /// Columns that are exported together. School id and name are always there.
    ColumnGroup {
        Contact = "CONTACT", "Email addresses";
        Program = "PROGRAM", "Program status";
        Studies = "STUDIES", "Student type, campus, major and term";
        Coach = "COACH", "Coach";
        Personal = "PERSONAL", "Birth date";
        Extra = "EXTRA", "Other imported fields";
    }
}

words! {
    /// The order of the people in a file; ties go by id.
    ExportSort {
        Name = "name", "Name";
        NameDescending = "-name", "Name, Z to A";
        SchoolId = "schoolId", "School ID";
        SchoolIdDescending = "-schoolId", "School ID, descending";
    }
}

impl ExportFormat {
    /// The end of the file's name.
    pub fn extension(self) -> &'static str {
        match self {
            ExportFormat::Csv => "csv",
            ExportFormat::Xlsx => "xlsx",
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            ExportFormat::Csv => "text/csv; charset=utf-8",
            ExportFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// Writes people to a file, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Export {
    pub format: ExportFormat,
    pub columns: Vec<ColumnGroup>,
    pub sort: ExportSort,
    /// Whether a CSV file begins with a byte order mark, without which Excel takes it for another encoding.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub bom: bool,
}

fn yes() -> bool {
    true
}

fn is_yes(bom: &bool) -> bool {
    *bom
}

impl ActionWords for Export {
    fn kind(&self) -> TaskKind {
        TaskKind::Export
    }

    fn title(&self) -> String {
        format!("Export as {}", self.format.label())
    }

    fn button(&self, people: &str) -> String {
        format!("Export {}", people)
    }

    fn will(&self) -> String {
        "will be in the file".to_owned()
    }

    fn did(&self, people: &str) -> String {
        format!("{people} exported")
    }

    fn pending_label(&self) -> String {
        "Exported".to_owned()
    }
}

impl Export {
    /// An export from what somebody chose or sent. Without groups it has those that most want: contact, program, studies and
    /// coach. The order is the list's.
    pub fn chosen<'a>(
        format: &str,
        columns: Option<impl IntoIterator<Item = &'a str>>,
        sort: Option<ExportSort>,
    ) -> Result<Export, Problem> {
        let mut errors = Vec::new();
        let format = match format.trim() {
            "" => {
                errors.push(FieldError::new("format", "required", "Choose a format: CSV or XLSX."));
                None
            }
            text => match text.parse::<ExportFormat>() {
                Ok(format) => Some(format),
                Err(why) => {
                    errors.push(FieldError::new("format", "unknown", format!("Format: {why}.")));
                    None
                }
            },
        };
        let mut groups = Vec::new();
        match columns {
            None => {
                groups.extend([ColumnGroup::Contact, ColumnGroup::Program, ColumnGroup::Studies, ColumnGroup::Coach])
            }
            Some(names) => {
                for name in names.into_iter().map(str::trim).filter(|name| !name.is_empty()) {
                    match name.parse::<ColumnGroup>() {
                        Ok(group) => groups.push(group),
                        Err(why) => errors.push(FieldError::new("columns", "unknown", format!("Columns: {why}."))),
                    }
                }
            }
        }
        groups.sort();
        groups.dedup();
        match format {
            Some(format) if errors.is_empty() => {
                Ok(Export { format, columns: groups, sort: sort.unwrap_or(ExportSort::Name), bom: true })
            }
            _ => Err(Problem::fields(errors)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn columns_come_in_one_order_and_once() {
        let action = Action::export("CSV", Some(["EXTRA", "CONTACT", "EXTRA"]), None).unwrap();
        let Action::Export(Export { columns, .. }) = action else { panic!("{action:?}") };
        assert_eq!(columns, [ColumnGroup::Contact, ColumnGroup::Extra]);
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let problem = Action::export("PDF", Some(["CONTACT", "SALARY"]), None).unwrap_err();
        let fields: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["format", "columns"]);
    }
}
