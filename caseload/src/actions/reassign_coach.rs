//! Another coach: people leave one caseload and come into another. Every change is kept, so that it can be put back.

use async_trait::async_trait;
use model::{Action, Problem, SkipReason, TaskId, action::ReassignCoach, person::CoachChoice};
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Expr, ExprTrait},
};

use super::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, said, skipped};
use crate::{
    Actor, Caseload, Result, access,
    caseload::People,
    entity::people::{
        coach_change,
        person::{Column, P},
    },
    people::list::rows::list_name,
    statement::{composed, sql},
    tasks::{ledger_lines, locked_people::Part},
};

#[async_trait]
impl Definition for ReassignCoach {
    async fn resolve(&self, caseload: &Caseload) -> Result<Option<Action>> {
        let coach = caseload.people().coaches().await?.into_iter().find(|coach| coach.id == self.coach_id);
        let coach =
            coach.ok_or_else(|| Problem::field("coachId", "unknown", "There is no such coach. Choose another one."))?;
        Ok(Some(Action::ReassignCoach(ReassignCoach { coach_id: coach.id, coach_name: coach.name })))
    }

    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach, SkipReason::AlreadyThere]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        let theirs = P.col(Column::CoachId).eq(self.coach_id);
        skipped(gone_or_beyond(access::reach(actor)).into_iter().chain([(theirs, SkipReason::AlreadyThere)]))
    }

    fn line(&self, _: &Actor) -> LineWords {
        LineWords { before: name(P.col(Column::CoachId)), after: said(self.coach_name.as_str()), former: since() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        move_to(part, self.coach_id.into(), actor).await
    }

    fn facts(&self) -> Vec<(String, String)> {
        vec![fact("New coach", self.coach_name.as_str())]
    }

    fn skip_label(&self, reason: SkipReason) -> String {
        match reason {
            SkipReason::AlreadyThere => format!("already with {}", self.coach_name),
            reason => reason.label().to_owned(),
        }
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(&FormerCoach)
    }
}

/// Back to the coach that people had before, whichever way they were given another.
pub struct FormerCoach;

#[async_trait]
impl Undoing for FormerCoach {
    fn within(&self, actor: &Actor) -> Expr {
        access::reach(actor)
    }

    /// An import may have changed the coach as well.
    fn as_left(&self, task: TaskId, _: &Actor) -> Expr {
        P.col(Column::CoachId).eq(last(coach_change::Column::CoachId)).and(last(coach_change::Column::TaskId).eq(task))
    }

    fn line_back(&self, _: TaskId, _: &Actor) -> LineWords {
        LineWords {
            before: name(P.col(Column::CoachId)),
            after: name(last(coach_change::Column::FormerCoachId)),
            former: since(),
        }
    }

    async fn put_back(&self, part: &Part<'_>, _: TaskId, actor: &Actor) -> Result<(), DbErr> {
        move_to(part, last(coach_change::Column::FormerCoachId), actor).await
    }
}

/// Gives the people of a part who are judged a coach, as an expression over the person `p`.
pub async fn move_to(part: &Part<'_>, coach: Expr, actor: &Actor) -> Result<(), DbErr> {
    let keep = "INSERT INTO coach_change (person_id, former_coach_id, coach_id, changed_date, changed_by, task_id)
         SELECT p.id, p.coach_id, $1, $2, $3, $4 FROM person p WHERE p.id IN ($5)";
    let (by, task) = (actor.person_id.into(), part.range.task_id.into());
    let keep = composed(part.db, keep, [coach, part.at.into(), by, task, part.range.done()]);
    part.txn.execute_raw(keep).await?;
    let set = "UPDATE person AS p SET coach_id = $1, modified_date = $2 WHERE p.id IN ($3)";
    let set = composed(part.db, set, [last(coach_change::Column::CoachId), part.at.into(), part.range.done()]);
    part.txn.execute_raw(set).await.map(drop)
}

/// Of the person `p`, a column of the last change of coach.
fn last(column: coach_change::Column) -> Expr {
    let column = Expr::col(("h", column));
    sql("(SELECT $1 FROM coach_change h WHERE h.person_id = p.id ORDER BY h.id DESC LIMIT 1)", [column])
}

/// Since when the person `p` has had their coach, as far as a change of it is known.
pub fn since() -> Expr {
    last(coach_change::Column::ChangedDate)
}

/// The name of the person of an id, in words.
pub fn name(id: Expr) -> Expr {
    sql(
        "CASE WHEN p.id IS NOT NULL THEN COALESCE((
            SELECT s.last_name || CASE WHEN s.first_name = '' THEN '' ELSE ', ' || s.first_name END
            FROM person s WHERE s.id = $1), 'No coach') END",
        [id],
    )
}

impl People<'_> {
    /// Whom people can be given to: everybody with an account that is in use.
    pub async fn coaches(self) -> Result<Vec<CoachChoice>> {
        let sql = "SELECT s.id, s.first_name, s.last_name FROM account a JOIN person s ON s.id = a.person_id
                   WHERE NOT a.disabled ORDER BY s.sort_key";
        let rows = self.0.db().reader().query_all_raw(self.0.db().statement(sql, [])).await?;
        let coaches = rows.iter().map(|row| {
            let (last, first): (String, String) = (row.try_get("", "last_name")?, row.try_get("", "first_name")?);
            Ok(CoachChoice { id: row.try_get("", "id")?, name: list_name(&last, &first, None) })
        });
        coaches.collect()
    }
}
