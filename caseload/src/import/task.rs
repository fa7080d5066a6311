//! Import as a task: an uploaded file, its lines in chunks, and a ledger with one line for each line of the file.
//!
//! The file is read in batches from where the bookmark says, by each attempt on from where the former one came to. What has to
//! be known of the rows before, such as who was among them, is asked of the database.

use std::sync::Arc;

use async_trait::async_trait;
use chrono_tz::Tz;
use model::{
    Role, SchoolId, TaskErrorCode, TaskKind,
    import::Separator,
    ledger::{FailReason, Outcome, SkipReason},
};
use object_store::path::Path;
use queue::{Chunk, ChunkContext, Executor, Failure, Progress, Run, Step};
use sea_orm::{DbErr, Set};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Result, access,
    accounts::request_origin::{Credential, Via},
    entity::{insert_all, tasks::task_person},
    files::store::Files,
};
use crate::{
    import::bulk_statements,
    import::error::ImportError,
    import::file_lines::{self, FileLine, LineResult},
    import::forget::ErasedSince,
    import::import_choice,
    import::read::batches::{Batch, Batches, FilePosition},
    import::rows::checked_row::Row,
    import::rows::header_plan::Plan,
    import::rows::mapping::Mapping,
    import::spec::{ImportSpec, UPLOAD},
    import::upsert::{self, WrittenPerson},
};

/// Runs imports.
pub struct Import(pub Files);

impl Executor for Import {
    fn kind(&self) -> &'static str {
        TaskKind::Import.name()
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec: ImportSpec = serde_json::from_value(spec.clone()).map_err(|error| error.to_string())?;
        let mapping = spec.mapping.parse().map_err(|error: ImportError| error.to_string())?;
        let (files, body, blocks) = (self.0.clone(), FilePosition::START, spec.blocks.into());
        Ok(Box::new(ImportRun {
            files,
            mapping,
            blocks,
            plan: None,
            separator: Separator::Comma,
            body,
            batches: None,
            read: None,
        }))
    }
}

struct ImportRun {
    files: Files,
    mapping: Mapping,
    blocks: Arc<[String]>,
    /// What to take from each row, once the header has been read.
    plan: Option<Plan>,
    separator: Separator,
    /// Where the first row below the header is.
    body: FilePosition,
    batches: Option<Batches>,
    read: Option<ReadRows>,
}

/// The rows that were read last.
struct ReadRows {
    at: FilePosition,
    lines: Vec<FileLine>,
    next: FilePosition,
}

/// Where a run is with the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Pass {
    /// Finding out which row stands for each person, where several may.
    #[default]
    Choose,
    Write,
}

/// How far a run has come: rows of the batch that begins at this place. Nothing has been read at first.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
struct ImportBookmark {
    pass: Pass,
    offset: u64,
    line: u64,
    /// Before files were read in batches it was the rows of the whole file.
    #[serde(alias = "lines")]
    rows: usize,
}

impl ImportBookmark {
    fn of(value: &Value) -> Result<ImportBookmark, Failure> {
        serde_json::from_value(value.clone())
            .map_err(|error| Failure::permanent(TaskErrorCode::BadBookmark, error.to_string()))
    }

    fn place(self, body: FilePosition) -> FilePosition {
        if self.line == 0 { body } else { FilePosition { offset: self.offset, line: self.line } }
    }

    /// The beginning of the rows at a place.
    fn at(pass: Pass, place: FilePosition) -> ImportBookmark {
        ImportBookmark { pass, offset: place.offset, line: place.line, rows: 0 }
    }
}

