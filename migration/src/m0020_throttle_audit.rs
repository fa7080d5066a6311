//! Failed sign-ins as all processes count them, and where each account has signed in; and of the audit, by what somebody was known, from
//! where, and how often it was so. Owned by `caseload`.
//!
//! The audit is only ever added to, and the database sees to it. Two things may change in an entry: the number of times may
//! grow, while a scan goes on; and its detail may become what a row of `audit_redaction` says, which can neither be changed nor
//! taken away: erasing somebody writes it first, so that whatever was taken out of the audit is on record itself.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        crate::dialect::run(manager, UP).await?;
        let triggers: &[&str] = match manager.get_database_backend() {
            DbBackend::Postgres => &POSTGRES,
            _ => &SQLITE,
        };
        for trigger in triggers {
            manager.get_connection().execute_unprepared(trigger).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let triggers = match manager.get_database_backend() {
            DbBackend::Postgres => {
                "DROP FUNCTION audit_is_kept() CASCADE; DROP FUNCTION audit_redaction_is_kept() CASCADE"
            }
            _ => {
                "DROP TRIGGER audit_unchanged; DROP TRIGGER audit_undeleted;
                 DROP TRIGGER audit_redaction_unchanged; DROP TRIGGER audit_redaction_undeleted"
            }
        };
        crate::dialect::run(manager, triggers).await?;
        crate::dialect::run(manager, DOWN).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

const UP: &str = r#"
CREATE TABLE sign_in_failure (
    id text PRIMARY KEY,
    failures bigint NOT NULL,
    since_date {timestamp} NOT NULL,
    until_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX sign_in_failure_expiry ON sign_in_failure (expiry_date);

CREATE TABLE known_place (
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    place text NOT NULL,
    used_date {timestamp} NOT NULL,
    PRIMARY KEY (person_id, place)
);

ALTER TABLE audit ADD COLUMN credential text NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN source text;
ALTER TABLE audit ADD COLUMN times bigint NOT NULL DEFAULT 1;
ALTER TABLE audit ADD COLUMN burst text;
CREATE UNIQUE INDEX audit_burst ON audit (burst);
CREATE INDEX audit_source ON audit (source, id);
CREATE INDEX audit_credential ON audit (credential, id);

CREATE TABLE audit_redaction (
    id {identity},
    audit_id bigint NOT NULL,
    redacted_date {timestamp} NOT NULL,
    detail text NOT NULL
);
CREATE INDEX audit_redaction_audit ON audit_redaction (audit_id, id);
"#;

const DOWN: &str = r#"
DROP TABLE audit_redaction;
DROP INDEX audit_credential;
DROP INDEX audit_source;
DROP INDEX audit_burst;
ALTER TABLE audit DROP COLUMN burst;
ALTER TABLE audit DROP COLUMN times;
ALTER TABLE audit DROP COLUMN source;
ALTER TABLE audit DROP COLUMN credential;
DROP TABLE known_place;
DROP TABLE sign_in_failure
"#;

const SQLITE: [&str; 4] = [
    "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit WHEN NOT (
        NEW.id IS OLD.id AND NEW.audit_date IS OLD.audit_date AND NEW.actor_id IS OLD.actor_id AND NEW.action IS OLD.action
        AND NEW.object_kind IS OLD.object_kind AND NEW.object_id IS OLD.object_id AND NEW.credential IS OLD.credential
        AND NEW.source IS OLD.source AND NEW.burst IS OLD.burst
        AND ((NEW.detail IS OLD.detail AND OLD.burst IS NOT NULL AND NEW.times > OLD.times)
            OR (NEW.times IS OLD.times AND NEW.detail IS
                (SELECT r.detail FROM audit_redaction r WHERE r.audit_id = OLD.id ORDER BY r.id DESC LIMIT 1))))
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END",
    "CREATE TRIGGER audit_undeleted BEFORE DELETE ON audit
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END",
    "CREATE TRIGGER audit_redaction_unchanged BEFORE UPDATE ON audit_redaction
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END",
    "CREATE TRIGGER audit_redaction_undeleted BEFORE DELETE ON audit_redaction
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END",
];

const POSTGRES: [&str; 6] = [
    "CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
        IF TG_OP = 'UPDATE' THEN IF NEW.id = OLD.id AND NEW.audit_date = OLD.audit_date AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id
            AND NEW.action = OLD.action AND NEW.object_kind = OLD.object_kind AND NEW.object_id IS NOT DISTINCT FROM OLD.object_id
            AND NEW.credential = OLD.credential AND NEW.source IS NOT DISTINCT FROM OLD.source
            AND NEW.burst IS NOT DISTINCT FROM OLD.burst
            AND ((NEW.detail = OLD.detail AND OLD.burst IS NOT NULL AND NEW.times > OLD.times)
                OR (NEW.times = OLD.times AND NEW.detail IS NOT DISTINCT FROM
                    (SELECT r.detail FROM audit_redaction r WHERE r.audit_id = OLD.id ORDER BY r.id DESC LIMIT 1)))
        THEN
            RETURN NEW;
        END IF; END IF;
        RAISE EXCEPTION 'the audit is only ever added to';
     END $$",
    "CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_kept()",
    "CREATE TRIGGER audit_is_whole BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()",
    "CREATE FUNCTION audit_redaction_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'the audit is only ever added to'; END $$",
    "CREATE TRIGGER audit_redaction_is_kept BEFORE UPDATE OR DELETE ON audit_redaction
     FOR EACH ROW EXECUTE FUNCTION audit_redaction_is_kept()",
    "CREATE TRIGGER audit_redaction_is_whole BEFORE TRUNCATE ON audit_redaction
     FOR EACH STATEMENT EXECUTE FUNCTION audit_redaction_is_kept()",
];
