//! What differs between the databases in a table definition, as words in braces. Statements are otherwise common SQL.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

/// Runs statements, separated by `;`, with the words replaced: `{uuid}`, `{timestamp}`, `{identity}`, `{key}` for text that both
/// databases compare byte by byte, and `{clustered}` for a table kept in the order of its key, where there is such a thing.
pub async fn run(manager: &SchemaManager<'_>, statements: &str) -> Result<(), DbErr> {
    let words = match manager.get_database_backend() {
        DbBackend::Postgres => [
            ("{uuid}", "uuid"),
            ("{timestamp}", "timestamptz"),
            ("{identity}", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
            ("{key}", "text COLLATE \"C\""),
            ("{clustered}", ""),
        ],
        _ => [
            ("{uuid}", "blob"),
            ("{timestamp}", "timestamp"),
            ("{identity}", "integer PRIMARY KEY AUTOINCREMENT"),
            ("{key}", "text"),
            ("{clustered}", "WITHOUT ROWID"),
        ],
    };
    let sql = words.iter().fold(statements.to_owned(), |sql, (word, meaning)| sql.replace(word, meaning));
    for statement in sql.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}

/// Declares the step of a file from its two constants `UP` and `DOWN`.
macro_rules! step {
    () => {
        #[derive(sea_orm_migration::prelude::DeriveMigrationName)]
        pub struct Migration;

        #[async_trait::async_trait]
        impl sea_orm_migration::MigrationTrait for Migration {
            async fn up(&self, manager: &sea_orm_migration::SchemaManager) -> Result<(), sea_orm_migration::DbErr> {
                crate::dialect::run(manager, UP).await
            }

            async fn down(&self, manager: &sea_orm_migration::SchemaManager) -> Result<(), sea_orm_migration::DbErr> {
                crate::dialect::run(manager, DOWN).await
            }

            // Without it SQLite runs the statements one by one and a crash leaves half a step.
            fn use_transaction(&self) -> Option<bool> {
                Some(true)
            }
        }
    };
}
pub(crate) use step;
