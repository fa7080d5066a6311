//! The tables of the domain. Only this crate writes them.

pub mod access_token;
pub mod account;
pub mod notice;
pub mod outbox;
pub mod person;
pub mod preview;
pub mod selection;
pub mod watch;

use model::PersonId;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};

/// A person's name as prose has it: `Katrin Lund`.
pub async fn person_name(connection: &impl ConnectionTrait, id: PersonId) -> Result<Option<String>, DbErr> {
    #[derive(FromQueryResult)]
    struct Name {
        first_name: String,
        last_name: String,
    }
    let statement = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "SELECT first_name, last_name FROM person WHERE id = $1",
        [id.into()],
    );
    let row = connection.query_one_raw(statement).await?;
    let name = row.map(|row| Name::from_query_result(&row, "")).transpose()?;
    Ok(name.map(|name| format!("{} {}", name.first_name, name.last_name).trim().to_owned()))
}
