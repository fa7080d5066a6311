//! The link under which the first account is made. Owned by `caseload`; there is one at most, and none once it was used.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE setup_link (
    token_hash text PRIMARY KEY,
    created_date {timestamp} NOT NULL
);
"#;

const DOWN: &str = "DROP TABLE setup_link";
