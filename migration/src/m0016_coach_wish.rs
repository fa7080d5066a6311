//! Which coach each line of a list names. Owned by `caseload`; a line is one of `task_person`, under a preview's token or a
//! task's id.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE coach_wish (
    task_id {uuid} NOT NULL,
    position bigint NOT NULL,
    coach_id {uuid},
    superseded boolean NOT NULL,
    PRIMARY KEY (task_id, position)
);
"#;

const DOWN: &str = "DROP TABLE coach_wish;";
