//! PostgreSQL counts how many people tasks failed for. Owned by `queue`.
//!
//! It would guess that a third of all tasks ended with problems, and so looked for them along all tasks of a month instead of
//! in the index of theirs.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::dialect;

#[derive(DeriveMigrationName)]
pub struct Migration;

async fn on_postgres(manager: &SchemaManager<'_>, statement: &str) -> Result<(), DbErr> {
    match manager.get_database_backend() {
        DbBackend::Postgres => dialect::run(manager, statement).await,
        _ => Ok(()),
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        on_postgres(manager, "CREATE STATISTICS queued_task_failed ON (failed + uncertain) FROM queued_task").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        on_postgres(manager, "DROP STATISTICS queued_task_failed").await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
