//! Choosing the next messages: first those that were put off and are due again, then the next people. Each is put down as
//! being sent, or skipped with the reason.

use std::collections::{BTreeMap, BTreeSet};

use model::{Instant, SkipReason, TaskId, action::Email, person::MessageState};
use sea_orm::{
    ConnectionTrait, DbErr, FromQueryResult,
    sea_query::{Expr, ExprTrait, Query},
};

use super::{
    addresses::{address, second_address},
    outbox::{COPY, Outbox},
};
use crate::{
    Actor,
    actions::definition::Definition,
    entity::mail::outbox::{Column, Entity},
    statement::{composed, sql},
};

/// People that are looked at in one chunk at most: all of them may have to be skipped.
const LOOKED_AT: usize = 200;

/// A message that may go.
#[derive(Clone, Debug, FromQueryResult)]
pub struct ReadyMessage {
    pub position: i64,
    pub message_id: String,
    pub address: Option<String>,
    pub copy_address: Option<String>,
    pub first_name: Option<String>,
    pub middle_name: Option<String>,
    pub last_name: Option<String>,
    verdict: Option<String>,
}

/// What came of looking for messages.
#[derive(Default)]
pub struct Announced {
    pub ready: Vec<ReadyMessage>,
    pub skipped: i64,
    /// The last position that was looked at.
    pub position: i64,
}

/// The action as it is announced: whose, to whom, and under which names its messages go.
pub struct Announcing<'a> {
    pub email: &'a Email,
    pub actor: &'a Actor,
    /// The task whose messages are sent again, under the same names.
    pub former: Option<TaskId>,
    /// What follows the `@` in the name of a message.
    pub domain: &'a str,
}

