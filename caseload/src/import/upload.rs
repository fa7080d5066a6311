//! A file for an import on its way into the store, piece by piece. It becomes a task, or nothing is left of it.

use std::sync::Arc;

use bytes::Bytes;
use model::{Problem, Submitted, TaskId, TaskKind, import::Separator};
use object_store::buffered::BufWriter;
use queue::{Failure, NewTask, Task, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::{
    Actor, Error, Result,
    audit::entry::{self, By, Entry},
    caseload::Imports,
    files::store::Files,
    import::{
        error::ImportError,
        file_lines,
        read::{block_hashes::Blocks, row_ends::Split},
        rows::{header_plan::Plan, mapping::Mapping},
        spec::{ImportSpec, UPLOAD},
    },
    limits::enqueue,
    submit::send::submitted,
};

/// The largest file.
pub const LARGEST: u64 = 64 * 1024 * 1024;

/// A file that comes in. Whoever gives it up calls [`Upload::abandon`]; what is forgotten is cleared away by schedule.
pub struct Upload {
    /// Of the task that it will be.
    id: TaskId,
    files: Files,
    /// Until all of it is there.
    writer: Option<BufWriter>,
    size: u64,
    /// By each separator: which it is, is told when all of it is there.
    splits: Vec<Split>,
    blocks: Blocks,
}

impl Upload {
    /// The next piece of it.
    pub async fn put(&mut self, piece: Bytes) -> Result<()> {
        self.size += piece.len() as u64;
        if self.size > LARGEST {
            let message =
                format!("The file is larger than {} MB. Split it, and upload the parts.", LARGEST / 1024 / 1024);
            return Err(Problem::field("file", "too_long", message).into());
        }
        for split in &mut self.splits {
            for &byte in &piece {
                split.step(byte);
            }
        }
        self.blocks.take(&piece);
        match &mut self.writer {
            Some(writer) => writer.put(piece).await.map_err(stored),
            None => Ok(()),
        }
    }

    /// Whether nothing of it has come.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Leaves nothing of it.
    pub async fn abandon(mut self) {
        let aborted = match &mut self.writer {
            Some(writer) => writer.abort().await,
            None => Ok(()),
        };
        let deleted = self.files.delete_but(self.id, None).await;
        if let Err(error) = aborted.and(deleted) {
            tracing::warn!(%error, "an upload that was given up is left to the schedule");
        }
    }

    /// All of it is there.
    pub async fn close(&mut self) -> Result<UploadedFile> {
        if self.size == 0 {
            return Err(Problem::field("file", "required", "Choose a CSV file.").into());
        }
        if let Some(mut writer) = self.writer.take() {
            writer.shutdown().await.map_err(|error| Error::Internal(error.to_string()))?;
        }
        let blocks = std::mem::take(&mut self.blocks).end().into();
        let mut rows = RowCounts::default();
        for (count, split) in rows.0.iter_mut().zip(&mut self.splits) {
            split.end();
            // The first row is the header.
            *count = split.rows.saturating_sub(1);
        }
        Ok(UploadedFile { id: self.id, rows, size: self.size, blocks })
    }
}

/// How many rows a file has below its header: by each separator, since a quote that is none by one of them may hold a line end by
/// another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts(pub [u64; Separator::ALL.len()]);

impl RowCounts {
    pub fn by(self, separator: Separator) -> u64 {
        Separator::ALL.iter().zip(self.0).find(|(of, _)| **of == separator).map_or(0, |(_, count)| count)
    }
}

/// A file that lies in the store.
pub struct UploadedFile {
    /// Of the task that it will be.
    pub id: TaskId,
    pub rows: RowCounts,
    /// In bytes.
    pub size: u64,
    pub blocks: Arc<[String]>,
}

/// Whether the mapping fits the header of an upload that is there, and what separates the cells of that.
async fn check(files: &Files, file: &UploadedFile, mapping: &Mapping) -> Result<Separator> {
    let head = file_lines::head(files, &Files::of(file.id, UPLOAD), &file.blocks, mapping.separator).await;
    let head = head.map_err(unread)?.map_err(|error| unreadable(error.to_string()))?;
    Plan::new(mapping, &head.names).map_err(|error| of_field("file", &error))?;
    Ok(head.separator)
}

/// Why an upload that is there was not read.
pub fn unread(failure: Failure) -> Error {
    match failure {
        Failure::Permanent(trouble) => unreadable(trouble.detail).into(),
        Failure::Transient(trouble) => Error::Internal(trouble.detail),
        Failure::Database(error) => Error::Database(error),
    }
}

/// The file is none that can be imported.
pub fn unreadable(why: impl Into<String>) -> Problem {
    Problem::field("file", "unreadable", why)
}

fn stored(error: object_store::Error) -> Error {
    Error::Internal(error.to_string())
}

fn of_field(field: &str, error: &ImportError) -> Error {
    Problem::field(field, "invalid", error.beside_its_field()).into()
}

impl Imports<'_> {
    /// A place for a file, for whoever may import.
    pub fn begin_upload(self, actor: &Actor) -> Result<Upload> {
        self.may_import(actor)?;
        let (id, files) = (queue::new_id(), self.0.files().clone());
        let writer = Some(files.writer(&Files::of(id, UPLOAD)));
        let splits = Separator::ALL.iter().map(|separator| Split::new(*separator)).collect();
        Ok(Upload { id, files, writer, size: 0, splits, blocks: Blocks::default() })
    }

    /// Submits the import of an uploaded file. What is wrong with the mapping or the header is refused at once.
    pub async fn submit(self, actor: &Actor, file: &str, mapping: &str, mut upload: Upload) -> Result<Submitted> {
        match self.import_closed(actor, file, mapping, &mut upload).await {
            Ok(task) => Ok(task),
            Err(error) => {
                upload.abandon().await;
                Err(error)
            }
        }
    }

    async fn import_closed(self, actor: &Actor, file: &str, mapping: &str, upload: &mut Upload) -> Result<Submitted> {
        self.may_import(actor)?;
        let read: Mapping = mapping.parse().map_err(|error: ImportError| of_field("mapping", &error))?;
        let uploaded = upload.close().await?;
        let separator = check(self.0.files(), &uploaded, &read).await?;
        let rows = uploaded.rows.by(separator);
        let txn = self.0.db().begin_write().await?;
        let task = self.enqueue(&txn, actor, file, mapping, &uploaded, rows).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(submitted(&task))
    }

    /// Puts the import of a file that lies in the store into the queue, within the caller's transaction.
    pub(super) async fn enqueue(
        self,
        txn: &Transaction,
        actor: &Actor,
        file: &str,
        mapping: &str,
        uploaded: &UploadedFile,
        rows: u64,
    ) -> Result<Task> {
        let blocks = uploaded.blocks.to_vec();
        let spec = ImportSpec { file: shortened(file), mapping: mapping.to_owned(), blocks };
        let mut new = NewTask::new(TaskKind::Import.name(), json!(spec), actor.person_id);
        new.id = Some(uploaded.id);
        new.total = Some(rows.cast_signed());
        let task = enqueue::enqueue(self.0, txn, new).await?.task();
        let entry = Entry {
            by: By::Actor(actor),
            action: "task.submit",
            object_kind: "task",
            object_id: Some(uploaded.id.to_string()),
            detail: json!({ "kind": TaskKind::Import }),
        };
        entry::record(self.0.db(), txn, entry).await?;
        Ok(task)
    }
}

/// As much of a file's name as is kept.
pub fn shortened(name: &str) -> String {
    name.chars().take(200).collect()
}
