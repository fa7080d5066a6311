//! What was denied. A scan is one entry for each minute and place, which grows while the scan goes on, whoever scans: what a
//! stranger can do as often as they like must not fill the audit.

use sea_orm::ConnectionTrait;
use serde_json::json;

use super::denial_counter::{Denied, DueEntry, FURTHER};
use crate::{Result, caseload::Audit, statement::composed};

impl Audit<'_> {
    /// Notes that something was denied.
    pub async fn note_denial(self, denied: Denied<'_>) -> Result<()> {
        let (rest, due) = self.0.inner.denials.count(self.0.now(), &denied);
        if rest.is_empty() && due.is_none() {
            return Ok(());
        }
        let txn = self.0.db().begin_write().await?;
        self.add_rest(&txn, rest).await?;
        if let Some(due) = due {
            self.begin_or_add(&txn, &due, &denied).await?;
        }
        Ok(self.0.db().commit(txn).await?)
    }

    /// Writes down what was counted and is not written down yet, before the process ends.
    pub async fn note_rest_of_denials(self) -> Result<()> {
        let rest = self.0.inner.denials.rest();
        if rest.is_empty() {
            return Ok(());
        }
        let txn = self.0.db().begin_write().await?;
        self.add_rest(&txn, rest).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    async fn begin_or_add(self, txn: &impl ConnectionTrait, due: &DueEntry, denied: &Denied<'_>) -> Result<()> {
        let sql =
            "INSERT INTO audit (audit_date, actor_id, action, object_kind, detail, credential, source, times, burst)
                   VALUES ($8, $1, $2, 'request', $3, $4, $5, $6, $7)
                   ON CONFLICT (burst) DO UPDATE SET times = audit.times + excluded.times";
        let source = denied.source.filter(|_| due.entry.place != FURTHER).map(|source| source.to_string());
        let values = [
            denied.actor.map(|actor| actor.person_id).into(),
            due.entry.denial.action().into(),
            json!({ "first": denied.request }).to_string().into(),
            denied.credential().to_string().into(),
            source.into(),
            due.times.cast_signed().into(),
            due.burst().into(),
            self.0.db().instant(),
        ];
        txn.execute_raw(composed(self.0.db(), sql, values)).await?;
        Ok(())
    }

    /// Adds to entries that there are: nothing is left over of one that was never begun.
    async fn add_rest(self, txn: &impl ConnectionTrait, rest: Vec<DueEntry>) -> Result<()> {
        for due in rest {
            let sql = "UPDATE audit SET times = times + $1 WHERE burst = $2";
            let values = [due.times.cast_signed().into(), due.burst().into()];
            txn.execute_raw(composed(self.0.db(), sql, values)).await?;
        }
        Ok(())
    }
}
