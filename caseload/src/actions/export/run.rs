//! The run of an export. Each chunk reads the next people by key and writes them as one object, before its transaction; the
//! transaction says how far it has come. At the end the objects are composed, and the last transaction publishes the file.
//!
//! An object is named for the attempt that wrote it and for what is in it, so that a former attempt overwrites nothing, and one
//! that is written twice is the same. The number of the attempt alone would not do: where an older backup of the database is put
//! back, it counts backwards, and the store does not.

use std::{borrow::Cow, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use futures::TryStreamExt;
use model::{
    Action, PersonId, TaskErrorCode, TaskId, TaskKind,
    action::{Export, ExportFormat, ExportSort},
};
use queue::{Chunk, ChunkContext, Database, Executor, Failure, Progress, Run, Step, Task};
use sea_orm::{DbErr, QueryResult, RuntimeErr, StreamTrait, sea_query::Expr, sqlx::Row};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    columns::{self, ExportColumn, Kind},
    order::ExportOrder,
    parts::{self, FilePart},
    publish::{self, Published},
};
use crate::{
    Actor, Exports, access,
    entity::people::person::{self, P},
    files::spreadsheet::Spreadsheet,
    files::store::{self, Files},
    people::{list::rows::COUNTED, targeted_people},
    statement::{composed, not_by, sql},
    submit::spec::Spec,
    tasks::people_executor,
};

/// People of the first object; each further one has twice as many, so that progress is soon seen and yet a million people
/// make few objects.
const FEWEST: u64 = 2_500;
/// People of the largest object: it fits the memory many times over.
const MOST: u64 = 20_000;

/// Runs exports.
pub struct ExportTask(pub Exports);

impl Executor for ExportTask {
    fn kind(&self) -> &'static str {
        TaskKind::Export.name()
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec = Spec::decode(spec)?;
        let Action::Export(_) = spec.action else { return Err(format!("{} is no export", spec.action.kind())) };
        Ok(Box::new(ExportRun { exports: self.0.clone(), spec, ready: None }))
    }
}

struct ExportRun {
    exports: Exports,
    spec: Spec,
    /// What was done for the next chunk.
    ready: Option<PreparedChunk>,
}

enum PreparedChunk {
    FilePart { rows: u64, sha256: String, last: Option<(String, PersonId)> },
    Published(Published),
}

/// How far a run has come.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ExportBookmark {
    rows: u64,
    /// Where the next object begins: after this person, in the order of the list.
    last: Option<(String, PersonId)>,
    /// The attempt that wrote each object.
    parts: Vec<i32>,
    /// What each object is known by.
    hashes: Vec<String>,
    /// Whether everybody has been read.
    read: bool,
}

impl ExportBookmark {
    fn of(value: &Value) -> Result<ExportBookmark, Failure> {
        let read: Result<ExportBookmark, _> = serde_json::from_value(value.clone());
        let read = read.map_err(|error| Failure::permanent(TaskErrorCode::BadBookmark, error.to_string()))?;
        // A former version kept none, so its objects are read anew.
        Ok(if read.hashes.len() == read.parts.len() { read } else { ExportBookmark::default() })
    }

    /// How many people the next object holds, unless they end before.
    fn next(&self) -> u64 {
        FEWEST.saturating_mul(1 << self.parts.len().min(10)).min(MOST)
    }

    fn parts(&self, task: TaskId) -> Vec<FilePart> {
        let parts = self.parts.iter().zip(&self.hashes).enumerate();
        parts
            .map(|(number, (attempt, sha256))| FilePart {
                path: part(task, number, *attempt, sha256),
                sha256: sha256.clone(),
            })
            .collect()
    }
}

fn part(task: TaskId, number: usize, attempt: i32, sha256: &str) -> object_store::path::Path {
    Files::of(task, &format!("part-{number:06}-{sha256}-{attempt}.csv"))
}

/// The one file. What is in it is not known before it is written.
fn whole(task: &Task, format: ExportFormat) -> object_store::path::Path {
    Files::of(task.id, &format!("{:x}-{}.{}", task.fence, task.attempt, format.extension()))
}

