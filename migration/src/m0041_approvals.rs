//! Tasks that wait until a second person approves them: what was asked of whom and until when, with the numbers as they were, and what
//! became of it. The mark that one was declined is owned by `queue`, the table by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
ALTER TABLE queued_task ADD COLUMN declined boolean NOT NULL DEFAULT FALSE;
CREATE INDEX queued_task_unapproved ON queued_task (owner_id, id) WHERE workflow_status = 'UNAPPROVED';

CREATE TABLE approval (
    task_id {uuid} PRIMARY KEY REFERENCES queued_task (id) ON DELETE CASCADE,
    asked_by {uuid} NOT NULL,
    asked_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL,
    above bigint,
    start_date {timestamp},
    total bigint NOT NULL,
    will_change bigint NOT NULL,
    skipped text NOT NULL,
    decision text,
    decided_by {uuid},
    decided_date {timestamp},
    note text
);
CREATE INDEX approval_asked ON approval (asked_by, asked_date);
CREATE INDEX approval_decided ON approval (decided_by, decided_date) WHERE decided_by IS NOT NULL;
"#;

const DOWN: &str =
    "DROP TABLE approval; DROP INDEX queued_task_unapproved; ALTER TABLE queued_task DROP COLUMN declined";
