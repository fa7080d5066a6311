//! The email address that somebody wants to be reached at and has not yet proved to be theirs: one at most for an account, until
//! the link that was sent there is followed or has ended. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE address_wish (
    person_id {uuid} PRIMARY KEY,
    address text NOT NULL,
    token_hash text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX address_wish_expiry ON address_wish (expiry_date);
"#;

const DOWN: &str = "DROP TABLE address_wish";
