//! As whom the sign-in of an institution knows the owner of an account, owned by `caseload`; and by which of them a session was opened,
//! owned by `server`: until when the provider's word holds, and by what it names the session when it ends it.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE account_identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    provider text NOT NULL,
    role_gone boolean NOT NULL,
    created_date {timestamp} NOT NULL,
    used_date {timestamp} NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX account_identity_account ON account_identity (person_id, issuer);
ALTER TABLE session ADD COLUMN issuer text;
ALTER TABLE session ADD COLUMN subject text;
ALTER TABLE session ADD COLUMN provider_session text;
ALTER TABLE session ADD COLUMN vouched_until {timestamp};
CREATE INDEX session_provider ON session (issuer, subject) WHERE issuer IS NOT NULL;
CREATE INDEX session_at_provider ON session (issuer, provider_session) WHERE issuer IS NOT NULL;
"#;

const DOWN: &str = r#"
DROP INDEX session_at_provider;
DROP INDEX session_provider;
ALTER TABLE session DROP COLUMN vouched_until;
ALTER TABLE session DROP COLUMN provider_session;
ALTER TABLE session DROP COLUMN subject;
ALTER TABLE session DROP COLUMN issuer;
DROP TABLE account_identity;
"#;
