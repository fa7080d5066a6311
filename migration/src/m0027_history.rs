//! A period of status ends when or after it began, by a rule of the schema. Owned by `caseload`.
//!
//! Changes of the same people at the same time could write periods that end before they begin, and open ones that are older
//! than closed ones. The rows of whoever has such a period are put in their order first: they were written one after the
//! other, so each begins no earlier than the one before it, and ends when the next one begins. SQLite takes a check only with
//! a new table.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::dialect;

#[derive(DeriveMigrationName)]
pub struct Migration;

const MEND: &str = r#"
CREATE TEMPORARY TABLE mended AS
    SELECT id, person_id, began, LEAD(began) OVER (PARTITION BY person_id ORDER BY id) AS ended FROM (
        SELECT id, person_id, MAX(effective_date) OVER (PARTITION BY person_id ORDER BY id) AS began
        FROM program_status_history WHERE person_id IN (
            SELECT person_id FROM (
                SELECT person_id, effective_date, expiration_date,
                    LEAD(effective_date) OVER (PARTITION BY person_id ORDER BY id) AS next
                FROM program_status_history) AS periods
            WHERE expiration_date < effective_date OR next < effective_date OR next < expiration_date)) AS ordered;
UPDATE program_status_history SET effective_date = mended.began,
    expiration_date = CASE WHEN mended.ended IS NOT NULL THEN mended.ended
        WHEN expiration_date < mended.began THEN mended.began ELSE expiration_date END
    FROM mended WHERE mended.id = program_status_history.id;
UPDATE person SET status_date = mended.began FROM mended
    WHERE mended.person_id = person.id AND mended.ended IS NULL AND EXISTS (
        SELECT 1 FROM program_status_history h WHERE h.id = mended.id AND h.expiration_date IS NULL);
DROP TABLE mended;
"#;

const CHECK: &str = "CONSTRAINT program_status_history_forward CHECK (expiration_date >= effective_date)";

/// The table of the first step, anew on SQLite, with something more in it.
const ANEW: &str = r#"
CREATE TABLE program_status_history_anew (
    id {identity},
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    program_status text NOT NULL,
    change_reason text,
    comment text,
    effective_date {timestamp} NOT NULL,
    expiration_date {timestamp},
    created_by {uuid} NOT NULL,
    task_id {uuid}MORE
);
INSERT INTO program_status_history_anew SELECT id, person_id, program_status, change_reason, comment, effective_date,
    expiration_date, created_by, task_id FROM program_status_history ORDER BY id;
DROP TABLE program_status_history;
ALTER TABLE program_status_history_anew RENAME TO program_status_history;
CREATE UNIQUE INDEX program_status_history_open ON program_status_history (person_id) WHERE expiration_date IS NULL;
CREATE INDEX program_status_history_person ON program_status_history (person_id, effective_date);
"#;

impl Migration {
    async fn anew(manager: &SchemaManager<'_>, more: &str) -> Result<(), DbErr> {
        dialect::run(manager, &ANEW.replace("MORE", more)).await
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, MEND).await?;
        match manager.get_database_backend() {
            DbBackend::Postgres => {
                dialect::run(manager, &format!("ALTER TABLE program_status_history ADD {CHECK}")).await
            }
            _ => Migration::anew(manager, &format!(",\n    {CHECK}")).await,
        }
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match manager.get_database_backend() {
            DbBackend::Postgres => {
                let drop = "ALTER TABLE program_status_history DROP CONSTRAINT program_status_history_forward";
                dialect::run(manager, drop).await
            }
            _ => Migration::anew(manager, "").await,
        }
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
