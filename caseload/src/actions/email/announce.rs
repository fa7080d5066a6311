//! Choosing the next messages: first those that were put off and are due again, then the next people. Each is put down as
//! being sent, or skipped with the reason.

use std::collections::{BTreeMap, BTreeSet};

use model::{SkipReason, TaskId, action::Email};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::{
    addresses::{address, second_address},
    outbox::{COPY, Outbox},
};
use crate::{Actor, actions::rules::Rules, binds::Binds};

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
        let due = "SELECT person_id FROM outbox WHERE task_id = $1 AND state = 'DEFERRED' AND next_date <= $2
                   ORDER BY next_date, position LIMIT $3";
        outbox.lock_people(due, [outbox.now.into(), (room as i64).into()]).await?;
        let mut binds = Binds::default();
        let (task, now) = (binds.add(outbox.task.id), binds.add(outbox.now));
        let verdict = binds.put(self.email.verdict(self.actor));
        // To the address that was put down: the ledger names it.
        let sql = format!(
            "SELECT o.position, o.message_id, p.first_name, p.middle_name, p.last_name, o.address, o.copy_address,
                CASE WHEN o.position <> {COPY} THEN {verdict} END AS verdict
             FROM outbox o LEFT JOIN person p ON p.id = o.person_id AND p.student
             WHERE o.task_id = {task} AND o.state = 'DEFERRED' AND o.next_date <= {now}
             ORDER BY o.next_date, o.position LIMIT {room}"
        );
        let found = ReadyMessage::find_by_statement(outbox.db.statement(&sql, binds.values())).all(outbox.txn).await?;
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
        set_state(outbox, &withdrawn, "state = 'NOT_SENT', next_date = NULL").await?;
        let again: Vec<i64> = announced.ready.iter().map(|ready| ready.position).collect();
        set_state(outbox, &again, "state = 'SENDING', tries = tries + 1, next_date = NULL").await?;
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
            outbox.lock_people(ahead, [announced.position.into(), (look as i64).into()]).await?;
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
        let mut binds = Binds::default();
        let (task, after) = (binds.add(outbox.task.id), binds.add(after));
        let verdict = binds.put(self.email.verdict(self.actor));
        let (address, second) = (address(self.email.recipients), second_address(self.email.recipients));
        let (id, domain) =
            (binds.add(outbox.task.id.uuid().simple().to_string()), binds.add(format!("@{}", self.domain)));
        let own_name = format!("CAST({id} AS text) || '.' || CAST(tp.position AS text) || CAST({domain} AS text)");
        let name = match self.former {
            None => own_name,
            Some(former) => {
                let former = binds.add(former);
                format!(
                    "COALESCE((SELECT f.message_id FROM outbox f WHERE f.task_id = {former} AND f.person_id = p.id), {own_name})"
                )
            }
        };
        // PostgreSQL takes a task that it has no statistics of for one with a single message, and would look through all of
        // them for each person. With the task found out on the way it goes by the index `outbox_address`.
        let sql = format!(
            "SELECT tp.position, {name} AS message_id, p.first_name, p.middle_name, p.last_name, {address} AS address,
                {second} AS copy_address,
                COALESCE({verdict}, CASE WHEN (
                    SELECT 1 FROM outbox o
                    WHERE o.task_id = (SELECT t.id FROM queued_task t WHERE t.id = {task}) AND o.address_key = LOWER({address})
                    LIMIT 1
                ) IS NOT NULL THEN 'SAME_ADDRESS' END) AS verdict
             FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student
             WHERE tp.task_id = {task} AND tp.position > {after} ORDER BY tp.position LIMIT {count}"
        );
        ReadyMessage::find_by_statement(outbox.db.statement(&sql, binds.values())).all(outbox.txn).await
    }

    fn message_id(&self, outbox: &Outbox<'_>, position: i64) -> String {
        format!("{}.{position}@{}", outbox.task.id.uuid().simple(), self.domain)
    }

    async fn put_down(&self, outbox: &Outbox<'_>, ready: &[ReadyMessage]) -> Result<(), DbErr> {
        if ready.is_empty() {
            return Ok(());
        }
        let mut binds = Binds::default();
        let (task, attempt, now) = (binds.add(outbox.task.id), binds.add(outbox.task.attempt), binds.add(outbox.now));
        let rows: Vec<String> = ready
            .iter()
            .map(|ready| {
                let (position, name) = (binds.add(ready.position), binds.add(ready.message_id.as_str()));
                let (address, second) = (binds.add(ready.address.clone()), binds.add(ready.copy_address.clone()));
                format!(
                    "SELECT {task}, {position}, (SELECT person_id FROM task_person WHERE task_id = {task} AND position = {position}),
                        CAST({address} AS text), LOWER(CAST({address} AS text)), CAST({second} AS text), {name}, 'SENDING',
                        {attempt}, 1, {now}"
                )
            })
            .collect();
        let sql = format!(
            "INSERT INTO outbox (task_id, position, person_id, address, address_key, copy_address, message_id, state, attempt,
                tries, state_date) {}",
            rows.join(" UNION ALL ")
        );
        outbox.txn.execute_raw(outbox.db.statement(&sql, binds.values())).await?;
        Ok(())
    }

    async fn skip(&self, outbox: &Outbox<'_>, skips: &BTreeMap<String, Vec<i64>>) -> Result<i64, DbErr> {
        let mut skipped = 0;
        for (reason, positions) in skips {
            let mut binds = Binds::default();
            let (task, reason, now) = (binds.add(outbox.task.id), binds.add(reason.as_str()), binds.add(outbox.now));
            let list = binds.list(positions.iter().copied());
            let sql = format!(
                "UPDATE task_person SET outcome = 'SKIPPED', reason = {reason}, outcome_date = {now}, after_value = NULL
                 WHERE task_id = {task} AND outcome IS NULL AND position IN ({list})"
            );
            let done = outbox.txn.execute_raw(outbox.db.statement(&sql, binds.values())).await?;
            skipped += done.rows_affected().cast_signed();
        }
        Ok(skipped)
    }
}

async fn set_state(outbox: &Outbox<'_>, positions: &[i64], what: &str) -> Result<(), DbErr> {
    if positions.is_empty() {
        return Ok(());
    }
    let mut binds = Binds::default();
    let (task, now, attempt) = (binds.add(outbox.task.id), binds.add(outbox.now), binds.add(outbox.task.attempt));
    let list = binds.list(positions.iter().copied());
    let sql = format!(
        "UPDATE outbox SET {what}, attempt = {attempt}, state_date = {now} WHERE task_id = {task} AND position IN ({list})"
    );
    outbox.txn.execute_raw(outbox.db.statement(&sql, binds.values())).await?;
    Ok(())
}
