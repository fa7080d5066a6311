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
    Actor, Result, access,
    caseload::People,
    entity::{mail::outbox, tasks::task_person},
    people::{names::Names, person},
    statement::composed,
    submit::spec::Spec,
    tasks::visible,
};

/// Messages that are shown of one person.
const SHOWN: i64 = 100;

#[derive(FromQueryResult)]
struct FoundMessage {
    task_id: TaskId,
    address: Option<String>,
    state: MessageState,
    state_date: Instant,
    reply: Option<String>,
    bounce_note: Option<String>,
    bounce_date: Option<Instant>,
    bounce_by: Option<AccountId>,
}

impl People<'_> {
    /// The messages to a person within reach, as far as the actor may see their tasks; latest first. The index is
    /// `outbox_person`.
    pub async fn messages(self, actor: &Actor, id: PersonId) -> Result<Vec<Message>> {
        person::reached(self.0, actor, id).await?;
        // Whoever may not see the tasks of others has a hundred of their own all the same.
        let t = TaskTable("t");
        let sql = "SELECT o.task_id, o.address, o.state, o.state_date, o.reply, o.bounce_note, o.bounce_date, o.bounce_by
             FROM outbox o JOIN $1 ON $2 = o.task_id WHERE o.person_id = $3 AND ($4) ORDER BY o.state_date DESC LIMIT $5";
        let parts = [t.table(), t.id(), id.into(), access::may_see(actor, t), SHOWN.into()];
        let statement = composed(self.0.db(), sql, parts);
        let found = FoundMessage::find_by_statement(statement).all(self.0.db().reader()).await?;
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
