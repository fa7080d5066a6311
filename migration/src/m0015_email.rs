//! Messages to people and what became of each, what is left of them in the journal, texts that are kept for later, and the
//! right to write emails for those who had every right there was. Owned by `caseload`.
//!
//! A row of `outbox` is one message of a task, at the position of its ledger line; position 0 is the copy of the whole action.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE outbox (
    task_id {uuid} NOT NULL,
    position bigint NOT NULL,
    person_id {uuid},
    address text,
    address_key text,
    copy_address text,
    message_id text NOT NULL,
    state text NOT NULL,
    attempt integer NOT NULL,
    tries integer NOT NULL,
    next_date {timestamp},
    reply text,
    state_date {timestamp} NOT NULL,
    bounce_note text,
    bounce_date {timestamp},
    bounce_by {uuid},
    PRIMARY KEY (task_id, position)
);
CREATE INDEX outbox_open ON outbox (task_id, next_date) WHERE state IN ('SENDING', 'DEFERRED');
CREATE INDEX outbox_address ON outbox (task_id, address_key);
CREATE INDEX outbox_person ON outbox (person_id, state_date);

CREATE TABLE journal_entry (
    id {identity},
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    entry text NOT NULL,
    created_date {timestamp} NOT NULL,
    created_by {uuid} NOT NULL,
    task_id {uuid} NOT NULL
);
CREATE INDEX journal_entry_person ON journal_entry (person_id, id);

CREATE TABLE email_draft (
    owner_id {uuid} PRIMARY KEY,
    content text NOT NULL,
    saved_date {timestamp} NOT NULL,
    revision {uuid} NOT NULL
);

CREATE TABLE email_template (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    name text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    created_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX email_template_owner ON email_template (owner_id, name);

CREATE TABLE notice (
    task_id {uuid} NOT NULL,
    purpose text NOT NULL,
    address text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    state text NOT NULL,
    tries integer NOT NULL,
    created_date {timestamp} NOT NULL,
    state_date {timestamp} NOT NULL,
    PRIMARY KEY (task_id, purpose)
);
CREATE INDEX notice_open ON notice (created_date) WHERE state = 'WAITING';

UPDATE account SET permissions = '["program_status","watch","export","early_alert","reassign_coach","email"]'
    WHERE permissions = '["program_status","watch","export","early_alert","reassign_coach"]';
UPDATE account SET permissions = '["program_status","watch","export","early_alert","email"]'
    WHERE permissions = '["program_status","watch","export","early_alert"]';
"#;

const DOWN: &str = r#"
UPDATE account SET permissions = '["program_status","watch","export","early_alert","reassign_coach"]'
    WHERE permissions = '["program_status","watch","export","early_alert","reassign_coach","email"]';
UPDATE account SET permissions = '["program_status","watch","export","early_alert"]'
    WHERE permissions = '["program_status","watch","export","early_alert","email"]';
DROP TABLE notice;
DROP TABLE email_template;
DROP TABLE email_draft;
DROP TABLE journal_entry;
DROP TABLE outbox;
"#;
