//! Sending notices, in the same three steps as any mail: what is being sent is committed, it is sent, and what became of it
//! is committed. One that was on its way when a process died is not sent again.

use std::sync::Arc;

use async_trait::async_trait;
use queue::{Database, Queue, Result, lock::Lock, schedule::Work};
use sea_orm::{
    ActiveEnum, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait},
};

use super::{
    ended::{self, Presence},
    password_link, rows,
};
use crate::{
    actions::email,
    entity::mail::notice::{Column, Entity, Model, Purpose, State},
    mail::{Delivery, Envelope, Mail, Rendered, Sender},
    submit::approvals::end_expired,
};

/// Notices that are sent at once.
const MOST: u64 = 50;
/// How often one is tried that the mail server does not take.
const TRIES: i32 = 20;
/// How long notices are kept, in seconds: a task that ended is looked at for less.
const KEPT: f64 = 86_400.0;

/// Puts down what staff want to hear of, and sends what waits. Also settles messages of emails that ended while one was on
/// its way.
pub struct SendNotices {
    pub queue: Queue,
    pub mail: Mail,
    pub presence: Arc<dyn Presence>,
}

#[async_trait]
impl Work for SendNotices {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let db = self.queue.db();
        let settled = email::settle_ended(db).await?;
        let expired = end_expired(db, &self.queue, &self.mail).await?;
        let (mut put_down, mut sent) = (0, 0);
        if self.mail.is_configured() {
            put_down = ended::put_down(db, &self.queue, &self.mail, self.presence.as_ref()).await?;
            sent = self.send(db).await?;
        }
        // One that has waited for so long is news no more.
        let old = Entity::delete_many().filter(Expr::col(Column::CreatedDate).lt(db.instant_after(-KEPT)));
        db.write_query(&old.into_query()).await?;
        if put_down == 0 && sent == 0 && settled == 0 && expired == 0 {
            return Ok("nothing to do".to_owned());
        }
        Ok(format!(
            "notices: {put_down} written, {sent} sent; emails marked uncertain: {settled}; approvals expired: {expired}"
        ))
    }
}

impl SendNotices {
    async fn send(&self, db: &Database) -> Result<u64> {
        let mut sent = 0;
        let waiting = Entity::find().filter(Column::State.eq(State::Waiting)).order_by_asc(Column::CreatedDate);
        for notice in waiting.limit(MOST).all(db.reader()).await? {
            let Some(rendered) = rendered(db, &self.mail, &notice).await? else {
                rows::moved(db, (notice.task_id, notice.purpose), State::Waiting, State::NotWanted, 0).await?;
                continue;
            };
            let Some(handed) = deliver(db, &self.mail, notice, None, &rendered).await? else { continue };
            sent += u64::from(handed == Delivery::Accepted);
            if matches!(handed, Delivery::NotBegun(_) | Delivery::Unknown(_)) {
                // Nor would the others get through.
                break;
            }
        }
        Ok(sent)
    }
}

/// Sends a message whose row is committed, and writes down what became of it. Only while it is as it was read: otherwise somebody
/// else has sent it, or nobody is to hear of it any more, and there is no answer.
pub(super) async fn deliver(
    db: &Database,
    mail: &Mail,
    notice: Model,
    sender: Option<Sender>,
    rendered: &Rendered,
) -> Result<Option<Delivery>> {
    let key = (notice.task_id, notice.purpose);
    if !rows::moved(db, key, notice.state, State::Sending, 0).await? {
        return Ok(None);
    }
    let purpose = notice.purpose.to_value().to_lowercase();
    let envelope = Envelope {
        to: vec![notice.address],
        copy: None,
        message_id: format!("{purpose}.{}@{}", notice.task_id.simple(), mail.settings().from.email.domain()),
        sender,
        date: db.now().await?,
    };
    let handed = mail.send(&envelope, rendered).await;
    let goes_again = notice.state == State::Waiting;
    let (state, tries) = match &handed {
        Delivery::Accepted | Delivery::Partly(_) => (State::Sent, 1),
        Delivery::Unknown(_) => (State::Uncertain, 1),
        // A mail server that is away was not tried.
        Delivery::NotBegun(_) if goes_again => (State::Waiting, 0),
        Delivery::Deferred(_) if goes_again && notice.tries + 1 < TRIES => (State::Waiting, 1),
        _ => (State::Failed, 1),
    };
    rows::moved(db, key, State::Sending, state, tries).await?;
    Ok(Some(handed))
}

/// What it says; nothing where nobody waits for it any more.
async fn rendered(db: &Database, mail: &Mail, notice: &Model) -> Result<Option<Rendered>> {
    match notice.purpose {
        Purpose::PasswordLink => Ok(password_link::letter(db, mail, notice.task_id.into()).await?),
        _ => Ok(Some(Rendered::of_text(notice.subject.clone(), notice.body.clone()))),
    }
}
