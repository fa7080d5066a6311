//! Early alerts, and the right to raise them for those who had every right there was. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE early_alert (
    id {identity},
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    alert_reason text NOT NULL,
    comment text,
    created_date {timestamp} NOT NULL,
    created_by {uuid} NOT NULL,
    task_id {uuid} NOT NULL
);
CREATE INDEX early_alert_person ON early_alert (person_id, task_id);
UPDATE account SET permissions = '["program_status","watch","export","early_alert"]'
    WHERE permissions = '["program_status","watch","export"]';
"#;

const DOWN: &str = r#"
UPDATE account SET permissions = '["program_status","watch","export"]'
    WHERE permissions = '["program_status","watch","export","early_alert"]';
DROP TABLE early_alert;
"#;
