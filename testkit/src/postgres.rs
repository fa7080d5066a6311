//! PostgreSQL for tests: databases cloned from one migrated template on the cluster that `cargo xtask test` has started.

use anyhow::{Context, Result};
use sqlx::{Connection, Executor, PgConnection};

const TEMPLATE: &str = "docket_template";
/// Held while the template is made, so that two test programs do not both make it.
const KEY: i64 = 0x0d0c_6e74_0003;

/// A database with the schema of now.
pub async fn cloned() -> Result<String> {
    let server = server()?;
    let template = format!("{TEMPLATE}_{}", std::process::id());
    let mut connection = PgConnection::connect(&server).await.context("the PostgreSQL of TEST_POSTGRES_URL")?;
    sqlx::query("SELECT pg_advisory_lock($1)").bind(KEY).execute(&mut connection).await?;
    let made: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(&template)
        .fetch_one(&mut connection)
        .await?;
    if !made {
        create(&mut connection, &template, None).await?;
        migration::up(&at(&server, &template)).await?;
    }
    let name = fresh_name();
    create(&mut connection, &name, Some(&template)).await?;
    connection.close().await?;
    Ok(at(&server, &name))
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
    let template = template.map(|template| format!(" TEMPLATE {template}")).unwrap_or_default();
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
