//! Early alerts: a short record on each person, with what was noticed.

use async_trait::async_trait;
use model::{
    AccountId, Instant, PersonId, SkipReason, TaskId,
    action::{AlertReason, EarlyAlert},
    person::Alert,
};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::rules::{Line, Rules, Undoing, fact};
use crate::{Actor, Caseload, Result, access, binds::Binds, tasks::lines, tasks::part::Part};

#[async_trait]
impl Rules for EarlyAlert {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach]
    }

    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        let reach = access::reach(actor, binds);
        format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH' END")
    }

    fn line(&self, _: &Actor, binds: &mut Binds) -> Line {
        let after = binds.add(alert(self.alert_reason));
        Line { after: format!("CAST({after} AS text)"), ..Line::of_nothing() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        lines::judge(part, self, actor).await?;
        let mut binds = Binds::default();
        let (task, now, by) = (binds.add(part.range.task_id), binds.add(part.at), binds.add(actor.person_id));
        let (reason, comment) = (binds.add(self.alert_reason.name()), binds.add(self.comment.clone()));
        let done = part.range.done(&mut binds);
        let sql = format!(
            "INSERT INTO early_alert (person_id, alert_reason, comment, created_date, created_by, task_id)
             SELECT person_id, {reason}, {comment}, {now}, {by}, {task} FROM ({done}) AS noticed"
        );
        part.txn.execute_raw(part.db.statement(&sql, binds.values())).await?;
        Ok(())
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
    fn within(&self, actor: &Actor, binds: &mut Binds) -> String {
        access::reach(actor, binds)
    }

    fn as_left(&self, task: TaskId, _: &Actor, binds: &mut Binds) -> String {
        let task = binds.add(task);
        format!("EXISTS (SELECT 1 FROM early_alert a WHERE a.person_id = p.id AND a.task_id = {task})")
    }

    fn line_back(&self, _: TaskId, _: &Actor, binds: &mut Binds) -> Line {
        let before = binds.add(alert(self.alert_reason));
        Line { before: format!("CAST({before} AS text)"), after: "'Taken back'".to_owned(), ..Line::of_nothing() }
    }

    async fn put_back(&self, part: &Part<'_>, task: TaskId, _: &Actor) -> Result<(), DbErr> {
        let mut binds = Binds::default();
        let (task, done) = (binds.add(task), part.range.done(&mut binds));
        let sql = format!("DELETE FROM early_alert WHERE task_id = {task} AND person_id IN ({done})");
        part.txn.execute_raw(part.db.statement(&sql, binds.values())).await?;
        Ok(())
    }
}

fn alert(reason: AlertReason) -> String {
    format!("Alert: {}", reason.label())
}

/// Alerts that are shown of one person.
const SHOWN: i64 = 100;

#[derive(FromQueryResult)]
struct FoundAlert {
    alert_reason: AlertReason,
    comment: Option<String>,
    created_date: Instant,
    created_by: AccountId,
    task_id: TaskId,
}

impl Caseload {
    /// The early alerts on a person within reach, latest first. The index is `early_alert_person`.
    pub async fn early_alerts(&self, actor: &Actor, id: PersonId) -> Result<Vec<Alert>> {
        self.reached(actor, id).await?;
        let statement = self.db().statement(
            "SELECT alert_reason, comment, created_date, created_by, task_id FROM early_alert
             WHERE person_id = $1 ORDER BY id DESC LIMIT $2",
            [id.into(), SHOWN.into()],
        );
        let found = FoundAlert::find_by_statement(statement).all(self.db().reader()).await?;
        let visible = self.visible_tasks(actor, found.iter().map(|alert| alert.task_id)).await?;
        let mut alerts = Vec::new();
        for alert in found {
            alerts.push(Alert {
                alert_reason: alert.alert_reason,
                comment: alert.comment,
                created_date: alert.created_date,
                created_by_name: self.name(alert.created_by).await?,
                task_id: visible.contains_key(&alert.task_id).then_some(alert.task_id),
            });
        }
        Ok(alerts)
    }
}
