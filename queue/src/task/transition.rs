//! The legal moves of a task, and the one statement by which each is made: it checks where the task stands and who may move it,
//! writes what belongs to the move, and closes the attempt that ends with it. Nothing else writes `workflow_status`, except for
//! the submit.

use model::{
    AccountId, AttemptOutcome as Outcome, TaskId,
    WorkflowStatus::{self, Abandoned, Completed, Error, Executing, Failure, Queued, Scheduling, Unapproved},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, FromQueryResult, Statement,
    sea_query::{CommonTableExpression, Condition, Expr, ExprTrait, LockBehavior, LockType, Query, UpdateStatement},
};

use super::attempt_at::AttemptAt;
use crate::{
    Database, Task, TaskColumn as Column, TaskEntity, TaskError, Transaction,
    claim::order::starts_at,
    entity::task_attempt::{Column as AttemptColumn, Entity as AttemptEntity},
    inspect::cause,
    runtime::permit::{ClaimPermit, Permit},
};

/// A legal move.
#[derive(Debug)]
pub struct Move {
    /// Where it leads from, and to.
    from: &'static [WorkflowStatus],
    to: WorkflowStatus,
    by: &'static [MoverKind],
    /// What it writes whoever makes it, beside the state and what follows from that.
    writes: &'static [(Column, Value)],
    /// How it ends the attempt that is under way, if it does.
    ends: Option<Outcome>,
}

/// Who may make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoverKind {
    Claim,
    /// The attempt that is under way.
    Attempt,
    /// Whoever takes a task from a process that is gone, or from an attempt that hangs.
    Rescue,
    Person,
    Retention,
}

/// What a move writes to a column.
#[derive(Clone, Copy, Debug)]
enum Value {
    Now,
    Null,
    Yes,
    No,
    Zero,
    OneMore,
    /// The person who makes the move; nothing if none does.
    Person,
}

use Value::{No, Now, Null, OneMore, Person, Yes, Zero};

const STOPPED: (Column, Value) = (Column::WorkflowStoppedDate, Now);
const FAILED_ONCE_MORE: (Column, Value) = (Column::Failures, OneMore);
const CRASHED_ONCE_MORE: (Column, Value) = (Column::Crashes, OneMore);
const BY_THEM: (Column, Value) = (Column::AbandonedBy, Person);
const GOES_FIRST: (Column, Value) = (Column::Rescued, Yes);

const RUNNING: &[WorkflowStatus] = WorkflowStatus::RUNNING;
const BY_ATTEMPT: &[MoverKind] = &[MoverKind::Attempt];
const BY_ATTEMPT_OR_RESCUE: &[MoverKind] = &[MoverKind::Attempt, MoverKind::Rescue];
const BY_RESCUE: &[MoverKind] = &[MoverKind::Rescue];
const BY_PERSON: &[MoverKind] = &[MoverKind::Person];

