//! Import as a task: an uploaded file, its lines in chunks, and a ledger with one line for each line of the file.
//!
//! The file is read anew by each attempt, into about 250 bytes a row; what was written is known by the bookmark.

use std::collections::HashMap;

use async_trait::async_trait;
use bytes::Bytes;
use model::{
    Problem, Role, Submitted,
    ledger::{FailReason, Outcome},
};
use queue::{Ahead, Chunk, Executor, Failure, NewTask, Progress, Run, Step, Task};
use sea_orm::{ConnectionTrait, DbErr, Value as Bound};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    ImportError, Mapping,
    collapse::Collapse,
    forget::ErasedSince,
    lines::Rows,
    plan::Plan,
    repeated,
    row::{self, Row},
    table,
    upsert::{self, Written},
};
use crate::{
    Actor, Caseload, Error, Result, access,
    audit::{self, Entry},
    binds::Binds,
    files::Files,
    submit::submitted,
};

pub const KIND: &str = "import";
/// The name of the uploaded file among a task's files.
const UPLOAD: &str = "upload.csv";
/// Lines of the ledger in one statement.
const ROWS: usize = 200;

/// What an import was asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportSpec {
    /// What the file was called where it came from.
    pub file: String,
    /// The mapping, as TOML.
    pub mapping: String,
}

impl ImportSpec {
    /// The spec of a task, if it is an import.
    pub fn of(task: &Task) -> Option<ImportSpec> {
        let text = task.execution_spec.as_deref().filter(|_| task.execution_component_name == KIND)?;
        serde_json::from_str(text).ok()
    }
}

impl Caseload {
    /// Refuses whoever may not import, before a large file is read for nothing.
    pub fn may_import(&self, actor: &Actor) -> Result<()> {
        match actor.role {
            Role::Administrator => Ok(()),
            _ => Err(Problem::forbidden("People are imported by administrators.").into()),
        }
    }

    /// Submits the import of an uploaded file. What is wrong with the mapping or the header is refused at once.
    pub async fn import(&self, actor: &Actor, file: &str, mapping: &str, content: Bytes) -> Result<Submitted> {
        self.may_import(actor)?;
        let read: Mapping = mapping.parse().map_err(|error: ImportError| named("mapping", &error))?;
        if content.is_empty() {
            return Err(Problem::field("file", "required", "Choose a CSV file.").into());
        }
        let mut rows = Rows::new(&content[..]);
        let header = rows.headers().map_err(|error| Problem::field("file", "unreadable", error.to_string()))?;
        Plan::new(&read, header).map_err(|error| named("file", &error))?;
        let id = queue::new_id();
        let stored = self.files().write(&Files::of(id, UPLOAD), content).await;
        stored.map_err(|error| Error::Internal(error.to_string()))?;
        let spec = ImportSpec { file: file.chars().take(200).collect(), mapping: mapping.to_owned() };
        let txn = self.db().begin_write().await?;
        let mut new = NewTask::new(KIND, json!(spec), actor.person_id);
        new.id = Some(id);
        let task = self.queue().enqueue(&txn, new).await?.task();
        let entry = Entry {
            actor_id: Some(actor.person_id),
            action: "task.submit",
            object_kind: "task",
            object_id: Some(id.to_string()),
            detail: json!({ "kind": KIND }),
        };
        audit::record(self.db(), &txn, entry).await?;
        self.db().commit(txn).await?;
        self.queue().announce(&task);
        Ok(submitted(&task))
    }
}

fn named(field: &str, error: &ImportError) -> Error {
    Problem::field(field, "invalid", error.to_string()).into()
}

/// Runs imports.
pub struct Import(pub Files);

impl Executor for Import {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec: ImportSpec = serde_json::from_value(spec.clone()).map_err(|error| error.to_string())?;
        let mapping = spec.mapping.parse().map_err(|error: ImportError| error.to_string())?;
        Ok(Box::new(ImportRun { files: self.0.clone(), mapping, read: None }))
    }
}

struct ImportRun {
    files: Files,
    mapping: Mapping,
    /// The file, once it has been read.
    read: Option<(Plan, Vec<Line>)>,
}

/// One line of the file.
struct Line {
    number: u64,
    what: What,
}

enum What {
    Good(Row),
    /// Another row of the same person counts.
    Outranked,
    Bad(String),
}

/// How far a run has come: lines treated.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Bookmark {
    lines: usize,
}

