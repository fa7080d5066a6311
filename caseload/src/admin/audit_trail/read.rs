//! The audit trail, read: a page of it by what is asked, or all of it for a file.

use model::{
    AccountId, Cursor, Page, TaskId, Total,
    admin::{AuditEntry, AuditQuery, source_address},
};
use sea_orm::{
    ConnectionTrait, QueryResult,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Result,
    accounts::account,
    admin::{
        filter_values,
        guard::{administering, unknown},
    },
    audit::words::{label, password_label},
    caseload::Audit,
    statement::{at_most, composed, count, sql},
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 50;
/// How many entries may have been written at one moment, in an order other than that of their numbers.
const ASKEW: i64 = 1_000;
/// Counts end here.
const COUNTED: u64 = 10_000;

impl Audit<'_> {
    /// A page of the audit trail, newest first. The indexes are `audit_actor`, `audit_action` and `audit_object`.
    pub async fn list(self, actor: &Actor, query: &AuditQuery) -> Result<Page<AuditEntry>> {
        let (items, next) = self.list_part(actor, query).await?;
        let counting = "SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM audit a WHERE $1 LIMIT $2) AS counted";
        let parts = [self.audit_condition(query).await?, at_most((COUNTED + 1).cast_signed())];
        let count = count(self.0.db().reader(), composed(self.0.db(), counting, parts)).await?;
        Ok(Page { items, next, total: Total::upto(COUNTED, count) })
    }

    /// The same without the count, for whoever reads all of it part by part.
    pub async fn list_part(self, actor: &Actor, query: &AuditQuery) -> Result<(Vec<AuditEntry>, Option<Cursor>)> {
        administering(actor)?;
        let limit = query.limit.unwrap_or(PAGE).clamp(1, model::parameters::MAX_LIMIT);
        let mut condition = self.audit_condition(query).await?;
        if let Some(after) = &query.after {
            condition = condition.and(sql("a.id < $1", [after.place::<i64>()?.into()]));
        }
        let (entries, more) = self.entries(condition, limit).await?;
        let next = entries.last().filter(|_| more).map(|last| Cursor::after(last.id));
        Ok((entries, next))
    }

    /// What was done to a task, by itself or among others, newest first; and whether there is more than that.
    pub async fn of_task(self, actor: &Actor, id: TaskId) -> Result<(Vec<AuditEntry>, bool)> {
        administering(actor)?;
        let of_task = "a.id IN (SELECT id FROM audit WHERE object_kind = 'task' AND object_id = $1
                UNION SELECT audit_id FROM task_verb WHERE task_id = $2)";
        self.entries(sql(of_task, [id.to_string().into(), id.into()]), PAGE).await
    }

    /// The latest entries of which a condition holds, and whether there are more.
    async fn entries(self, condition: Expr, limit: u32) -> Result<(Vec<AuditEntry>, bool)> {
        let db = self.0.db();
        let latest = "SELECT a.id, a.audit_date, a.actor_id, a.action, a.object_kind, a.object_id, a.detail, a.credential, a.source,
                a.times
             FROM audit a WHERE $1 ORDER BY a.id DESC LIMIT $2";
        let latest = composed(db, latest, [condition, at_most(i64::from(limit + 1))]);
        let rows = db.reader().query_all_raw(latest).await?;
        let mut entries = Vec::new();
        for row in rows.iter().take(limit as usize) {
            entries.push(self.entry(row).await?);
        }
        Ok((entries, rows.len() > limit as usize))
    }

    /// Notes that the audit trail was taken away as a file.
    pub async fn note_export(self, actor: &Actor, query: &AuditQuery) -> Result<()> {
        administering(actor)?;
        let txn = self.0.db().begin_write().await?;
        let entry = crate::audit::entry::Entry {
            by: crate::audit::entry::By::Actor(actor),
            action: "audit.export",
            object_kind: "audit",
            object_id: None,
            detail: serde_json::json!({ "filter": query }),
        };
        crate::audit::entry::record(self.0.db(), &txn, entry).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    /// The condition for the entry `a`.
    async fn audit_condition(self, query: &AuditQuery) -> Result<Expr> {
        filter_values::audit_can_be_asked_for(self.0, query).await?;
        let is = |column: &'static str, text: &str| Expr::col(("a", column)).eq(text);
        let mut all = Vec::new();
        if let Some(username) = &query.actor {
            let account = account::by_username(self.0.db().reader(), username).await?;
            let account = account.ok_or_else(|| unknown("actor", username, "account"))?;
            all.push(Expr::col(("a", "actor_id")).eq(account.person_id));
        }
        let of_action = |action: &str| match action.strip_suffix('.') {
            // All verbs on one sort of thing: from `task.` up to what comes after it.
            Some(noun) => {
                let action = || Expr::col(("a", "action"));
                action().gte(format!("{noun}.")).and(action().lt(format!("{noun}/")))
            }
            None => is("action", action),
        };
        all.extend(query.action.as_deref().map(|action| match action.strip_prefix('-') {
            Some(others) => of_action(others).not(),
            None => of_action(action),
        }));
        let source = query.source.as_deref().map(source_address).transpose()?;
        all.extend(query.object_kind.as_deref().map(|kind| is("object_kind", kind)));
        all.extend(query.object_id.as_deref().map(|id| is("object_id", id)));
        all.extend(source.map(|source| is("source", &source)));
        all.extend(query.credential.as_deref().map(|credential| match credential.strip_prefix("session:") {
            // It began with a password, and may have been ended from another one: these entries name it.
            Some(session) => {
                let named = is("detail", &serde_json::json!({ "session": session }).to_string());
                is("credential", credential).or(of_action("session.").and(named))
            }
            None => is("credential", credential),
        }));
        // Numbers grow with time but for what was written at the same moment: the walk along them ends there.
        all.extend(query.since.map(|since| {
            let since_then =
                "a.audit_date >= $1 AND a.id >= COALESCE((SELECT b.id FROM audit b WHERE b.audit_date >= $1
                    ORDER BY b.audit_date LIMIT 1), $2) - $3";
            sql(since_then, [since.into(), i64::MAX.into(), ASKEW.into()])
        }));
        all.extend(query.until.map(|until| {
            let until_then = "a.audit_date < $1 AND a.id <= COALESCE((SELECT b.id FROM audit b WHERE b.audit_date < $1
                    ORDER BY b.audit_date DESC LIMIT 1), 0) + $2";
            sql(until_then, [until.into(), ASKEW.into()])
        }));
        Ok(all.into_iter().reduce(|all, next| all.and(next)).unwrap_or_else(|| Expr::cust("TRUE")))
    }

    async fn entry(self, row: &QueryResult) -> Result<AuditEntry> {
        let actor_id: Option<AccountId> = row.try_get("", "actor_id")?;
        let actor_name = match actor_id {
            Some(id) => Some(self.0.staff_name(id).await?),
            None => None,
        };
        let (action, object_kind): (String, String) = (row.try_get("", "action")?, row.try_get("", "object_kind")?);
        let object_id: Option<String> = row.try_get("", "object_id")?;
        let mut detail: serde_json::Value =
            serde_json::from_str(&row.try_get::<String>("", "detail")?).unwrap_or_default();
        let label = match action.as_str() {
            "account.password" => {
                let is_own = actor_id.is_some_and(|actor| object_id.as_deref() == Some(actor.to_string().as_str()));
                let by_link = detail.get("by").is_some_and(|by| by == "link");
                password_label(is_own, by_link, actor_id.is_some()).to_owned()
            }
            other => label(other),
        };
        let reason = detail.as_object_mut().and_then(|members| members.remove("reason"));
        Ok(AuditEntry {
            id: row.try_get("", "id")?,
            date: row.try_get("", "audit_date")?,
            actor_id,
            actor_name,
            label,
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
