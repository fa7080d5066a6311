//! Who may sign in, how they prove it, and what they did. `account`, `access_token` and `audit` are owned by `caseload`,
//! `session` by `server`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE account (
    person_id {uuid} PRIMARY KEY REFERENCES person (id),
    username text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL,
    permissions text NOT NULL,
    disabled boolean NOT NULL,
    session_version integer NOT NULL,
    created_date {timestamp} NOT NULL,
    modified_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX account_username ON account (username);

CREATE TABLE access_token (
    id {uuid} PRIMARY KEY,
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    token_hash text NOT NULL,
    created_date {timestamp} NOT NULL,
    revoked_date {timestamp}
);
CREATE UNIQUE INDEX access_token_hash ON access_token (token_hash);

CREATE TABLE session (
    id text PRIMARY KEY,
    person_id {uuid},
    session_version integer,
    data text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL,
    absolute_date {timestamp} NOT NULL
);
CREATE INDEX session_expiry ON session (expiry_date);
CREATE INDEX session_person ON session (person_id);

CREATE TABLE audit (
    id {identity},
    audit_date {timestamp} NOT NULL,
    actor_id {uuid},
    action text NOT NULL,
    object_kind text NOT NULL,
    object_id text,
    detail text NOT NULL
);
CREATE INDEX audit_object ON audit (object_kind, object_id);
"#;

const DOWN: &str = "DROP TABLE audit; DROP TABLE session; DROP TABLE access_token; DROP TABLE account";
