//! Who had which coach until when, and the right to change it for those who reach everybody. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE coach_change (
    id {identity},
    person_id {uuid} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    former_coach_id {uuid},
    coach_id {uuid},
    changed_date {timestamp} NOT NULL,
    changed_by {uuid} NOT NULL,
    task_id {uuid} NOT NULL
);
CREATE INDEX coach_change_person ON coach_change (person_id, id);
UPDATE account SET permissions = '["program_status","watch","export","early_alert","reassign_coach"]'
    WHERE permissions = '["program_status","watch","export","early_alert"]' AND role <> 'coach';
"#;

const DOWN: &str = r#"
UPDATE account SET permissions = '["program_status","watch","export","early_alert"]'
    WHERE permissions = '["program_status","watch","export","early_alert","reassign_coach"]';
DROP TABLE coach_change;
"#;
