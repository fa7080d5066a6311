//! The run of an email. A chunk writes down what became of messages and which ones go next; those go once it is committed,
//! while the next chunk waits for the first of them to come back. So a message goes only if a row says that it does, and a
//! row that still says so after a crash is uncertain.

use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use model::{Action, TaskErrorCode, TaskKind, action::Email, letter::Addressee};
use queue::{Chunk, ChunkContext, Executor, Failure, Progress, Run, Step, TaskError};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    next_messages::{Announcing, ReadyMessage},
    outbox::{COPY, Outbox, Sent},
    sending::{MessagesInFlight, ReturnedMessages},
    wording::Wording,
};
use crate::{
    entity::primary_address,
    erase::erased::ERASED,
    mail::{Delivery, Envelope, Mail, MailPlace, Sender},
    submit::spec::Spec,
    tasks::people_executor::{self, ChunkToDo, run_as},
};

/// How often in a row the mail server may not be reached, and the longest wait in between: most of a day.
const OUTAGES: u32 = 100;
const LONGEST_OUTAGE: TimeDelta = TimeDelta::minutes(10);

/// How long a chunk waits for a message before it looks whether the task is still its own.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs emails.
pub struct EmailTask(pub Mail);

impl Executor for EmailTask {
    fn kind(&self) -> &'static str {
        TaskKind::Email.name()
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec = Spec::decode(spec)?;
        let Action::Email(email) = spec.action.clone() else {
            return Err(format!("{} is no email", spec.action.kind()));
        };
        let wording = Wording::of(&email).map_err(|unknown| unknown.to_string())?;
        Ok(Box::new(EmailRun {
            journal: email.create_journal_entry.then(|| format!("Emailed: {}", email.subject)),
            spec,
            email,
            wording,
            mail: self.0.clone(),
            sender: None,
            flight: MessagesInFlight::default(),
            landed: ReturnedMessages::default(),
            pending: None,
            is_settled: false,
            is_erased: false,
            error: None,
            refused: 0,
            at_once: self.0.settings().concurrency,
            places: Vec::new(),
        }))
    }
}

struct EmailRun {
    spec: Spec,
    email: Email,
    wording: Wording,
    /// The entry that a message leaves on its person.
    journal: Option<String>,
    mail: Mail,
    /// In whose name it goes.
    sender: Option<Sender>,
    flight: MessagesInFlight,
    /// What has come back and is not yet written down.
    landed: ReturnedMessages,
    /// What the last chunk did, until it is known whether it stands.
    pending: Option<PendingMessages>,
    /// Whether what former attempts left under way is settled.
    is_settled: bool,
    /// Whether its text named somebody who was erased.
    is_erased: bool,
    /// Why nothing can be handed over at the moment.
    error: Option<String>,
    /// Connections that were refused since the last answer.
    refused: usize,
    /// Messages that may be on their way at once: fewer than the setting when the mail server takes fewer connections.
    at_once: usize,
    /// Places for messages that nobody has yet.
    places: Vec<MailPlace>,
}

struct PendingMessages {
    turn: i64,
    recorded: ReturnedMessages,
    announced: Vec<(ReadyMessage, MailPlace)>,
    date: model::Instant,
}

/// How far the run has come.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EmailBookmark {
    total: Option<i64>,
    /// The last position that was looked at.
    position: i64,
    /// Whether the copy of the whole action is on its way.
    copied: bool,
    /// How often in a row the mail server could not be reached, and the attempt in which it was so for the last time.
    outages: u32,
    outage_attempt: i32,
    /// Grows with every chunk, so that a run knows its own last one.
    turn: i64,
}

impl EmailBookmark {
    fn read(value: &Value) -> EmailBookmark {
        serde_json::from_value(value.clone()).unwrap_or_default()
    }
}

