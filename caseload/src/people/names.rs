//! The names of a person, for texts that are made out to them when they are read.

use model::{
    PersonId,
    letter::{Addressee, Letter},
};
use sea_orm::FromQueryResult;

use crate::{Caseload, Result};

/// First, middle and last; empty for somebody who is gone.
#[derive(Default, FromQueryResult)]
pub struct Names {
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
}

impl Names {
    pub async fn of(caseload: &Caseload, person: PersonId) -> Result<Names> {
        let sql = "SELECT first_name, middle_name, last_name FROM person WHERE id = $1";
        let statement = caseload.db().statement(sql, [person.into()]);
        Ok(Names::find_by_statement(statement).one(caseload.db().reader()).await?.unwrap_or_default())
    }

    /// A line of text made out to the person.
    pub fn merged_into(&self, text: &str) -> String {
        let middle = self.middle_name.as_deref().unwrap_or_default();
        let addressee = Addressee { first: &self.first_name, middle, last: &self.last_name };
        Letter::read(text).map_or(text.to_owned(), |letter| letter.plain(&addressee))
    }
}
