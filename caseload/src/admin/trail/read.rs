//! The audit trail, read: a page of it by what is asked, or all of it for a file.

use std::net::IpAddr;

use model::{
    AccountId, Page, Problem, TaskId, Total,
    admin::{AuditEntry, AuditQuery},
};
use sea_orm::{ConnectionTrait, QueryResult, Value};

use crate::{Actor, Caseload, Result, accounts::users, binds::Binds};
use crate::{
    admin::door::{administering, unknown},
    admin::trail::words::label,
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 50;
/// How many entries may have been written at one moment, in an order other than that of their numbers.
const ASKEW: i64 = 1_000;
/// Counts end here.
const COUNTED: u64 = 10_000;

impl Caseload {
    /// A page of the audit trail, newest first. The indexes are `audit_actor`, `audit_action` and `audit_object`.
    pub async fn audit(&self, actor: &Actor, query: &AuditQuery) -> Result<Page<AuditEntry>> {
        let (items, next) = self.audit_part(actor, query).await?;
        let mut binds = Binds::default();
        let condition = self.audit_condition(query, &mut binds).await?;
        let most = COUNTED + 1;
        let sql = format!(
            "SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM audit a WHERE {condition} LIMIT {most}) AS counted"
        );
        let count = self.count(self.db().statement(&sql, binds.values())).await?;
        Ok(Page { items, next, total: Total::upto(COUNTED, count) })
    }

    /// The same without the count, for whoever reads all of it part by part.
    pub async fn audit_part(&self, actor: &Actor, query: &AuditQuery) -> Result<(Vec<AuditEntry>, Option<String>)> {
        administering(actor)?;
        let limit = query.limit.unwrap_or(PAGE).clamp(1, model::filter::MAX_LIMIT);
        let mut binds = Binds::default();
        let mut condition = self.audit_condition(query, &mut binds).await?;
        if let Some(after) = &query.after {
            let gone = || Problem::field("after", "invalid", "That page is not there; start from the first one.");
            let after: i64 = after.parse().map_err(|_| gone())?;
            condition += &format!(" AND a.id < {}", binds.add(after));
        }
        let (entries, more) = self.entries(&condition, binds, limit).await?;
        let next = entries.last().filter(|_| more).map(|last| last.id.to_string());
        Ok((entries, next))
    }

    /// What was done to a task, by itself or among others, newest first; and whether there is more than that.
    pub async fn audit_of_task(&self, actor: &Actor, id: TaskId) -> Result<(Vec<AuditEntry>, bool)> {
        administering(actor)?;
        let mut binds = Binds::default();
        let condition = format!(
            "a.id IN (SELECT id FROM audit WHERE object_kind = 'task' AND object_id = {}
                UNION SELECT audit_id FROM task_verb WHERE task_id = {})",
            binds.add(id.to_string()),
            binds.add(id)
        );
        self.entries(&condition, binds, PAGE).await
    }

    /// The latest entries of which a condition holds, and whether there are more.
    async fn entries(&self, condition: &str, binds: Binds, limit: u32) -> Result<(Vec<AuditEntry>, bool)> {
        let sql = format!(
            "SELECT a.id, a.audit_date, a.actor_id, a.action, a.object_kind, a.object_id, a.detail, a.credential, a.source,
                a.times
             FROM audit a WHERE {condition} ORDER BY a.id DESC LIMIT {}",
            limit + 1
        );
        let db = self.db();
        let rows = db.reader().query_all_raw(db.statement(&sql, binds.values())).await?;
        let mut entries = Vec::new();
        for row in rows.iter().take(limit as usize) {
            entries.push(self.entry(row).await?);
        }
        Ok((entries, rows.len() > limit as usize))
    }

    /// Notes that the audit trail was taken away as a file.
    pub async fn audit_exported(&self, actor: &Actor, query: &AuditQuery) -> Result<()> {
        administering(actor)?;
        let txn = self.db().begin_write().await?;
        let entry = crate::audit::entry::Entry {
            by: crate::audit::entry::By::Actor(actor),
            action: "audit.export",
            object_kind: "audit",
            object_id: None,
            detail: serde_json::json!({ "filter": query }),
        };
        crate::audit::entry::record(self.db(), &txn, entry).await?;
        Ok(self.db().commit(txn).await?)
    }

    async fn audit_condition(&self, query: &AuditQuery, binds: &mut Binds) -> Result<String> {
        self.audit_can_be_asked_for(query).await?;
        let mut all = vec!["TRUE".to_owned()];
        if let Some(username) = &query.actor {
            let account = users::by_username(self.db().reader(), username).await?;
            let account = account.ok_or_else(|| unknown("actor", username, "account"))?;
            all.push(format!("a.actor_id = {}", binds.add(account.person_id)));
        }
        if let Some(action) = &query.action {
            match action.strip_suffix('.') {
                // All verbs on one sort of thing: from `task.` up to what comes after it.
                Some(noun) => all.push(format!(
                    "a.action >= {} AND a.action < {}",
                    binds.add(format!("{noun}.")),
                    binds.add(format!("{noun}/"))
                )),
                None => all.push(format!("a.action = {}", binds.add(action.as_str()))),
            }
        }
        let source = query.source.as_deref().map(address).transpose()?;
        let texts = [
            ("a.object_kind", &query.object_kind),
            ("a.object_id", &query.object_id),
            ("a.source", &source),
            ("a.credential", &query.credential),
        ];
        for (column, text) in texts {
            if let Some(text) = text {
                all.push(format!("{column} = {}", binds.add(text.as_str())));
            }
        }
        if let Some(since) = query.since {
            // Numbers grow with time but for what was written at the same moment: the walk along them ends there.
            let since = binds.add(Value::from(since));
            all.push(format!(
                "a.audit_date >= {since} AND a.id >= COALESCE((SELECT b.id FROM audit b WHERE b.audit_date >= {since}
                    ORDER BY b.audit_date LIMIT 1), {}) - {ASKEW}",
                i64::MAX
            ));
        }
        if let Some(until) = query.until {
            let until = binds.add(Value::from(until));
            all.push(format!(
                "a.audit_date < {until} AND a.id <= COALESCE((SELECT b.id FROM audit b WHERE b.audit_date < {until}
                    ORDER BY b.audit_date DESC LIMIT 1), 0) + {ASKEW}"
            ));
        }
        Ok(all.join(" AND "))
    }

    async fn entry(&self, row: &QueryResult) -> Result<AuditEntry> {
        let actor_id: Option<AccountId> = row.try_get("", "actor_id")?;
        let actor_name = match actor_id {
            Some(id) => Some(self.name(id).await?),
            None => None,
        };
        let (action, object_kind): (String, String) = (row.try_get("", "action")?, row.try_get("", "object_kind")?);
        let object_id: Option<String> = row.try_get("", "object_id")?;
        let mut detail: serde_json::Value =
            serde_json::from_str(&row.try_get::<String>("", "detail")?).unwrap_or_default();
        let reason = detail.as_object_mut().and_then(|members| members.remove("reason"));
        Ok(AuditEntry {
            id: row.try_get("", "id")?,
            date: row.try_get("", "audit_date")?,
            actor_id,
            actor_name,
            label: label(&action),
            href: href(&object_kind, object_id.as_deref()),
            action,
            object_kind,
            object_id,
            reason: reason.and_then(|reason| reason.as_str().map(str::to_owned)),
            credential: Some(row.try_get("", "credential")?).filter(|credential: &String| !credential.is_empty()),
            source: row.try_get("", "source")?,
            times: row.try_get::<i64>("", "times")?.unsigned_abs(),
            detail,
        })
    }
}

/// An address as entries have it, however it is written.
fn address(text: &str) -> Result<String> {
    let message = "An address looks like 198.51.100.7 or 2001:db8::7.";
    let address: IpAddr = text.parse().map_err(|_| Problem::field("source", "invalid", message))?;
    Ok(address.to_canonical().to_string())
}

/// The page of what was done something to.
fn href(kind: &str, id: Option<&str>) -> Option<String> {
    Some(match (kind, id) {
        ("task", Some(id)) => format!("/admin/tasks/{id}"),
        ("person", Some(id)) => format!("/people/{id}"),
        ("account", Some(id)) => format!("/admin/users/{id}"),
        ("lock", _) => "/admin/locks".to_owned(),
        ("kind", _) => "/admin/processes#kinds".to_owned(),
        ("schedule", _) => "/admin/schedules".to_owned(),
        _ => return None,
    })
}
