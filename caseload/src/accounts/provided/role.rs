//! The role that a provider gives and takes away. Where it says none, the account is shut, with all that is open; and open again once
//! it says one. One that an administrator has shut stays so, whatever a provider says.

use model::{Permission, Role};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};
use serde_json::json;

use super::{ProvidedPerson, ProvidedRole};
use crate::{
    Result,
    accounts::{account::record, credentials},
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
                change(db, txn, identity, &account, role).await?;
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
    let action = if shut { "account.disable" } else { "account.enable" };
    let (before, after) = (json!({ "disabled": !shut }), json!({ "disabled": shut }));
    let detail = json!({ "provider": identity.provider, "before": before, "after": after });
    Ok(record(db, txn, By::Docket, action, account.person_id, detail).await?)
}

/// Gives an account another role, with what that may do.
async fn change(
    db: &Database,
    txn: &impl ConnectionTrait,
    identity: &Model,
    account: &account::Model,
    role: Role,
) -> Result<()> {
    let permissions = Permission::default_for(role);
    let before = json!({ "role": account.role, "permissions": account.permissions() });
    let after = json!({ "role": role, "permissions": permissions });
    credentials::set_role(db, txn, account.person_id, role, &permissions).await?;
    let detail = json!({ "provider": identity.provider, "before": before, "after": after });
    Ok(record(db, txn, By::Docket, "account.change", account.person_id, detail).await?)
}
