//! The run of an action over people: the actor afresh for each chunk, the freeze when it was not done before, and the walk
//! over the positions. Of a chunk that the database refuses for what is in it, the one person at fault is set aside.

use async_trait::async_trait;
use model::{Action, TaskErrorCode, TaskKind, account::Right, ledger::FailReason};
use queue::{Chunk, Executor, Failure, Progress, Run, Step, Task};
use sea_orm::{ConnectionTrait, DbErr};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Actor, Error, access,
    accounts::request_origin::{Credential, Via},
    actions::all_actions::definition,
    people::targeted_people::TargetedPeople,
    submit::freeze::{Frozen, freeze_lines, freeze_matching},
    submit::spec::Spec,
    tasks::ledger_lines::{self, Tally},
    tasks::ledger_range::Range,
    tasks::locked_people::Part,
};

/// Runs one kind of action over people.
pub struct PeopleTask(pub TaskKind);

impl Executor for PeopleTask {
    fn kind(&self) -> &'static str {
        self.0.name()
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec = Spec::decode(spec)?;
        match spec.action.kind() == self.0 {
            true => Ok(Box::new(PeopleRun { spec })),
            false => Err(format!("{} is no {}", spec.action.kind(), self.0)),
        }
    }
}

struct PeopleRun {
    spec: Spec,
}

#[async_trait]
impl Run for PeopleRun {
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let actor = run_as(chunk.txn, chunk.task, self.spec.action.right()).await?;
        match next(chunk, &self.spec, &actor).await? {
            ChunkToDo::Froze(step) => Ok(step),
            ChunkToDo::Treat(range) => {
                treat(chunk, &self.spec.action, &actor, range).await?;
                Ok(range.finish(ledger_lines::tally(chunk.db, chunk.txn, &range).await?))
            }
        }
    }
}

/// Treats a range. When its people cannot be written together it is halved, down to the one who is at fault: that one fails,
/// and the others do not.
async fn treat(chunk: &Chunk<'_>, action: &Action, actor: &Actor, range: Range) -> Result<(), DbErr> {
    let mut open = vec![Part::lock(chunk, range).await?];
    while let Some(part) = open.pop() {
        chunk.txn.execute_unprepared("SAVEPOINT part").await?;
        match definition(action).apply(&part, actor).await {
            Ok(()) => {}
            Err(error) if !queue::is_refusal(&error) => return Err(error),
            Err(error) => {
                chunk.txn.execute_unprepared("ROLLBACK TO SAVEPOINT part").await?;
                match part.halves() {
                    Some((first, second)) => open.extend([second, first]),
                    None => {
                        tracing::warn!(task = %part.range.task_id, position = part.range.to, %error, "a person could not be written");
                        ledger_lines::fail(&part, FailReason::Refused).await?;
                    }
                }
            }
        }
        chunk.txn.execute_unprepared("RELEASE SAVEPOINT part").await?;
    }
    Ok(())
}

/// What a chunk has to do.
pub enum ChunkToDo {
    /// It froze people, and that was all.
    Froze(Step),
    /// It treats the people of this range.
    Treat(Range),
}

/// How far a run has come.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PeopleBookmark {
    /// While the people are being frozen.
    #[serde(default)]
    freezing: Frozen,
    /// How many there are, once that is known.
    #[serde(default)]
    total: Option<i64>,
    /// The last position that was treated.
    #[serde(default)]
    position: i64,
}

/// Whether whom the task is about is written down by now.
pub fn is_frozen(task: &Task, spec: &Spec) -> bool {
    let bookmark: PeopleBookmark = serde_json::from_str(&task.execution_state).unwrap_or_default();
    spec.frozen || bookmark.total.is_some()
}

/// How many of the people of a task have been listed, while it runs and does nothing else yet.
pub fn listed(task: &Task, spec: &Spec) -> Option<u64> {
    if !task.workflow_status.is_running() || !spec.action.kind().description().freezes_people || is_frozen(task, spec) {
        return None;
    }
    let bookmark: PeopleBookmark = serde_json::from_str(&task.execution_state).unwrap_or_default();
    Some(bookmark.freezing.count.unsigned_abs())
}

