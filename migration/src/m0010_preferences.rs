//! How somebody likes Docket to look and behave. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = "ALTER TABLE account ADD COLUMN preferences text NOT NULL DEFAULT '{}'";

const DOWN: &str = "ALTER TABLE account DROP COLUMN preferences";
