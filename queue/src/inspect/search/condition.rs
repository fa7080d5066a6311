//! A search as a query.
//!
//! The statuses stand in the text of a statement and not among its values, since SQLite takes a partial index only for what it
//! can see.

use std::time::Duration;

use model::{Instant, TaskId, TaskState, WorkflowStatus};
use sea_orm::{
    ColumnTrait, Statement,
    sea_query::{
        Asterisk, CommonTableExpression, Expr, ExprTrait, Func, JoinType, Order, Query, SelectStatement, WithClause,
    },
};

use super::criteria::TaskSearch;
use crate::{
    Database, Queue, TaskColumn as Column, TaskEntity,
    database::compose::{literal, union_all},
    entity::{
        process,
        task_attempt::{Column as AttemptColumn, Entity as AttemptEntity},
        task_failure::{Column as FailureColumn, Entity as FailureEntity},
    },
    process::alive::lives,
};

/// The most failures among which a text is searched, the latest first.
const SEARCHED: u64 = 3_000;
/// Among how many from the edge of a span of time the first or last submit is looked for: those that commit at once may be counted
/// in another order than they are dated.
const EDGE: u64 = 1_000;

/// What tables are called in the query: tasks, attempts, later ones of the same task, failures and processes.
const T: &str = "t";
const A: &str = "a";
const LATER: &str = "later";
const F: &str = "f";
const P: &str = "p";
/// The tasks that failed with the words searched for, and those that did of the cause.
const HIT: &str = "hit";
const CAUSED: &str = "caused";

/// A column of the tasks.
pub(super) fn task(column: Column) -> Expr {
    Expr::col((T, column))
}

/// A look at tasks while it is put together. Each state is looked for by itself, in an index of its own, and what is found for
/// each is put together: a condition with an OR in it would be looked for along all tasks.
pub(super) struct SearchQuery<'a> {
    db: &'a Database,
    lease: Duration,
    now: Instant,
    /// What is looked up once for the whole statement.
    with: Option<WithClause>,
}

/// What is chosen of a task.
pub(super) type Chosen = fn(&mut SelectStatement);

