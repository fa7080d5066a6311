//! What every run over people has in common: the actor afresh for each chunk, the freeze when it was not done before, and
//! the walk over the positions.

use model::Permission;
use queue::{Chunk, Failure, Progress, Step};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Actor, Error, access,
    freeze::{Frozen, freeze_matching},
    ledger::{Range, Tally},
    members::Members,
    spec::Spec,
};

/// What a chunk has to do.
pub enum Next {
    /// It froze people, and that was all.
    Froze(Step),
    /// It treats the people of this range.
    Treat(Range),
}

/// How far a run has come.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bookmark {
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

/// Loads as whom the task runs, in the chunk's transaction. Whoever was disabled or lost the permission stops here.
pub async fn actor(chunk: &Chunk<'_>, permission: Permission) -> Result<Actor, Failure> {
    let actor = access::load(chunk.txn, chunk.task.run_as_id).await.map_err(failure)?;
    match actor {
        Some(actor) if actor.may(permission) => Ok(actor),
        _ => Err(Failure::permanent(
            "not_permitted",
            format!("{} is disabled or lacks {permission}", chunk.task.run_as_id),
        )),
    }
}

/// Freezes the next people, or gives the next range to treat.
pub async fn next(chunk: &Chunk<'_>, spec: &Spec, actor: &Actor) -> Result<Next, Failure> {
    let mut bookmark: Bookmark = serde_json::from_value(chunk.bookmark.clone())
        .map_err(|error| Failure::permanent("bad_bookmark", error.to_string()))?;
    if spec.frozen {
        bookmark.total = Some(spec.total.cast_signed());
    }
    let Some(total) = bookmark.total else { return freeze(chunk, spec, actor, bookmark).await.map(Next::Froze) };
    let to = bookmark.position.saturating_add(chunk.size.cast_signed()).min(total);
    Ok(Next::Treat(Range { task_id: chunk.task.id, after: bookmark.position, to, total }))
}

async fn freeze(chunk: &Chunk<'_>, spec: &Spec, actor: &Actor, mut bookmark: Bookmark) -> Result<Step, Failure> {
    let Members::Matching { filter, exclude } = &spec.members else {
        return Err(Failure::permanent("bad_spec", "listed people are frozen before the submit"));
    };
    let (from, members) = (bookmark.freezing, (filter, exclude.as_slice()));
    bookmark.freezing = freeze_matching(chunk.db, chunk.txn, actor, chunk.task.id, members, from, chunk.size).await?;
    let count = bookmark.freezing.count;
    if count - from.count < chunk.size.cast_signed() {
        bookmark.total = Some(count);
        let drift = count.abs_diff(spec.total.cast_signed());
        if spec.drift_allowed.is_some_and(|allowed| drift > allowed) {
            let detail = format!("{} people were counted at the submit, {count} match now", spec.total);
            return Err(Failure::permanent("drifted", detail));
        }
    }
    Ok(Step::More(Progress { bookmark: json!(bookmark), total: bookmark.total, ..Progress::default() }))
}

impl Range {
    /// The step that ends the chunk of this range.
    pub fn finish(&self, tally: Tally) -> Step {
        let bookmark = Bookmark { total: Some(self.total), position: self.to, ..Bookmark::default() };
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
        other => Failure::transient("internal", other.to_string()),
    }
}