#[async_trait]
impl Run for ImportRun {
    /// Reads the rows that the bookmark speaks of, unless they are there.
    async fn prepare(&mut self, ahead: &ChunkContext<'_>) -> Result<(), Failure> {
        let path = Files::of(ahead.task.id, UPLOAD);
        let bookmark = ImportBookmark::of(ahead.bookmark)?;
        if self.plan.is_none() {
            self.read_header(&path, ahead).await?;
        }
        let at = bookmark.place(self.body);
        if self.read.as_ref().is_some_and(|read| read.at == at) {
            return Ok(());
        }
        let batches = match self.batches.take().filter(|batches| batches.at() == at) {
            Some(batches) => self.batches.insert(batches),
            None => self.batches.insert(Batches::open(&self.files, &path, &self.blocks, at, self.separator).await?),
        };
        let plan = self.plan.as_ref().ok_or_else(nothing_read)?;
        self.read = batches.next().await?.map(|batch| read(plan, &batch, self.separator)).transpose()?;
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let actor =
            access::load(chunk.txn, chunk.task.run_as_id, Via::new(Credential::Task(chunk.task.id), None)).await;
        let actor = actor.map_err(|error| Failure::transient(TaskErrorCode::Internal, error.to_string()))?;
        if actor.is_none_or(|actor| actor.role != Role::Administrator) {
            return Err(Failure::permanent(
                TaskErrorCode::NotPermitted,
                "whoever submitted it is no longer an administrator",
            ));
        }
        let plan = self.plan.as_ref().ok_or_else(nothing_read)?;
        let from = ImportBookmark::of(chunk.bookmark)?;
        let choosing = plan.collapses() && from.pass == Pass::Choose;
        let Some(read) = &mut self.read else { return turn_or_end(chunk, choosing, self.body).await };
        let to = from.rows.saturating_add(chunk.size as usize).min(read.lines.len());
        let bookmark = match to == read.lines.len() {
            // More rows than there are here were treated when they were counted over the whole file.
            true => ImportBookmark { rows: from.rows.saturating_sub(to), ..ImportBookmark::at(from.pass, read.next) },
            false => ImportBookmark { rows: to, ..ImportBookmark::at(from.pass, read.at) },
        };
        let lines = &mut read.lines[from.rows.min(to)..to];
        let mut progress = match choosing {
            true => {
                let rows = lines.iter().filter_map(|line| match &line.what {
                    LineResult::Good(row) => Some(row.clone()),
                    LineResult::Outranked | LineResult::Repeated(..) | LineResult::Bad { .. } => None,
                });
                import_choice::offer(chunk.db, chunk.txn, chunk.task.id, plan, rows).await?;
                Progress::default()
            }
            false => write(chunk, plan, lines).await?,
        };
        progress.bookmark = json!(bookmark);
        Ok(Step::More(progress))
    }
}

impl ImportRun {
    async fn read_header(&mut self, path: &Path, ahead: &ChunkContext<'_>) -> Result<(), Failure> {
        let bad = |error: ImportError| Failure::permanent(TaskErrorCode::BadFile, error.to_string());
        let head = file_lines::head(&self.files, path, &self.blocks, self.mapping.separator).await?.map_err(bad)?;
        let plan = Plan::new(&self.mapping, &head.names).map_err(bad)?;
        self.plan = Some(plan.read_at(ahead.task.created_date, zone(ahead).await?));
        (self.body, self.separator) = (head.body, head.separator);
        Ok(())
    }
}

/// Days are those of whoever imports.
async fn zone(ahead: &ChunkContext<'_>) -> Result<Tz, Failure> {
    let via = Via::new(Credential::Task(ahead.task.id), None);
    let actor = access::load(ahead.db.reader(), ahead.task.run_as_id, via).await;
    let actor = actor.map_err(|error| Failure::transient(TaskErrorCode::Internal, error.to_string()))?;
    Ok(actor.and_then(|actor| actor.time_zone()).unwrap_or(chrono_tz::UTC))
}

/// The end of the file: of the pass that chooses, or of all.
async fn turn_or_end(chunk: &Chunk<'_>, choosing: bool, body: FilePosition) -> Result<Step, Failure> {
    if choosing {
        let bookmark = json!(ImportBookmark::at(Pass::Write, body));
        return Ok(Step::Turn(Progress { bookmark, ..Progress::default() }));
    }
    import_choice::drop_all(chunk.db, chunk.txn, chunk.task.id).await?;
    Ok(Step::Done(Progress { bookmark: chunk.bookmark.clone(), ..Progress::default() }))
}

fn nothing_read() -> Failure {
    Failure::transient(TaskErrorCode::Internal, "nothing was read")
}

fn read(plan: &Plan, batch: &Batch, separator: Separator) -> Result<ReadRows, Failure> {
    Ok(ReadRows { at: batch.at, lines: file_lines::read(plan, batch, separator)?, next: batch.next })
}

/// Writes the people of these lines, but those whose row is not the one that stands for them.
async fn write(chunk: &Chunk<'_>, plan: &Plan, lines: &mut [FileLine]) -> Result<Progress, Failure> {
    let submitted = chunk.task.created_date;
    let erased = ErasedSince::load(chunk.db, chunk.txn, submitted).await?;
    match plan.collapses() {
        true => outrank(chunk, lines).await?,
        false => pass_repeated(chunk, lines).await?,
    }
    let progress = treat(chunk, plan, lines, &erased).await?;
    // Somebody who was erased meanwhile may have just been written.
    if ErasedSince::load(chunk.db, chunk.txn, submitted).await? != erased {
        return Err(Failure::transient(TaskErrorCode::Erased, "somebody was erased meanwhile"));
    }
    Ok(progress)
}

