//! Whose account was disabled before `stopped_owner` was there has a row in it as well, where something of theirs waits: it stands still, as of
//! whoever is disabled since, instead of failing when it starts. Owned by `queue`.

crate::dialect::step!();

const UP: &str = "
INSERT INTO stopped_owner (owner_id, stopped_date)
SELECT a.person_id, a.modified_date FROM account a
WHERE a.disabled AND NOT EXISTS (SELECT 1 FROM stopped_owner s WHERE s.owner_id = a.person_id)
  AND EXISTS (SELECT 1 FROM queued_task t WHERE t.owner_id = a.person_id AND t.workflow_status = 'QUEUED'
    AND t.execution_component_name <> 'self-test');
";

/// Nobody can tell the rows from those that were there.
const DOWN: &str = "";
