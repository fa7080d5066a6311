//! What belongs to one account and to nobody else. Somebody else's is answered as if it were not there, and noted as what was out
//! of reach. A selection is not among them: the address of a page holds it, and is sent to colleagues.

use model::{AccessTokenId, PreviewToken, Problem, TemplateId, ViewId};
use sea_orm::{ConnectionTrait, Value};

use crate::{Actor, Caseload, Error, Result};

/// What has one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {
    Preview(PreviewToken),
    View(ViewId),
    Template(TemplateId),
    Token(AccessTokenId),
}

impl Owned {
    /// What finds it if it is of another than `$2`, and its id.
    fn anothers(self) -> (&'static str, Value) {
        match self {
            Owned::Preview(token) => ("SELECT 1 FROM preview WHERE id = $1 AND owner_id <> $2", token.into()),
            Owned::View(id) => ("SELECT 1 FROM saved_view WHERE id = $1 AND owner_id <> $2", id.into()),
            Owned::Template(id) => ("SELECT 1 FROM email_template WHERE id = $1 AND owner_id <> $2", id.into()),
            Owned::Token(id) => ("SELECT 1 FROM access_token WHERE id = $1 AND person_id <> $2", id.into()),
        }
    }
}

impl Caseload {
    /// What is said to somebody who does not own this: `said`, whether there is none or it is another's.
    pub(crate) async fn not_ones_own(&self, actor: &Actor, what: Owned, said: Problem) -> Error {
        match self.is_anothers(actor, what).await {
            Ok(true) => actor.via.refused.note_hidden(),
            Ok(false) => {}
            Err(error) => return error,
        }
        said.into()
    }

    async fn is_anothers(&self, actor: &Actor, what: Owned) -> Result<bool> {
        let (sql, id) = what.anothers();
        let statement = self.db().statement(sql, [id, actor.person_id.into()]);
        Ok(self.db().reader().query_one_raw(statement).await?.is_some())
    }
}
