//! Sending notices, in the same three steps as any mail: what is being sent is committed, it is sent, and what became of it
//! is committed. One that was on its way when a process died is not sent again.

use std::sync::Arc;

use async_trait::async_trait;
use model::Markup;
use queue::{Database, Queue, Result, lock::Lock, schedule::Work};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::ended::{self, Presence};
use crate::{
    actions::email,
    mail::{Envelope, Handed, Mail, Rendered},
};

/// Notices that are sent at once.
const MOST: i64 = 50;
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

#[derive(FromQueryResult)]
struct WaitingNotice {
    /// Of the task, or of the token.
    task_id: Uuid,
    purpose: String,
    address: String,
    subject: String,
    body: String,
    tries: i32,
}

#[async_trait]
impl Work for SendNotices {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let db = self.queue.db();
        let settled = email::settle_ended(db).await?;
        let (mut put_down, mut sent) = (0, 0);
        if self.mail.is_configured() {
            put_down = ended::put_down(db, &self.queue, &self.mail, self.presence.as_ref()).await?;
            sent = self.send(db).await?;
        }
        // One that has waited for so long is news no more.
        db.write("DELETE FROM notice WHERE created_date < {after:-$1}", [KEPT.into()]).await?;
        Ok(format!("{put_down} notices put down, {sent} sent, {settled} messages settled"))
    }
}

impl SendNotices {
    async fn send(&self, db: &Database) -> Result<u64> {
        let mut sent = 0;
        let waiting = db.statement(
            "SELECT task_id, purpose, address, subject, body, tries FROM notice WHERE state = 'WAITING'
             ORDER BY created_date LIMIT $1",
            [MOST.into()],
        );
        for notice in WaitingNotice::find_by_statement(waiting).all(db.reader()).await? {
            if !self.set(db, &notice, "WAITING", "SENDING", 0).await? {
                continue;
            }
            let handed = self.mail.send(&self.envelope(db, &notice).await?, &rendered(&notice)).await;
            // A mail server that is away was not tried.
            let (state, tries) = match &handed {
                Handed::Accepted => ("SENT", 1),
                Handed::Unknown(_) => ("UNCERTAIN", 1),
                Handed::NotBegun(_) => ("WAITING", 0),
                Handed::Deferred(_) if notice.tries + 1 < TRIES => ("WAITING", 1),
                _ => ("FAILED", 1),
            };
            self.set(db, &notice, "SENDING", state, tries).await?;
            sent += u64::from(handed == Handed::Accepted);
            if matches!(handed, Handed::NotBegun(_) | Handed::Unknown(_)) {
                // Nor would the others get through.
                break;
            }
        }
        Ok(sent)
    }

    async fn envelope(&self, db: &Database, notice: &WaitingNotice) -> Result<Envelope> {
        let domain = self.mail.settings().from.email.domain();
        let purpose = notice.purpose.to_lowercase();
        Ok(Envelope {
            to: vec![notice.address.clone()],
            copy: None,
            message_id: format!("{purpose}.{}@{domain}", notice.task_id.simple()),
            sender: None,
            date: db.now().await?,
        })
    }

    /// Moves a notice from one state to another, with so many tries more; false: it was not in the first one any more.
    async fn set(&self, db: &Database, notice: &WaitingNotice, from: &str, to: &str, tries: i32) -> Result<bool> {
        let sql = "UPDATE notice SET state = $4, tries = tries + $5, state_date = {now}
                   WHERE task_id = $1 AND purpose = $2 AND state = $3";
        let values = [notice.task_id.into(), notice.purpose.as_str().into(), from.into(), to.into(), tries.into()];
        Ok(db.write(sql, values).await? == 1)
    }
}

fn rendered(notice: &WaitingNotice) -> Rendered {
    let html = Markup::default().ours("<p>").lines(&notice.body).ours("</p>").into_string();
    Rendered { subject: notice.subject.clone(), plain: notice.body.clone(), html }
}
