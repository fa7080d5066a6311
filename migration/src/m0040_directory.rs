//! What the directory of an institution says of its staff, and of the groups that they are in, as it provisions them (SCIM 2.0); and the
//! tokens by which it is known, owned by `caseload`; and whose tasks stand still since their account is disabled, owned by `queue`.

crate::dialect::step!();

const UP: &str = "
CREATE TABLE directory_token (
    id {uuid} PRIMARY KEY,
    name text NOT NULL,
    token_hash text NOT NULL,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL,
    revoked_date {timestamp},
    used_date {timestamp},
    used_from text
);
CREATE UNIQUE INDEX directory_token_hash ON directory_token (token_hash);
CREATE TABLE directory_user (
    person_id {uuid} PRIMARY KEY REFERENCES account (person_id) ON DELETE CASCADE,
    user_name text NOT NULL,
    name_key text NOT NULL,
    external_id text,
    given_name text,
    family_name text,
    display_name text,
    email text,
    active boolean NOT NULL,
    shut boolean NOT NULL,
    gone boolean NOT NULL,
    version bigint NOT NULL,
    created_date {timestamp} NOT NULL,
    modified_date {timestamp} NOT NULL
);
CREATE INDEX directory_user_key ON directory_user (name_key);
CREATE INDEX directory_user_external ON directory_user (external_id);
CREATE TABLE directory_group (
    id {uuid} PRIMARY KEY,
    display_name text NOT NULL,
    name_key text NOT NULL,
    external_id text,
    version bigint NOT NULL,
    created_date {timestamp} NOT NULL,
    modified_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX directory_group_key ON directory_group (name_key);
CREATE TABLE directory_member (
    group_id {uuid} NOT NULL REFERENCES directory_group (id) ON DELETE CASCADE,
    person_id {uuid} NOT NULL REFERENCES directory_user (person_id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, person_id)
);
CREATE INDEX directory_member_person ON directory_member (person_id);
CREATE TABLE stopped_owner (
    owner_id {uuid} PRIMARY KEY,
    stopped_date {timestamp} NOT NULL
)";

const DOWN: &str = "
DROP TABLE stopped_owner;
DROP TABLE directory_member;
DROP TABLE directory_group;
DROP TABLE directory_user;
DROP TABLE directory_token";
