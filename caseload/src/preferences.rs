//! How the actor likes Docket to look and behave, and where they are signed in.

use chrono_tz::Tz;
use model::{FieldError, Problem, preferences::Preferences};
use sea_orm::ConnectionTrait;

use crate::{Actor, Caseload, Result, users};

impl Actor {
    /// The time zone they chose.
    pub fn time_zone(&self) -> Option<Tz> {
        self.preferences.time_zone.as_deref()?.parse().ok()
    }
}

/// Preferences as a form sends them.
#[derive(Clone, Debug, Default)]
pub struct Chosen<'a> {
    pub theme: &'a str,
    /// Empty for the device's own.
    pub time_zone: &'a str,
    pub shortcuts: bool,
    pub live: bool,
}

impl Caseload {
    /// Keeps what the actor chose.
    pub async fn set_preferences(&self, actor: &Actor, chosen: Chosen<'_>) -> Result<()> {
        let zone = chosen.time_zone.trim();
        let mut errors = Vec::new();
        let theme = chosen.theme.parse().map_err(|problem| errors.push(FieldError::new("theme", "unknown", problem)));
        if !zone.is_empty() && zone.parse::<Tz>().is_err() {
            let message = format!("There is no time zone “{zone}”. Write it like Europe/Berlin, or leave it empty.");
            errors.push(FieldError::new("time_zone", "unknown", message));
        }
        let (true, Ok(theme)) = (errors.is_empty(), theme) else { return Err(Problem::fields(errors).into()) };
        let time_zone = Some(zone).filter(|zone| !zone.is_empty()).map(str::to_owned);
        let kept = Preferences { theme, time_zone, shortcuts: chosen.shortcuts, live: chosen.live };
        let kept = serde_json::to_string(&kept).map_err(|error| crate::Error::Internal(error.to_string()))?;
        let sql = "UPDATE account SET preferences = $2, modified_date = {now} WHERE person_id = $1";
        self.db().write(sql, [actor.person_id.into(), kept.into()]).await?;
        Ok(())
    }

    /// Ends every session of the actor's; the version is for the one that goes on.
    pub async fn end_sessions(&self, actor: &Actor) -> Result<i32> {
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        let sql = "UPDATE account SET session_version = session_version + 1, modified_date = {now} WHERE person_id = $1
                   RETURNING session_version";
        let row = txn.query_one_raw(db.statement(sql, [actor.person_id.into()])).await?;
        let row = row.ok_or_else(|| users::no_account(&actor.username))?;
        users::record(db, &txn, Some(actor.person_id), "account.sessions_end", actor.person_id, serde_json::json!({}))
            .await?;
        db.commit(txn).await?;
        Ok(row.try_get("", "session_version")?)
    }
}

/// Every time zone there is, by name.
pub fn time_zones() -> impl Iterator<Item = &'static str> {
    chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
}
