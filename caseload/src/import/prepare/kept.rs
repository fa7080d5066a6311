//! Files that were uploaded and are not imported yet: a row of their owner's for each, and the file in the store. Both go when it is
//! imported, cancelled or a day old, and of one account's the oldest when there are too many.

use model::{
    Instant, MatchingId, Problem, TaskId,
    import::{PreparedFile, Separator},
};
use queue::{Database, Transaction, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Error, Result,
    caseload::Imports,
    entity::tasks::prepared_import::{Column, Entity, Model},
    import::{
        prepare::{count::CountedImport, matching::Matching, profile::Profile},
        upload::{RowCounts, UploadedFile},
    },
    people::private_to_account::{self, Owned},
    statement::composed,
};

/// How long a file is kept, in seconds.
const KEPT: f64 = 86_400.0;
/// Files that go at once to make room.
const CLEARED_AT_ONCE: i64 = 20;

/// One that is kept.
pub struct Kept {
    pub file: PreparedFile,
    pub uploaded: UploadedFile,
    pub profile: Profile,
    pub matching: Matching,
    /// The saved matching that it began with.
    pub begun_with: Option<MatchingId>,
    pub counted: Option<CountedImport>,
}

/// One that comes to be kept.
pub(super) struct NewFile {
    pub name: String,
    pub uploaded: UploadedFile,
    pub profile: Profile,
    pub matching: Matching,
    pub begun_with: Option<MatchingId>,
    pub counted: Option<CountedImport>,
}

impl Kept {
    /// Whether what was counted holds for the matching as it is.
    pub fn is_current(&self) -> bool {
        self.counted.as_ref().is_some_and(|counted| counted.of == self.matching)
    }
}

impl Imports<'_> {
    /// Keeps a file, and gives up the oldest of its owner's where there are too many.
    pub(super) async fn add(self, actor: &Actor, new: &NewFile) -> Result<()> {
        let db = self.0.db();
        let txn = db.begin_write().await?;
        let row = [
            (Column::Id, new.uploaded.id.into()),
            (Column::OwnerId, actor.person_id.into()),
            (Column::File, new.name.as_str().into()),
            (Column::LineCount, new.uploaded.rows.by(new.profile.separator).cast_signed().into()),
            (Column::Size, new.uploaded.size.cast_signed().into()),
            (Column::Blocks, json(&new.uploaded.blocks)?.into()),
            (Column::Profile, json(&new.profile)?.into()),
            (Column::Matching, json(&new.matching)?.into()),
            (Column::BegunWith, Expr::value(new.begun_with)),
            (Column::Counted, Expr::value(new.counted.as_ref().map(json).transpose()?)),
            (Column::CreatedDate, db.instant()),
            (Column::ExpiryDate, db.instant_after(KEPT)),
        ];
        txn.execute_raw(db.build(&row_of(Entity, row))).await?;
        let oldest = "DELETE FROM prepared_import WHERE id IN (
            SELECT id FROM prepared_import WHERE owner_id = $1 ORDER BY created_date DESC, id DESC LIMIT $2 OFFSET $3)
            RETURNING id";
        let most = i64::from(self.0.limits().prepared_imports);
        let oldest = db.statement(oldest, [actor.person_id.into(), CLEARED_AT_ONCE.into(), most.into()]);
        let gone = ids(&txn.query_all_raw(oldest).await?)?;
        db.commit(txn).await?;
        self.delete_files(&gone).await;
        Ok(())
    }

    /// The actor's files that are being prepared, the newest first.
    pub async fn prepared_files(self, actor: &Actor) -> Result<Vec<PreparedFile>> {
        self.may_import(actor)?;
        let db = self.0.db();
        let own = Entity::find()
            .filter(Column::OwnerId.eq(actor.person_id))
            .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
        let own = own.order_by_desc(Column::CreatedDate).all(db.reader()).await?;
        Ok(own.iter().map(shown).collect())
    }

    /// One of the actor's own.
    pub(crate) async fn kept(self, actor: &Actor, id: TaskId) -> Result<Kept> {
        self.may_import(actor)?;
        let db = self.0.db();
        let own = Entity::find_by_id(id).filter(Column::OwnerId.eq(actor.person_id));
        let own = own.filter(Expr::col(Column::ExpiryDate).gt(db.instant())).one(db.reader()).await?;
        match own {
            Some(row) => read(&row),
            None => Err(self.no_import(actor, id).await),
        }
    }

    pub(super) async fn no_import(self, actor: &Actor, id: TaskId) -> Error {
        private_to_account::not_ones_own(self.0, actor, Owned::Import(id), Problem::not_found("import")).await
    }

    /// Writes down what a file's columns are matched to now, and what that would do.
    pub(super) async fn keep(self, kept: &Kept) -> Result<()> {
        let changed = Entity::update_many()
            .col_expr(Column::Profile, Expr::value(json(&kept.profile)?))
            .col_expr(Column::LineCount, Expr::value(kept.file.rows.cast_signed()))
            .col_expr(Column::Matching, Expr::value(json(&kept.matching)?))
            .col_expr(Column::BegunWith, Expr::value(kept.begun_with))
            .col_expr(Column::Counted, Expr::value(kept.counted.as_ref().map(json).transpose()?))
            .filter(Column::Id.eq(kept.file.id));
        self.0.db().write_query(&changed.into_query()).await?;
        Ok(())
    }

    /// Gives up a file, which is deleted.
    pub async fn discard(self, actor: &Actor, id: TaskId) -> Result<()> {
        self.may_import(actor)?;
        let gone = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(actor.person_id));
        match self.0.db().write_query(&gone.into_query()).await? {
            0 => Err(self.no_import(actor, id).await),
            _ => {
                self.delete_files(&[id]).await;
                Ok(())
            }
        }
    }

    /// What is not deleted now is by schedule.
    async fn delete_files(self, gone: &[TaskId]) {
        for id in gone {
            if let Err(error) = self.0.files().delete_but(*id, None).await {
                tracing::warn!(%error, "a file that is not imported is left to the schedule");
            }
        }
    }
}

