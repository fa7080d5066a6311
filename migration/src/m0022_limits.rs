//! What one account may have: what it did within the hour, drafts that were put aside, and the indexes by which its share is
//! counted; and what an import finds out about a file that is too large for the memory. Owned by `caseload`, but for the index of waiting tasks.

crate::dialect::step!();

const UP: &str = "
CREATE TABLE allowance (
    account_id {uuid} NOT NULL,
    what varchar(40) NOT NULL,
    since_date {timestamp} NOT NULL,
    used integer NOT NULL,
    PRIMARY KEY (account_id, what)
);
CREATE TABLE import_choice (
    task_id {uuid} NOT NULL,
    person varchar(64) NOT NULL,
    line bigint NOT NULL,
    cells text NOT NULL,
    PRIMARY KEY (task_id, person)
) {clustered};
ALTER TABLE email_template ADD COLUMN put_aside boolean NOT NULL DEFAULT FALSE;
CREATE INDEX selection_owner ON selection (owner_id, expiry_date);
CREATE INDEX queued_task_waiting ON queued_task (owner_id)
    WHERE workflow_status = 'QUEUED' AND execution_component_name <> 'self-test'";

const DOWN: &str = "DROP INDEX queued_task_waiting; DROP INDEX selection_owner;
ALTER TABLE email_template DROP COLUMN put_aside; DROP TABLE import_choice; DROP TABLE allowance";
