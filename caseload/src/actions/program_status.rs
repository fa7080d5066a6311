//! Program status change: judge each person, close their open history row, open the next, and set the status.

use async_trait::async_trait;
use model::{ChangeReason, SkipReason, TaskId, action::StatusChange};
use sea_orm::DbErr;

use super::rules::{Line, Rules, Undoing, fact};
use crate::people::status_words::worded;
use crate::{
    Actor, access,
    binds::Binds,
    people::status::{self, NewPeriod},
    tasks::lines,
    tasks::part::Part,
};

#[async_trait]
impl Rules for StatusChange {
    fn reasons(&self) -> &'static [SkipReason] {
        use SkipReason::*;
        &[NotFound, OutOfReach, NotActivated, AlreadyThere]
    }

    /// Non-participating for another reason is a change.
    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        let reach = access::reach(actor, binds);
        let status = binds.add(self.program_status.name());
        let reason = binds.add(self.change_reason.map_or("", ChangeReason::name));
        format!(
            "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH'
                  WHEN NOT p.activated THEN 'NOT_ACTIVATED'
                  WHEN p.program_status = {status} AND COALESCE(p.change_reason, '') = {reason} THEN 'ALREADY_THERE' END"
        )
    }

    fn line(&self, _: &Actor, binds: &mut Binds) -> Line {
        let reason = self.change_reason.map(|reason| format!(" ({})", reason.label())).unwrap_or_default();
        let after = binds.add(format!("{}{reason}", self.program_status.label()));
        Line { before: worded("p"), after: format!("CAST({after} AS text)"), former: "p.status_date".to_owned() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        lines::judge(part, self, actor).await?;
        let mut binds = Binds::default();
        let (status, reason) =
            (binds.add(self.program_status.name()), binds.add(self.change_reason.map(ChangeReason::name)));
        status::set(part, &status, &reason, binds).await?;
        turn(part, actor, self.comment.as_deref()).await
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![fact("Change", format!("Program status to {}", self.program_status.label()))];
        facts.extend(self.change_reason.map(|reason| fact("Why", reason.label())));
        facts.extend(self.comment.clone().map(|comment| fact("Comment", comment)));
        facts
    }

    fn skip_label(&self, reason: SkipReason) -> String {
        match reason {
            SkipReason::AlreadyThere => format!("already {}", self.program_status.label()),
            reason => reason.label().to_owned(),
        }
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(self)
    }
}

#[async_trait]
impl Undoing for StatusChange {
    fn within(&self, actor: &Actor, binds: &mut Binds) -> String {
        access::reach(actor, binds)
    }

    fn as_left(&self, task: TaskId, _: &Actor, binds: &mut Binds) -> String {
        format!("EXISTS ({})", written(task, "h.id", binds))
    }

    fn line_back(&self, task: TaskId, _: &Actor, binds: &mut Binds) -> Line {
        let former = former(task, &worded("f"), binds);
        Line { before: worded("p"), after: format!("({former})"), former: "p.status_date".to_owned() }
    }

    async fn put_back(&self, part: &Part<'_>, task: TaskId, actor: &Actor) -> Result<(), DbErr> {
        let mut binds = Binds::default();
        let status = former(task, "f.program_status", &mut binds);
        let reason = former(task, "f.change_reason", &mut binds);
        status::set(part, &format!("({status})"), &format!("({reason})"), binds).await?;
        turn(part, actor, None).await
    }
}

/// Writes into the history what the people of a part carry now.
async fn turn(part: &Part<'_>, actor: &Actor, comment: Option<&str>) -> Result<(), DbErr> {
    let change = NewPeriod { by: actor.person_id, task: Some(part.range.task_id), comment, at: part.at };
    status::turn(part.db, part.txn, &change, |binds| part.range.done(binds)).await.map(drop)
}

/// Of the person `p`, a column of the open history row `h`, if `task` wrote it and something was there before.
fn written(task: TaskId, column: &str, binds: &mut Binds) -> String {
    let task = binds.add(task);
    format!(
        "SELECT {column} FROM program_status_history h
         WHERE h.person_id = p.id AND h.expiration_date IS NULL AND h.task_id = {task} AND EXISTS (
            SELECT 1 FROM program_status_history b WHERE b.person_id = h.person_id AND b.expiration_date = h.effective_date)"
    )
}

/// Of the person `p`, a column of the history row `f` that ended when the one that `task` wrote began.
fn former(task: TaskId, column: &str, binds: &mut Binds) -> String {
    let began = written(task, "h.effective_date", binds);
    format!(
        "SELECT {column} FROM program_status_history f
         WHERE f.person_id = p.id AND f.expiration_date = ({began}) ORDER BY f.id DESC LIMIT 1"
    )
}
