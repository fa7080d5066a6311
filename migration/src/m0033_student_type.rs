//! Lists can be narrowed by the type of a student, and views shown to colleagues. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE INDEX person_student_type ON person (student_type, id);

ALTER TABLE saved_view ADD COLUMN shared boolean NOT NULL DEFAULT false;
CREATE INDEX saved_view_shared ON saved_view (name) WHERE shared;
"#;

const DOWN: &str = "
DROP INDEX saved_view_shared;
ALTER TABLE saved_view DROP COLUMN shared;
DROP INDEX person_student_type";
