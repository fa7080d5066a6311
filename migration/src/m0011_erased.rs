//! Who was erased while imports were under way, by a hash. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = r#"
CREATE TABLE erased (
    school_id_hash text PRIMARY KEY,
    erased_date {timestamp} NOT NULL
);
"#;

const DOWN: &str = "DROP TABLE erased";
