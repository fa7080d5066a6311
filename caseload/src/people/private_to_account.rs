//! What belongs to one account and to nobody else. Somebody else's is answered as if it were not there, and noted as what was out
//! of reach. A selection is not among them: the address of a page holds it, and is sent to colleagues.

use model::{AccessTokenId, AccountId, MatchingId, PreviewToken, Problem, TaskId, TemplateId, ViewId};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait, sea_query::SelectStatement};

use crate::{
    Actor, Caseload, Error, Result,
    entity::{
        accounts::access_token,
        mail::email_template,
        people::saved_view,
        tasks::{import_matching, prepared_import, preview},
    },
};

/// What has one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {
    Preview(PreviewToken),
    View(ViewId),
    Template(TemplateId),
    Token(AccessTokenId),
    Import(TaskId),
    Matching(MatchingId),
}

impl Owned {
    /// What finds it if it is of another.
    fn anothers(self, than: AccountId) -> SelectStatement {
        match self {
            Owned::Preview(id) => {
                preview::Entity::find_by_id(id).filter(preview::Column::OwnerId.ne(than)).into_query()
            }
            Owned::View(id) => {
                saved_view::Entity::find_by_id(id).filter(saved_view::Column::OwnerId.ne(than)).into_query()
            }
            Owned::Template(id) => {
                email_template::Entity::find_by_id(id).filter(email_template::Column::OwnerId.ne(than)).into_query()
            }
            Owned::Token(id) => {
                access_token::Entity::find_by_id(id).filter(access_token::Column::PersonId.ne(than)).into_query()
            }
            Owned::Import(id) => {
                prepared_import::Entity::find_by_id(id).filter(prepared_import::Column::OwnerId.ne(than)).into_query()
            }
            Owned::Matching(id) => {
                import_matching::Entity::find_by_id(id).filter(import_matching::Column::OwnerId.ne(than)).into_query()
            }
        }
    }
}

/// What is said to somebody who does not own this: `said`, whether there is none or it is another's.
pub(crate) async fn not_ones_own(caseload: &Caseload, actor: &Actor, what: Owned, said: Problem) -> Error {
    match is_anothers(caseload, actor, what).await {
        Ok(true) => actor.via.refused.note_hidden(),
        Ok(false) => {}
        Err(error) => return error,
    }
    said.into()
}

async fn is_anothers(caseload: &Caseload, actor: &Actor, what: Owned) -> Result<bool> {
    let statement = caseload.db().build(&what.anothers(actor.person_id));
    Ok(caseload.db().reader().query_one_raw(statement).await?.is_some())
}
