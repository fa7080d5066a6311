//! Searches that somebody keeps under a name, and names of access tokens. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE saved_view (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX saved_view_owner ON saved_view (owner_id, name);

ALTER TABLE access_token ADD COLUMN name text;
"#;

const DOWN: &str = "ALTER TABLE access_token DROP COLUMN name; DROP TABLE saved_view";