/// Takes one out within a transaction, to import it; whether it was there.
pub async fn take(db: &Database, txn: &Transaction, actor: &Actor, id: TaskId) -> Result<bool, DbErr> {
    let gone = "DELETE FROM prepared_import WHERE id = $1 AND owner_id = $2 AND expiry_date > $3";
    let gone = composed(db, gone, [id.into(), actor.person_id.into(), db.instant()]);
    Ok(txn.execute_raw(gone).await?.rows_affected() == 1)
}

/// Somebody is erased, and any file may hold them: all are given up. Gives those whose files are to be deleted.
pub async fn forget(db: &Database, txn: &Transaction) -> Result<Vec<TaskId>> {
    Ok(ids(&txn.query_all_raw(db.statement("DELETE FROM prepared_import RETURNING id", [])).await?)?)
}

fn ids(rows: &[sea_orm::QueryResult]) -> Result<Vec<TaskId>, DbErr> {
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

fn json(what: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(what).map_err(|error| Error::Internal(error.to_string()))
}

fn read(row: &Model) -> Result<Kept> {
    fn of<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
        serde_json::from_str(text).map_err(|error| Error::Internal(error.to_string()))
    }
    let file = shown(row);
    let blocks: Vec<String> = of(&row.blocks)?;
    let profile: Profile = of(&row.profile)?;
    let rows = profile.rows.unwrap_or(RowCounts([file.rows; Separator::ALL.len()]));
    Ok(Kept {
        uploaded: UploadedFile { id: row.id, rows, size: file.size, blocks: blocks.into() },
        file,
        profile,
        matching: of(&row.matching)?,
        begun_with: row.begun_with,
        counted: row.counted.as_deref().map(of).transpose()?,
    })
}

fn shown(row: &Model) -> PreparedFile {
    let (uploaded, expires): (Instant, Instant) = (row.created_date, row.expiry_date);
    PreparedFile {
        id: row.id,
        file: row.file.clone(),
        rows: row.line_count.cast_unsigned(),
        size: row.size.cast_unsigned(),
        uploaded,
        expires,
    }
}
