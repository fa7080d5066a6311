//! The role that a provider gives and takes away. Where it says none, the account is shut, with all that is open; and open again once
//! it says one. One that an administrator has shut stays so, whatever a provider says.

use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};

use super::{ProvidedPerson, ProvidedRole, said};
use crate::{
    Result,
    accounts::credentials,
    audit::entry::By,
    entity::accounts::{
        account,
        account_identity::{Column, Entity, Model},
    },
};

/// Whether somebody may come in, or stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MayComeIn {
    Welcome,
    WithoutRole,
}

/// Has an account be what the provider says.
pub(super) async fn settle(
    db: &Database,
    txn: &impl ConnectionTrait,
    identity: &Model,
    person: &ProvidedPerson,
) -> Result<MayComeIn> {
    let found = account::Entity::find_by_id(identity.person_id).one(txn).await?;
    let Some(account) = found else { return Ok(MayComeIn::WithoutRole) };
    match person.role {
        ProvidedRole::GivenHere => Ok(MayComeIn::Welcome),
        ProvidedRole::Given(role) => {
            if identity.role_gone {
                set_shut(db, txn, identity, &account, false).await?;
            }
            if account.role != role {
                said::give_role(db, txn, By::Docket, &account, role, Some(&identity.provider)).await?;
            }
            Ok(MayComeIn::Welcome)
        }
        ProvidedRole::Missing => {
            if !account.disabled {
                set_shut(db, txn, identity, &account, true).await?;
            }
            Ok(MayComeIn::WithoutRole)
        }
    }
}

/// Shuts an account whose role is gone, or opens it.
async fn set_shut(
    db: &Database,
    txn: &impl ConnectionTrait,
    identity: &Model,
    account: &account::Model,
    shut: bool,
) -> Result<()> {
    if account.disabled != shut {
        credentials::set_disabled(db, txn, account.person_id, shut).await?;
    }
    let noted = Entity::update_many()
        .col_expr(Column::RoleGone, shut.into())
        .filter(Column::Issuer.eq(&identity.issuer))
        .filter(Column::Subject.eq(&identity.subject));
    txn.execute_raw(db.build(&noted.into_query())).await?;
    if account.disabled == shut {
        return Ok(());
    }
    Ok(said::record_shut(db, txn, By::Docket, account.person_id, shut, Some(&identity.provider)).await?)
}
