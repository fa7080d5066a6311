//! A mapping laid over the header of one file: every column it names is found here, or the import refused.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use chrono_tz::Tz;
use csv::ByteRecord;
use model::{Instant, ProgramStatus, SchoolId};

use crate::{
    import::ImportError,
    import::Mapping,
    import::read::cells::{Cells, ImportColumn},
    import::rows::check,
    import::rows::field::Field,
    import::rows::field_source::{ColumnSource, DateOrder, Origin},
    import::rows::mapping::Keep,
    import::rows::person_row::Record,
};

/// What to take from each row.
pub struct Plan {
    pub invent: bool,
    /// The columns in use, in the order of [`Cells`].
    pub columns: Vec<ImportColumn>,
    /// Cells that a row has.
    pub width: usize,
    pub fields: Vec<(Field, Bound)>,
    pub extra: Vec<(String, Bound)>,
    pub rules: Vec<(usize, Keep)>,
    /// The last day on which somebody can have been born, where a file is read and not only its header.
    pub today: Option<NaiveDate>,
    new_status: Option<ProgramStatus>,
}

/// What is said of a value of which nobody has said what it means.
const NOT_KNOWN: &str = " is not a known value";

/// Whether a line is unreadable for a value of this column of which nobody has said what it means.
pub fn is_of_unknown_value(why: &str, column: &str) -> bool {
    why.strip_prefix(column).is_some_and(|why| why.starts_with(": ") && why.ends_with(NOT_KNOWN))
}

/// A source whose column is known.
pub struct Bound {
    /// What a reason begins with: the column, or the field when there is none.
    pub label: String,
    cell: Option<usize>,
    constant: Option<String>,
    values: BTreeMap<String, String>,
    otherwise: Option<String>,
    pub dates: Option<DateOrder>,
}

impl Plan {
    /// Fails when a column is missing in the header, or there twice.
    pub fn new(mapping: &Mapping, header: &ByteRecord) -> Result<Plan, ImportError> {
        let mut finder = Finder { header, columns: vec![], missing: vec![] };
        let fields = mapping.person.iter().map(|(field, source)| (*field, finder.bind(field.name(), source)));
        let fields = fields.collect();
        let extra = mapping.extra.iter().map(|(name, source)| (name.clone(), finder.bind(name, source))).collect();
        let rules = mapping.collapse.iter().map(|rule| (finder.find(&rule.column), rule.keep)).collect();
        if !finder.missing.is_empty() {
            return Err(ImportError::Header(finder.missing.join(" ")));
        }
        let columns = finder.columns;
        let new_status = mapping.new_people.program_status;
        Ok(Plan { invent: mapping.invent, columns, width: header.len(), fields, extra, rules, today: None, new_status })
    }

    /// The same for a file that is read at this moment, by the days of a time zone.
    pub fn read_at(self, at: Instant, zone: Tz) -> Plan {
        Plan { today: Some(at.with_timezone(&zone).date_naive()), ..self }
    }

    /// Somebody new, before their row says anything of them.
    pub fn newcomer(&self, school_id: SchoolId) -> Record {
        Record { program_status: self.new_status, ..Record::new(school_id) }
    }

    pub fn collapses(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The text that a field has in a row, if the mapping names the field.
    pub fn text<'a>(&'a self, field: Field, cells: &'a Cells) -> Option<Result<Option<&'a str>, String>> {
        self.fields.iter().find(|(named, _)| *named == field).map(|(_, bound)| bound.text(cells))
    }
}

impl Bound {
    /// The text in a row, or nothing when it is empty; the reason begins with the column.
    pub fn text<'a>(&'a self, cells: &'a Cells) -> Result<Option<&'a str>, String> {
        let cell = match &self.constant {
            Some(constant) => Some(constant.as_str()),
            None => self.cell.and_then(|cell| cells.get(cell)),
        };
        if self.values.is_empty() {
            return Ok(cell);
        }
        let given = cell.unwrap_or_default();
        let meant = self.values.get(given).or(self.otherwise.as_ref());
        let meant = meant.ok_or_else(|| self.reason(&(check::quoted(given) + NOT_KNOWN)))?;
        Ok(Some(meant.as_str()).filter(|meant| !meant.is_empty()))
    }

    /// Whether both are read from one column.
    pub fn is_of_column_of(&self, other: &Bound) -> bool {
        self.cell.is_some() && self.cell == other.cell
    }

    pub fn reason(&self, why: &str) -> String {
        match why.strip_prefix("the ").and_then(|why| why.strip_suffix(" is missing")) {
            Some(what) if what.eq_ignore_ascii_case(&self.label) => format!("{} is missing", self.label),
            _ => format!("{}: {why}", self.label),
        }
    }
}

/// Finds columns, and remembers those in use and those that are not there, so that one error names them all.
struct Finder<'a> {
    header: &'a ByteRecord,
    columns: Vec<ImportColumn>,
    missing: Vec<String>,
}

impl Finder<'_> {
    fn bind(&mut self, field: &str, source: &ColumnSource) -> Bound {
        let (label, cell, constant) = match &source.origin {
            Origin::Column(name) => (name.clone(), Some(self.find(name)), None),
            Origin::Constant(text) => (field.to_owned(), None, Some(text.clone())),
        };
        let (values, otherwise) = (source.values.clone(), source.otherwise.clone());
        Bound { label, cell, constant, values, otherwise, dates: source.dates }
    }

    fn find(&mut self, name: &str) -> usize {
        if let Some(known) = self.columns.iter().position(|column| column.name == name) {
            return known;
        }
        let mut places = (0..self.header.len()).filter(|place| self.header[*place].trim_ascii() == name.as_bytes());
        match (places.next(), places.next()) {
            (Some(place), None) => {
                self.columns.push(ImportColumn { name: name.to_owned(), place });
                return self.columns.len() - 1;
            }
            (Some(_), Some(_)) => self.missing.push(format!("The file has the column “{name}” twice.")),
            (None, _) => self.missing.push(format!("The file has no column “{name}”.")),
        }
        0
    }
}
