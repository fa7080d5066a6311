//! People, the history of their program status, and who watches whom. Owned by `caseload`.
//!
//! A person carries the open status beside the history, because every list filters by it; both are always written in one
//! transaction. Only students have one. The `…_key` columns are folded text (lower case, no accents), for ordering and prefix search.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE person (
    id {uuid} PRIMARY KEY,
    student boolean NOT NULL,
    school_id text NOT NULL,
    first_name text NOT NULL,
    middle_name text,
    last_name text NOT NULL,
    primary_email text,
    secondary_email text,
    birth_date date,
    student_type text,
    home_campus text,
    declared_major text,
    start_term text,
    coach_id {uuid} REFERENCES person (id),
    program_status text,
    change_reason text,
    status_date {timestamp},
    activated boolean NOT NULL,
    email_opt_out boolean NOT NULL,
    extra text NOT NULL,
    sort_key {key} NOT NULL,
    given_key {key} NOT NULL,
    school_key {key} NOT NULL,
    email_key {key},
    created_date {timestamp} NOT NULL,
    modified_date {timestamp} NOT NULL,
    CHECK (student = (program_status IS NOT NULL))
) {clustered};
CREATE INDEX person_student ON person (id) WHERE student;
CREATE UNIQUE INDEX person_school_id ON person (school_id);
CREATE INDEX person_sort_key ON person (sort_key, id);
CREATE INDEX person_given_key ON person (given_key);
CREATE INDEX person_school_key ON person (school_key, id);
CREATE INDEX person_email_key ON person (email_key);
CREATE INDEX person_coach ON person (coach_id, sort_key, id);
CREATE INDEX person_program_status ON person (program_status, sort_key, id);
CREATE INDEX person_home_campus ON person (home_campus, sort_key, id);
CREATE INDEX person_declared_major ON person (declared_major, sort_key, id);
CREATE INDEX person_start_term ON person (start_term, sort_key, id);

CREATE TABLE program_status_history (
    id {identity},
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    program_status text NOT NULL,
    change_reason text,
    comment text,
    effective_date {timestamp} NOT NULL,
    expiration_date {timestamp},
    created_by {uuid} NOT NULL,
    task_id {uuid}
);
CREATE UNIQUE INDEX program_status_history_open ON program_status_history (person_id) WHERE expiration_date IS NULL;
CREATE INDEX program_status_history_person ON program_status_history (person_id, effective_date);

CREATE TABLE watch (
    watcher_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    watched_date {timestamp} NOT NULL,
    PRIMARY KEY (watcher_id, person_id)
);
CREATE INDEX watch_person ON watch (person_id);
"#;

const DOWN: &str = "DROP TABLE watch; DROP TABLE program_status_history; DROP TABLE person";