impl Announcing<'_> {
    /// Puts the copy of the whole action down as being sent.
    pub async fn copy(&self, outbox: &Outbox<'_>) -> Result<ReadyMessage, DbErr> {
        let (address, message_id) = (self.email.cc.join(", "), self.message_id(outbox, COPY));
        let sql = "INSERT INTO outbox (task_id, position, address, message_id, state, attempt, tries, state_date)
                   VALUES ($1, $2, $3, $4, 'SENDING', $5, 1, $6)";
        let values = [
            outbox.task.id.into(),
            COPY.into(),
            address.as_str().into(),
            message_id.as_str().into(),
            outbox.task.attempt.into(),
            outbox.now.into(),
        ];
        outbox.txn.execute_raw(outbox.db.statement(sql, values)).await?;
        Ok(ReadyMessage {
            position: COPY,
            message_id,
            address: Some(address),
            copy_address: None,
            first_name: None,
            middle_name: None,
            last_name: None,
            verdict: None,
        })
    }

    /// Those that were put off and are due, as many as there is room for.
    pub async fn due_again(&self, outbox: &Outbox<'_>, room: usize) -> Result<Announced, DbErr> {
        let room = room as i64;
        let due = "SELECT person_id FROM outbox WHERE task_id = $1 AND state = 'DEFERRED' AND next_date <= $2
                   ORDER BY next_date, position LIMIT $3";
        outbox.lock_people(sql(due, [outbox.task.id.into(), outbox.now.into(), room.into()])).await?;
        // To the address that was put down: the ledger names it.
        let due =
            "SELECT o.position, o.message_id, p.first_name, p.middle_name, p.last_name, o.address, o.copy_address,
                CASE WHEN o.position <> $1 THEN $2 END AS verdict
             FROM outbox o LEFT JOIN person p ON p.id = o.person_id AND p.student
             WHERE o.task_id = $3 AND o.state = 'DEFERRED' AND o.next_date <= $4
             ORDER BY o.next_date, o.position LIMIT $5";
        let verdict = self.email.verdict(self.actor);
        let parts = [COPY.into(), verdict, outbox.task.id.into(), outbox.now.into(), room.into()];
        let found = ReadyMessage::find_by_statement(composed(outbox.db, due, parts)).all(outbox.txn).await?;
        let mut announced = Announced::default();
        let mut skips: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for ready in found {
            match &ready.verdict {
                Some(reason) => skips.entry(reason.clone()).or_default().push(ready.position),
                None => announced.ready.push(ready),
            }
        }
        announced.skipped = self.skip(outbox, &skips).await?;
        let withdrawn: Vec<i64> = skips.into_values().flatten().collect();
        set_state(outbox, &withdrawn, MessageState::NotSent, 0).await?;
        let again: Vec<i64> = announced.ready.iter().map(|ready| ready.position).collect();
        set_state(outbox, &again, MessageState::Sending, 1).await?;
        Ok(announced)
    }

    /// The next people after a position, as many as there is room for.
    pub async fn next(&self, outbox: &Outbox<'_>, after: i64, room: usize) -> Result<Announced, DbErr> {
        let mut announced = Announced { position: after, ..Announced::default() };
        let (mut skips, mut taken) = (BTreeMap::<String, Vec<i64>>::new(), BTreeSet::new());
        let (look, mut looked) = (room * 2, 0);
        while announced.ready.len() < room && looked < LOOKED_AT {
            let ahead =
                "SELECT person_id FROM task_person WHERE task_id = $1 AND position > $2 ORDER BY position LIMIT $3";
            let ahead = sql(ahead, [outbox.task.id.into(), announced.position.into(), (look as i64).into()]);
            outbox.lock_people(ahead).await?;
            let found = self.people(outbox, announced.position, look).await?;
            looked += look;
            let is_last = found.len() < look;
            for ready in found {
                if announced.ready.len() == room {
                    break;
                }
                announced.position = ready.position;
                let key = ready.address.as_deref().unwrap_or_default().to_ascii_lowercase();
                let verdict = ready
                    .verdict
                    .clone()
                    .or_else(|| (!taken.insert(key)).then(|| SkipReason::SameAddress.name().to_owned()));
                match verdict {
                    Some(reason) => skips.entry(reason).or_default().push(ready.position),
                    None => announced.ready.push(ready),
                }
            }
            if is_last {
                break;
            }
        }
        announced.skipped = self.skip(outbox, &skips).await?;
        self.put_down(outbox, &announced.ready).await?;
        Ok(announced)
    }

    /// So many people after a position, with what speaks against writing to them.
    async fn people(&self, outbox: &Outbox<'_>, after: i64, count: usize) -> Result<Vec<ReadyMessage>, DbErr> {
        let (task, recipients) = (outbox.task.id, self.email.recipients);
        let own_name = sql(
            "CAST($1 AS text) || '.' || CAST(tp.position AS text) || CAST($2 AS text)",
            [task.uuid().simple().to_string().into(), format!("@{}", self.domain).into()],
        );
        let name = match self.former {
            None => own_name,
            Some(former) => sql(
                "COALESCE((SELECT f.message_id FROM outbox f WHERE f.task_id = $1 AND f.person_id = p.id), $2)",
                [former.into(), own_name],
            ),
        };
        // PostgreSQL takes a task that it has no statistics of for one with a single message, and would look through all of
        // them for each person. With the task found out on the way it goes by the index `outbox_address`.
        let people = "SELECT tp.position, $1 AS message_id, p.first_name, p.middle_name, p.last_name, $2 AS address,
                $3 AS copy_address,
                COALESCE($4, CASE WHEN (
                    SELECT 1 FROM outbox o
                    WHERE o.task_id = ($8) AND o.address_key = LOWER($2)
                    LIMIT 1
                ) IS NOT NULL THEN 'SAME_ADDRESS' END) AS verdict
             FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student
             WHERE tp.task_id = $5 AND tp.position > $6 ORDER BY tp.position LIMIT $7";
        let (address, second) = (Expr::cust(address(recipients)), Expr::cust(second_address(recipients)));
        let verdict = self.email.verdict(self.actor);
        let most = (count as i64).into();
        let parts = [name, address, second, verdict, task.into(), after.into(), most, queue::id_of(task)];
        ReadyMessage::find_by_statement(composed(outbox.db, people, parts)).all(outbox.txn).await
    }

    fn message_id(&self, outbox: &Outbox<'_>, position: i64) -> String {
        format!("{}.{position}@{}", outbox.task.id.uuid().simple(), self.domain)
    }

    async fn put_down(&self, outbox: &Outbox<'_>, ready: &[ReadyMessage]) -> Result<(), DbErr> {
        let row = |ready: &ReadyMessage| {
            sql(
                "SELECT $1, $2, (SELECT person_id FROM task_person WHERE task_id = $1 AND position = $2), CAST($3 AS text),
                    LOWER(CAST($3 AS text)), CAST($4 AS text), $5, 'SENDING', $6, 1, $7",
                [
                    outbox.task.id.into(),
                    ready.position.into(),
                    ready.address.clone().into(),
                    ready.copy_address.clone().into(),
                    ready.message_id.as_str().into(),
                    outbox.task.attempt.into(),
                    outbox.now.into(),
                ],
            )
        };
        let rows = ready.iter().map(row).reduce(|all, next| sql("$1 UNION ALL $2", [all, next]));
        let Some(rows) = rows else { return Ok(()) };
        let insert =
            "INSERT INTO outbox (task_id, position, person_id, address, address_key, copy_address, message_id, state,
                attempt, tries, state_date) $1";
        outbox.txn.execute_raw(composed(outbox.db, insert, [rows])).await.map(drop)
    }

    async fn skip(&self, outbox: &Outbox<'_>, skips: &BTreeMap<String, Vec<i64>>) -> Result<i64, DbErr> {
        let mut skipped = 0;
        for (reason, positions) in skips {
            let lines = "UPDATE task_person SET outcome = 'SKIPPED', reason = $1, outcome_date = $2, after_value = NULL
                 WHERE task_id = $3 AND outcome IS NULL AND $4";
            let these = Expr::col("position").is_in(positions.iter().copied());
            let parts = [reason.as_str().into(), outbox.now.into(), outbox.task.id.into(), these];
            let done = outbox.txn.execute_raw(composed(outbox.db, lines, parts)).await?;
            skipped += done.rows_affected().cast_signed();
        }
        Ok(skipped)
    }
}

/// Moves messages to a state, in which nothing is due by itself, with so many tries more.
async fn set_state(outbox: &Outbox<'_>, positions: &[i64], state: MessageState, tries: i32) -> Result<(), DbErr> {
    if positions.is_empty() {
        return Ok(());
    }
    let mut messages = Query::update();
    messages.table(Entity).value(Column::State, state).value(Column::StateDate, outbox.now);
    messages.value(Column::Tries, Expr::col(Column::Tries).add(tries)).value(Column::Attempt, outbox.task.attempt);
    messages.value(Column::NextDate, None::<Instant>).and_where(outbox.at(positions));
    outbox.txn.execute_raw(outbox.db.build(&messages)).await.map(drop)
}
