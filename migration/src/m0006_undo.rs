//! What putting back needs: since when something was as it was before, and which tasks came from which. And the rights of
//! the actions that came with it, for those who had every right there was.

crate::dialect::step!();

const UP: &str = r#"
ALTER TABLE task_person ADD COLUMN former_date {timestamp};
CREATE INDEX queued_task_parent ON queued_task (parent_task_id) WHERE parent_task_id IS NOT NULL;
UPDATE account SET permissions = '["program_status","watch","export"]' WHERE permissions = '["program_status"]';
"#;

const DOWN: &str = r#"
UPDATE account SET permissions = '["program_status"]' WHERE permissions = '["program_status","watch","export"]';
DROP INDEX queued_task_parent;
ALTER TABLE task_person DROP COLUMN former_date;
"#;
