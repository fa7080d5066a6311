//! Takes tasks that are due for this process, in their order and within the limits.
//!
//! Limits hold exactly over all processes, because claims take turns: under an advisory lock on PostgreSQL, by the one
//! writer on SQLite. A claim costs the same however many tasks wait: it looks at the head of the line, which is nearly always
//! enough; and where that is taken up by those who may not start now, such as the flood of an owner at a limit, it looks at
//! the head of each other owner's own line instead of walking along the flood.

pub mod capacity;
pub mod due;
pub mod order;
pub mod stopped_owners;
mod take;

use model::{AccountId, TaskId};
use std::time::Duration;

use sea_orm::{ConnectionTrait, DbErr, Statement};

use capacity::Room;
use due::{BrokerHints, Due};

use crate::{Database, Registry, Settings, Task, Transaction, runtime::permit::ClaimPermit};

/// The advisory lock under which PostgreSQL's processes claim: any number nobody else uses.
const TURN: i64 = 0x0d0c_6e74_0004;

/// What a claim has found.
pub struct Claimed {
    /// In their order.
    pub tasks: Vec<Task>,
    /// Whether something due was left because it has to run alone, which another process may be able to do.
    pub left: bool,
}

/// Claims for a process. Each task gets its next attempt number and a deadline.
pub async fn claim(
    db: &Database,
    txn: &Transaction,
    settings: &Settings,
    registry: &Registry,
    permit: &ClaimPermit<'_>,
    told: &BrokerHints,
) -> Result<Claimed, DbErr> {
    if permit.limit() == 0 {
        return Ok(Claimed { tasks: Vec::new(), left: false });
    }
    take_turn(db, txn).await?;
    let room = Room::look(db, txn, settings, registry).await?;
    let mut claim = ClaimUnderWay { db, txn, permit, told, room, tried: Vec::new(), tasks: Vec::new(), left: None };
    // What has come into line may be at once behind those who may not start, and hide others whose date has come too.
    loop {
        let more = order::let_in(db, txn).await? == order::AT_ONCE;
        if claim.fill().await? || !more {
            break;
        }
    }
    Ok(Claimed { tasks: claim.tasks, left: claim.left.unwrap_or(false) })
}

/// Waits for this process's turn; all that it asks in it is answered along indexes, whatever PostgreSQL knows of how many wait:
/// it would rather read and sort all of them once it takes them for few.
async fn take_turn(db: &Database, txn: &Transaction) -> Result<(), DbErr> {
    if !db.has_one_writer() {
        txn.execute_raw(turn(db)).await?;
    }
    Ok(())
}

fn turn(db: &Database) -> Statement {
    db.statement(
        "SELECT pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', TRUE),
            set_config('enable_bitmapscan', 'off', TRUE), set_config('enable_sort', 'off', TRUE)",
        [TURN.into()],
    )
}

/// A claim while it goes on.
struct ClaimUnderWay<'a> {
    db: &'a Database,
    txn: &'a Transaction,
    permit: &'a ClaimPermit<'a>,
    told: &'a BrokerHints,
    room: Room<'a>,
    /// What was picked so far, whether it could be taken or somebody else had it locked.
    tried: Vec<TaskId>,
    tasks: Vec<Task>,
    /// Set once a task has to run alone: whether it was left.
    left: Option<bool>,
}

impl ClaimUnderWay<'_> {
    fn want(&self) -> usize {
        self.permit.limit().saturating_sub(self.tasks.len())
    }

    fn is_over(&self) -> bool {
        self.want() == 0 || self.left.is_some()
    }

    /// Takes what there is room for. True: nothing more is to be taken by this claim.
    async fn fill(&mut self) -> Result<bool, DbErr> {
        let head = self.ask(order::head(self.db, self.told)).await?;
        let whole = head.len() < order::HEAD;
        self.admit(&head).await?;
        while !self.is_over() && !whole {
            let (room, most) = (&self.room, self.want().min(order::LINES));
            let lines = order::of_each(self.db, room, self.told, &self.tried, most);
            let lines = self.txn.query_all_raw(lines).await?;
            let lines = lines.iter().map(order::Line::read).collect::<Result<Vec<_>, _>>()?;
            if lines.is_empty() {
                break;
            }
            let first = self.ask(order::first_of(self.db, room, self.told, &self.tried, &lines, most)).await?;
            self.admit(&first).await?;
        }
        Ok(self.is_over())
    }

    async fn ask(&self, statement: Statement) -> Result<Vec<Due>, DbErr> {
        self.txn.query_all_raw(statement).await?.iter().map(Due::read).collect()
    }

    /// Takes those of these that there is room for, in their order. In place of those that somebody has locked come the next.
    async fn admit(&mut self, found: &[Due]) -> Result<(), DbErr> {
        loop {
            let picked = self.pick(found);
            if picked.is_empty() {
                return Ok(());
            }
            let ids: Vec<TaskId> = picked.iter().map(|due| due.id).collect();
            let taken = take::take(self.db, self.txn, self.room.settings, self.permit, &ids).await?;
            for due in picked.iter().filter(|due| !due.alone && !taken.iter().any(|task| task.id == due.id)) {
                self.room.leave(due);
            }
            self.tried.extend(ids);
            self.tasks.extend(taken);
            if self.is_over() {
                return Ok(());
            }
        }
    }

    /// Those of these that are to be taken next, which have their room from here on.
    fn pick<'d>(&mut self, found: &'d [Due]) -> Vec<&'d Due> {
        let mut picked = Vec::new();
        for due in found {
            if picked.len() == self.want() {
                break;
            }
            if !due.ready || self.tried.contains(&due.id) || !self.room.has(due) {
                continue;
            }
            if due.alone {
                // It waits for the process to be empty, and the process takes nothing else until then.
                let left = !self.permit.is_idle() || !picked.is_empty() || !self.tasks.is_empty();
                self.left = Some(left);
                if !left {
                    picked.push(due);
                }
                break;
            }
            self.room.enter(due);
            picked.push(due);
        }
        picked
    }
}

/// The statements by which a claim looks at what runs and who waits, with one owner at the limit; for tests of how they are
/// answered. The first is no look: it is run before the others, in their transaction.
pub fn looks(db: &Database, settings: &Settings, registry: &Registry, full: AccountId) -> Vec<Statement> {
    let told = BrokerHints { tasks: vec![TaskId::from_u128(0)], within: Duration::from_millis(100) };
    let mut room = Room::empty(settings, registry);
    let kinds: Vec<&str> = registry.kinds().collect();
    for kind in kinds.iter().cycle().take(kinds.len() * settings.per_owner as usize) {
        room.enter(&Due { id: TaskId::from_u128(0), owner: full, kind: (*kind).to_owned(), alone: false, ready: true });
    }
    let lines: Vec<order::Line> =
        kinds.iter().map(|kind| order::Line { owner: AccountId::from_u128(0), kind: (*kind).to_owned() }).collect();
    let tried = [TaskId::from_u128(0)];
    let before = if db.has_one_writer() { db.statement("SELECT 1", []) } else { turn(db) };
    vec![
        before,
        capacity::running(db),
        order::coming(db),
        order::head(db, &told),
        order::of_each(db, &room, &told, &tried, 8),
        order::first_of(db, &room, &told, &tried, &lines, 8),
        take::look(db, settings, &[TaskId::from_u128(0); 100]),
    ]
}
