//! The order in which tasks were submitted: until now it was that of their ids, which previews have made before, on whichever
//! machine. Those that are there keep the order they had. Whatever lists tasks, of whichever owner, kind, state or process, walks along it.

crate::dialect::step!();

const UP: &str = "
ALTER TABLE queued_task ADD COLUMN submit_order {counted};
UPDATE queued_task SET submit_order = line.place
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM queued_task) AS line WHERE line.id = queued_task.id;
CREATE UNIQUE INDEX queued_task_submitted ON queued_task (submit_order);
DROP INDEX queued_task_claim;
CREATE INDEX queued_task_claim ON queued_task (rescued DESC, priority DESC, failures, submit_order)
    WHERE workflow_status = 'QUEUED';
DROP INDEX queued_task_owner;
CREATE INDEX queued_task_owner ON queued_task (owner_id, submit_order);
DROP INDEX queued_task_kind;
CREATE INDEX queued_task_kind ON queued_task (execution_component_name, submit_order);
DROP INDEX queued_task_ill;
CREATE INDEX queued_task_ill ON queued_task (workflow_status, submit_order, owner_id, execution_component_name, abandoned_by)
    WHERE workflow_status IN ('FAILURE', 'ERROR', 'ABANDONED');
DROP INDEX queued_task_problems;
CREATE INDEX queued_task_problems ON queued_task (submit_order, owner_id, execution_component_name)
    WHERE workflow_status = 'COMPLETED' AND failed + uncertain > 0;
CREATE INDEX queued_task_created ON queued_task (created_date, submit_order);
ALTER TABLE task_attempt ADD COLUMN submit_order bigint;
UPDATE task_attempt SET submit_order = (SELECT t.submit_order FROM queued_task t WHERE t.id = task_attempt.task_id);
DROP INDEX task_attempt_process;
CREATE INDEX task_attempt_process ON task_attempt (process, submit_order, task_id);
";

const DOWN: &str = "
DROP INDEX task_attempt_process;
CREATE INDEX task_attempt_process ON task_attempt (process, task_id);
ALTER TABLE task_attempt DROP COLUMN submit_order;
DROP INDEX queued_task_created;
DROP INDEX queued_task_problems;
CREATE INDEX queued_task_problems ON queued_task (id, owner_id, execution_component_name)
    WHERE workflow_status = 'COMPLETED' AND failed + uncertain > 0;
DROP INDEX queued_task_ill;
CREATE INDEX queued_task_ill ON queued_task (workflow_status, id, owner_id, execution_component_name, abandoned_by)
    WHERE workflow_status IN ('FAILURE', 'ERROR', 'ABANDONED');
DROP INDEX queued_task_kind;
CREATE INDEX queued_task_kind ON queued_task (execution_component_name, id);
DROP INDEX queued_task_owner;
CREATE INDEX queued_task_owner ON queued_task (owner_id, id);
DROP INDEX queued_task_claim;
CREATE INDEX queued_task_claim ON queued_task (rescued DESC, priority DESC, failures, id) WHERE workflow_status = 'QUEUED';
DROP INDEX queued_task_submitted;
ALTER TABLE queued_task DROP COLUMN submit_order;
";
