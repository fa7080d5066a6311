//! The audit trail: who did what to which, and why.

use core::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::{AccountId, Cursor, Instant, Problem, enum_words, parameters};

/// One entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub id: i64,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
    /// Absent for Docket itself, for commands, and for somebody who was not signed in.
    pub actor_id: Option<AccountId>,
    pub actor_name: Option<String>,
    /// `task.abandon`.
    pub action: String,
    /// In words: `Gave a task up`.
    pub label: String,
    pub object_kind: String,
    pub object_id: Option<String>,
    pub reason: Option<String>,
    /// By what they were known: `session:` or `token:` and its id, `password`, `task:` and its id, `command`, `docket`. Absent
    /// for somebody unknown, and before this was noted.
    pub credential: Option<String>,
    /// The address that it came from; absent where there was no network between.
    pub source: Option<String>,
    /// How often: above 1 for what was denied again and again within a minute.
    pub times: u64,
    /// Whatever else was noted, before and after among it.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub detail: serde_json::Value,
}

/// Which entries, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditQuery {
    /// A username.
    pub actor: Option<String>,
    /// `task.abandon`, or all that begin with `task.`; after a `-`, all others.
    pub action: Option<String>,
    pub object_kind: Option<String>,
    pub object_id: Option<String>,
    /// An address.
    pub source: Option<String>,
    /// As in an entry.
    pub credential: Option<String>,
    pub since: Option<Instant>,
    pub until: Option<Instant>,
    pub limit: Option<u32>,
    /// The last entry of the page before.
    pub after: Option<Cursor>,
}

impl AuditQuery {
    /// Reads the pairs of an address; what is not there is refused.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<AuditQuery, Problem> {
        let mut query = AuditQuery::default();
        for (key, value) in pairs {
            let text = || Some(value.trim().to_owned()).filter(|text| !text.is_empty());
            match key {
                "actor" => query.actor = text(),
                "action" => query.action = text(),
                "objectKind" => query.object_kind = text(),
                "objectId" => query.object_id = text(),
                "source" => query.source = text(),
                "credential" => query.credential = text(),
                "since" => query.since = Some(super::instant(key, value, false)?),
                "until" => query.until = Some(super::instant(key, value, true)?),
                "limit" => query.limit = Some(parameters::limit(value)?),
                "after" => query.after = text().map(|text| Cursor::read(&text)).transpose()?,
                other => {
                    let message = format!("There is no filter called {} here.", enum_words::quoted(other));
                    return Err(Problem::field(other, "unknown", message));
                }
            }
        }
        super::in_order(query.since, query.until)?;
        Ok(query)
    }
}

/// An address as entries have it, however it is written.
pub fn source_address(text: &str) -> Result<String, Problem> {
    let message = "Enter an address like 198.51.100.7 or 2001:db8::7.";
    let address: IpAddr = text.parse().map_err(|_| Problem::field("source", "invalid", message))?;
    Ok(address.to_canonical().to_string())
}
