//! Tasks by when they ended, for notices of the latest and for clearing away the oldest.

crate::dialect::step!();

const UP: &str =
    "CREATE INDEX queued_task_ended ON queued_task (workflow_stopped_date) WHERE workflow_stopped_date IS NOT NULL;";

const DOWN: &str = "DROP INDEX queued_task_ended;";
