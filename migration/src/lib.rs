//! The schema of Docket: one file for each step, up and down, the same statements on SQLite and PostgreSQL.
//!
//! Steps run under a lock, because two processes that start at once would otherwise both run them: an advisory lock on
//! PostgreSQL, a lock file beside the database on SQLite. Which crate owns which table is said in the step that makes it.

mod dialect;
mod lock;
mod m0001_people;
mod m0002_accounts;
mod m0003_queue;
mod m0004_actions;
mod m0005_engine;
mod m0006_undo;
mod m0007_exports;
mod m0008_views;
mod m0009_setup;
mod m0010_preferences;
mod m0011_erased;
mod m0012_status_index;
mod m0013_early_alert;
mod m0014_coach_change;
mod m0015_email;
mod m0016_coach_wish;
mod m0017_ended_tasks;
mod m0018_operations;
mod m0019_credentials;
mod m0020_throttle_audit;
mod m0022_limits;
mod m0023_order;
mod m0024_claim;
mod m0026_addresses;
mod m0027_history;
mod m0028_people_indexes;
mod m0029_typed_addresses;
mod m0030_fence;
mod m0031_problems;
mod m0032_prepared_imports;
mod m0033_student_type;
mod m0034_timeline;
mod m0035_extra_fields;
mod m0036_password_links;
mod m0037_wished_names;
mod m0038_providers;
mod m0039_second_factor;
mod m0040_directory;
mod m0041_approvals;
mod m0042_stopped_owners;
mod m0043_passkeys;

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement},
};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

/// The list of steps, in order.
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_people::Migration),
            Box::new(m0002_accounts::Migration),
            Box::new(m0003_queue::Migration),
            Box::new(m0004_actions::Migration),
            Box::new(m0005_engine::Migration),
            Box::new(m0006_undo::Migration),
            Box::new(m0007_exports::Migration),
            Box::new(m0008_views::Migration),
            Box::new(m0009_setup::Migration),
            Box::new(m0010_preferences::Migration),
            Box::new(m0011_erased::Migration),
            Box::new(m0012_status_index::Migration),
            Box::new(m0013_early_alert::Migration),
            Box::new(m0014_coach_change::Migration),
            Box::new(m0015_email::Migration),
            Box::new(m0016_coach_wish::Migration),
            Box::new(m0017_ended_tasks::Migration),
            Box::new(m0018_operations::Migration),
            Box::new(m0019_credentials::Migration),
            Box::new(m0020_throttle_audit::Migration),
            Box::new(m0022_limits::Migration),
            Box::new(m0023_order::Migration),
            Box::new(m0024_claim::Migration),
            Box::new(m0026_addresses::Migration),
            Box::new(m0027_history::Migration),
            Box::new(m0028_people_indexes::Migration),
            Box::new(m0029_typed_addresses::Migration),
            Box::new(m0030_fence::Migration),
            Box::new(m0031_problems::Migration),
            Box::new(m0032_prepared_imports::Migration),
            Box::new(m0033_student_type::Migration),
            Box::new(m0034_timeline::Migration),
            Box::new(m0035_extra_fields::Migration),
            Box::new(m0036_password_links::Migration),
            Box::new(m0037_wished_names::Migration),
            Box::new(m0038_providers::Migration),
            Box::new(m0039_second_factor::Migration),
            Box::new(m0040_directory::Migration),
            Box::new(m0041_approvals::Migration),
            Box::new(m0042_stopped_owners::Migration),
            Box::new(m0043_passkeys::Migration),
        ]
    }
}

/// Brings the database at `url` to the newest schema. Waits for another process that is doing so.
pub async fn up(url: &str) -> Result<(), DbErr> {
    let connection = connect(url).await?;
    let lock = lock::acquire(url).await?;
    let result = match newer(&connection).await {
        Ok(Some(step)) => Err(DbErr::Custom(format!(
            "a newer Docket has brought the database to {step}, which this one does not know: use the newer one"
        ))),
        _ => Migrator::up(&connection, None).await,
    };
    lock.release().await?;
    connection.close().await?;
    result
}

/// A step that was taken and that this version does not know: the schema is a newer one's.
pub async fn newer(connection: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    let mine = Migrator::migrations().last().map(|step| step.name().to_owned()).unwrap_or_default();
    let taken = "SELECT MAX(version) AS last FROM seaql_migrations";
    let taken = Statement::from_string(connection.get_database_backend(), taken);
    let last = connection.query_one_raw(taken).await?.map(|row| row.try_get::<Option<String>>("", "last"));
    Ok(last.transpose()?.flatten().filter(|last| *last > mine))
}

/// How a database stands to the steps that this version knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// It has none of the tables.
    Empty,
    /// These steps are still to be taken.
    Older(Vec<String>),
    Newest,
    /// This step was taken by a newer version.
    Newer(String),
}

/// How the schema of a database stands to this version. Changes nothing.
pub async fn schema_state(connection: &impl ConnectionTrait) -> Result<SchemaState, DbErr> {
    let backend = connection.get_database_backend();
    let there = match backend {
        sea_orm_migration::sea_orm::DbBackend::Postgres => {
            "SELECT to_regclass('seaql_migrations') IS NOT NULL AS there"
        }
        _ => "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'seaql_migrations') AS there",
    };
    let there = connection.query_one_raw(Statement::from_string(backend, there)).await?;
    if !there.map_or(Ok(false), |row| row.try_get("", "there"))? {
        return Ok(SchemaState::Empty);
    }
    if let Some(step) = newer(connection).await? {
        return Ok(SchemaState::Newer(step));
    }
    let taken = Statement::from_string(backend, "SELECT version FROM seaql_migrations");
    let taken = connection.query_all_raw(taken).await?;
    let taken = taken.iter().map(|row| row.try_get("", "version")).collect::<Result<Vec<String>, _>>()?;
    let steps = Migrator::migrations().into_iter().map(|step| step.name().to_owned());
    let open: Vec<_> = steps.filter(|step| !taken.contains(step)).collect();
    Ok(match (taken.is_empty(), open.is_empty()) {
        (true, _) => SchemaState::Empty,
        (_, true) => SchemaState::Newest,
        (_, false) => SchemaState::Older(open),
    })
}

/// Takes back the last `steps` steps, or all of them. For tests and for going back a release; data in those tables is lost.
pub async fn down(url: &str, steps: Option<u32>) -> Result<(), DbErr> {
    let connection = connect(url).await?;
    let lock = lock::acquire(url).await?;
    let result = Migrator::down(&connection, steps).await;
    lock.release().await?;
    connection.close().await?;
    result
}

/// A connection for the steps alone. A missing SQLite file is made, with its folder.
async fn connect(url: &str) -> Result<DatabaseConnection, DbErr> {
    if url.starts_with("postgres") {
        return Database::connect(url).await;
    }
    let failed = |error: String| DbErr::Custom(format!("opening {url}: {error}"));
    let options: SqliteConnectOptions = url.parse().map_err(|error: sqlx::Error| failed(error.to_string()))?;
    if let Some(folder) = options.get_filename().parent() {
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
    }
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options.create_if_missing(true))
        .await
        .map_err(|error| failed(error.to_string()))?;
    Ok(pool.into())
}
