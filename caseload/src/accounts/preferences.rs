//! How the actor likes Docket to look and behave, and where they are signed in.

use chrono_tz::Tz;
use model::{
    FieldError, PersonColumn, Problem, RowHeight,
    action::email::ADDRESS,
    preferences::{DateFormat, NumberFormat, Preferences},
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};

use crate::{
    Actor, AddressChange, Result,
    accounts::{
        account,
        credentials::{self, RevokeScope},
    },
    audit::entry::By,
    caseload::Accounts,
    entity::accounts,
};

/// Preferences as a form sends them.
#[derive(Clone, Debug, Default)]
pub struct ChosenPreferences<'a> {
    pub theme: &'a str,
    /// Empty for the device's own.
    pub time_zone: &'a str,
    /// The name of a format; empty for the usual one.
    pub dates: &'a str,
    /// The name of a format; empty for the usual one.
    pub numbers: &'a str,
    pub shortcuts: bool,
    pub live: bool,
    pub notify: bool,
    /// Where answers to their emails and notices go; empty for nowhere, absent for as it was.
    pub address: Option<&'a str>,
}

impl Accounts<'_> {
    /// Keeps what the actor chose. An address is used once it is verified.
    pub async fn set_preferences(self, actor: &Actor, chosen: ChosenPreferences<'_>) -> Result<AddressChange> {
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
            errors.push(FieldError::new("address", "invalid", format!("“{address}” is not an email address.")));
        }
        let (true, Ok(theme)) = (errors.is_empty(), theme) else { return Err(Problem::fields(errors).into()) };
        let time_zone = Some(zone).filter(|zone| !zone.is_empty()).map(str::to_owned);
        self.keep_preferences(
            actor,
            &Preferences {
                theme,
                time_zone,
                dates: DateFormat::named(chosen.dates),
                numbers: NumberFormat::named(chosen.numbers),
                shortcuts: chosen.shortcuts,
                live: chosen.live,
                notify: chosen.notify,
                ..actor.preferences.clone()
            },
        )
        .await?;
        match address {
            Some(address) => self.request_address(actor, address).await,
            None => Ok(AddressChange::Settled),
        }
    }

    /// Keeps how the actor's lists of people look: these columns, and rows of this height.
    pub async fn set_display(self, actor: &Actor, columns: Vec<PersonColumn>, row_height: RowHeight) -> Result<()> {
        let columns = if columns == PersonColumn::USUAL { Vec::new() } else { columns };
        self.keep_preferences(actor, &Preferences { columns, row_height, ..actor.preferences.clone() }).await
    }

    /// Takes note that the actor has seen which tasks of theirs ended until now.
    pub async fn read_notices(self, actor: &Actor) -> Result<()> {
        let notices_read = Some(self.0.db().now().await?);
        self.keep_preferences(actor, &Preferences { notices_read, ..actor.preferences.clone() }).await
    }

    async fn keep_preferences(self, actor: &Actor, kept: &Preferences) -> Result<()> {
        let kept = serde_json::to_string(kept).map_err(|error| crate::Error::Internal(error.to_string()))?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let changed = accounts::account::Entity::update_many()
            .col_expr(accounts::account::Column::Preferences, kept.into())
            .col_expr(accounts::account::Column::ModifiedDate, db.instant())
            .filter(accounts::account::Column::PersonId.eq(actor.person_id));
        txn.execute_raw(db.build(&changed.into_query())).await?;
        Ok(db.commit(txn).await?)
    }

    /// Ends every session of the actor's, and their tokens if they wish; the version is for the session that goes on.
    pub async fn end_sessions(self, actor: &Actor, tokens_too: bool) -> Result<i32> {
        let ways = if tokens_too { RevokeScope::SessionsAndTokens } else { RevokeScope::Sessions };
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let ended = credentials::end(db, &txn, actor.person_id, ways).await?;
        let detail = serde_json::json!({ "tokens": ended.tokens });
        account::record(db, &txn, By::Actor(actor), "account.sessions_end", actor.person_id, detail).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
    }
}

/// Every time zone there is, by name.
pub fn time_zones() -> impl Iterator<Item = &'static str> {
    chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
}
