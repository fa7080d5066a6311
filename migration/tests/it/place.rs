//! A database without tables, and one as a former version left it.

use migration::Migrator;
use sea_orm_migration::{
    MigratorTrait,
    sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement},
};
use tempfile::TempDir;
use testkit::On;

pub struct Place {
    pub url: String,
    folder: Option<TempDir>,
}

pub async fn empty(on: On) -> Place {
    match on {
        On::Sqlite => {
            let folder = tempfile::tempdir().unwrap();
            // In a folder that is not there yet: a first start makes it.
            Place { url: testkit::sqlite_url(&folder.path().join("new/docket.db")), folder: Some(folder) }
        }
        On::Postgres => Place { url: testkit::empty_postgres().await.unwrap(), folder: None },
    }
}

/// One that has taken every step before this one, and never another.
pub async fn before(on: On, step: &str) -> (Place, DatabaseConnection) {
    let place = empty(on).await;
    if let Some(folder) = &place.folder {
        std::fs::create_dir(folder.path().join("new")).unwrap();
    }
    let from = Migrator::migrations().iter().position(|known| known.name() == step).unwrap();
    let db = Database::connect(&place.url).await.unwrap();
    Migrator::up(&db, Some(from as u32)).await.unwrap();
    (place, db)
}

/// An id, as it stands in a statement.
pub fn id(on: On, n: u8) -> String {
    match on {
        On::Sqlite => format!("x'{n:032x}'"),
        On::Postgres => format!("'{n:032x}'"),
    }
}

pub async fn run(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql).await.unwrap();
}

/// The first column of what is found.
pub async fn texts(db: &DatabaseConnection, sql: &str) -> Vec<String> {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}
