//! What staff pick, what they were shown, and what became of each person. Owned by `caseload`.
//!
//! `task_person` holds the membership of a task and is its ledger at once: rows are written when the people are frozen (by a
//! preview, under its token, which becomes the task's id; or by the task's first step) and given an outcome as it runs.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE selection (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    content text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX selection_expiry ON selection (expiry_date);

CREATE TABLE preview (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    content text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX preview_owner ON preview (owner_id, created_date);

CREATE TABLE task_person (
    task_id {uuid} NOT NULL,
    position bigint NOT NULL,
    person_id {uuid},
    given text,
    outcome text,
    reason text,
    before_value text,
    after_value text,
    outcome_date {timestamp},
    PRIMARY KEY (task_id, position)
) {clustered};
CREATE UNIQUE INDEX task_person_person ON task_person (person_id, task_id);
"#;

const DOWN: &str = "DROP TABLE task_person; DROP TABLE preview; DROP TABLE selection";