fn school_ids(lines: &[FileLine]) -> impl Iterator<Item = &SchoolId> {
    lines.iter().filter_map(|line| match &line.what {
        LineResult::Good(row) => Some(&row.school_id),
        LineResult::Outranked | LineResult::Repeated(..) | LineResult::Bad { .. } => None,
    })
}

async fn outrank(chunk: &Chunk<'_>, lines: &mut [FileLine]) -> Result<(), DbErr> {
    let chosen = import_choice::lines(chunk.db, chunk.txn, chunk.task.id, school_ids(lines)).await?;
    for line in lines {
        if let LineResult::Good(row) = &line.what
            && chosen.get(&row.school_id).is_some_and(|number| *number != line.number)
        {
            line.what = LineResult::Outranked;
        }
    }
    Ok(())
}

/// A second row of a person does not count, whichever chunk or attempt had the first.
async fn pass_repeated(chunk: &Chunk<'_>, lines: &mut [FileLine]) -> Result<(), DbErr> {
    let mut first = bulk_statements::on_ledger(chunk.db, chunk.txn, chunk.task.id, school_ids(lines)).await?;
    for line in lines {
        if let LineResult::Good(row) = &line.what {
            match first.get(&row.school_id) {
                Some(first) => line.what = LineResult::Repeated(row.school_id.clone(), *first),
                None => drop(first.insert(row.school_id.clone(), line.number)),
            }
        }
    }
    Ok(())
}

/// Writes the people of these lines, and what became of each line.
async fn treat(chunk: &Chunk<'_>, plan: &Plan, lines: &[FileLine], erased: &ErasedSince) -> Result<Progress, DbErr> {
    bulk_statements::prepare(chunk.db, chunk.txn).await?;
    let good = lines.iter().filter_map(|line| match &line.what {
        LineResult::Good(row) if !erased.has(&row.school_id) => Some(row),
        LineResult::Good(_) | LineResult::Outranked | LineResult::Repeated(..) | LineResult::Bad { .. } => None,
    });
    let good: Vec<&Row> = good.collect();
    let mut written = upsert::write_in(chunk.db, chunk.txn, plan, &good).await?.into_iter();
    let ids = bulk_statements::ids(chunk.db, chunk.txn, good.iter().map(|row| &row.school_id)).await?;
    let at = chunk.db.now_in(chunk.txn).await?;
    let mut progress = Progress::default();
    let mut ledger = Vec::with_capacity(lines.len());
    for line in lines {
        let (person, given) = match &line.what {
            LineResult::Good(row) if !erased.has(&row.school_id) => {
                (ids.get(&row.school_id).copied(), row.school_id.to_string())
            }
            LineResult::Good(_) | LineResult::Outranked | LineResult::Repeated(..) | LineResult::Bad { .. } => {
                (None, format!("Line {}", line.number))
            }
        };
        let (outcome, reason, after) = match &line.what {
            LineResult::Outranked => (Outcome::Skipped, Some(SkipReason::AnotherRow.name().to_owned()), None),
            LineResult::Repeated(..) => (Outcome::Skipped, Some(SkipReason::Repeated.name().to_owned()), None),
            LineResult::Bad { reason, .. } => (Outcome::Failed, Some(reason.clone()), None),
            LineResult::Good(row) if erased.has(&row.school_id) => {
                (Outcome::Failed, Some(FailReason::Erased.name().to_owned()), None)
            }
            LineResult::Good(_) => match written.next() {
                Some(Ok(WrittenPerson::Created)) => (Outcome::Done, None, Some("Created")),
                Some(Ok(WrittenPerson::Updated)) => (Outcome::Done, None, Some("Updated")),
                Some(Ok(WrittenPerson::Unchanged)) | None => (Outcome::Skipped, Some("UNCHANGED".to_owned()), None),
                Some(Err(reason)) => (Outcome::Failed, Some(reason), None),
            },
        };
        match outcome {
            Outcome::Done => progress.succeeded += 1,
            Outcome::Skipped => progress.skipped += 1,
            Outcome::Failed | Outcome::Uncertain => progress.failed += 1,
        }
        ledger.push(task_person::ActiveModel {
            outcome: Set(Some(outcome)),
            reason: Set(reason),
            after_value: Set(after.map(str::to_owned)),
            outcome_date: Set(Some(at)),
            ..task_person::ActiveModel::meant(chunk.task.id, line.number.cast_signed(), person, Some(given))
        });
    }
    insert_all(chunk.db, chunk.txn, ledger).await?;
    Ok(progress)
}
