//! What administrators look at: failures by their cause, how much was done in each minute and hour, how often a lock was
//! renewed, which kinds a process knows, what was done to a task by whom and why, and what the check of a verb on many saw. The first
//! five are owned by `queue`, `task_verb` and `bulk_preview` by `caseload`.
//!
//! None of it is written while tasks go through as they should, but for the name of the process in an index: what is counted
//! is counted afterwards, from the tasks that have ended. The indexes of those that ended badly hold what else is asked of
//! them, so that the tasks need not be read to be counted.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE task_failure (
    task_id {uuid} NOT NULL REFERENCES queued_task (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    failed_date {timestamp} NOT NULL,
    fingerprint varchar(16) NOT NULL,
    kind varchar(150) NOT NULL,
    final boolean NOT NULL,
    PRIMARY KEY (task_id, attempt)
);
CREATE INDEX task_failure_date ON task_failure (failed_date);
CREATE INDEX task_failure_cause ON task_failure (fingerprint, failed_date);
CREATE INDEX task_failure_final ON task_failure (failed_date) WHERE final;

CREATE TABLE throughput (
    step integer NOT NULL,
    start_date {timestamp} NOT NULL,
    kind varchar(150) NOT NULL,
    done bigint NOT NULL,
    problems bigint NOT NULL,
    failed bigint NOT NULL,
    abandoned bigint NOT NULL,
    people bigint NOT NULL,
    waits text NOT NULL,
    runs text NOT NULL,
    PRIMARY KEY (step, start_date, kind)
);

CREATE TABLE queue_sample (
    step integer NOT NULL,
    start_date {timestamp} NOT NULL,
    waiting bigint NOT NULL,
    running bigint NOT NULL,
    retrying bigint NOT NULL,
    stalled bigint NOT NULL,
    oldest_seconds bigint NOT NULL,
    PRIMARY KEY (step, start_date)
);

ALTER TABLE scheduler_lock ADD COLUMN renewed_date {timestamp};
ALTER TABLE scheduler_lock ADD COLUMN renewals integer NOT NULL DEFAULT 0;
ALTER TABLE scheduler_lock ADD COLUMN at_most double precision NOT NULL DEFAULT 3600;
ALTER TABLE process ADD COLUMN kinds text NOT NULL DEFAULT '[]';

CREATE TABLE task_verb (
    task_id {uuid} NOT NULL REFERENCES queued_task (id) ON DELETE CASCADE,
    verb_date {timestamp} NOT NULL,
    actor_id {uuid} NOT NULL,
    verb text NOT NULL,
    reason text,
    audit_id bigint
);
CREATE INDEX task_verb_task ON task_verb (task_id);

CREATE TABLE bulk_preview (
    id {uuid} PRIMARY KEY,
    actor_id {uuid} NOT NULL,
    created_date {timestamp} NOT NULL,
    verb text NOT NULL,
    filter text NOT NULL,
    tasks text NOT NULL
);

CREATE INDEX queued_task_ill ON queued_task (workflow_status, id, owner_id, execution_component_name, abandoned_by)
    WHERE workflow_status IN ('FAILURE', 'ERROR', 'ABANDONED');
CREATE INDEX queued_task_problems ON queued_task (id, owner_id, execution_component_name)
    WHERE workflow_status = 'COMPLETED' AND failed + uncertain > 0;
CREATE INDEX queued_task_kind ON queued_task (execution_component_name, id);
CREATE INDEX task_attempt_process ON task_attempt (process, task_id);
CREATE INDEX audit_actor ON audit (actor_id, id);
CREATE INDEX audit_action ON audit (action, id);
CREATE INDEX audit_date ON audit (audit_date);
CREATE INDEX audit_sign_in ON audit (actor_id, id) WHERE action = 'session.begin';
"#;

const DOWN: &str = "DROP INDEX audit_sign_in; DROP INDEX audit_date; DROP INDEX audit_action; DROP INDEX audit_actor; DROP INDEX task_attempt_process;
DROP INDEX queued_task_kind; DROP INDEX queued_task_problems; DROP INDEX queued_task_ill;
DROP TABLE bulk_preview; DROP TABLE task_verb;
ALTER TABLE process DROP COLUMN kinds;
ALTER TABLE scheduler_lock DROP COLUMN at_most;
ALTER TABLE scheduler_lock DROP COLUMN renewals;
ALTER TABLE scheduler_lock DROP COLUMN renewed_date;
DROP TABLE queue_sample; DROP TABLE throughput; DROP TABLE task_failure";