/// Loads as whom the task runs. Whoever was disabled or lost the permission stops here.
pub async fn run_as(connection: &impl ConnectionTrait, task: &Task, right: Right) -> Result<Actor, Failure> {
    let actor =
        access::load(connection, task.run_as_id, Via::new(Credential::Task(task.id), None)).await.map_err(failure)?;
    match actor {
        Some(actor) if actor.may(right) => Ok(actor),
        _ => Err(Failure::permanent(
            TaskErrorCode::NotPermitted,
            format!("{} is disabled or lacks {right}", task.run_as_id),
        )),
    }
}

/// Freezes the next people, or gives the next range to treat.
pub async fn next(chunk: &Chunk<'_>, spec: &Spec, actor: &Actor) -> Result<ChunkToDo, Failure> {
    let mut bookmark: PeopleBookmark = serde_json::from_value(chunk.bookmark.clone())
        .map_err(|error| Failure::permanent(TaskErrorCode::BadBookmark, error.to_string()))?;
    if spec.frozen {
        bookmark.total = Some(spec.total.cast_signed());
    }
    let Some(total) = bookmark.total else { return freeze(chunk, spec, actor, bookmark).await.map(ChunkToDo::Froze) };
    let to = bookmark.position.saturating_add(chunk.size.cast_signed()).min(total);
    Ok(ChunkToDo::Treat(Range { task_id: chunk.task.id, after: bookmark.position, to, total }))
}

async fn freeze(chunk: &Chunk<'_>, spec: &Spec, actor: &Actor, mut bookmark: PeopleBookmark) -> Result<Step, Failure> {
    let (db, txn, task, from) = (chunk.db, chunk.txn, chunk.task.id, bookmark.freezing);
    let last;
    match &spec.targeted {
        TargetedPeople::Matching { filter, exclude } => {
            let targeted = (filter, exclude.as_slice());
            bookmark.freezing = freeze_matching(db, txn, actor, task, targeted, from, chunk.size).await?;
            last = bookmark.freezing.count - from.count < chunk.size.cast_signed();
        }
        TargetedPeople::Ledger { task: source, outcomes } => {
            bookmark.freezing = freeze_lines(db, txn, task, (*source, outcomes), from, chunk.size).await?;
            last = bookmark.freezing.line >= ledger_lines::length(db, txn, *source).await?;
        }
        TargetedPeople::Listed { .. } => {
            return Err(Failure::permanent(TaskErrorCode::BadSpec, "listed people are frozen before the submit"));
        }
    }
    let count = bookmark.freezing.count;
    if last {
        bookmark.total = Some(count);
        let drift = count.abs_diff(spec.total.cast_signed());
        if spec.drift_allowed.is_some_and(|allowed| drift > allowed) {
            let detail = format!("{} matched when it was submitted, {count} now", model::people(spec.total));
            return Err(Failure::permanent(TaskErrorCode::Drifted, detail));
        }
        ledger_lines::update_statistics(db, txn, count).await?;
    }
    let progress = Progress { bookmark: json!(bookmark), total: bookmark.total, ..Progress::default() };
    Ok(if last { Step::Turn(progress) } else { Step::More(progress) })
}

impl Range {
    /// The step that ends the chunk of this range.
    fn finish(&self, tally: Tally) -> Step {
        let bookmark = PeopleBookmark { total: Some(self.total), position: self.to, ..PeopleBookmark::default() };
        let progress = Progress {
            bookmark: json!(bookmark),
            total: Some(self.total),
            succeeded: tally.done,
            skipped: tally.skipped,
            failed: tally.failed,
            uncertain: tally.uncertain,
        };
        if self.to >= self.total { Step::Done(progress) } else { Step::More(progress) }
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Database(error) => error.into(),
        other => Failure::transient(TaskErrorCode::Internal, other.to_string()),
    }
}
