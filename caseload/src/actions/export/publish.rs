//! From the objects of an export to the one file that is offered: composed outside of any transaction, and then published by
//! a row, together with the record of what was disclosed.

use std::time::Duration;

use model::{
    Action, TaskErrorCode, TaskId,
    action::{Export, ExportFormat},
};
use object_store::path::Path;
use queue::{Chunk, Database, Failure, Transaction, row_of};
use sea_orm::{
    ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use super::{
    columns,
    parts::{FilePart, HashedFile},
    xlsx,
};
use crate::{
    audit::entry::{self, By, Entry},
    entity::tasks::export::{Column, Entity},
    files::spreadsheet::{self, Spreadsheet},
    files::store::Files,
    people::targeted_people::TargetedPeople,
    submit::spec::Spec,
};

/// A file that is whole.
pub struct Published {
    pub path: Path,
    pub size: u64,
    /// Of its content, in hexadecimal.
    pub sha256: String,
}

/// Writes the one file, of this format, with or without a byte order mark. What cannot be written whole leaves nothing in the store.
pub async fn compose(
    files: &Files,
    form: (ExportFormat, bool),
    columns: &[columns::ExportColumn],
    parts: Vec<FilePart>,
    path: Path,
) -> Result<Published, Failure> {
    let mut file = HashedFile { writer: files.writer(&path), hash: Sha256::new(), size: 0 };
    if let Err(failure) = fill(files, form, columns, parts, &mut file).await {
        // Refused where nothing has been sent yet.
        let _ = file.writer.abort().await;
        return Err(failure);
    }
    // What it has sent it takes back by itself, and is not to be told so.
    file.writer.shutdown().await.map_err(|error| Failure::transient(TaskErrorCode::Files, error.to_string()))?;
    let sha256 = file.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Published { path, size: file.size, sha256 })
}

async fn fill(
    files: &Files,
    (format, bom): (ExportFormat, bool),
    columns: &[columns::ExportColumn],
    parts: Vec<FilePart>,
    file: &mut HashedFile,
) -> Result<(), Failure> {
    match format {
        ExportFormat::Csv => {
            if bom {
                file.put(bytes::Bytes::from_static(spreadsheet::BOM.as_bytes())).await?;
            }
            file.put(titles(columns).map_err(|error| Failure::transient(TaskErrorCode::Internal, error.to_string()))?)
                .await?;
            for part in parts {
                file.put(part.read(files).await?).await?;
            }
        }
        ExportFormat::Xlsx => xlsx::compose(files, columns.to_vec(), parts, file).await?,
    }
    Ok(())
}

fn titles(columns: &[columns::ExportColumn]) -> csv::Result<bytes::Bytes> {
    let mut sheet = Spreadsheet::new();
    sheet.line(columns.iter().map(|column| column.title))?;
    Ok(sheet.finish()?.into())
}

/// Offers the file, and records what was disclosed to whom.
pub async fn publish(chunk: &Chunk<'_>, spec: &Spec, file: &Published, rows: u64, kept: Duration) -> Result<(), DbErr> {
    let (db, txn, task) = (chunk.db, chunk.txn, chunk.task);
    let Action::Export(Export { format, columns, .. }) = &spec.action else { return Ok(()) };
    let row = [
        (Column::TaskId, task.id.into()),
        (Column::Path, file.path.to_string().into()),
        (Column::Format, (*format).into()),
        (Column::RowCount, rows.cast_signed().into()),
        (Column::Size, file.size.cast_signed().into()),
        (Column::Sha256, file.sha256.clone().into()),
        (Column::CreatedDate, db.instant()),
        (Column::ExpiryDate, db.instant_after(kept.as_secs_f64())),
    ];
    txn.execute_raw(db.build(&row_of(Entity, row))).await?;
    let who = match &spec.targeted {
        TargetedPeople::Matching { filter, exclude } => json!({ "filter": filter, "excluded": exclude.len() }),
        TargetedPeople::Listed { ids, school_ids } => json!({ "listed": ids.len() + school_ids.len() }),
        TargetedPeople::Ledger { task, outcomes } => json!({ "task": task, "outcomes": outcomes }),
    };
    let detail = json!({ "format": format, "columns": columns, "people": who, "count": rows, "sha256": file.sha256 });
    let entry = Entry {
        by: By::Task(task),
        action: "export.disclose",
        object_kind: "task",
        object_id: Some(task.id.to_string()),
        detail,
    };
    entry::record(db, txn, entry).await
}

/// Offers no file any more. Returns the tasks whose files were still offered.
pub async fn withdraw_all(db: &Database, txn: &Transaction) -> Result<Vec<TaskId>, DbErr> {
    let offered = Entity::update_many()
        .col_expr(Column::ExpiryDate, db.instant())
        .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
    let withdrawn = offered.into_query().returning_col(Column::TaskId).take();
    let withdrawn = txn.query_all_raw(db.build(&withdrawn)).await?;
    withdrawn.iter().map(|row| row.try_get("", "task_id")).collect()
}
