//! One row of the file: checked, and laid over the person it is about.

use csv::ByteRecord;
use model::{ProgramStatus, SchoolId};
use serde_json::Value;

use crate::{
    import::read::cells::Cells, import::read::lines::FileRow, import::rows::check, import::rows::field::Field,
    import::rows::header_plan::Plan, import::rows::invent, import::rows::mapping::Keep,
    import::rows::person_row::Record,
};

/// A row that passed every check that needs no database.
#[derive(Clone, Debug)]
pub struct Row {
    pub line: u64,
    pub school_id: SchoolId,
    pub cells: Cells,
}

/// Checks a row as it stands in the file.
pub fn of_file(plan: &Plan, row: &FileRow<'_>) -> Result<Row, String> {
    match row.open_quote {
        Some(line) => Err(never_closed(line)),
        None => read(plan, row.line, row.record),
    }
}

/// What is wrong with all that follows a quote.
pub fn never_closed(line: u64) -> String {
    format!("the quote that opens in line {line} is never closed, so nothing after it is read")
}

/// Checks a row. The reason against it begins with the name of the column.
pub fn read(plan: &Plan, line: u64, record: &ByteRecord) -> Result<Row, String> {
    if record.len() != plan.width {
        return Err(format!("{} cells, but the first line has {}", record.len(), plan.width));
    }
    let cells = Cells::pack(&plan.columns, record)?;
    // Laid over nobody: whatever is wrong shows now, and whatever is right stays right over the person it is about.
    let nobody = plan.newcomer(SchoolId::made_up(0, 0));
    let person = apply(plan, &cells, nobody)?;
    check_rules(plan, &cells)?;
    Ok(Row { line, school_id: person.school_id, cells })
}

/// Whether the columns that the rules compare can be compared.
fn check_rules(plan: &Plan, cells: &Cells) -> Result<(), String> {
    for (column, keep) in &plan.rules {
        if let (Keep::Most, Some(cell)) = (keep, cells.get(*column)) {
            check::number(cell).map_err(|why| format!("{}: {why}", plan.columns[*column].name))?;
        }
    }
    Ok(())
}

/// The person as the row wants it: the fields that the mapping names are the row's, all others stay. The coach is left to
/// the caller.
pub fn apply(plan: &Plan, cells: &Cells, mut person: Record) -> Result<Record, String> {
    for (field, bound) in &plan.fields {
        let text = bound.text(cells)?;
        let date = bound.dates.zip(text).map(|(order, text)| check::date_in(order, text)).transpose();
        let date = date.map_err(|why| bound.reason(&why))?.map(|date| date.to_string());
        field.set(date.as_deref().or(text), &mut person).map_err(|why| bound.reason(&why))?;
        let born = person.birth_date.filter(|_| *field == Field::BirthDate);
        if born.zip(plan.today).is_some_and(|(born, today)| born > today) {
            return Err(bound.reason(&format!("{} is in the future", check::quoted(text.unwrap_or_default()))));
        }
    }
    check_reason(plan, &person)?;
    let mut extra = person.extra.clone();
    for (name, bound) in &plan.extra {
        match bound.text(cells)? {
            Some(text) => extra.insert(name.clone(), Value::String(text.to_owned())),
            None => extra.remove(name),
        };
    }
    person.extra = extra;
    if plan.invent {
        invent::name(&mut person);
    }
    Ok(person)
}

/// Whether a line is unreadable for want of a reason that no column has.
pub fn lacks_reason(why: &str) -> bool {
    ProgramStatus::ALL.iter().any(|status| status.needs_reason() && why == without_reason(*status))
}

fn without_reason(status: ProgramStatus) -> String {
    format!("{} needs a reason", status.label())
}

/// Non-participating carries a reason and the others none.
fn check_reason(plan: &Plan, person: &Record) -> Result<(), String> {
    let Some(status) = person.program_status else { return Ok(()) };
    if status.needs_reason() == person.change_reason.is_some() {
        return Ok(());
    }
    let bound = |wanted| plan.fields.iter().find(|(field, _)| *field == wanted).map(|(_, bound)| bound);
    let rule = match status.needs_reason() {
        true => without_reason(status),
        false => format!("{} takes no reason", status.label()),
    };
    // One that goes with the values of the status has no column of its own.
    let of_status = bound(Field::ProgramStatus);
    let own = bound(Field::ChangeReason).filter(|own| !of_status.is_some_and(|status| status.is_of_column_of(own)));
    Err(match own {
        Some(own) => own.reason(&rule),
        None => rule,
    })
}

/// Two rows of one person would undo each other at every import.
pub fn repeated(school_id: &SchoolId, first: u64) -> String {
    format!("“{school_id}” is already in line {first}")
}
