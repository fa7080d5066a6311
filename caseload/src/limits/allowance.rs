//! What may be done so many times in a while, counted in the database, so that neither a restart nor a second process gives
//! more.

use std::time::Duration;

use model::Instant;
use sea_orm::ConnectionTrait;

use super::Limited;
use crate::{Actor, Caseload, Result};

/// What test messages are counted as.
const TEST_MAIL: &str = "test-mail";
/// For how long they are, from the first one on.
const HOUR: Duration = Duration::from_secs(3_600);

impl Caseload {
    /// Counts a test message before it is sent, or refuses it.
    pub(crate) async fn spend_test_mail(&self, actor: &Actor) -> Result<()> {
        let (db, most) = (self.db(), self.limits().test_mails);
        let spent = db
            .write(
                "INSERT INTO allowance (account_id, what, since_date, used) VALUES ($1, $2, {now}, 1)
                 ON CONFLICT (account_id, what) DO UPDATE SET
                    used = CASE WHEN allowance.since_date <= {after:-$3} THEN 1 ELSE allowance.used + 1 END,
                    since_date = CASE WHEN allowance.since_date <= {after:-$3} THEN excluded.since_date
                                      ELSE allowance.since_date END
                 WHERE allowance.since_date <= {after:-$3} OR allowance.used < $4",
                [actor.person_id.into(), TEST_MAIL.into(), HOUR.as_secs_f64().into(), i64::from(most).into()],
            )
            .await?;
        if spent == 1 {
            return Ok(());
        }
        let sql = "SELECT since_date FROM allowance WHERE account_id = $1 AND what = $2";
        let row = db.reader().query_one_raw(db.statement(sql, [actor.person_id.into(), TEST_MAIL.into()])).await?;
        let now = db.now().await?;
        let since: Instant = row.map_or(Ok(now), |row| row.try_get("", "since_date"))?;
        let wait = (since + HOUR - now).to_std().unwrap_or_default();
        Err(self.limits().refusal(Limited::TestMails, Some(wait)).into())
    }
}
