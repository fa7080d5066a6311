//! What is done to an account because somebody outside says so, a provider or the directory, with its entry in the audit.

use model::{AccountId, Permission, Role};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::{Value, json};

use crate::{
    accounts::{account::record, credentials},
    audit::entry::By,
    entity::accounts::account,
};

/// Gives an account another role, with what that may do. `provider` is the one that said so, if it was one.
pub async fn give_role(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: By<'_>,
    account: &account::Model,
    role: Role,
    provider: Option<&str>,
) -> Result<(), DbErr> {
    let permissions = Permission::default_for(role);
    let before = json!({ "role": account.role, "permissions": account.permissions() });
    let after = json!({ "role": role, "permissions": permissions });
    credentials::set_role(db, txn, account.person_id, role, &permissions).await?;
    record(db, txn, by, "account.change", account.person_id, told(provider, before, after)).await
}

/// Notes that an account is disabled, or enabled again.
pub async fn record_shut(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: By<'_>,
    id: AccountId,
    shut: bool,
    provider: Option<&str>,
) -> Result<(), DbErr> {
    let action = if shut { "account.disable" } else { "account.enable" };
    let detail = told(provider, json!({ "disabled": !shut }), json!({ "disabled": shut }));
    record(db, txn, by, action, id, detail).await
}

fn told(provider: Option<&str>, before: Value, after: Value) -> Value {
    let mut detail = json!({ "before": before, "after": after });
    if let Some(provider) = provider {
        detail["provider"] = provider.into();
    }
    detail
}
