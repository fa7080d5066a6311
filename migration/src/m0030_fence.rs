//! What tells one attempt at a task from another with the same number, and one chunk of it from those before: attempts count
//! backwards where an older backup is put back.

crate::dialect::step!();

const UP: &str = "ALTER TABLE queued_task ADD COLUMN fence bigint NOT NULL DEFAULT 0";

const DOWN: &str = "ALTER TABLE queued_task DROP COLUMN fence";
