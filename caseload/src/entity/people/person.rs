//! `person`: students, and staff whose account it is.

use model::{ChangeReason, Instant, PersonId, ProgramStatus, SchoolId};
use sea_orm::{entity::prelude::*, sea_query};

use crate::statement::sql;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "person")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: PersonId,
    /// Whether they can be treated; only students have a status.
    pub student: bool,
    pub school_id: SchoolId,
    pub first_name: String,
    pub middle_name: Option<String>,
    pub last_name: String,
    pub primary_email: Option<String>,
    pub secondary_email: Option<String>,
    pub birth_date: Option<Date>,
    pub student_type: Option<String>,
    pub home_campus: Option<String>,
    pub declared_major: Option<String>,
    pub start_term: Option<String>,
    pub coach_id: Option<PersonId>,
    pub program_status: Option<ProgramStatus>,
    pub change_reason: Option<ChangeReason>,
    pub status_date: Option<Instant>,
    pub activated: bool,
    pub email_opt_out: bool,
    /// What an import has beside the columns, as JSON.
    pub extra: String,
    /// The names, the school id and the address as they are searched and sorted (see `people/fold.rs`).
    pub sort_key: String,
    pub given_key: String,
    pub school_key: String,
    pub email_key: Option<String>,
    pub created_date: Instant,
    pub modified_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// What a statement calls a person.
#[derive(Clone, Copy)]
pub struct PersonAlias(pub &'static str);

/// The one whom most statements are about.
pub const P: PersonAlias = PersonAlias("p");

impl PersonAlias {
    pub fn col(self, column: Column) -> sea_query::Expr {
        sea_query::Expr::col((self.0, column))
    }

    /// Several columns, as a SELECT has them.
    pub fn cols(self, columns: impl IntoIterator<Item = Column>) -> sea_query::Expr {
        let columns = columns.into_iter().map(|column| self.col(column));
        columns.reduce(|all, next| sql("$1, $2", [all, next])).unwrap_or_else(sea_query::Expr::null)
    }
}
