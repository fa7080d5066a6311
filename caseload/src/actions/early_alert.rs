//! Early alerts: a short record on each person, with what was noticed.

use async_trait::async_trait;
use model::{
    PersonId, SkipReason, TaskId,
    action::{AlertReason, EarlyAlert},
    person::Alert,
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};

use super::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, said, skipped};
use crate::{
    Actor, Result, access,
    caseload::People,
    entity::people::early_alert::{Column, Entity},
    people::person,
    statement::{composed, sql},
    tasks::{ledger_lines, locked_people::Part, visible},
};

#[async_trait]
impl Definition for EarlyAlert {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        skipped(gone_or_beyond(access::reach(actor)))
    }

    fn line(&self, _: &Actor) -> LineWords {
        LineWords { after: said(alert(self.alert_reason)), ..LineWords::of_nothing() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        let insert = "INSERT INTO early_alert (person_id, alert_reason, comment, created_date, created_by, task_id)
             SELECT person_id, $1, $2, $3, $4, $5 FROM ($6) AS noticed";
        let (reason, comment) = (self.alert_reason.name().into(), self.comment.clone().into());
        let (by, task) = (actor.person_id.into(), part.range.task_id.into());
        let parts = [reason, comment, part.at.into(), by, task, part.range.done()];
        part.txn.execute_raw(composed(part.db, insert, parts)).await.map(drop)
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![fact("Noticed", self.alert_reason.label())];
        facts.extend(self.comment.clone().map(|comment| fact("Comment", comment)));
        facts
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(self)
    }
}

#[async_trait]
impl Undoing for EarlyAlert {
    fn within(&self, actor: &Actor) -> Expr {
        access::reach(actor)
    }

    fn as_left(&self, task: TaskId, _: &Actor) -> Expr {
        sql("EXISTS (SELECT 1 FROM early_alert a WHERE a.person_id = p.id AND a.task_id = $1)", [task.into()])
    }

    fn line_back(&self, _: TaskId, _: &Actor) -> LineWords {
        LineWords { before: said(alert(self.alert_reason)), after: Expr::cust("'Removed'"), ..LineWords::of_nothing() }
    }

    async fn put_back(&self, part: &Part<'_>, task: TaskId, _: &Actor) -> Result<(), DbErr> {
        let delete = "DELETE FROM early_alert WHERE task_id = $1 AND person_id IN ($2)";
        part.txn.execute_raw(composed(part.db, delete, [task.into(), part.range.done()])).await.map(drop)
    }
}

fn alert(reason: AlertReason) -> String {
    format!("Alert: {}", reason.label())
}

/// Alerts that are shown of one person.
const SHOWN: u64 = 100;

impl People<'_> {
    /// The early alerts on a person within reach, latest first. The index is `early_alert_person`.
    pub async fn early_alerts(self, actor: &Actor, id: PersonId) -> Result<Vec<Alert>> {
        person::reached(self.0, actor, id).await?;
        let latest = Entity::find().filter(Column::PersonId.eq(id)).order_by_desc(Column::Id).limit(SHOWN);
        let found = latest.all(self.0.db().reader()).await?;
        let visible = visible::visible_tasks(self.0, actor, found.iter().map(|alert| alert.task_id)).await?;
        let mut alerts = Vec::new();
        for alert in found {
            alerts.push(Alert {
                alert_reason: alert.alert_reason,
                comment: alert.comment,
                created_date: alert.created_date,
                created_by_name: self.0.staff_name(alert.created_by).await?,
                task_id: visible.contains_key(&alert.task_id).then_some(alert.task_id),
            });
        }
        Ok(alerts)
    }
}
