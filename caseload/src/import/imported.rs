//! What a task of an import tells of itself: its file, what it did with the lines, and what its columns were matched to. The numbers
//! are those of its ledger, while that is kept.

use std::collections::BTreeMap;

use model::{
    TaskRow, WorkflowStatus, counted, grouped,
    ledger::{Outcome, SkipReason},
};
use queue::Task;
use sea_orm::FromQueryResult;

use crate::{
    Caseload, Result,
    import::{rows::mapping::Mapping, spec::ImportSpec},
};

/// The largest ledger that is counted each time that its task is looked at.
const COUNTED: u64 = 100_000;

/// What is told of an import.
#[derive(Default)]
pub struct ImportSummary {
    /// For the details of the task.
    pub facts: Vec<(String, String)>,
    /// What it did, once it has ended: `3 people added, 1 unchanged, 1 line not imported`.
    pub sum: Option<String>,
}

/// Nothing of a task that is no import.
pub async fn told(caseload: &Caseload, task: &Task, row: &TaskRow) -> Result<ImportSummary> {
    let Some(spec) = ImportSpec::of(task) else { return Ok(ImportSummary::default()) };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![fact("File", spec.file)];
    let mut sum = None;
    if row.status.is_finished() && row.total.is_some_and(|total| total <= COUNTED) {
        let counts = count(caseload, task).await?;
        let said = counts.iter().filter(|(_, count)| **count > 0).map(|(line, count)| line.counted(*count));
        let said: Vec<String> = said.collect();
        sum = (row.status == WorkflowStatus::Completed && !said.is_empty()).then(|| said.join(", "));
        facts.extend(counts.into_iter().map(|(line, count)| fact(line.label(), grouped(count))));
    }
    if let Ok(mapping) = spec.mapping.parse::<Mapping>() {
        facts.push(fact("Matching", mapping.in_words().join("\n")));
    }
    Ok(ImportSummary { facts, sum })
}

#[derive(FromQueryResult)]
struct LinesAlike {
    outcome: Outcome,
    reason: Option<String>,
    after_value: Option<String>,
    count: i64,
}

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ImportedLine {
    New,
    Changed,
    Same,
    AnotherUsed,
    Unreadable,
    Erased,
}

impl ImportedLine {
    const ALWAYS: [ImportedLine; 4] =
        [ImportedLine::New, ImportedLine::Changed, ImportedLine::Same, ImportedLine::Unreadable];

    fn of(line: &LinesAlike) -> ImportedLine {
        let another = [SkipReason::AnotherRow, SkipReason::Repeated].map(SkipReason::name);
        match (line.outcome, line.after_value.as_deref(), line.reason.as_deref()) {
            (Outcome::Done, Some("Created"), _) => ImportedLine::New,
            (Outcome::Done, Some("Updated"), _) => ImportedLine::Changed,
            (Outcome::Done, ..) => ImportedLine::Erased,
            (Outcome::Skipped, _, Some(reason)) if another.contains(&reason) => ImportedLine::AnotherUsed,
            (Outcome::Skipped, ..) => ImportedLine::Same,
            (Outcome::Failed | Outcome::Uncertain, ..) => ImportedLine::Unreadable,
        }
    }

    fn label(self) -> &'static str {
        match self {
            ImportedLine::New => "New people",
            ImportedLine::Changed => "People changed",
            ImportedLine::Same => "Unchanged",
            ImportedLine::AnotherUsed => "Repeated",
            ImportedLine::Unreadable => "Unreadable",
            ImportedLine::Erased => "Erased since",
        }
    }

    fn counted(self, count: u64) -> String {
        match self {
            ImportedLine::New => counted(count, "person added", "people added"),
            ImportedLine::Changed => counted(count, "person changed", "people changed"),
            ImportedLine::Same => format!("{} unchanged", grouped(count)),
            ImportedLine::AnotherUsed => counted(count, "repeated line not used", "repeated lines not used"),
            ImportedLine::Unreadable => counted(count, "unreadable line", "unreadable lines"),
            ImportedLine::Erased => format!("{} erased since", grouped(count)),
        }
    }
}

/// How many lines of each sort there are; together they are all lines that were read. Of most files nobody has several lines, and
/// most people are still there: of that only what there is.
async fn count(caseload: &Caseload, task: &Task) -> Result<BTreeMap<ImportedLine, u64>> {
    let db = caseload.db();
    // Each unreadable line has a reason of its own.
    let sql = "SELECT outcome, after_value, CASE WHEN outcome = 'SKIPPED' THEN reason END AS reason, COUNT(*) AS count
               FROM task_person WHERE task_id = $1 AND outcome IS NOT NULL
               GROUP BY outcome, after_value, CASE WHEN outcome = 'SKIPPED' THEN reason END";
    let statement = db.statement(sql, [task.id.into()]);
    let mut counts = BTreeMap::from(ImportedLine::ALWAYS.map(|line| (line, 0)));
    for alike in LinesAlike::find_by_statement(statement).all(db.reader()).await? {
        *counts.entry(ImportedLine::of(&alike)).or_default() += alike.count.cast_unsigned();
    }
    Ok(counts)
}
