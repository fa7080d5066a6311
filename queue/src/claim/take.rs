//! Makes picked tasks a process's own.

use model::TaskId;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, Statement,
    sea_query::{CaseStatement, Expr, Query},
};

use crate::{
    Database, Settings, Task, TaskColumn as Column, TaskEntity, Transaction,
    entity::task_attempt,
    random,
    runtime::permit::ClaimPermit,
    task::transition::{CLAIM, Mover, PendingMove},
};

/// Takes those of these that wait and that nobody has locked, in their order.
pub async fn take(
    db: &Database,
    txn: &Transaction,
    settings: &Settings,
    permit: &ClaimPermit<'_>,
    picked: &[TaskId],
) -> Result<Vec<Task>, DbErr> {
    let mut tasks = taking(db, settings, permit, picked).make(txn).await?;
    // RETURNING has no order of its own.
    tasks.sort_by_key(|task| picked.iter().position(|id| *id == task.id));
    if tasks.is_empty() {
        return Ok(tasks);
    }
    let mut begun = Query::select();
    begun.columns([Column::Id, Column::Attempt, Column::ScheduledByProcess]).expr(db.instant());
    begun.column(Column::SubmitOrder).from(TaskEntity).and_where(Column::Id.is_in(tasks.iter().map(|task| task.id)));
    let mut attempts = Query::insert();
    attempts.into_table(task_attempt::Entity).columns([
        task_attempt::Column::TaskId,
        task_attempt::Column::Attempt,
        task_attempt::Column::Process,
        task_attempt::Column::StartedDate,
        task_attempt::Column::SubmitOrder,
    ]);
    attempts.select_from(begun).map_err(|error| DbErr::Custom(error.to_string()))?;
    txn.execute_raw(db.build(&attempts)).await?;
    Ok(tasks)
}

fn taking<'a>(db: &'a Database, settings: &Settings, permit: &ClaimPermit<'_>, picked: &[TaskId]) -> PendingMove<'a> {
    let claim = CLAIM.made_by(db, Mover::Claim(permit, picked)).write(Column::ScheduledByProcess, permit.process());
    claim.write(Column::Fence, random::fence()).write(Column::Deadline, db.instant_after(deadline(settings)))
}

/// The statement of it, for tests of how it is answered.
pub fn look(db: &Database, settings: &Settings, picked: &[TaskId]) -> Statement {
    taking(db, settings, &ClaimPermit::to_look(), picked).statement()
}

/// The seconds until the deadline of an attempt that begins now.
fn deadline(settings: &Settings) -> Expr {
    let default = Expr::val(settings.deadline.as_secs_f64());
    let mut of_kinds = settings.deadline_per_kind.iter().peekable();
    if of_kinds.peek().is_none() {
        return default;
    }
    let by_kind = of_kinds.fold(CaseStatement::new(), |case, (kind, limit)| {
        case.case(Column::ExecutionComponentName.eq(kind.as_str()), limit.as_secs_f64())
    });
    by_kind.finally(default).into()
}
