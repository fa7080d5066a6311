//! One batch of checked rows becomes people: compared with who is there, written where something differs, with the history
//! of their status.

use std::collections::{BTreeSet, HashMap};

use model::{Instant, PersonId, SchoolId};
use queue::{Database, Transaction};
use sea_orm::{ConnectionTrait, DbErr};

use crate::people::status;
use crate::{
    import::bulk_statements,
    import::report::Report,
    import::rows::checked_row::{self, Row},
    import::rows::field::Field,
    import::rows::header_plan::Plan,
    import::rows::new_person_id,
    import::rows::person_row::Record,
};

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenPerson {
    Created,
    Updated,
    Unchanged,
}

/// Writes a batch in one transaction and adds it to the report. No school id is in it twice.
pub async fn write(db: &Database, plan: &Plan, rows: &[Row], report: &mut Report) -> Result<(), DbErr> {
    let txn = bulk_statements::begin(db).await?;
    let rows: Vec<&Row> = rows.iter().collect();
    let written = write_in(db, &txn, plan, &rows).await?;
    db.commit(txn).await?;
    for (row, written) in rows.into_iter().zip(written) {
        match written {
            Ok(WrittenPerson::Created) => report.created += 1,
            Ok(WrittenPerson::Updated) => report.updated += 1,
            Ok(WrittenPerson::Unchanged) => report.unchanged += 1,
            Err(reason) => report.refuse(row.line, reason),
        }
    }
    report.people = report.created + report.updated + report.unchanged;
    Ok(())
}

/// Writes a batch in the caller's transaction; for each row what became of it, or the reason against it.
pub async fn write_in(
    db: &Database,
    txn: &Transaction,
    plan: &Plan,
    rows: &[&Row],
) -> Result<Vec<Result<WrittenPerson, String>>, DbErr> {
    let coaches = coaches(db, txn, plan, rows).await?;
    let found = bulk_statements::find(db, txn, rows.iter().map(|row| &row.school_id)).await?;
    let mut found: HashMap<SchoolId, Record> =
        found.into_iter().map(|person| (person.school_id.clone(), person)).collect();
    // They are locked now: whatever others wrote to them is older.
    let now = db.now_in(txn).await?;
    let mut batch = BatchOutcome::default();
    let written = rows.iter().map(|row| batch.add(plan, row, found.remove(&row.school_id), &coaches, now)).collect();
    bulk_statements::write(db, txn, &batch.written, now).await?;
    status::turn_imported(db, txn, &batch.turned, now).await?;
    Ok(written)
}

/// What a batch comes to.
#[derive(Default)]
struct BatchOutcome {
    /// New and changed people.
    written: Vec<Record>,
    /// Of these, whose status begins now.
    turned: Vec<PersonId>,
}

impl BatchOutcome {
    fn add(
        &mut self,
        plan: &Plan,
        row: &Row,
        found: Option<Record>,
        coaches: &HashMap<SchoolId, PersonId>,
        now: Instant,
    ) -> Result<WrittenPerson, String> {
        let (before, mut person) = match judge(plan, row, found, coaches)? {
            JudgedRow::Unchanged(_) => return Ok(WrittenPerson::Unchanged),
            JudgedRow::New(person) => (None, person),
            JudgedRow::Changed { before, after } => (Some(*before), after),
        };
        let status = |of: &Record| (of.program_status, of.change_reason);
        if before.is_none() {
            person.id = new_person_id::for_person(&person.school_id, now);
        }
        if before.as_ref().is_none_or(|before| status(before) != status(&person)) {
            person.status_date = before.as_ref().and_then(|before| before.status_date).max(Some(now));
            self.turned.push(person.id);
        }
        self.written.push(person);
        Ok(if before.is_none() { WrittenPerson::Created } else { WrittenPerson::Updated })
    }
}

/// What a row makes of the person it is about.
pub enum JudgedRow {
    New(Record),
    Changed { before: Box<Record>, after: Record },
    Unchanged(Record),
}

/// Lays a row over whoever has its school id, or says why it cannot be. What would happen is told by it, and what happens.
pub fn judge(
    plan: &Plan,
    row: &Row,
    found: Option<Record>,
    coaches: &HashMap<SchoolId, PersonId>,
) -> Result<JudgedRow, String> {
    if found.as_ref().is_some_and(|person| !person.student) {
        return Err(format!("{}: “{}” is a member of staff", label(plan, Field::SchoolId), row.school_id));
    }
    let before = found.clone().unwrap_or_else(|| plan.newcomer(row.school_id.clone()));
    let mut after = checked_row::apply(plan, &row.cells, before)?;
    if let Some(coach) = plan.text(Field::Coach, &row.cells) {
        after.coach_id = coach?.map(|coach| known(plan, coaches, coach)).transpose()?;
    }
    Ok(match found {
        None => JudgedRow::New(after),
        Some(before) if before == after => JudgedRow::Unchanged(after),
        Some(before) => JudgedRow::Changed { before: Box::new(before), after },
    })
}

/// The members of staff whom this batch names as coaches, by school id.
pub async fn coaches(
    db: &Database,
    connection: &impl ConnectionTrait,
    plan: &Plan,
    rows: &[&Row],
) -> Result<HashMap<SchoolId, PersonId>, DbErr> {
    let named = rows.iter().filter_map(|row| plan.text(Field::Coach, &row.cells)?.ok()?);
    let named: BTreeSet<SchoolId> = named.filter_map(|coach| coach.parse().ok()).collect();
    bulk_statements::staff(db, connection, &named).await
}

fn known(plan: &Plan, coaches: &HashMap<SchoolId, PersonId>, coach: &str) -> Result<PersonId, String> {
    let id = coach.parse::<SchoolId>().ok().and_then(|coach| coaches.get(&coach).copied());
    id.ok_or_else(|| {
        format!("{}: no member of staff has the school ID “{coach}”, and a file adds none", label(plan, Field::Coach))
    })
}

fn label(plan: &Plan, field: Field) -> &str {
    let bound = plan.fields.iter().find(|(named, _)| *named == field);
    bound.map_or(field.name(), |(_, bound)| &bound.label)
}
