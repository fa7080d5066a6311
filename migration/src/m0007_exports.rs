//! The files that exports have published. Owned by `caseload`. A file is offered while it has a row and its date has not come.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE export (
    task_id {uuid} PRIMARY KEY,
    path text NOT NULL,
    format text NOT NULL,
    row_count bigint NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
"#;

const DOWN: &str = "DROP TABLE export";