#[async_trait]
impl Run for ImportRun {
    async fn prepare(&mut self, ahead: &Ahead<'_>) -> Result<(), Failure> {
        if self.read.is_none() {
            let content = self.files.read(&Files::of(ahead.task.id, UPLOAD)).await;
            let content = content.map_err(|error| Failure::transient("files", error.to_string()))?;
            let read = read(&content, &self.mapping);
            self.read = Some(read.map_err(|error| Failure::permanent("bad_file", error.to_string()))?);
        }
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let actor = access::load(chunk.txn, chunk.task.run_as_id).await;
        let actor = actor.map_err(|error| Failure::transient("internal", error.to_string()))?;
        if actor.is_none_or(|actor| actor.role != Role::Administrator) {
            return Err(Failure::permanent("not_permitted", "whoever submitted it is no administrator any more"));
        }
        let (plan, lines) = self.read.as_ref().ok_or_else(|| Failure::transient("internal", "nothing was read"))?;
        let from: Bookmark = serde_json::from_value(chunk.bookmark.clone())
            .map_err(|error| Failure::permanent("bad_bookmark", error.to_string()))?;
        let to = from.lines.saturating_add(chunk.size as usize).min(lines.len());
        let submitted = chunk.task.created_date;
        let erased = ErasedSince::load(chunk.db, chunk.txn, submitted).await?;
        let mut progress = treat(chunk, plan, &lines[from.lines.min(to)..to], &erased).await?;
        // Somebody who was erased meanwhile may have just been written.
        if ErasedSince::load(chunk.db, chunk.txn, submitted).await? != erased {
            return Err(Failure::transient("erased", "somebody was erased meanwhile"));
        }
        progress.bookmark = json!(Bookmark { lines: to });
        progress.total = Some(lines.len() as i64);
        Ok(if to == lines.len() { Step::Done(progress) } else { Step::More(progress) })
    }
}

/// Every line, in its order.
fn read(content: &[u8], mapping: &Mapping) -> Result<(Plan, Vec<Line>), ImportError> {
    let mut rows = Rows::new(content);
    let plan = Plan::new(mapping, rows.headers()?)?;
    let (mut lines, mut seen, mut collapse) = (Vec::new(), HashMap::new(), Collapse::default());
    while let Some((number, record)) = rows.next()? {
        let what = match row::read(&plan, number, record) {
            Err(reason) => What::Bad(reason),
            Ok(row) if plan.collapses() => {
                collapse.offer(&plan, row);
                What::Outranked
            }
            Ok(row) => match seen.get(&row.school_id) {
                Some(first) => What::Bad(repeated(&row, *first)),
                None => {
                    seen.insert(row.school_id.clone(), number);
                    What::Good(row)
                }
            },
        };
        lines.push(Line { number, what });
    }
    for row in collapse.into_rows() {
        if let Ok(at) = lines.binary_search_by_key(&row.line, |line| line.number) {
            lines[at].what = What::Good(row);
        }
    }
    Ok((plan, lines))
}

/// Writes the people of these lines, and what became of each line.
async fn treat(chunk: &Chunk<'_>, plan: &Plan, lines: &[Line], erased: &ErasedSince) -> Result<Progress, DbErr> {
    table::prepare(chunk.db, chunk.txn).await?;
    let good = lines.iter().filter_map(|line| match &line.what {
        What::Good(row) if !erased.has(&row.school_id) => Some(row),
        What::Good(_) | What::Outranked | What::Bad(_) => None,
    });
    let good: Vec<&Row> = good.collect();
    let mut written = upsert::write_in(chunk.db, chunk.txn, plan, &good, chunk.now).await?.into_iter();
    let ids = table::ids(chunk.db, chunk.txn, good.iter().map(|row| &*row.school_id)).await?;
    let mut progress = Progress::default();
    let mut ledger = Vec::with_capacity(lines.len());
    for line in lines {
        let (person, given) = match &line.what {
            What::Good(row) if !erased.has(&row.school_id) => {
                (ids.get(&*row.school_id).copied(), row.school_id.to_string())
            }
            What::Good(_) | What::Outranked | What::Bad(_) => (None, format!("Line {}", line.number)),
        };
        let (outcome, reason, after) = match &line.what {
            What::Outranked => (Outcome::Skipped, Some("ANOTHER_ROW".to_owned()), None),
            What::Bad(reason) => (Outcome::Failed, Some(reason.clone()), None),
            What::Good(row) if erased.has(&row.school_id) => {
                (Outcome::Failed, Some(FailReason::Erased.name().to_owned()), None)
            }
            What::Good(_) => match written.next() {
                Some(Ok(Written::Created)) => (Outcome::Done, None, Some("Created")),
                Some(Ok(Written::Updated)) => (Outcome::Done, None, Some("Updated")),
                Some(Ok(Written::Unchanged)) | None => (Outcome::Skipped, Some("UNCHANGED".to_owned()), None),
                Some(Err(reason)) => (Outcome::Failed, Some(reason), None),
            },
        };
        match outcome {
            Outcome::Done => progress.succeeded += 1,
            Outcome::Skipped => progress.skipped += 1,
            Outcome::Failed | Outcome::Uncertain => progress.failed += 1,
        }
        ledger.push((line.number, person, given, outcome, reason, after));
    }
    for part in ledger.chunks(ROWS) {
        let mut binds = Binds::default();
        let (task, now) = (binds.add(chunk.task.id), binds.add(chunk.now));
        let tuples = part.iter().map(|(number, person, given, outcome, reason, after)| {
            let list: [Bound; 6] = [
                number.cast_signed().into(),
                (*person).into(),
                given.clone().into(),
                outcome.name().into(),
                reason.clone().into(),
                (*after).map(str::to_owned).into(),
            ];
            format!("({task}, {now}, {})", binds.list(list))
        });
        let tuples = tuples.collect::<Vec<_>>().join(", ");
        let sql = format!(
            "INSERT INTO task_person (task_id, outcome_date, position, person_id, given, outcome, reason, after_value)
             VALUES {tuples}"
        );
        chunk.txn.execute_raw(chunk.db.statement(&sql, binds.values())).await?;
    }
    Ok(progress)
}
