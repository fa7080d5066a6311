//! The names of a person, for texts that are made out to them when they are read.

use model::{
    PersonId,
    letter::{Addressee, Letter},
};
use sea_orm::{EntityTrait, FromQueryResult, QuerySelect};

use crate::{
    Caseload, Result,
    entity::people::person::{Column, Entity},
};

/// First, middle and last; empty for somebody who is gone.
#[derive(Default, FromQueryResult)]
pub struct Names {
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
}

impl Names {
    pub async fn of(caseload: &Caseload, person: PersonId) -> Result<Names> {
        let names = Entity::find_by_id(person).select_only();
        let names = names.column(Column::FirstName).column(Column::MiddleName).column(Column::LastName);
        Ok(names.into_model::<Names>().one(caseload.db().reader()).await?.unwrap_or_default())
    }

    /// A line of text made out to the person.
    pub fn merged_into(&self, text: &str) -> String {
        let middle = self.middle_name.as_deref().unwrap_or_default();
        let addressee = Addressee { first: &self.first_name, middle, last: &self.last_name };
        Letter::read(text).map_or(text.to_owned(), |letter| letter.plain(&addressee))
    }
}
