//! The task queue. Owned by `queue`, which documents each column in its entities.
//!
//! The indexes of `queued_task` serve three questions only: what may be claimed next, what belongs to this process, what
//! does this owner see.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE queued_task (
    id {uuid} PRIMARY KEY,
    created_date {timestamp} NOT NULL,
    created_by {uuid} NOT NULL,
    modified_date {timestamp} NOT NULL,
    modified_by {uuid} NOT NULL,
    owner_id {uuid} NOT NULL,
    run_as_id {uuid} NOT NULL,
    execution_component_name varchar(150) NOT NULL,
    execution_spec text,
    execution_state text NOT NULL,
    workflow_status text NOT NULL,
    workflow_status_desc text,
    trigger_date {timestamp} NOT NULL,
    scheduling_started_date {timestamp},
    execution_started_date {timestamp},
    workflow_stopped_date {timestamp},
    scheduled_by_process varchar(150),
    attempt integer NOT NULL,
    progressed boolean NOT NULL,
    failures integer NOT NULL,
    max_failures integer NOT NULL,
    crashes integer NOT NULL,
    rescued boolean NOT NULL,
    priority integer NOT NULL,
    idempotency_key text,
    request_hash text,
    total bigint,
    succeeded bigint NOT NULL,
    skipped bigint NOT NULL,
    failed bigint NOT NULL,
    uncertain bigint NOT NULL,
    deadline {timestamp},
    held boolean NOT NULL,
    finish_reason text,
    abandoned_by {uuid},
    parent_task_id {uuid}
);
CREATE INDEX queued_task_claim ON queued_task (rescued DESC, priority DESC, failures, id)
    WHERE workflow_status = 'QUEUED';
CREATE INDEX queued_task_due ON queued_task (trigger_date) WHERE workflow_status = 'QUEUED';
CREATE INDEX queued_task_process ON queued_task (scheduled_by_process) WHERE scheduled_by_process IS NOT NULL;
CREATE INDEX queued_task_owner ON queued_task (owner_id, id);
CREATE UNIQUE INDEX queued_task_idempotency ON queued_task (owner_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE TABLE task_attempt (
    task_id {uuid} NOT NULL REFERENCES queued_task (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    process varchar(150) NOT NULL,
    started_date {timestamp} NOT NULL,
    stopped_date {timestamp},
    outcome text,
    error_code text,
    detail text,
    PRIMARY KEY (task_id, attempt)
);

CREATE TABLE process (
    id varchar(150) PRIMARY KEY,
    system_id text NOT NULL,
    host text NOT NULL,
    version text NOT NULL,
    started_date {timestamp} NOT NULL,
    heartbeat_date {timestamp} NOT NULL,
    slots integer NOT NULL,
    busy integer NOT NULL,
    stopping boolean NOT NULL
);
"#;

const DOWN: &str = "DROP TABLE process; DROP TABLE task_attempt; DROP TABLE queued_task";
