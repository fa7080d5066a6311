//! What a task of an import tells of itself: its file, what it did with the lines, and what its columns were matched to. The numbers
//! are those of its ledger, while that is kept.

use model::{
    TaskRow, grouped,
    ledger::{Outcome, SkipReason},
};
use queue::Task;
use sea_orm::FromQueryResult;

use crate::{
    Caseload, Result,
    import::{
        rows::{field_source::Origin, mapping::Mapping},
        spec::ImportSpec,
    },
};

/// The largest ledger that is counted each time that its task is looked at.
const COUNTED: u64 = 100_000;

/// For the details of the task; nothing of a task that is no import.
pub async fn facts(caseload: &Caseload, task: &Task, row: &TaskRow) -> Result<Vec<(String, String)>> {
    let Some(spec) = ImportSpec::of(task) else { return Ok(Vec::new()) };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![fact("File", spec.file)];
    if row.status.is_finished() && row.total.is_some_and(|total| total <= COUNTED) {
        let counts = count(caseload, task).await?;
        // Of most files nobody has several lines, and most people are still there.
        let rare = ["Another line used", "Erased since"];
        let counts = counts.into_iter().filter(|(name, count)| *count > 0 || !rare.contains(name));
        facts.extend(counts.map(|(name, count)| fact(name, grouped(count))));
    }
    if let Ok(mapping) = spec.mapping.parse::<Mapping>() {
        facts.push(fact("Matching", matching(&mapping)));
    }
    Ok(facts)
}

#[derive(FromQueryResult)]
struct LinesAlike {
    outcome: Outcome,
    reason: Option<String>,
    after_value: Option<String>,
    count: i64,
}

/// How many lines of each sort there are; together they are all lines that were read.
async fn count(caseload: &Caseload, task: &Task) -> Result<[(&'static str, u64); 6]> {
    let db = caseload.db();
    // Each unreadable line has a reason of its own.
    let sql = "SELECT outcome, after_value, CASE WHEN outcome = 'SKIPPED' THEN reason END AS reason, COUNT(*) AS count
               FROM task_person WHERE task_id = $1 AND outcome IS NOT NULL
               GROUP BY outcome, after_value, CASE WHEN outcome = 'SKIPPED' THEN reason END";
    let statement = db.statement(sql, [task.id.into()]);
    let found = LinesAlike::find_by_statement(statement).all(db.reader()).await?;
    let mut counts = [
        ("New people", 0),
        ("People changed", 0),
        ("No change needed", 0),
        ("Another line used", 0),
        ("Unreadable", 0),
        ("Erased since", 0),
    ];
    let other = [SkipReason::AnotherRow, SkipReason::Repeated].map(SkipReason::name);
    for line in found {
        let place = match (line.outcome, line.after_value.as_deref(), line.reason.as_deref()) {
            (Outcome::Done, Some("Created"), _) => 0,
            (Outcome::Done, Some("Updated"), _) => 1,
            (Outcome::Done, ..) => 5,
            (Outcome::Skipped, _, Some(reason)) if other.contains(&reason) => 3,
            (Outcome::Skipped, ..) => 2,
            (Outcome::Failed | Outcome::Uncertain, ..) => 4,
        };
        counts[place].1 += line.count.cast_unsigned();
    }
    Ok(counts)
}

/// A line for each column with the field that it became, and for what everybody got.
fn matching(mapping: &Mapping) -> String {
    let source = |origin: &Origin| match origin {
        Origin::Column(column) => column.clone(),
        Origin::Constant(text) => format!("Always “{text}”"),
    };
    let fields = mapping.person.iter().map(|(field, from)| format!("{} → {}", source(&from.origin), field.label()));
    let extra = mapping.extra.iter().map(|(name, from)| format!("{} → {name}", source(&from.origin)));
    fields.chain(extra).collect::<Vec<_>>().join("\n")
}
