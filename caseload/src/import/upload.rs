//! A file for an import on its way into the store, piece by piece. It becomes a task, or nothing is left of it.

use bytes::Bytes;
use model::{Problem, Submitted, TaskId, TaskKind};
use object_store::buffered::BufWriter;
use queue::{Failure, NewTask};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::{
    Actor, Error, Result,
    audit::entry::{self, By, Entry},
    caseload::Imports,
    files::store::Files,
    import::{
        error::ImportError,
        read::{
            batches::{Batches, FilePosition},
            block_hashes::Blocks,
            lines::Rows,
            row_ends::Split,
        },
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
    split: Split,
    blocks: Blocks,
}

impl Upload {
    /// The next piece of it.
    pub async fn put(&mut self, piece: Bytes) -> Result<()> {
        self.size += piece.len() as u64;
        if self.size > LARGEST {
            let message =
                format!("The file is larger than {} MB. Divide it, and upload its parts.", LARGEST / 1024 / 1024);
            return Err(Problem::field("file", "too_long", message).into());
        }
        for &byte in &piece {
            self.split.step(byte);
        }
        self.blocks.take(&piece);
        match &mut self.writer {
            Some(writer) => writer.put(piece).await.map_err(stored),
            None => Ok(()),
        }
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
    async fn close(&mut self) -> Result<()> {
        if self.size == 0 {
            return Err(Problem::field("file", "required", "Choose a CSV file.").into());
        }
        self.split.end();
        match self.writer.take() {
            Some(mut writer) => writer.shutdown().await.map_err(|error| Error::Internal(error.to_string())),
            None => Ok(()),
        }
    }
}

/// Whether the mapping fits the header of an upload that is there.
async fn check(files: &Files, id: TaskId, blocks: &[String], mapping: &Mapping) -> Result<()> {
    let unreadable = |why: String| Problem::field("file", "unreadable", why);
    let first = match Batches::open(files, &Files::of(id, UPLOAD), &blocks.into(), FilePosition::START).await {
        Ok(mut batches) => batches.next().await,
        Err(failure) => Err(failure),
    };
    let first = first.map_err(|failure| match failure {
        Failure::Permanent(trouble) => unreadable(trouble.detail).into(),
        Failure::Transient(trouble) => Error::Internal(trouble.detail),
        Failure::Database(error) => Error::Database(error),
    })?;
    let bytes = first.map(|batch| batch.bytes).unwrap_or_default();
    let mut rows = Rows::new(&bytes[..]);
    let header = rows.headers().map_err(|error| unreadable(ImportError::from(error).to_string()))?;
    Plan::new(mapping, header).map_err(|error| of_field("file", &error))?;
    Ok(())
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
        Ok(Upload { id, files, writer, size: 0, split: Split::default(), blocks: Blocks::default() })
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
        upload.close().await?;
        let blocks = std::mem::take(&mut upload.blocks).end();
        check(self.0.files(), upload.id, &blocks, &read).await?;
        let spec = ImportSpec { file: file.chars().take(200).collect(), mapping: mapping.to_owned(), blocks };
        let txn = self.0.db().begin_write().await?;
        let mut new = NewTask::new(TaskKind::Import.name(), json!(spec), actor.person_id);
        new.id = Some(upload.id);
        // The first row is the header.
        new.total = Some(upload.split.rows.saturating_sub(1).cast_signed());
        let task = enqueue::enqueue(self.0, &txn, new).await?.task();
        let entry = Entry {
            by: By::Actor(actor),
            action: "task.submit",
            object_kind: "task",
            object_id: Some(upload.id.to_string()),
            detail: json!({ "kind": TaskKind::Import }),
        };
        entry::record(self.0.db(), &txn, entry).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(submitted(&task))
    }
}
