//! What may be done so many times in a while, counted in the database, so that neither a restart nor a second process gives
//! more.

use std::time::Duration;

use model::AccountId;
use queue::Database;
use sea_orm::{ConnectionTrait, EntityTrait, Statement};

use super::{bounds::Limits, refusal::Limited};
use crate::{
    Actor, Caseload, Result,
    entity::accounts::allowance::Entity,
    statement::{after, composed},
};

/// For how long it counts, from the first one on.
const HOUR: Duration = Duration::from_secs(3_600);

/// What has an allowance: messages that somebody can have Docket send at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    TestMail,
    AddressLink,
    /// To the owner of an account, asked for by anybody.
    PasswordLink,
    /// To those who can decide on a task that waits for a second person.
    ApprovalMail,
}

impl Allowance {
    /// What it is counted as, how many there are within an hour, and how one more is refused.
    fn of(self, limits: &Limits) -> (&'static str, u32, Limited) {
        match self {
            Allowance::TestMail => ("test-mail", limits.test_mails, Limited::TestMails),
            Allowance::PasswordLink => ("password-link", limits.password_links, Limited::PasswordLinks),
            Allowance::ApprovalMail => ("approval-mail", limits.approvals, Limited::Approvals),
            Allowance::AddressLink => ("address-link", limits.address_links, Limited::AddressLinks),
        }
    }
}

/// Counts a message in the caller's transaction; false: there have been as many as there may be.
pub(crate) async fn is_left_in(
    caseload: &Caseload,
    txn: &impl ConnectionTrait,
    account: AccountId,
    allowance: Allowance,
) -> Result<bool> {
    let (what, most, _) = allowance.of(caseload.limits());
    Ok(txn.execute_raw(spent(caseload.db(), account, what, most)).await?.rows_affected() == 1)
}

fn spent(db: &Database, account: AccountId, what: &str, most: u32) -> Statement {
    composed(
        db,
        "INSERT INTO allowance (account_id, what, since_date, used) VALUES ($1, $2, $5, 1)
             ON CONFLICT (account_id, what) DO UPDATE SET
                used = CASE WHEN allowance.since_date <= $3 THEN 1 ELSE allowance.used + 1 END,
                since_date = CASE WHEN allowance.since_date <= $3 THEN excluded.since_date
                                  ELSE allowance.since_date END
             WHERE allowance.since_date <= $3 OR allowance.used < $4",
        [account.into(), what.into(), after(db, -HOUR.as_secs_f64()), i64::from(most).into(), db.instant()],
    )
}

/// Counts a message before it is sent, or refuses it.
pub(crate) async fn spend(caseload: &Caseload, actor: &Actor, allowance: Allowance) -> Result<()> {
    let db = caseload.db();
    let (what, most, limited) = allowance.of(caseload.limits());
    if db.write_statement(spent(db, actor.person_id, what, most)).await? == 1 {
        return Ok(());
    }
    let spent = Entity::find_by_id((actor.person_id, what.to_owned())).one(db.reader()).await?;
    let now = db.now().await?;
    let since = spent.map_or(now, |spent| spent.since_date);
    let wait = (since + HOUR - now).to_std().unwrap_or_default();
    Err(caseload.limits().refusal(limited, Some(wait)).into())
}
