//! The outbox: one row for each message of a task, with what became of it. The row is there before its message goes, and all
//! that is written here stands or falls with the ledger.

use chrono::TimeDelta;
use model::{Instant, Outcome, PersonId, TaskId, ledger::FailReason, person::MessageState};
use queue::{Database, Progress, Task, TaskTable, Transaction};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait, UpdateMany,
    sea_query::{Expr, ExprTrait, Query},
};

use crate::{
    Result,
    entity::{
        mail::outbox::{Column, Entity},
        tasks::task_person,
    },
    erase::erased::Erased,
    mail::Delivery,
    statement::{after, composed, sql},
};

/// The position of the one copy of the whole action, which is nobody's ledger line.
pub const COPY: i64 = 0;
/// How often a message is tried that the mail server puts off.
const TRIES: i32 = 6;
/// The longest wait between two tries.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(4);

/// The outbox of one task, within one transaction.
pub struct Outbox<'a> {
    pub db: &'a Database,
    pub txn: &'a Transaction,
    pub task: &'a Task,
    pub now: Instant,
}

/// What is written along with a message that was sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The journal entry on its person, if there is to be one.
    pub journal: Option<&'a str>,
    /// Until a message that was put off is tried for the second time.
    pub retry: TimeDelta,
}

impl Outbox<'_> {
    /// Keeps people from being erased until the transaction ends: whoever erases one of them takes the person first as well.
    /// `people` is a query for their ids.
    pub async fn lock_people(&self, people: Expr) -> Result<(), DbErr> {
        let lock = "SELECT 1 FROM person WHERE id IN ($1) ORDER BY id FOR KEY SHARE";
        self.db.lock_rows(self.txn, composed(self.db, lock, [people])).await
    }

    /// The messages at these positions.
    pub fn at(&self, positions: &[i64]) -> Expr {
        Column::TaskId.eq(self.task.id).and(Column::Position.is_in(positions.iter().copied()))
    }

    /// Takes the messages that were being sent when a former attempt ended for uncertain. Returns how many people that is.
    pub async fn doubt(&self) -> Result<i64, DbErr> {
        let lines = "UPDATE task_person SET outcome = 'UNCERTAIN', reason = $2, outcome_date = $3, after_value = (
                SELECT o.address FROM outbox o WHERE o.task_id = $1 AND o.position = task_person.position)
             WHERE task_id = $1 AND outcome IS NULL AND position IN (
                SELECT position FROM outbox WHERE task_id = $1 AND state = 'SENDING')";
        let values = [self.task.id.into(), FailReason::Unconfirmed.name().into(), self.now.into()];
        let doubted = self.txn.execute_raw(self.db.statement(lines, values)).await?.rows_affected();
        let messages = Entity::update_many()
            .col_expr(Column::State, MessageState::Uncertain.name().into())
            .col_expr(Column::StateDate, self.now.into())
            .filter(Column::TaskId.eq(self.task.id))
            // In the text: the index of what is still open is found by no parameter.
            .filter(Expr::cust("state = 'SENDING'"));
        self.txn.execute_raw(self.db.build(&messages.into_query())).await?;
        Ok(doubted.cast_signed())
    }

    /// Writes what became of messages. The index is the primary key.
    pub async fn record(&self, landed: &[(i64, Delivery)], sent: Sent<'_>) -> Result<Progress, DbErr> {
        let mut progress = Progress::default();
        let positions = |wanted: fn(&Delivery) -> bool| -> Vec<i64> {
            landed.iter().filter(|(_, handed)| wanted(handed)).map(|(position, _)| *position).collect()
        };
        let accepted = positions(|handed| matches!(handed, Delivery::Accepted | Delivery::Partly(_)));
        progress.succeeded = self.accepted(&accepted, sent.journal).await?;
        for (position, handed) in landed {
            use MessageState::{NotSent, Rejected, Uncertain};
            let (state, outcome, reason, reply) = match handed {
                Delivery::Accepted => continue,
                Delivery::Partly(refused) => {
                    self.copy_refused(*position, refused).await?;
                    continue;
                }
                Delivery::Deferred(reply) => match self.put_off(*position, reply, sent.retry).await? {
                    true => continue,
                    false => (Rejected, Outcome::Failed, FailReason::Deferred, reply.as_str()),
                },
                Delivery::NotBegun(reply) => {
                    self.begin_again(*position, reply).await?;
                    continue;
                }
                Delivery::Rejected(reply) => (Rejected, Outcome::Failed, FailReason::Rejected, reply.as_str()),
                Delivery::BadAddress => (Rejected, Outcome::Failed, FailReason::BadAddress, ""),
                Delivery::NotConfigured => (NotSent, Outcome::Failed, FailReason::NotConfigured, ""),
                Delivery::Unknown(reply) => (Uncertain, Outcome::Uncertain, FailReason::Unconfirmed, reply.as_str()),
            };
            self.message(*position, state, reply, None).await?;
            let closed = self.line(*position, Some(outcome), reason, reply).await?;
            match outcome {
                Outcome::Done => progress.succeeded += closed,
                Outcome::Skipped => progress.skipped += closed,
                Outcome::Failed => progress.failed += closed,
                Outcome::Uncertain => progress.uncertain += closed,
            }
        }
        Ok(progress)
    }

    /// When the next message that was put off is due, if one is; and whether any is still being sent.
    pub async fn open(&self) -> Result<(Option<Instant>, bool), DbErr> {
        let sql = "SELECT MIN(next_date) AS next, COUNT(CASE WHEN state = 'SENDING' THEN 1 END) AS sending
                   FROM outbox WHERE task_id = $1 AND state IN ('SENDING', 'DEFERRED')";
        let row = self.txn.query_one_raw(self.db.statement(sql, [self.task.id.into()])).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("a count".to_owned()))?;
        Ok((row.try_get("", "next")?, row.try_get::<i64>("", "sending")? > 0))
    }

    async fn accepted(&self, positions: &[i64], journal: Option<&str>) -> Result<i64, DbErr> {
        if positions.is_empty() {
            return Ok(0);
        }
        if let Some(entry) = journal {
            self.lock_people(sql("SELECT person_id FROM outbox WHERE $1", [self.at(positions)])).await?;
            let entries = "INSERT INTO journal_entry (person_id, entry, created_date, created_by, task_id)
                 SELECT person_id, $1, $2, $3, $4 FROM outbox WHERE $5 AND person_id IS NOT NULL AND state <> 'SENT'";
            let (by, task) = (self.task.run_as_id, self.task.id);
            let parts = [entry.into(), self.now.into(), by.into(), task.into(), self.at(positions)];
            self.txn.execute_raw(composed(self.db, entries, parts)).await?;
        }
        let mut messages = Query::update();
        messages.table(Entity).value(Column::State, MessageState::Sent).value(Column::StateDate, self.now);
        messages.value(Column::NextDate, None::<Instant>).value(Column::Reply, None::<String>);
        self.txn.execute_raw(self.db.build(messages.and_where(self.at(positions)))).await?;
        let lines = "UPDATE task_person SET outcome = 'DONE', reason = NULL, outcome_date = $1, after_value = (
                SELECT o.address FROM outbox o WHERE o.task_id = $2 AND o.position = task_person.position)
             WHERE task_id = $2 AND outcome IS NULL AND $3";
        let these = Expr::col("position").is_in(positions.iter().copied());
        let lines = composed(self.db, lines, [self.now.into(), self.task.id.into(), these]);
        Ok(self.txn.execute_raw(lines).await?.rows_affected().cast_signed())
    }

    /// Puts a message off until its next try; false when it has had its last.
    async fn put_off(&self, position: i64, reply: &str, retry: TimeDelta) -> Result<bool, DbErr> {
        let tries = Entity::find_by_id((self.task.id, position)).select_only().column(Column::Tries);
        let tries: i32 = tries.into_tuple().one(self.txn).await?.unwrap_or(TRIES);
        if tries >= TRIES {
            return Ok(false);
        }
        let wait = (retry * 4_i32.pow(tries.saturating_sub(1).unsigned_abs())).min(LONGEST_WAIT);
        self.message(position, MessageState::Deferred, reply, Some(self.now + wait)).await?;
        self.line(position, None, FailReason::Deferred, reply).await?;
        Ok(true)
    }

    /// Lets a message that could not even be begun go again, and does not count the try.
    async fn begin_again(&self, position: i64, reply: &str) -> Result<(), DbErr> {
        self.message(position, MessageState::Deferred, reply, Some(self.now)).await?;
        let mut again = Query::update();
        again.table(Entity).value(Column::Tries, Expr::col(Column::Tries).sub(1)).and_where(self.at(&[position]));
        self.txn.execute_raw(self.db.build(&again)).await.map(drop)
    }

    /// Notes on a message that has left that one of its two addresses was refused.
    async fn copy_refused(&self, position: i64, refused: &str) -> Result<(), DbErr> {
        self.message(position, MessageState::Sent, refused, None).await?;
        let line = self.line_of(position).filter(task_person::Column::Outcome.eq(Outcome::Done));
        let line = line.col_expr(task_person::Column::Reason, FailReason::PartlyRefused.name().into());
        self.txn.execute_raw(self.db.build(&line.into_query())).await.map(drop)
    }

    async fn message(
        &self,
        position: i64,
        state: MessageState,
        reply: &str,
        next: Option<Instant>,
    ) -> Result<(), DbErr> {
        let reply = Some(reply).filter(|reply| !reply.is_empty()).map(str::to_owned);
        // What a mail server answers may hold the address of somebody who was erased meanwhile.
        let is_erased = Expr::col(Column::PersonId).is_null().and(Expr::col(Column::Position).ne(COPY));
        let reply = Expr::case(is_erased, Expr::val(None::<String>)).finally(Expr::val(reply));
        let mut message = Query::update();
        message.table(Entity).value(Column::State, state).value(Column::StateDate, self.now);
        message.value(Column::NextDate, next).value(Column::Reply, reply).and_where(self.at(&[position]));
        self.txn.execute_raw(self.db.build(&message)).await.map(drop)
    }

    /// Writes the ledger line of a message; without an outcome it stays open. Returns how many lines that was.
    async fn line(
        &self,
        position: i64,
        outcome: Option<Outcome>,
        reason: FailReason,
        reply: &str,
    ) -> Result<i64, DbErr> {
        use task_person::Column::{AfterValue, OutcomeDate, PersonId, Reason};
        let reply = Some(reply).filter(|reply| !reply.is_empty()).map(str::to_owned);
        // Nothing is kept of somebody who was erased meanwhile.
        let reply = Expr::case(Expr::col(PersonId).is_null(), Expr::val(None::<String>)).finally(Expr::val(reply));
        let line = self
            .line_of(position)
            .col_expr(task_person::Column::Outcome, outcome.map(Outcome::name).into())
            .col_expr(Reason, reason.name().into())
            .col_expr(OutcomeDate, outcome.map(|_| self.now).into())
            .col_expr(AfterValue, reply.into())
            .filter(task_person::Column::Outcome.is_null());
        Ok(self.txn.execute_raw(self.db.build(&line.into_query())).await?.rows_affected().cast_signed())
    }

    /// The ledger line at this position, to be written.
    fn line_of(&self, position: i64) -> UpdateMany<task_person::Entity> {
        task_person::Entity::update_many()
            .filter(task_person::Column::TaskId.eq(self.task.id))
            .filter(task_person::Column::Position.eq(position))
    }
}

