//! A link by which somebody chooses a password for their account: asked for by whoever has forgotten theirs, or sent to whoever has a
//! new account. One at most for an account. The hash is there once the email has left; the token itself is nowhere else. Owned by
//! `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE password_link (
    person_id {uuid} PRIMARY KEY REFERENCES account (person_id) ON DELETE CASCADE,
    id {uuid} NOT NULL,
    purpose text NOT NULL,
    address text NOT NULL,
    token_hash text,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX password_link_id ON password_link (id);
CREATE INDEX password_link_token ON password_link (token_hash);
CREATE INDEX password_link_expiry ON password_link (expiry_date);
"#;

const DOWN: &str = "DROP TABLE password_link";