#[async_trait]
impl Run for EmailRun {
    /// Sends what the last chunk announced, and waits until something comes back.
    async fn prepare(&mut self, ahead: &ChunkContext<'_>) -> Result<(), Failure> {
        self.take_in(ahead.bookmark);
        // A place that is free is worth more than a message more in the same commit.
        let enough = self.at_once.div_ceil(2);
        if self.landed.is_empty() {
            self.landed = self.flight.landed(PATIENCE, enough).await;
        }
        if self.landed.is_empty() && self.flight.is_empty() && self.places.is_empty() {
            // Other emails have them all.
            self.places.extend(timeout(PATIENCE, self.mail.place()).await.ok());
        }
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        self.take_in(chunk.bookmark);
        let actor = match run_as(chunk.txn, chunk.task, self.spec.action.right()).await {
            Ok(actor) => Some(actor),
            // First what is under way is written down.
            Err(Failure::Permanent(_)) if self.owes() => None,
            Err(failure) => return Err(failure),
        };
        let mut bookmark = EmailBookmark::read(chunk.bookmark);
        if let Some(actor) = &actor {
            match people_executor::next(chunk, &self.spec, actor).await? {
                ChunkToDo::Froze(step) => return Ok(step),
                ChunkToDo::Treat(range) => bookmark.total = Some(range.total),
            }
            self.is_erased |= is_erased(chunk).await?;
            if !self.owes() {
                if self.is_erased {
                    return Err(Failure::permanent(TaskErrorCode::Erased, "its text named somebody who was erased"));
                }
                if let Some(why) = self.error.take() {
                    return wait_for_server(bookmark, why, chunk);
                }
            }
        }
        let outbox = Outbox { db: chunk.db, txn: chunk.txn, task: chunk.task, now: chunk.fenced };
        let mut progress = Progress { total: bookmark.total, ..Progress::default() };
        if !self.is_settled {
            progress.uncertain += outbox.doubt().await?;
        }
        let recorded = std::mem::take(&mut self.landed);
        self.learn_from(&recorded.messages);
        if recorded.messages.iter().any(|(_, handed)| !matches!(handed, Delivery::NotBegun(_))) {
            bookmark.outages = 0;
        }
        let mut pending =
            PendingMessages { turn: bookmark.turn + 1, recorded, announced: Vec::new(), date: chunk.fenced };
        let done = self.go_on(&outbox, actor.as_ref(), chunk.stopping, &mut bookmark, &mut pending).await;
        bookmark.turn = pending.turn;
        let waits_for_announced = !pending.announced.is_empty();
        self.pending = Some(pending);
        progress += done?;
        progress.bookmark = json!(bookmark);
        let is_through = Some(bookmark.position) == bookmark.total
            && !self.copy_is_due(&bookmark, chunk.task.succeeded + progress.succeeded);
        if waits_for_announced || !self.flight.is_empty() || !is_through || self.error.is_some() || actor.is_none() {
            return Ok(Step::More(progress));
        }
        let (next, is_lost) = outbox.open().await?;
        if is_lost {
            // Its future broke down, so it will never come back.
            progress.uncertain += outbox.doubt().await?;
        }
        Ok(match next {
            Some(next) if next > chunk.fenced => Step::Until(progress, next, None),
            Some(_) => Step::More(progress),
            None => Step::Done(progress),
        })
    }

    fn owes(&self) -> bool {
        !self.flight.is_empty()
            || !self.landed.is_empty()
            || self.pending.as_ref().is_some_and(PendingMessages::is_of_weight)
    }

    async fn taken_away(&mut self, ahead: &ChunkContext<'_>) -> Result<(), DbErr> {
        self.take_in(ahead.bookmark);
        loop {
            let now = ahead.db.now().await?;
            let txn = ahead.db.begin_write().await?;
            let outbox = Outbox { db: ahead.db, txn: &txn, task: ahead.task, now };
            let progress = outbox.record(&self.landed.messages, self.sent()).await?;
            match queue::add_late(ahead.db, &txn, ahead.task, &progress).await? {
                true => ahead.db.commit(txn).await?,
                false => return txn.rollback().await,
            }
            if self.flight.is_empty() {
                return Ok(());
            }
            // What is known is written down at once: the process may end before the others come back.
            self.landed = self.flight.landed(self.mail.settings().timeout, 1).await;
        }
    }
}

impl EmailRun {
    /// Finds out from the bookmark whether the last chunk stands: if so its messages go, and if not they are not announced and
    /// what it had written down is still to be.
    fn take_in(&mut self, bookmark: &Value) {
        let Some(pending) = self.pending.take() else { return };
        if EmailBookmark::read(bookmark).turn != pending.turn {
            self.landed.extend(pending.recorded);
            return;
        }
        self.is_settled = true;
        for (ready, place) in pending.announced {
            let envelope = Envelope {
                to: ready.address.iter().flat_map(|all| all.split(", ")).map(str::to_owned).collect(),
                copy: ready.copy_address,
                message_id: ready.message_id,
                sender: self.sender.clone(),
                date: pending.date,
            };
            let rendered = match ready.position {
                COPY => Wording::copy(&self.email),
                _ => self.wording.to(&Addressee {
                    first: ready.first_name.as_deref().unwrap_or_default(),
                    middle: ready.middle_name.as_deref().unwrap_or_default(),
                    last: ready.last_name.as_deref().unwrap_or_default(),
                }),
            };
            self.flight.begin(ready.position, &self.mail, envelope, rendered, place);
        }
    }