/// What became of the copy of the whole action, in words, once it is on its way.
pub async fn copy(db: &Database, task: TaskId) -> Result<Option<(String, String)>, DbErr> {
    let copy = Entity::find_by_id((task, COPY)).select_only().column(Column::State).column(Column::Reply);
    let copy: Option<(MessageState, Option<String>)> = copy.into_tuple().one(db.reader()).await?;
    let Some((state, reply)) = copy else { return Ok(None) };
    let told = match (state, reply) {
        (MessageState::Sent, Some(refused)) => format!("Sent, but not to {refused}"),
        (state, Some(reply)) => format!("{}: {reply}", state.label()),
        (state, None) => state.label().to_owned(),
    };
    Ok(Some(("The copy".to_owned(), told)))
}

/// Whether the copy of the whole action has left, or may still, with a task or with any of those that did the same again for some
/// of its people, or theirs.
pub async fn has_copied(db: &Database, task: TaskId) -> Result<bool, DbErr> {
    let t = TaskTable("t");
    let sql = "SELECT 1 AS copied FROM ($1) AS family
        WHERE EXISTS (SELECT 1 FROM outbox WHERE task_id = family.id AND position = $2)
            OR EXISTS (SELECT 1 FROM $3 WHERE $4 = family.id AND $5) LIMIT 1";
    let parts = [queue::family(task), COPY.into(), t.table(), t.id(), t.is_open()];
    Ok(db.reader().query_one_raw(composed(db, sql, parts)).await?.is_some())
}

