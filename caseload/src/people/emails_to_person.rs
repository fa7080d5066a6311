//! The emails that one person was sent, and the note that one of them came back.

use model::{
    AccountId, Instant, Outcome, PersonId, Problem, TaskId,
    ledger::FailReason,
    note::checked_note,
    person::{Message, MessageState},
};
use queue::TaskTable;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryTrait, sea_query::Expr};
use serde_json::json;

use crate::{
    Actor, Caseload, Result, access,
    caseload::People,
    entity::{mail::outbox, tasks::task_person},
    people::{names::Names, person},
    statement::{at_most, composed},
    submit::spec::Spec,
    tasks::visible,
};

/// Messages that are shown of one person.
const SHOWN: i64 = 100;

/// A message to a person, as the outbox has it.
#[derive(FromQueryResult)]
pub(super) struct FoundMessage {
    pub task_id: TaskId,
    pub address: Option<String>,
    pub state: MessageState,
    pub state_date: Instant,
    pub reply: Option<String>,
    pub bounce_note: Option<String>,
    pub bounce_date: Option<Instant>,
    pub bounce_by: Option<AccountId>,
}

impl FoundMessage {
    /// Those to a person of tasks that the actor may see, by one of their moments, latest first: of those that have it, which
    /// meet a condition on the message `o`. The indexes are `outbox_person` and `outbox_bounce`.
    pub async fn latest(
        caseload: &Caseload,
        actor: &Actor,
        person: PersonId,
        moment: &'static str,
        condition: Expr,
        most: Expr,
    ) -> Result<Vec<Self>> {
        // Whoever may not see the tasks of others has as many of their own all the same.
        let t = TaskTable("t");
        let sql =
            "SELECT o.task_id, o.address, o.state, o.state_date, o.reply, o.bounce_note, o.bounce_date, o.bounce_by
             FROM outbox o CROSS JOIN $1 WHERE $2 = o.task_id AND o.person_id = $3 AND $4 IS NOT NULL AND ($5) AND ($6)
             ORDER BY $4 DESC, o.task_id DESC LIMIT $7";
        let at = Expr::col(("o", moment));
        let parts = [t.table(), t.id(), person.into(), at, access::may_see(actor, t), condition, most];
        let statement = composed(caseload.db(), sql, parts);
        Ok(Self::find_by_statement(statement).all(caseload.db().reader()).await?)
    }
}

impl People<'_> {
    /// The messages to a person within reach, as far as the actor may see their tasks; latest first.
    pub async fn messages(self, actor: &Actor, id: PersonId) -> Result<Vec<Message>> {
        person::reached(self.0, actor, id).await?;
        let all = Expr::val(true);
        let found = FoundMessage::latest(self.0, actor, id, "state_date", all, at_most(SHOWN)).await?;
        let visible = visible::visible_tasks(self.0, actor, found.iter().map(|message| message.task_id)).await?;
        let names = Names::of(self.0, id).await?;
        let mut messages = Vec::new();
        for found in found {
            let Some(task) = visible.get(&found.task_id) else { continue };
            let Some(model::Action::Email(email)) = Spec::of(task).map(|spec| spec.action) else { continue };
            messages.push(Message {
                task_id: task.id,
                subject: names.merged_into(&email.subject),
                address: found.address,
                state: found.state.once(task.workflow_status.is_finished()),
                date: found.state_date,
                sender_name: self.0.staff_name(task.owner_id).await?,
                reply: found.reply,
                bounce_note: found.bounce_note,
                bounce_date: found.bounce_date,
                bounce_by_name: match found.bounce_by {
                    Some(by) => Some(self.0.staff_name(by).await?),
                    None => None,
                },
            });
        }
        Ok(messages)
    }

    /// Notes by hand that a message came back; an empty note takes it away. What became of the message for the mail server
    /// stays as it was.
    pub async fn note_bounce(self, actor: &Actor, task: TaskId, person: PersonId, note: &str) -> Result<()> {
        visible::owned_task(self.0, actor, task).await?;
        person::reached(self.0, actor, person).await?;
        let note = checked_note("note", Some(note))?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let date = note.as_ref().map_or(Expr::val(None::<Instant>), |_| db.instant());
        let left = outbox::Entity::update_many()
            .col_expr(outbox::Column::BounceNote, note.clone().into())
            .col_expr(outbox::Column::BounceBy, note.as_ref().map(|_| actor.person_id).into())
            .col_expr(outbox::Column::BounceDate, date)
            .filter(outbox::Column::TaskId.eq(task))
            .filter(outbox::Column::PersonId.eq(person))
            .filter(outbox::Column::State.is_in([MessageState::Sent, MessageState::Uncertain]));
        if txn.execute_raw(db.build(&left.into_query())).await?.rows_affected() == 0 {
            return Err(Problem::not_found("message").into());
        }
        let reason = note.as_ref().map(|_| FailReason::Bounced.name());
        let line = task_person::Entity::update_many()
            .col_expr(task_person::Column::Reason, reason.into())
            .filter(task_person::Column::TaskId.eq(task))
            .filter(task_person::Column::PersonId.eq(person))
            .filter(task_person::Column::Outcome.eq(Outcome::Done));
        txn.execute_raw(db.build(&line.into_query())).await?;
        let detail = json!({ "person": person, "noted": note.is_some() });
        visible::record_verb(self.0, &txn, actor, "email.bounce", task, detail).await?;
        Ok(db.commit(txn).await?)
    }
}
