//! How the actor likes Docket to look and behave, and where they are signed in.

use chrono_tz::Tz;
use model::{FieldError, Problem, action::email::ADDRESS, preferences::Preferences};
use sea_orm::ConnectionTrait;

use crate::{Actor, Caseload, Result, fold, users};

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
    pub notify: bool,
    /// Where answers to their emails and notices go; empty for nowhere, absent for as it was.
    pub address: Option<&'a str>,
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
        let address = chosen.address.map(str::trim);
        if let Some(address) = address.filter(|address| !address.is_empty())
            && (address.len() > ADDRESS || address.parse::<lettre::Address>().is_err())
        {
            errors.push(FieldError::new("address", "invalid", format!("“{address}” is no email address.")));
        }
        let (true, Ok(theme)) = (errors.is_empty(), theme) else { return Err(Problem::fields(errors).into()) };
        let time_zone = Some(zone).filter(|zone| !zone.is_empty()).map(str::to_owned);
        let kept =
            Preferences { theme, time_zone, shortcuts: chosen.shortcuts, live: chosen.live, notify: chosen.notify };
        let kept = serde_json::to_string(&kept).map_err(|error| crate::Error::Internal(error.to_string()))?;
        let sql = "UPDATE account SET preferences = $2, modified_date = {now} WHERE person_id = $1";
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        txn.execute_raw(db.statement(sql, [actor.person_id.into(), kept.into()])).await?;
        let Some(address) = address else { return Ok(db.commit(txn).await?) };
        let (address, folded) = Some(address).filter(|address| !address.is_empty()).map(|a| (a, fold::key(a))).unzip();
        let sql = "UPDATE person SET primary_email = $2, email_key = $3, modified_date = {now}
                   WHERE id = $1 AND NOT student AND COALESCE(primary_email, '') <> COALESCE($2, '')";
        let sql = sql.replace("COALESCE($2, '')", "COALESCE(CAST($2 AS text), '')");
        txn.execute_raw(db.statement(&sql, [actor.person_id.into(), address.into(), folded.into()])).await?;
        Ok(db.commit(txn).await?)
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
