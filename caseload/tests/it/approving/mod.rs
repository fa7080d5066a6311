//! Two pairs of eyes: what waits for a second person, who that can be, and what becomes of it.

mod deciding;
mod drifting;
mod mailing;
mod waiting;

use std::time::Duration;

use caseload::{Actor, ApprovalRule};
use model::{
    Action, PersonId, Problem, ProgramStatus, Target, TaskId, TaskState,
    approval::{ApprovalDetail, ApprovalState},
};
use testkit::On;

use crate::college::{College, set, with_status};

/// A college of so many students, where whatever changes more than ten of them waits.
async fn college(on: On, students: u64) -> College {
    ruled(on, students, above(10)).await
}

async fn ruled(on: On, students: u64, rule: ApprovalRule) -> College {
    let c = Box::pin(College::of(on, students)).await;
    c.caseload.with_approvals(rule);
    c
}

fn above(number: u64) -> ApprovalRule {
    ApprovalRule { above: Some(number), drift: 2, ..ApprovalRule::default() }
}

/// Those who are active, whoever that is when they are counted.
fn active() -> Target {
    Target::Query { filter: with_status(ProgramStatus::Active), exclude: vec![] }
}

fn inactive() -> Action {
    set(ProgramStatus::Inactive)
}

/// The manager asks for all active ones to be inactive.
async fn asked(c: &College, total: u64) -> TaskId {
    Box::pin(c.submit(&c.manager, inactive(), active(), total)).await.unwrap().id
}

async fn state(c: &College, id: TaskId) -> TaskState {
    c.caseload.tasks().row(&c.administrator, id).await.unwrap().state
}

async fn shown(c: &College, actor: &Actor, id: TaskId) -> ApprovalDetail {
    Box::pin(c.caseload.approvals().get(actor, id)).await.unwrap()
}

async fn approve(c: &College, actor: &Actor, id: TaskId) -> Result<(), Problem> {
    Box::pin(c.caseload.approvals().approve(actor, id, None, None)).await.map_err(Problem::from)
}

async fn decline(c: &College, actor: &Actor, id: TaskId, note: &str) -> Result<(), Problem> {
    Box::pin(c.caseload.approvals().decline(actor, id, Some(note))).await.map_err(Problem::from)
}

async fn disable(c: &College, actor: &Actor) {
    c.write("UPDATE account SET disabled = TRUE WHERE person_id = $1", [actor.person_id.into()]).await;
}

async fn with_status_now(c: &College, status: ProgramStatus) -> i64 {
    let sql = "SELECT COUNT(*) FROM person WHERE student AND program_status = $1";
    c.count(sql, [status.name().into()]).await
}

/// The columns of the table that is decided by, as lines: asked, now, what.
fn table(detail: &ApprovalDetail) -> Vec<(u64, Option<u64>, String)> {
    let sum = |of: fn(&model::approval::ApprovalLine) -> u64| detail.lines.iter().map(of).sum::<u64>();
    assert_eq!(sum(|line| line.asked), detail.approval.total, "as asked");
    if detail.approval.state == ApprovalState::Waiting {
        assert_eq!(sum(|line| line.now.unwrap()), detail.approval.total, "now");
    }
    detail.lines.iter().map(|line| (line.asked, line.now, line.label.clone())).collect()
}

fn line(asked: u64, now: u64, label: &str) -> (u64, Option<u64>, String) {
    (asked, Some(now), label.to_owned())
}

async fn students_of(c: &College, coach: &Actor) -> Vec<PersonId> {
    c.students(coach).await
}

const LONG: Duration = Duration::from_secs(4 * 86_400);