/// Takes messages of ended tasks for uncertain whose process died before it could say more. Returns how many.
pub async fn settle_ended(db: &Database) -> Result<u64, DbErr> {
    let now = db.now().await?;
    let txn = db.begin_write().await?;
    let t = TaskTable("t");
    let ended = "SELECT DISTINCT $2 AS id FROM outbox o JOIN $1 ON $2 = o.task_id
         WHERE o.state = 'SENDING' AND o.state_date < $3 AND $4 AND NOT ($5)";
    let parts = [t.table(), t.id(), after(db, -SILENT), t.is_finished(), t.is_completed()];
    let ended = composed(db, ended, parts);
    let mut settled = 0;
    for row in txn.query_all_raw(ended).await? {
        let id: TaskId = row.try_get("", "id")?;
        // It may have been retried since.
        let ended = queue::find_locked(&txn, id).await?.filter(|task| task.workflow_status.is_finished());
        let Some(task) = ended else { continue };
        let outbox = Outbox { db, txn: &txn, task: &task, now };
        let uncertain = outbox.doubt().await?;
        queue::add_late(db, &txn, &task, &Progress { uncertain, ..Progress::default() }).await?;
        settled += uncertain.unsigned_abs();
    }
    db.commit(txn).await?;
    Ok(settled)
}

