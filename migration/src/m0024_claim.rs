//! The line that a claim looks at: who may start by their date, all together and those of each owner and kind by themselves, so
//! that neither what starts tomorrow nor the backlog of an owner at the limit is walked along. And the tasks about so many people
//! that these are written down only once they begin.

crate::dialect::step!();

const UP: &str = "
ALTER TABLE queued_task ADD COLUMN in_line boolean NOT NULL DEFAULT FALSE;
UPDATE queued_task SET in_line = TRUE WHERE workflow_status = 'QUEUED' AND trigger_date <= modified_date;
DROP INDEX queued_task_claim;
CREATE INDEX queued_task_claim ON queued_task (rescued DESC, priority DESC, failures, submit_order)
    WHERE workflow_status = 'QUEUED' AND in_line;
CREATE INDEX queued_task_line ON queued_task (execution_component_name, owner_id, rescued DESC, priority DESC, failures, submit_order)
    WHERE workflow_status = 'QUEUED' AND in_line;
CREATE INDEX queued_task_coming ON queued_task (trigger_date) WHERE workflow_status = 'QUEUED' AND NOT in_line;
CREATE INDEX queued_task_large ON queued_task (id)
    WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING') AND total > 10000;
";

const DOWN: &str = "
DROP INDEX queued_task_large;
DROP INDEX queued_task_coming;
DROP INDEX queued_task_line;
DROP INDEX queued_task_claim;
CREATE INDEX queued_task_claim ON queued_task (rescued DESC, priority DESC, failures, submit_order)
    WHERE workflow_status = 'QUEUED';
ALTER TABLE queued_task DROP COLUMN in_line;
";