macro_rules! moves {
    ($($(#[$doc:meta])* $name:ident: $from:expr => $to:expr, by $by:expr, writes $writes:expr, ends $ends:expr;)+) => {
        $($(#[$doc])* pub static $name: Move = Move { from: $from, to: $to, by: $by, writes: $writes, ends: $ends };)+

        #[cfg(test)]
        static ALL: &[(&str, &Move)] = &[$((stringify!($name), &$name)),+];
    };
}

moves! {
    CLAIM: &[Queued] => Scheduling, by &[MoverKind::Claim],
        writes &[(Column::SchedulingStartedDate, Now), (Column::ExecutionStartedDate, Null), (Column::Attempt, OneMore),
            (Column::WorkflowStatusDesc, Null), (Column::Progressed, No), (Column::Rescued, No)],
        ends None;
    START: &[Scheduling] => Executing, by BY_ATTEMPT, writes &[(Column::ExecutionStartedDate, Now)], ends None;
    COMPLETE: &[Executing] => Completed, by BY_ATTEMPT, writes &[STOPPED], ends Some(Outcome::Completed);
    /// There is nothing to do until an instant.
    WAIT: &[Executing] => Queued, by BY_ATTEMPT, writes &[(Column::Held, No)], ends Some(Outcome::Waits);
    /// After a failure, and not at once.
    TRY_LATER: RUNNING => Queued, by BY_ATTEMPT_OR_RESCUE, writes &[FAILED_ONCE_MORE], ends Some(Outcome::ToRetry);
    FAIL: RUNNING => Failure, by BY_ATTEMPT_OR_RESCUE, writes &[FAILED_ONCE_MORE, STOPPED], ends Some(Outcome::Failed);
    FAIL_TO_START: RUNNING => Error, by BY_ATTEMPT, writes &[STOPPED], ends Some(Outcome::CouldNotStart);
    /// By a process that stops, or that does not know what it was at; a person does it where all begins again.
    PUT_BACK: RUNNING => Queued, by &[MoverKind::Attempt, MoverKind::Rescue, MoverKind::Person], writes &[], ends Some(Outcome::PutBack);
    /// From a process that is gone; what it has committed stands. A person may do it where a process only seems to live.
    TAKE_BACK: RUNNING => Queued, by &[MoverKind::Rescue, MoverKind::Person], writes &[GOES_FIRST], ends Some(Outcome::Rescued);
    /// The same where it had committed nothing.
    TAKE_BACK_AFTER_CRASH: RUNNING => Queued, by BY_RESCUE, writes &[GOES_FIRST, CRASHED_ONCE_MORE], ends Some(Outcome::Rescued);
    FAIL_AS_POISON: RUNNING => Failure, by BY_RESCUE, writes &[CRASHED_ONCE_MORE, STOPPED], ends Some(Outcome::Poison);
    /// Another task undoes it.
    COMPENSATE: RUNNING => Failure, by BY_RESCUE, writes &[STOPPED], ends Some(Outcome::Compensated);
    /// Of a kind that is not tried again.
    GIVE_UP: RUNNING => Abandoned, by BY_RESCUE, writes &[STOPPED, BY_THEM], ends Some(Outcome::GivenUp);
    /// With fresh budgets. The number of the attempt goes on growing, so that nothing of a former one passes the fence.
    RETRY: WorkflowStatus::FAILED => Queued, by BY_PERSON,
        writes &[(Column::Failures, Zero), (Column::Crashes, Zero), (Column::Rescued, No),
            (Column::WorkflowStoppedDate, Null), (Column::WorkflowStatusDesc, Null)],
        ends None;
    /// Somebody else than its owner approves it.
    APPROVE: &[Unapproved] => Queued, by BY_PERSON, writes &[], ends None;
    DECLINE: &[Unapproved] => Abandoned, by BY_PERSON, writes &[STOPPED, BY_THEM, (Column::Declined, Yes)], ends None;
    ABANDON: &[Unapproved, Queued, Scheduling, Executing, Failure, Error] => Abandoned, by BY_PERSON,
        writes &[STOPPED, BY_THEM], ends Some(Outcome::Abandoned);
    /// From here on nobody retries it, and what belongs to it may go. It has stopped when it did.
    CLOSE: WorkflowStatus::FAILED => Abandoned, by &[MoverKind::Retention], writes &[], ends None;
}

/// Who makes a move, and with which tasks. Each has a condition without which it may not.
#[derive(Clone, Copy)]
pub enum Mover<'a> {
    /// Whoever has the right to, with those of these that nobody has locked, who may hold them for long.
    Claim(#[expect(dead_code, reason = "it is shown, and says all by being there")] &'a ClaimPermit<'a>, &'a [TaskId]),
    /// A task's own attempt. Nothing of a former one passes, nor of one from before an older backup was put back.
    Attempt(&'a Task),
    /// Whoever takes a task back, with the right to it. It may still commit chunks meanwhile, and loses the task all the same.
    Rescue(#[expect(dead_code, reason = "it is shown, and says all by being there")] &'a Permit<'a>, &'a Task),
    /// The same for hanging, unless its deadline has been moved since.
    RescueIfOverdue(#[expect(dead_code, reason = "it is shown, and says all by being there")] &'a Permit<'a>, &'a Task),
    /// Somebody, with those of these with which it is possible: of two there is one winner.
    Person {
        by: AccountId,
        ids: &'a [TaskId],
    },
    Retention(TaskId),
}

impl Mover<'_> {
    /// The condition that a task is still the one that this mover looked at, in one of these states; nothing for one that looks
    /// at none before.
    pub fn looked_at(self, db: &Database, from: &[WorkflowStatus]) -> Option<Condition> {
        let stands = Column::WorkflowStatus.is_in(names(from));
        let with = |task: &Task| Condition::all().add(Column::Id.eq(task.id)).add(Column::Attempt.eq(task.attempt));
        Some(match self {
            Mover::Attempt(task) => attempts_own(task, from),
            Mover::Rescue(_, task) => with(task).add(stands),
            Mover::RescueIfOverdue(_, task) => with(task).add(stands).add(Expr::col(Column::Deadline).lt(db.instant())),
            Mover::Claim(..) | Mover::Person { .. } | Mover::Retention(_) => return None,
        })
    }

    fn who(self) -> MoverKind {
        match self {
            Mover::Claim(..) => MoverKind::Claim,
            Mover::Attempt(_) => MoverKind::Attempt,
            Mover::Rescue(..) | Mover::RescueIfOverdue(..) => MoverKind::Rescue,
            Mover::Person { .. } => MoverKind::Person,
            Mover::Retention(_) => MoverKind::Retention,
        }
    }

    fn person(self) -> Option<AccountId> {
        match self {
            Mover::Person { by, .. } => Some(by),
            Mover::Claim(..)
            | Mover::Attempt(_)
            | Mover::Rescue(..)
            | Mover::RescueIfOverdue(..)
            | Mover::Retention(_) => None,
        }
    }

    /// Lets an update reach only what this mover may move from there.
    fn bind(self, db: &Database, update: &mut UpdateStatement, from: &[WorkflowStatus]) {
        if let Some(looked_at) = self.looked_at(db, from) {
            update.cond_where(looked_at);
            return;
        }
        let stands = Column::WorkflowStatus.is_in(names(from));
        match self {
            Mover::Claim(_, ids) => {
                // The status is looked at once the row is locked, and not to find it by: there is an index of those that wait.
                let mut picked = Query::select();
                picked.columns([Column::Id, Column::WorkflowStatus]).from(TaskEntity);
                picked.and_where(Column::Id.is_in(ids.iter().copied()));
                picked.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
                let mut cte = CommonTableExpression::new();
                cte.table_name(PICKED).materialized(true).query(picked);
                let status = Expr::col((PICKED, Column::WorkflowStatus));
                let still = Query::select()
                    .column((PICKED, Column::Id))
                    .from(PICKED)
                    .and_where(status.is_in(names(from)))
                    .to_owned();
                update.with_cte(cte).and_where(Column::Id.in_subquery(still));
            }
            // That is in the condition already.
            Mover::Attempt(_) | Mover::Rescue(..) | Mover::RescueIfOverdue(..) => {}
            Mover::Person { by, ids } => {
                update.value(Column::ModifiedBy, by);
                update.cond_where(Condition::all().add(Column::Id.is_in(ids.iter().copied())).add(stands));
            }
            Mover::Retention(id) => {
                update.cond_where(Condition::all().add(Column::Id.eq(id)).add(stands));
            }
        }
    }
}

const PICKED: &str = "picked";

/// The condition that a task is still the one that an attempt has left, in one of these states.
pub fn attempts_own(task: &Task, states: &[WorkflowStatus]) -> Condition {
    AttemptAt::of(task).stands().add(Column::WorkflowStatus.is_in(names(states)))
}

fn names(states: &[WorkflowStatus]) -> impl Iterator<Item = &'static str> {
    states.iter().map(|status| status.name())
}

impl Move {
    /// Whether it can be made with a task in this state.
    pub fn leads_from(&self, status: WorkflowStatus) -> bool {
        self.from.contains(&status)
    }

    /// How it ends an attempt.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ends
    }

    /// The move as this mover makes it; what it writes beside may be added.
    pub fn made_by<'a>(&'static self, db: &'a Database, mover: Mover<'_>) -> PendingMove<'a> {
        assert!(self.by.contains(&mover.who()), "{:?} does not make {self:?}", mover.who());
        let mut update = Query::update();
        update.table(TaskEntity).returning_all();
        update.value(Column::WorkflowStatus, self.to.name()).value(Column::ModifiedDate, db.instant());
        if !self.to.is_running() {
            update.value(Column::ScheduledByProcess, Expr::null()).value(Column::Deadline, Expr::null());
        }
        for (column, value) in self.writes {
            update.value(
                *column,
                match value {
                    Now => db.instant(),
                    Null => Expr::null(),
                    Yes => Expr::val(true),
                    No => Expr::val(false),
                    Zero => Expr::val(0),
                    OneMore => Expr::col(*column).add(1),
                    Person => mover.person().map_or_else(Expr::null, Expr::val),
                },
            );
        }
        mover.bind(db, &mut update, self.from);
        PendingMove { db, update, ends: self.ends, error: None }
    }
}

/// A move that is about to be made.
pub struct PendingMove<'a> {
    db: &'a Database,
    update: UpdateStatement,
    ends: Option<Outcome>,
    error: Option<&'a TaskError>,
}

impl<'a> PendingMove<'a> {
    pub fn write(mut self, column: Column, value: impl Into<Expr>) -> Self {
        self.update.value(column, value);
        self
    }

    pub fn starting_at(mut self, instant: Expr) -> Self {
        self.update.values(starts_at(instant));
        self
    }

    /// Only with what fulfils this, too.
    pub fn only(mut self, condition: Expr) -> Self {
        self.update.and_where(condition);
        self
    }

    /// What went wrong, which the attempt and the task will say.
    pub fn because(mut self, error: Option<&'a TaskError>) -> Self {
        self.error = error;
        self.write(Column::WorkflowStatusDesc, error.map(TaskError::to_string))
    }

    pub fn statement(&self) -> Statement {
        self.db.build(&self.update)
    }

    /// Makes the move with every task with which it can be made, and ends their attempts; gives them as they are then.
    pub async fn make(self, txn: &Transaction) -> Result<Vec<Task>, DbErr> {
        let rows = txn.query_all_raw(self.statement()).await?;
        let tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, _>>()?;
        if let Some(outcome) = self.ends {
            end_attempts(self.db, txn, &tasks, outcome, self.error).await?;
        }
        Ok(tasks)
    }

    /// The same for a move that is made with one task. `None`: it could not be made.
    pub async fn make_one(self, txn: &Transaction) -> Result<Option<Task>, DbErr> {
        Ok(self.make(txn).await?.pop())
    }
}

/// Ends the attempts that are under way at these tasks, and remembers what went wrong.
async fn end_attempts(
    db: &Database,
    txn: &Transaction,
    tasks: &[Task],
    outcome: Outcome,
    error: Option<&TaskError>,
) -> Result<(), DbErr> {
    let begun: Vec<TaskId> = tasks.iter().filter(|task| task.attempt > 0).map(|task| task.id).collect();
    if begun.is_empty() {
        return Ok(());
    }
    let mut update = Query::update();
    update.table(AttemptEntity).value(AttemptColumn::StoppedDate, db.instant());
    update.value(AttemptColumn::Outcome, outcome.name());
    update.value(AttemptColumn::ErrorCode, error.map(|error| error.code.name()));
    update.value(AttemptColumn::Detail, error.map(|error| error.detail.as_str()));
    update.and_where(AttemptColumn::TaskId.is_in(begun)).and_where(AttemptColumn::StoppedDate.is_null());
    txn.execute_raw(db.build(&update)).await?;
    let is_last = !matches!(outcome, Outcome::ToRetry | Outcome::Waits);
    if let Some(error) = error {
        for task in tasks {
            cause::note(db, txn, task, error, is_last).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several moves lead from the same state to the same other one, so that one that is missing would not be missed by where
    /// tasks can go.
    #[test]
    fn a_task_goes_from_a_state_to_another_by_these_moves_and_no_others() {
        let running = "SCHEDULING EXECUTING";
        let legal = [
            "CLAIM: QUEUED => SCHEDULING by Claim".to_owned(),
            "START: SCHEDULING => EXECUTING by Attempt".to_owned(),
            "COMPLETE: EXECUTING => COMPLETED by Attempt".to_owned(),
            "WAIT: EXECUTING => QUEUED by Attempt".to_owned(),
            format!("TRY_LATER: {running} => QUEUED by Attempt Rescue"),
            format!("FAIL: {running} => FAILURE by Attempt Rescue"),
            format!("FAIL_TO_START: {running} => ERROR by Attempt"),
            format!("PUT_BACK: {running} => QUEUED by Attempt Rescue Person"),
            format!("TAKE_BACK: {running} => QUEUED by Rescue Person"),
            format!("TAKE_BACK_AFTER_CRASH: {running} => QUEUED by Rescue"),
            format!("FAIL_AS_POISON: {running} => FAILURE by Rescue"),
            format!("COMPENSATE: {running} => FAILURE by Rescue"),
            format!("GIVE_UP: {running} => ABANDONED by Rescue"),
            "RETRY: FAILURE ERROR => QUEUED by Person".to_owned(),
            "APPROVE: UNAPPROVED => QUEUED by Person".to_owned(),
            "DECLINE: UNAPPROVED => ABANDONED by Person".to_owned(),
            format!("ABANDON: UNAPPROVED QUEUED {running} FAILURE ERROR => ABANDONED by Person"),
            "CLOSE: FAILURE ERROR => ABANDONED by Retention".to_owned(),
        ];
        let moves = ALL.iter().map(|(name, one)| {
            let from = one.from.iter().map(|from| from.name()).collect::<Vec<_>>().join(" ");
            let by = one.by.iter().map(|by| format!("{by:?}")).collect::<Vec<_>>().join(" ");
            format!("{name}: {from} => {} by {by}", one.to.name())
        });
        assert_eq!(moves.collect::<Vec<_>>(), legal);
    }

    #[test]
    fn a_move_ends_an_attempt_exactly_if_it_takes_the_task_from_it() {
        for (name, one) in ALL {
            let takes = one.from.iter().any(|from| from.is_running()) && !one.to.is_running();
            assert_eq!(one.ends.is_some(), takes, "{name}");
        }
    }

    #[test]
    fn a_move_to_an_end_says_when_and_only_retention_leaves_it() {
        for (name, one) in ALL {
            let stops = one
                .writes
                .iter()
                .any(|(column, value)| matches!((column, value), (Column::WorkflowStoppedDate, Value::Now)));
            assert_eq!(stops, one.to.is_finished() && one.by != [MoverKind::Retention], "{name}");
        }
    }
}
