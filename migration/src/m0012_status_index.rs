//! On SQLite the people of a status are kept by id. Owned by `caseload`.
//!
//! A change of status goes by id, and SQLite writes whole pages: in the order of names, each person had two pages of this
//! index rewritten by every chunk, which was three quarters of the work on a million. PostgreSQL writes what changed only.

crate::dialect::step!();

const UP: &str = "
DROP INDEX person_program_status;
CREATE INDEX person_program_status ON person (program_status, {status order});
";

const DOWN: &str = "
DROP INDEX person_program_status;
CREATE INDEX person_program_status ON person (program_status, sort_key, id);
";
