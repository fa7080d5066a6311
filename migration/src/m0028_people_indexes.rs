//! On SQLite the people of each value that lists filter by are kept by id, as those of a status are. Owned by `caseload`.
//!
//! Two filters at once are then two runs of ids beside each other, and neither looks at the people themselves: with names
//! between, each person of the one had to be read to learn of the other, which took seconds at a million. A list in the order
//! of names walks along the index of names and asks the others of each id. PostgreSQL joins indexes by itself and keeps those
//! it has. That of students holds what it is about as well, or everybody who is counted would be looked up.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::dialect;

#[derive(DeriveMigrationName)]
pub struct Migration;

const FILTERS: [(&str, &str); 4] = [
    ("person_coach", "coach_id"),
    ("person_home_campus", "home_campus"),
    ("person_declared_major", "declared_major"),
    ("person_start_term", "start_term"),
];

impl Migration {
    async fn order_by(manager: &SchemaManager<'_>, columns: &str, students: &str) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            return Ok(());
        }
        for (index, column) in FILTERS {
            let statements = format!("DROP INDEX {index}; CREATE INDEX {index} ON person ({column}, {columns})");
            dialect::run(manager, &statements).await?;
        }
        let students =
            format!("DROP INDEX person_student; CREATE INDEX person_student ON person ({students}) WHERE student");
        dialect::run(manager, &students).await
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Migration::order_by(manager, "id", "id, student").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Migration::order_by(manager, "sort_key, id", "id").await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
