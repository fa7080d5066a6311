//! A passkey whose counter went back: another device may have a copy of its key. Nobody comes in with it then; the audit trail has it, and its
//! owner hears of it.

use serde_json::json;

use crate::{
    Caseload, Result,
    accounts::account::record,
    audit::entry::By,
    entity::accounts::passkeys::passkey,
    notices::{self, SecondFactorChange},
};

pub(super) async fn noted(caseload: &Caseload, key: &passkey::Model) -> Result<()> {
    let (db, owner) = (caseload.db(), key.person_id);
    let txn = db.begin_write().await?;
    record(db, &txn, By::Docket, "account.passkey_suspect", owner, json!({ "passkey": key.id })).await?;
    let change = SecondFactorChange::PasskeySuspect;
    notices::of_second_factor_change(db, &txn, caseload.mail(), owner, change).await?;
    Ok(db.commit(txn).await?)
}