    /// Writes down what came back, and announces what goes next unless the process stops.
    async fn go_on(
        &mut self,
        outbox: &Outbox<'_>,
        actor: Option<&crate::Actor>,
        stopping: bool,
        bookmark: &mut EmailBookmark,
        pending: &mut PendingMessages,
    ) -> Result<Progress, DbErr> {
        let mut progress = outbox.record(&pending.recorded.messages, self.sent()).await?;
        let (Some(actor), false, None) = (actor, stopping || self.is_erased, &self.error) else {
            return Ok(progress);
        };
        if self.sender.is_none() {
            self.sender = Some(sender(outbox, actor).await?);
        }
        let mut places = std::mem::take(&mut self.places);
        while places.len() < self.flight.room(self.at_once)
            && let Some(place) = self.mail.free_place()
        {
            places.push(place);
        }
        let mut room = places.len();
        let domain = self.mail.settings().from.email.domain().to_owned();
        let announcing =
            Announcing { email: &self.email, actor, former: self.spec.targeted.of_task(), domain: &domain };
        let mut ready = Vec::new();
        // A copy of what nobody got would say that they did: it goes once one of them has got it.
        let is_due = self.copy_is_due(bookmark, outbox.task.succeeded + progress.succeeded);
        if is_due && room > 0 {
            ready.push(announcing.copy(outbox).await?);
            room -= 1;
            bookmark.copied = true;
        }
        if room > 0 {
            let again = announcing.due_again(outbox, room).await?;
            progress.skipped += again.skipped;
            room -= again.ready.len();
            ready.extend(again.ready);
        }
        if room > 0 && Some(bookmark.position) != bookmark.total {
            let next = announcing.next(outbox, bookmark.position, room).await?;
            progress.skipped += next.skipped;
            bookmark.position = next.position;
            ready.extend(next.ready);
        }
        pending.announced = ready.into_iter().zip(places).collect();
        Ok(progress)
    }

    /// What answers say of the mail server. It seems to be away when none of those under way is answered; if one is after all,
    /// it takes fewer connections than it was offered.
    fn learn_from(&mut self, recorded: &[(i64, Delivery)]) {
        let is_answer = |handed: &Delivery| !matches!(handed, Delivery::NotBegun(_));
        for (_, handed) in recorded {
            if let Delivery::NotBegun(why) = handed {
                self.refused += 1;
                self.error = Some(why.clone());
            }
        }
        if self.refused > 0 && recorded.iter().any(|(_, handed)| is_answer(handed)) {
            self.at_once = self.at_once.saturating_sub(self.refused).max(1);
            (self.refused, self.error) = (0, None);
        }
    }

    /// Whether the copy of the whole action still has to go, now that so many people got their message.
    fn copy_is_due(&self, bookmark: &EmailBookmark, succeeded: i64) -> bool {
        !bookmark.copied && !self.email.cc.is_empty() && succeeded > 0
    }

    fn sent(&self) -> Sent<'_> {
        let retry = TimeDelta::from_std(self.mail.settings().retry).unwrap_or(TimeDelta::minutes(1));
        let journal = self.journal.as_deref().map(|entry| if self.is_erased { ERASED } else { entry });
        Sent { journal, retry }
    }
}

impl PendingMessages {
    /// Whether anything is lost if nobody finds out what became of it.
    fn is_of_weight(&self) -> bool {
        !self.recorded.is_empty() || !self.announced.is_empty()
    }
}

/// Waits in the queue until the mail server may be back, longer each time; gives up after most of a day.
fn wait_for_server(mut bookmark: EmailBookmark, why: String, chunk: &Chunk<'_>) -> Result<Step, Failure> {
    // Whoever gave up and was told to go on begins anew: attempts that wait for the server follow each other.
    if chunk.task.attempt != bookmark.outage_attempt + 1 {
        bookmark.outages = 0;
    }
    bookmark.outages += 1;
    bookmark.outage_attempt = chunk.task.attempt;
    bookmark.turn += 1;
    if bookmark.outages > OUTAGES {
        return Err(Failure::permanent(TaskErrorCode::MailServer, why));
    }
    let wait = (TimeDelta::seconds(10) * 2_i32.pow(bookmark.outages.min(8))).min(LONGEST_OUTAGE);
    let progress = Progress { bookmark: json!(bookmark), total: bookmark.total, ..Progress::default() };
    Ok(Step::Until(progress, chunk.fenced + wait, Some(TaskError::new(TaskErrorCode::MailServer, why))))
}

/// Whether its text named somebody who has been erased by now.
async fn is_erased(chunk: &Chunk<'_>) -> Result<bool, DbErr> {
    // As it is now: the attempt has it as it was.
    let Some(task) = queue::find_locked(chunk.txn, chunk.task.id).await? else { return Ok(false) };
    if !task.execution_spec.as_deref().is_some_and(|spec| spec.contains(&format!("\"{ERASED}\""))) {
        return Ok(false);
    }
    Ok(match Spec::of(&task).map(|spec| spec.action) {
        Some(Action::Email(email)) => email.subject == ERASED || email.body == ERASED,
        _ => true,
    })
}

/// In whose name it goes.
async fn sender(outbox: &Outbox<'_>, actor: &crate::Actor) -> Result<Sender, DbErr> {
    let address = primary_address(outbox.txn, actor.person_id.person()).await?;
    Ok(Sender { name: actor.name.clone(), address })
}
