//! On SQLite the people of a status are kept by id. Owned by `caseload`.
//!
//! A change of status goes by id, and SQLite writes whole pages: in the order of names, each person had two pages of this
//! index rewritten by every chunk, which was most of the work on a million. PostgreSQL writes what changed only, and keeps
//! the index it has.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::dialect;

#[derive(DeriveMigrationName)]
pub struct Migration;

impl Migration {
    async fn order_by(manager: &SchemaManager<'_>, columns: &str) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            return Ok(());
        }
        let statements = "DROP INDEX person_program_status;
            CREATE INDEX person_program_status ON person (program_status, COLUMNS)";
        dialect::run(manager, &statements.replace("COLUMNS", columns)).await
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Migration::order_by(manager, "id").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Migration::order_by(manager, "sort_key, id").await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
