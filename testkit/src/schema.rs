//! What a database is made of, as it says so itself.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

/// Its tables, columns, indexes and constraints, each with its definition, in an order of their own.
pub async fn made(db: &DatabaseConnection) -> Vec<String> {
    let backend = db.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => {
            "SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS made
             FROM information_schema.columns WHERE table_schema = 'public'
             UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
             UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
             WHERE connamespace = 'public'::regnamespace
             ORDER BY made"
        }
        _ => "SELECT COALESCE(sql, name) AS made FROM sqlite_master ORDER BY made",
    };
    let rows = db.query_all_raw(Statement::from_string(backend, sql)).await.expect("the schema is read");
    let made: Vec<String> = rows.iter().map(|row| row.try_get("", "made").expect("a definition is a text")).collect();
    assert!(made.len() > 50, "{made:?}");
    made
}
