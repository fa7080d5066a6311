//! Passkeys: what each device of an account has given of itself, and the questions that are open, each to be answered once. Owned by
//! `caseload`.

crate::dialect::step!();

const UP: &str = "
CREATE TABLE passkey (
    id {uuid} PRIMARY KEY,
    person_id {uuid} NOT NULL REFERENCES account (person_id) ON DELETE CASCADE,
    name text NOT NULL,
    credential_id {key} NOT NULL UNIQUE,
    public_key text NOT NULL,
    device_state text NOT NULL,
    transports integer NOT NULL,
    signs_in_alone boolean NOT NULL,
    created_date {timestamp} NOT NULL,
    used_date {timestamp}
);
CREATE INDEX passkey_person ON passkey (person_id);
CREATE TABLE passkey_question (
    secret_hash {key} PRIMARY KEY,
    purpose text NOT NULL,
    person_id {uuid} REFERENCES account (person_id) ON DELETE CASCADE,
    state text NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX passkey_question_person ON passkey_question (person_id);
CREATE INDEX passkey_question_expiry ON passkey_question (expiry_date)";

const DOWN: &str = "
DROP TABLE passkey_question;
DROP TABLE passkey";
