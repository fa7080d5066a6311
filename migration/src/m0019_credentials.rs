//! How far an access token goes, until when, and when it was last used; whether a password is its owner's own or was made for
//! them; and the key under which the server seals what it leaves in a browser. The first two are owned by `caseload`, the key
//! by `server`.
//!
//! Tokens that are there could do everything and had no end: they keep what they can do, for as long as a new one lasts.

crate::dialect::step!();

const UP: &str = r#"
ALTER TABLE access_token ADD COLUMN scope text NOT NULL DEFAULT 'administer';
ALTER TABLE access_token ADD COLUMN expiry_date {timestamp};
ALTER TABLE access_token ADD COLUMN used_date {timestamp};
ALTER TABLE access_token ADD COLUMN used_from text;
UPDATE access_token SET expiry_date = {in 90 days};
UPDATE access_token SET name = 'Made by command' WHERE name IS NULL;
CREATE INDEX access_token_person ON access_token (person_id) WHERE revoked_date IS NULL;

ALTER TABLE account ADD COLUMN password_state text NOT NULL DEFAULT 'own';

CREATE TABLE server_key (
    id integer PRIMARY KEY CHECK (id = 1),
    secret text NOT NULL,
    created_date {timestamp} NOT NULL
);
"#;

const DOWN: &str = r#"
DROP TABLE server_key;
ALTER TABLE account DROP COLUMN password_state;
DROP INDEX access_token_person;
ALTER TABLE access_token DROP COLUMN used_from;
ALTER TABLE access_token DROP COLUMN used_date;
ALTER TABLE access_token DROP COLUMN expiry_date;
ALTER TABLE access_token DROP COLUMN scope;
"#;