#[async_trait]
impl Run for ExportRun {
    async fn prepare(&mut self, ahead: &ChunkContext<'_>) -> Result<(), Failure> {
        self.ready = None;
        let bookmark = ExportBookmark::of(ahead.bookmark)?;
        let Action::Export(Export { format, columns, sort, bom }) = &self.spec.action else { return Ok(()) };
        let task = ahead.task;
        self.ready = Some(match bookmark.read {
            false => {
                let actor = people_executor::run_as(ahead.db.reader(), task, self.spec.action.right()).await?;
                let wanted = NextPeople {
                    actor,
                    spec: self.spec.clone(),
                    columns: columns::columns(columns),
                    sort: *sort,
                    format: *format,
                    most: bookmark.next(),
                    last: bookmark.last.clone(),
                };
                let read = ahead.aside(move |db| async move { wanted.read(&db).await }).await?;
                let ReadPeople { content, sha256, rows, last } = read;
                if bookmark.rows + rows > self.exports.most {
                    let most = self.exports.most;
                    return Err(Failure::permanent(
                        TaskErrorCode::TooManyRows,
                        format!("more than {most} people match by now"),
                    ));
                }
                let part = part(task.id, bookmark.parts.len(), task.attempt, &sha256);
                self.exports.files.write(&part, content).await.map_err(parts::failure)?;
                PreparedChunk::FilePart { rows, sha256, last }
            }
            true => {
                let (parts, columns) = (bookmark.parts(task.id), columns::columns(columns));
                let (files, form, to) = (self.exports.files.clone(), (*format, *bom), whole(task, *format));
                let composed = ahead
                    .aside(move |_| async move { publish::compose(&files, form, &columns, parts, to).await })
                    .await?;
                PreparedChunk::Published(composed)
            }
        });
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        people_executor::run_as(chunk.txn, chunk.task, self.spec.action.right()).await?;
        let mut bookmark = ExportBookmark::of(chunk.bookmark)?;
        match self.ready.take() {
            Some(PreparedChunk::FilePart { rows, sha256, last }) => {
                bookmark.read = rows < bookmark.next();
                bookmark.rows += rows;
                bookmark.parts.push(chunk.task.attempt);
                bookmark.hashes.push(sha256);
                bookmark.last = last.or(bookmark.last);
                // Who has joined or left since the submit is known at the end only.
                let more = chunk.task.total.is_none_or(|total| total < bookmark.rows.cast_signed());
                let total = (bookmark.read || more).then_some(bookmark.rows.cast_signed());
                let progress =
                    Progress { bookmark: json!(bookmark), total, succeeded: rows.cast_signed(), ..Progress::default() };
                Ok(Step::More(progress))
            }
            Some(PreparedChunk::Published(file)) => {
                publish::publish(chunk, &self.spec, &file, bookmark.rows, self.exports.kept).await?;
                Ok(Step::Done(Progress { bookmark: json!(bookmark), ..Progress::default() }))
            }
            None => Err(Failure::transient(TaskErrorCode::Internal, "a chunk without what was prepared for it")),
        }
    }
}

/// A text of a row, borrowed from it: a million people have sixteen million of them. NULL is empty.
fn text(row: &QueryResult, index: usize) -> Result<&str, DbErr> {
    let text: Result<Option<&str>, _> = match (row.try_as_pg_row(), row.try_as_sqlite_row()) {
        (Some(row), _) => row.try_get_unchecked(index),
        (None, Some(row)) => row.try_get_unchecked(index),
        (None, None) => return Err(DbErr::Type("a row of neither database".to_owned())),
    };
    Ok(text.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))))?.unwrap_or_default())
}

/// The next people that are to be read.
struct NextPeople {
    actor: Actor,
    spec: Spec,
    columns: Vec<ExportColumn>,
    sort: ExportSort,
    format: ExportFormat,
    most: u64,
    /// Whom it begins after.
    last: Option<(String, PersonId)>,
}

/// People as lines of CSV.
struct ReadPeople {
    content: Bytes,
    sha256: String,
    rows: u64,
    /// The last of them, if there may be more.
    last: Option<(String, PersonId)>,
}

impl NextPeople {
    async fn read(&self, db: &Database) -> Result<ReadPeople, Failure> {
        let NextPeople { actor, spec, columns, most, .. } = self;
        let order = ExportOrder::of(self.sort);
        let key = P.col(order.key);
        let after = match &self.last {
            None => Expr::cust("TRUE"),
            Some((last, id)) => order.comes_after(key.clone(), (last, *id)),
        };
        // As in the list: few are found and then sorted.
        let (matching, sorted_by) = match spec.total <= COUNTED {
            true => (targeted_people::condition(&spec.targeted, actor), not_by(key.clone())),
            false => (targeted_people::walk_condition(&spec.targeted, actor), key.clone()),
        };
        let selected = columns.iter().map(|column| column.value.clone());
        let selected = selected.reduce(|all, next| sql("$1, $2", [all, next])).unwrap_or_else(|| Expr::cust("NULL"));
        let people = "SELECT $1 AS key, p.id, $2 FROM person p LEFT JOIN person c ON c.id = p.coach_id
             WHERE ($3) AND ($4) AND $5 ORDER BY $6 LIMIT $7";
        let in_order = order.by(sorted_by, P.col(person::Column::Id));
        let (reach, most) = (access::reach(actor), Expr::Constant((*most).into()));
        let people = composed(db, people, [key, selected, matching, reach, after, in_order, most]);
        let mut found = db.reader().stream_raw(people).await?;
        let mut sheet = match self.format {
            ExportFormat::Csv => Spreadsheet::new(),
            // A workbook says of each cell that it is a text.
            ExportFormat::Xlsx => Spreadsheet::between_steps(),
        };
        let (mut rows, mut last) = (0, None);
        let wrong = |error: csv::Error| Failure::transient(TaskErrorCode::Internal, error.to_string());
        while let Some(row) = found.try_next().await? {
            for (i, column) in columns.iter().enumerate() {
                let text = text(&row, i + 2)?;
                let text: Cow<str> = match column.kind {
                    Kind::Fields => columns::fields(text).into(),
                    Kind::Text | Kind::Day => text.into(),
                };
                sheet.cell(&text).map_err(wrong)?;
            }
            sheet.end().map_err(wrong)?;
            rows += 1;
            if rows == self.most {
                last = Some((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
            }
        }
        let content = Bytes::from(sheet.finish().map_err(wrong)?);
        Ok(ReadPeople { sha256: store::hash(&content), content, rows, last })
    }
}
