//! What happened to a person is found by its moment, whichever table keeps it. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = "
CREATE INDEX early_alert_moment ON early_alert (person_id, created_date);
CREATE INDEX journal_entry_moment ON journal_entry (person_id, created_date);
CREATE INDEX coach_change_moment ON coach_change (person_id, changed_date);
CREATE INDEX outbox_bounce ON outbox (person_id, bounce_date) WHERE bounce_date IS NOT NULL;
";

const DOWN: &str = "
DROP INDEX outbox_bounce;
DROP INDEX coach_change_moment;
DROP INDEX journal_entry_moment;
DROP INDEX early_alert_moment";