impl<'a> SearchQuery<'a> {
    /// A look at the tasks of a search and of those that differ from it in states and place alone.
    pub fn new(queue: &'a Queue, search: &TaskSearch, now: Instant) -> SearchQuery<'a> {
        let mut with = WithClause::new();
        if let Some(words) = &search.error {
            with.cte(materialized(HIT, failed_with(queue.db(), words, search.error_since)));
        }
        if let Some(cause) = &search.cause {
            with.cte(materialized(CAUSED, failed_of(cause)));
        }
        let is_empty = search.error.is_none() && search.cause.is_none();
        SearchQuery { db: queue.db(), lease: queue.settings().lease, now, with: (!is_empty).then_some(with) }
    }

    /// The whole statement.
    pub fn statement(self, mut query: SelectStatement) -> Statement {
        if let Some(with) = self.with {
            query.with_cte(with);
        }
        self.db.build(&query)
    }

    /// A query for at most so many of the tasks that match; with an order, what is chosen has the column `submit_order`.
    pub fn rows(&self, search: &TaskSearch, chosen: Chosen, order: Option<Order>, most: u64) -> SelectStatement {
        let part = |state| self.part(search, state, chosen, order.clone(), most);
        match search.states.as_slice() {
            [] => part(None),
            [only] => part(Some(*only)),
            states => {
                let parts = states.iter().enumerate().map(|(at, state)| {
                    let part = part(Some(*state));
                    Query::select().column(Asterisk).from_subquery(part, format!("part{at}")).take()
                });
                let mut all = union_all(parts);
                if let Some(order) = order {
                    all.order_by(Column::SubmitOrder, order);
                }
                all.limit(most).take()
            }
        }
    }

    /// Those in one state, or all of them.
    fn part(
        &self,
        search: &TaskSearch,
        state: Option<TaskState>,
        chosen: Chosen,
        order: Option<Order>,
        most: u64,
    ) -> SelectStatement {
        let (mut query, line) = self.matching(search, state, order.is_some());
        let Some(order) = order else {
            chosen(&mut query);
            return query.limit(most).take();
        };
        if self.db.guesses() && state.is_some_and(is_open) {
            // Else it walks along all tasks in their order, since it takes those that are under way to be everywhere.
            let few = query.columns([(T, Column::Id), (T, Column::SubmitOrder)]).offset(0).take();
            let first = Query::select()
                .column((T, Column::Id))
                .from_subquery(few, T)
                .order_by_expr(line.clone(), order.clone())
                .limit(most)
                .take();
            let mut query = Query::select();
            query.from_as(TaskEntity, T).and_where(task(Column::Id).in_subquery(first));
            chosen(&mut query);
            return query.order_by_expr(line, order).take();
        }
        chosen(&mut query);
        query.order_by_expr(line, order).limit(most).take()
    }

    /// The tables and the conditions, and the number of a submit in whose order they are walked along, if they are.
    fn matching(&self, search: &TaskSearch, state: Option<TaskState>, in_order: bool) -> (SelectStatement, Expr) {
        // What narrows most: SQLite knows nothing of how many there are, and must not take another index.
        let narrow = state.is_some_and(|state| state != TaskState::Done);
        let aside = |column| if narrow { self.db.not_by(task(column)) } else { task(column) };
        let (mut query, mut line) = (Query::select(), task(Column::SubmitOrder));
        match &search.process {
            Some(process) if state == Some(TaskState::Running) => {
                query.from_as(TaskEntity, T).and_where(task(Column::ScheduledByProcess).eq(process.as_str()));
            }
            Some(process) if narrow => {
                query.from_as(TaskEntity, T);
                if state.is_some_and(is_open) {
                    // Of those that nobody has begun there is nothing to look up.
                    query.and_where(task(Column::Attempt).gt(0));
                }
                query.and_where(Expr::from(attempt_by(process)).is_not_null());
            }
            Some(process) => {
                line = Expr::col((A, AttemptColumn::SubmitOrder));
                self.among_those_tried_by(&mut query, process, state.is_none() && !in_order);
            }
            None => {
                query.from_as(TaskEntity, T);
            }
        }
        if let Some(owner) = search.owner_id {
            query.and_where(aside(Column::OwnerId).eq(owner));
        }
        if let Some(kind) = &search.kind {
            query.and_where(aside(Column::ExecutionComponentName).eq(kind.as_str()));
        }
        let created = || self.db.not_by(task(Column::CreatedDate));
        if let Some(since) = search.since {
            let first = edge(Column::CreatedDate.gte(since), Order::Asc, Expr::col(Column::SubmitOrder).min());
            query.and_where(created().gte(since)).and_where(line.clone().gte(Expr::from(first)));
        }
        if let Some(ended) = search.ended_since {
            query.and_where(task(Column::WorkflowStoppedDate).gte(ended));
        }
        if let Some(until) = search.until {
            let last = edge(Column::CreatedDate.lt(until), Order::Desc, Expr::col(Column::SubmitOrder).max());
            query.and_where(created().lt(until)).and_where(line.clone().lte(Expr::from(last)));
        }
        if let Some(after) = search.after {
            query.and_where(match search.oldest_first {
                true => line.clone().gt(last_up_to(after)),
                false => line.clone().lt(first_from(after)),
            });
        }
        if let Some(newer) = search.newer {
            query.and_where(line.clone().gt(last_up_to(newer)));
        }
        if let Some(newest) = search.newest {
            query.and_where(line.clone().lte(last_up_to(newest)));
        }
        if let Some(only) = &search.only {
            query.and_where(task(Column::Id).is_in(only.iter().copied()));
        }
        for (is_asked, found) in [(search.cause.is_some(), CAUSED), (search.error.is_some(), HIT)] {
            if is_asked {
                let found = Query::select().column(FailureColumn::TaskId).from(found).take();
                query.and_where(task(Column::Id).in_subquery(found));
            }
        }
        if search.stalled {
            query.and_where(stalled(self.db, self.lease));
        }
        if let Some(state) = state {
            query.and_where(in_state(state, &Expr::val(self.now)));
        }
        (query, line)
    }

    /// The tasks that a process has tried, each once.
    fn among_those_tried_by(&self, query: &mut SelectStatement, process: &str, counts: bool) {
        if counts && self.db.guesses() {
            // Else it reads all attempts twice to find those who were tried twice.
            let mut tried = Query::select();
            tried.distinct().column(AttemptColumn::SubmitOrder).from(AttemptEntity);
            tried.and_where(AttemptColumn::Process.eq(process));
            let same = task(Column::SubmitOrder).equals((A, AttemptColumn::SubmitOrder));
            query.from_subquery(tried, A).join_as(JoinType::InnerJoin, TaskEntity, T, same);
            return;
        }
        let attempt = |column| Expr::col((A, column));
        query.from_as(AttemptEntity, A);
        query.join_as(JoinType::InnerJoin, TaskEntity, T, task(Column::Id).equals((A, AttemptColumn::TaskId)));
        let mut later = Query::select();
        later.expr(literal(1)).from_as(AttemptEntity, LATER);
        later.and_where(Expr::col((LATER, AttemptColumn::TaskId)).equals((A, AttemptColumn::TaskId)));
        later.and_where(Expr::col((LATER, AttemptColumn::Attempt)).gt(attempt(AttemptColumn::Attempt)));
        later.and_where(Expr::col((LATER, AttemptColumn::Process)).eq(process));
        query.and_where(attempt(AttemptColumn::Process).eq(process)).and_where(Expr::exists(later).not());
    }
}

fn materialized(name: &'static str, query: SelectStatement) -> CommonTableExpression {
    let mut table = CommonTableExpression::new();
    table.table_name(name).materialized(true).query(query).to_owned()
}

/// The latest failures with these words in what they say.
fn failed_with(db: &Database, words: &str, since: Option<Instant>) -> SelectStatement {
    let mut latest = Query::select();
    latest.columns([FailureColumn::TaskId, FailureColumn::Attempt]).from(FailureEntity);
    if let Some(since) = since {
        latest.and_where(FailureColumn::FailedDate.gte(since));
    }
    latest.order_by(FailureColumn::FailedDate, Order::Desc).limit(SEARCHED);
    // Not a join: PostgreSQL would read all attempts, since it cannot know how few of them are looked at.
    let mut said = Query::select();
    said.expr(Expr::cust("error_code || ': ' || detail")).from_as(AttemptEntity, A);
    said.and_where(Expr::col((A, AttemptColumn::TaskId)).equals((F, FailureColumn::TaskId)));
    said.and_where(Expr::col((A, AttemptColumn::Attempt)).equals((F, FailureColumn::Attempt)));
    let says = db.contains(Expr::from(said), words);
    Query::select().column((F, FailureColumn::TaskId)).from_subquery(latest, F).and_where(says).take()
}

/// The tasks whose last attempt failed of a cause.
fn failed_of(cause: &str) -> SelectStatement {
    let mut failed = Query::select();
    failed.column((F, FailureColumn::TaskId)).from_as(FailureEntity, F);
    let same = task(Column::Id).equals((F, FailureColumn::TaskId));
    let is_last = task(Column::Attempt).equals((F, FailureColumn::Attempt));
    failed.join_as(JoinType::InnerJoin, TaskEntity, T, same.and(is_last));
    failed.and_where(Expr::col((F, FailureColumn::Fingerprint)).eq(cause)).take()
}

/// Whether a process has made an attempt: one, or none.
fn attempt_by(process: &str) -> SelectStatement {
    let mut made = Query::select();
    made.expr(literal(1)).from_as(AttemptEntity, A);
    made.and_where(Expr::col((A, AttemptColumn::TaskId)).equals((T, Column::Id)));
    made.and_where(Expr::col((A, AttemptColumn::Process)).eq(process)).limit(1).take()
}

/// The first or last submit of a span of time.
fn edge(within: Expr, order: Order, chosen: Expr) -> SelectStatement {
    let mut few = Query::select();
    few.column(Column::SubmitOrder).from(TaskEntity).and_where(within);
    few.order_by(Column::CreatedDate, order).limit(EDGE);
    Query::select().expr(chosen).from_subquery(few, "edge").take()
}

/// The number of this task's submit. One that is there no more has stood about where the one made before it stands.
fn last_up_to(id: TaskId) -> Expr {
    submit_order(Column::Id.lte(id), Order::Desc, 0)
}

/// The same, but for one that is there no more that of the one made after it.
fn first_from(id: TaskId) -> Expr {
    submit_order(Column::Id.gte(id), Order::Asc, i64::MAX)
}

fn submit_order(near: Expr, order: Order, otherwise: i64) -> Expr {
    let mut found = Query::select();
    found.column(Column::SubmitOrder).from(TaskEntity).and_where(near).order_by(Column::Id, order).limit(1);
    Func::coalesce([Expr::from(found), literal(otherwise)]).into()
}

/// Whether a task in it is still to be worked on: there are few of those among all that have ended.
fn is_open(state: TaskState) -> bool {
    use TaskState::*;
    matches!(state, Unapproved | Waiting | Retrying | Scheduled | Held | Running)
}

/// The condition that a task is with a process that is silent, or past its deadline: nobody should be long in this state, since
/// any live process takes it back.
fn stalled(db: &Database, lease: Duration) -> Expr {
    let mut alive = Query::select();
    alive.expr(literal(1)).from_as(process::Entity, P);
    alive.and_where(Expr::col((P, process::Column::Id)).equals((T, Column::ScheduledByProcess)));
    alive.and_where(lives(db, P, lease));
    let is_late = task(Column::Deadline).lt(db.instant());
    task(Column::ScheduledByProcess).is_not_null().and(is_late.or(Expr::exists(alive).not()))
}

/// The same rule as [`super::state_of`], as a condition; `now` is the instant.
pub(super) fn in_state(state: TaskState, now: &Expr) -> Expr {
    use WorkflowStatus::{Abandoned, Completed, Error, Executing, Failure, Queued, Scheduling, Unapproved};
    let is = |status: WorkflowStatus| task(Column::WorkflowStatus).eq(literal(status.name()));
    let is_due = || task(Column::TriggerDate).lte(now.clone());
    let is_later = || is(Queued).and(task(Column::TriggerDate).gt(now.clone()));
    let never = |column| task(column).eq(literal(0));
    let is_untouched = || is_later().and(never(Column::Failures)).and(never(Column::Attempt));
    let problems = || task(Column::Failed).add(task(Column::Uncertain));
    // What the index `queued_task_ill` is of, in the words of its definition: SQLite takes a partial index only if it finds
    // them, and does not see that one of these states is among them.
    let is_ill = |status| {
        let ill = [Failure, Error, Abandoned].map(|status| literal(status.name()));
        task(Column::WorkflowStatus).is_in(ill).and(is(status))
    };
    let by_owner = || task(Column::AbandonedBy).equals((T, Column::OwnerId));
    match state {
        TaskState::Waiting => is(Queued).and(is_due()),
        TaskState::Retrying => {
            is_later().and(task(Column::Failures).gt(literal(0)).or(task(Column::Attempt).gt(literal(0))))
        }
        TaskState::Scheduled => is_untouched().and(task(Column::Held).not()),
        TaskState::Held => is_untouched().and(task(Column::Held)),
        // The process is set exactly while a task is in one of these, and there is an index of it.
        TaskState::Running => {
            let running = [Scheduling, Executing].map(|status| literal(status.name()));
            task(Column::ScheduledByProcess).is_not_null().and(task(Column::WorkflowStatus).is_in(running))
        }
        TaskState::Done => is(Completed).and(problems().eq(literal(0))),
        TaskState::DoneWithProblems => is(Completed).and(problems().gt(literal(0))),
        TaskState::Failed => is_ill(Failure),
        TaskState::CouldNotStart => is_ill(Error),
        TaskState::Unapproved => is(Unapproved),
        TaskState::Cancelled => is_ill(Abandoned).and(by_owner()),
        TaskState::Abandoned => {
            let by_others = task(Column::AbandonedBy).is_null().or(by_owner().not());
            is_ill(Abandoned).and(by_others).and(task(Column::Declined).not())
        }
        TaskState::Declined => is_ill(Abandoned).and(task(Column::Declined)),
    }
}
