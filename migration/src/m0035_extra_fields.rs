//! What an import keeps beyond the columns can narrow a list: a row for each such field of a person, found by its value. `person.extra`
//! stays what is shown. A text of more than 200 characters is in no index, and no filter can ask for it. Owned by `caseload`.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::dialect::run;

const UP: &str = "
CREATE TABLE person_extra (
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name {key} NOT NULL,
    value {key} NOT NULL,
    PRIMARY KEY (person_id, name)
) {clustered};
CREATE INDEX person_extra_value ON person_extra (name, value, person_id)";

const DOWN: &str = "DROP TABLE person_extra";

const FILL_SQLITE: &str = r"
INSERT INTO person_extra (person_id, name, value)
SELECT p.id, e.key, trim(e.value) FROM person p, json_each(CASE WHEN json_valid(p.extra) THEN p.extra ELSE '{}' END) e
WHERE p.student AND e.type = 'text' AND instr(p.extra, '\u0000') = 0 AND trim(e.value) <> ''
    AND length(e.key) BETWEEN 1 AND 200 AND length(trim(e.value)) <= 200
ON CONFLICT DO NOTHING";

// PostgreSQL keeps no NUL in a text, so that it can only look at what is read as JSON where there is none.
const FILL_POSTGRES: &str = r"
INSERT INTO person_extra (person_id, name, value)
SELECT t.id, t.key, t.value FROM (
    SELECT p.id, e.key, trim(e.value #>> '{}') AS value
    FROM (SELECT id, CASE WHEN extra LIKE '{%}' AND strpos(extra, '\u0000') = 0 THEN CAST(extra AS json) ELSE '{}' END AS extra
          FROM person WHERE student) p
    CROSS JOIN LATERAL json_each(p.extra) e WHERE json_typeof(e.value) = 'string'
) t
WHERE t.value <> '' AND length(t.key) BETWEEN 1 AND 200 AND length(t.value) <= 200
ON CONFLICT DO NOTHING";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, UP).await?;
        let fill = match manager.get_database_backend() {
            DbBackend::Postgres => FILL_POSTGRES,
            _ => FILL_SQLITE,
        };
        run(manager, fill).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, DOWN).await
    }
}
