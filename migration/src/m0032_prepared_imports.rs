//! Files that are being prepared for import, and how their columns are matched, kept under names. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = "
CREATE TABLE prepared_import (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    file text NOT NULL,
    line_count bigint NOT NULL,
    size bigint NOT NULL,
    blocks text NOT NULL,
    profile text NOT NULL,
    matching text NOT NULL,
    begun_with {uuid},
    counted text,
    created_date {timestamp} NOT NULL,
    expiry_date {timestamp} NOT NULL
);
CREATE INDEX prepared_import_owner ON prepared_import (owner_id, created_date);
CREATE INDEX prepared_import_expiry ON prepared_import (expiry_date);

CREATE TABLE import_matching (
    id {uuid} PRIMARY KEY,
    owner_id {uuid} NOT NULL,
    name text NOT NULL,
    content text NOT NULL,
    used_date {timestamp} NOT NULL
);
CREATE UNIQUE INDEX import_matching_owner ON import_matching (owner_id, name);
";

const DOWN: &str = "DROP TABLE import_matching; DROP TABLE prepared_import";