/// How long a message of an ended task may still be under way, in seconds.
const SILENT: f64 = 600.0;

/// Takes somebody who is erased out of the outbox; what became of the messages stays.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let texts = [Column::Address, Column::AddressKey, Column::CopyAddress, Column::Reply, Column::BounceNote];
    let own = Entity::update_many().filter(Column::PersonId.eq(erased.id));
    let own = own.col_expr(Column::PersonId, None::<PersonId>.into());
    let own = texts.into_iter().fold(own, |own, text| own.col_expr(text, None::<String>.into()));
    txn.execute_raw(db.build(&own.into_query())).await?;
    // Copies, and what is said of the messages of others.
    let texts = "SELECT task_id, position, COALESCE(address, '') || ' ' || COALESCE(reply, '') || ' ' || COALESCE(bounce_note, '')
        AS text FROM outbox WHERE position = $1 OR reply IS NOT NULL OR bounce_note IS NOT NULL";
    for row in txn.query_all_raw(db.statement(texts, [COPY.into()])).await? {
        if erased.is_named_in(&row.try_get::<String>("", "text")?) {
            let (task, position): (TaskId, i64) = (row.try_get("", "task_id")?, row.try_get("", "position")?);
            let kept = Expr::case(Expr::col(Column::Position).gt(COPY), Expr::col(Column::Address));
            let named = Entity::update_many()
                .col_expr(Column::Address, kept.finally(Expr::val(None::<String>)).into())
                .col_expr(Column::Reply, None::<String>.into())
                .col_expr(Column::BounceNote, None::<String>.into())
                .filter(Column::TaskId.eq(task))
                .filter(Column::Position.eq(position));
            txn.execute_raw(db.build(&named.into_query())).await?;
        }
    }
    Ok(())
}
