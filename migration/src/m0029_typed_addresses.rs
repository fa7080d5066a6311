//! Addresses that people typed as their own before a link had to be followed go: anybody's could have been typed, and what is in
//! that column is used. Nobody else writes those of staff, so whoever has one and no entry of having verified it has typed it.
//! Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
UPDATE person SET primary_email = NULL, email_key = NULL
WHERE NOT student AND primary_email IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM audit WHERE audit.action = 'account.address' AND audit.actor_id = person.id);
"#;

/// What nobody has verified does not come back.
const DOWN: &str = "";
