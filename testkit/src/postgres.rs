//! PostgreSQL for tests: databases cloned from one migrated template on the cluster that `cargo xtask test` has started.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    mem::ManuallyDrop,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result};
use sqlx::{Connection, Executor, PgConnection};

/// Held while the template is made, so that two test programs do not both make it.
const KEY: i64 = 0x0d0c_6e74_0003;

/// A database with the schema of now, which is taken away some time after this is dropped.
pub struct Cloned {
    pub url: String,
    name: String,
}

/// What nobody needs any more. Whoever makes the next database takes it away, as something dropped cannot wait for that.
static OVER: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Drop for Cloned {
    fn drop(&mut self) {
        OVER.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(&mut self.name));
    }
}

impl Cloned {
    /// Another one such as this, to which nobody is connected.
    pub async fn clone_again(&self) -> Result<Cloned> {
        let server = server()?;
        let mut connection = PgConnection::connect(&server).await?;
        let name = fresh_name();
        create(&mut connection, &name, Some(&self.name)).await?;
        connection.close().await?;
        Ok(Cloned { url: at(&server, &name), name })
    }
}

/// A copy of what a test program has migrated that began with the same migrations.
pub async fn cloned() -> Result<Cloned> {
    let server = server()?;
    let template = format!("docket_template_{:016x}", migrations()?);
    let mut connection = PgConnection::connect(&server).await.context("the PostgreSQL of TEST_POSTGRES_URL")?;
    let over = std::mem::take(&mut *OVER.lock().unwrap_or_else(PoisonError::into_inner));
    for name in over {
        connection.execute(sqlx::AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await?;
    }
    sqlx::query("SELECT pg_advisory_lock($1)").bind(KEY).execute(&mut connection).await?;
    let made: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(&template)
        .fetch_one(&mut connection)
        .await?;
    if !made {
        // Under another name until it is whole.
        let half = fresh_name();
        create(&mut connection, &half, None).await?;
        migration::up(&at(&server, &half)).await?;
        connection.execute(sqlx::AssertSqlSafe(format!("ALTER DATABASE {half} RENAME TO {template}"))).await?;
    }
    let name = fresh_name();
    create(&mut connection, &name, Some(&template)).await?;
    connection.close().await?;
    Ok(Cloned { url: at(&server, &name), name })
}

/// One that nothing takes away before its cluster.
pub async fn kept() -> Result<String> {
    let cloned = ManuallyDrop::new(cloned().await?);
    Ok(cloned.url.clone())
}

/// A number that is another one for other migrations.
fn migrations() -> Result<u64> {
    let mut files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../migration/src"))?
        .map(|file| Ok(file?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        std::fs::read(file)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// A database without tables.
pub async fn empty() -> Result<String> {
    let server = server()?;
    let mut connection = PgConnection::connect(&server).await?;
    let name = fresh_name();
    create(&mut connection, &name, None).await?;
    connection.close().await?;
    Ok(at(&server, &name))
}

async fn create(connection: &mut PgConnection, name: &str, template: Option<&str>) -> Result<()> {
    // Each page would be written to the log besides, otherwise.
    let template = template.map(|template| format!(" TEMPLATE {template} STRATEGY FILE_COPY")).unwrap_or_default();
    // A database's name cannot be a parameter; both names are made here.
    connection.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}{template}"))).await?;
    Ok(())
}

fn fresh_name() -> String {
    format!("docket_{}", uuid::Uuid::new_v4().simple())
}

fn at(server: &str, database: &str) -> String {
    match server.rsplit_once('/') {
        Some((front, _)) => format!("{front}/{database}"),
        None => server.to_owned(),
    }
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration but this variable")]
fn server() -> Result<String> {
    std::env::var("TEST_POSTGRES_URL").context(
        "TEST_POSTGRES_URL is not set: run the tests with `cargo xtask test`, which starts a PostgreSQL of its own",
    )
}
