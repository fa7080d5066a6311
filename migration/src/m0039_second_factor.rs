//! What somebody shows beside their password: an authenticator app, whose key is sealed by the server, and codes for the day on which it
//! is lost, which are kept as passwords are; and in which browsers nobody is asked for a while. A further way is a table beside these. Owned
//! by `caseload`.

crate::dialect::step!();

const UP: &str = "
CREATE TABLE authenticator_app (
    person_id {uuid} PRIMARY KEY REFERENCES account (person_id) ON DELETE CASCADE,
    sealed_key text NOT NULL,
    last_step bigint NOT NULL,
    created_date {timestamp} NOT NULL,
    used_date {timestamp} NOT NULL
);
CREATE TABLE recovery_code (
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    place integer NOT NULL,
    code_hash text NOT NULL,
    created_date {timestamp} NOT NULL,
    used_date {timestamp},
    PRIMARY KEY (person_id, place)
);
CREATE TABLE remembered_browser (
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    secret_hash text NOT NULL,
    expiry_date {timestamp} NOT NULL,
    PRIMARY KEY (person_id, secret_hash)
)";

const DOWN: &str = "
DROP TABLE remembered_browser;
DROP TABLE recovery_code;
DROP TABLE authenticator_app";
