//! One batch of checked rows becomes people: compared with who is there, written where something differs, with the history
//! of their status.

use std::collections::{BTreeSet, HashMap};

use model::{Instant, PersonId, SchoolId};
use queue::{Database, Transaction};
use sea_orm::DbErr;

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
        if found.as_ref().is_some_and(|person| !person.student) {
            return Err(format!("{}: “{}” is a member of staff", label(plan, Field::SchoolId), row.school_id));
        }
        let before = found.unwrap_or_else(|| Record::new(row.school_id.clone()));
        let mut person = checked_row::apply(plan, &row.cells, before.clone())?;
        if let Some(coach) = plan.text(Field::Coach, &row.cells) {
            person.coach_id = coach?.map(|coach| known(plan, coaches, coach)).transpose()?;
        }
        let new = before.id == PersonId::NOBODY;
        let status_changed =
            (before.program_status, before.change_reason) != (person.program_status, person.change_reason);
        if new {
            person.id = new_person_id::for_person(&person.school_id, now);
        } else if person == before {
            return Ok(WrittenPerson::Unchanged);
        }
        if new || status_changed {
            person.status_date = before.status_date.max(Some(now));
            self.turned.push(person.id);
        }
        self.written.push(person);
        Ok(if new { WrittenPerson::Created } else { WrittenPerson::Updated })
    }
}

/// The people whom this batch names as coaches, by school id.
async fn coaches(
    db: &Database,
    txn: &Transaction,
    plan: &Plan,
    rows: &[&Row],
) -> Result<HashMap<SchoolId, PersonId>, DbErr> {
    let named = rows.iter().filter_map(|row| plan.text(Field::Coach, &row.cells)?.ok()?);
    let named: BTreeSet<SchoolId> = named.filter_map(|coach| coach.parse().ok()).collect();
    bulk_statements::ids(db, txn, &named).await
}

fn known(plan: &Plan, coaches: &HashMap<SchoolId, PersonId>, coach: &str) -> Result<PersonId, String> {
    let id = coach.parse::<SchoolId>().ok().and_then(|coach| coaches.get(&coach).copied());
    id.ok_or_else(|| format!("{}: nobody here has the school ID “{coach}”", label(plan, Field::Coach)))
}

fn label(plan: &Plan, field: Field) -> &str {
    let bound = plan.fields.iter().find(|(named, _)| *named == field);
    bound.map_or(field.name(), |(_, bound)| &bound.label)
}
