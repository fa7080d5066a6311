//! What belongs to one account and to nobody else. Somebody else's is answered as if it were not there, and noted as what was out
//! of reach. A selection is not among them: the address of a page holds it, and is sent to colleagues.

use model::Problem;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::{Actor, Caseload, Error, Result};

/// A sort of things that have one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {
    Preview,
    View,
    Template,
    Token,
}

impl Owned {
    fn sql(self) -> &'static str {
        match self {
            Owned::Preview => "SELECT 1 FROM preview WHERE id = $1 AND owner_id <> $2",
            Owned::View => "SELECT 1 FROM saved_view WHERE id = $1 AND owner_id <> $2",
            Owned::Template => "SELECT 1 FROM email_template WHERE id = $1 AND owner_id <> $2",
            Owned::Token => "SELECT 1 FROM access_token WHERE id = $1 AND person_id <> $2",
        }
    }
}

impl Caseload {
    /// What is said to somebody who has nothing of this id: `said`, whether there is none or it is another's.
    pub(crate) async fn not_ones_own(&self, actor: &Actor, what: Owned, id: Uuid, said: Problem) -> Error {
        match self.is_anothers(actor, what, id).await {
            Ok(true) => actor.via.refused.note_hidden(),
            Ok(false) => {}
            Err(error) => return error,
        }
        said.into()
    }

    async fn is_anothers(&self, actor: &Actor, what: Owned, id: Uuid) -> Result<bool> {
        let statement = self.db().statement(what.sql(), [id.into(), actor.person_id.into()]);
        Ok(self.db().reader().query_one_raw(statement).await?.is_some())
    }
}
