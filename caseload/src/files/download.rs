//! The file of an export, for whoever asked for it, until it expires.

use std::ops::Range;

use bytes::Bytes;
use chrono::TimeDelta;
use futures::stream::BoxStream;
use model::{Code, Problem, TaskId, task::ExportFile};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde_json::json;

use crate::{
    Actor, Caseload, Error, Result,
    audit::entry::{self, By, Entry},
    caseload::Tasks,
    entity::{audit::entry as audit, tasks::export},
    files::store,
    tasks::visible,
};

/// How long the pieces of one download may come after its beginning.
const ONE_DOWNLOAD: TimeDelta = TimeDelta::hours(1);

/// A file that can be downloaded.
pub struct Download {
    /// What to save it as.
    pub name: String,
    pub file: ExportFile,
    path: String,
}

impl Tasks<'_> {
    /// The file of a task. It is offered only to whoever asked for it; to others it does not exist.
    pub async fn download(self, actor: &Actor, id: TaskId) -> Result<Download> {
        let task = visible::visible_task(self.0, actor, id).await?;
        let row = export(self.0, id).await?.ok_or_else(|| Problem::not_found("file"))?;
        if task.owner_id != actor.person_id {
            return Err(actor.hidden("file"));
        }
        if row.expiry_date <= self.0.db().now().await? {
            return Err(gone("The file expired, or was deleted because a person in it was erased. Export again."));
        }
        let name = format!("people-{}.{}", row.created_date.format("%Y-%m-%d"), row.format.extension());
        Ok(Download { name, path: row.path.clone(), file: file_of(row) })
    }

    /// The bytes of a range of it, with a trace in the audit.
    pub async fn read_download(
        self,
        actor: &Actor,
        id: TaskId,
        download: &Download,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, store::Result<Bytes>>> {
        let path = object_store::path::Path::from(download.path.as_str());
        let content = self.0.inner.exports.files.stream(&path, range.clone()).await.map_err(|error| match error {
            // It may have been cleared away since the row was read.
            object_store::Error::NotFound { .. } => gone("The file is missing from storage. Export again."),
            error => Error::Internal(error.to_string()),
        })?;
        // The pieces of one download are one disclosure, wherever they begin.
        if range.start == 0 || !self.has_downloaded(actor, id).await? {
            let txn = self.0.db().begin_write().await?;
            let entry = Entry {
                by: By::Actor(actor),
                action: "export.download",
                object_kind: "task",
                object_id: Some(id.to_string()),
                detail: json!({ "sha256": download.file.sha256 }),
            };
            entry::record(self.0.db(), &txn, entry).await?;
            self.0.db().commit(txn).await?;
        }
        Ok(content)
    }

    /// Whether this very session or token has begun to download it lately.
    async fn has_downloaded(self, actor: &Actor, id: TaskId) -> Result<bool> {
        let begun = audit::Entity::find()
            .filter(audit::Column::ObjectKind.eq("task"))
            .filter(audit::Column::ObjectId.eq(id.to_string()))
            .filter(audit::Column::Action.eq("export.download"))
            .filter(audit::Column::ActorId.eq(actor.person_id))
            .filter(audit::Column::Credential.eq(actor.via.credential.to_string()))
            .filter(audit::Column::AuditDate.gt(self.0.db().now().await? - ONE_DOWNLOAD));
        Ok(begun.one(self.0.db().reader()).await?.is_some())
    }
}

/// What is offered of a task, if anything was.
pub(crate) async fn export_file(caseload: &Caseload, id: TaskId) -> Result<Option<ExportFile>> {
    Ok(export(caseload, id).await?.map(file_of))
}

async fn export(caseload: &Caseload, id: TaskId) -> Result<Option<export::Model>> {
    Ok(export::Entity::find_by_id(id).one(caseload.db().reader()).await?)
}

fn gone(detail: &str) -> Error {
    Problem::new(410, Code::FILE_GONE, "The file is gone", detail).into()
}

fn file_of(export: export::Model) -> ExportFile {
    ExportFile {
        format: export.format,
        rows: export.row_count.unsigned_abs(),
        size: export.size.unsigned_abs(),
        sha256: export.sha256,
        expiry_date: export.expiry_date,
    }
}
