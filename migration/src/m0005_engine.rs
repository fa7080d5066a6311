//! Several processes on one queue: how each is known to be there, which kinds are paused, who holds a scheduler lock, and
//! what runs by the calendar. Owned by `queue`.

crate::dialect::step!();

const UP: &str = r#"
ALTER TABLE process ADD COLUMN presence bigint;

CREATE TABLE paused_kind (
    kind varchar(150) PRIMARY KEY,
    paused_date {timestamp} NOT NULL,
    paused_by {uuid} NOT NULL,
    reason text
);

CREATE TABLE scheduler_lock (
    name varchar(150) PRIMARY KEY,
    lock_until {timestamp} NOT NULL,
    locked_at {timestamp} NOT NULL,
    locked_by varchar(150) NOT NULL,
    token {uuid} NOT NULL
);

CREATE TABLE schedule (
    name varchar(150) PRIMARY KEY,
    expression text NOT NULL,
    time_zone text NOT NULL,
    next_fire {timestamp},
    paused boolean NOT NULL
);

CREATE TABLE schedule_fire (
    schedule varchar(150) NOT NULL,
    planned_date {timestamp} NOT NULL,
    fired_date {timestamp} NOT NULL,
    stopped_date {timestamp},
    process varchar(150) NOT NULL,
    outcome text,
    detail text,
    PRIMARY KEY (schedule, planned_date)
);
"#;

const DOWN: &str = "DROP TABLE schedule_fire; DROP TABLE schedule; DROP TABLE scheduler_lock; DROP TABLE paused_kind;
ALTER TABLE process DROP COLUMN presence";
