//! Another coach: people leave one caseload and come into another. Every change is kept, so that it can be put back.

use async_trait::async_trait;
use model::{Action, Problem, SkipReason, TaskId, action::ReassignCoach, person::CoachChoice};
use sea_orm::{ConnectionTrait, DbErr};

use super::rules::{Line, Rules, Undoing, fact};
use crate::{
    Actor, Caseload, Result, access, binds::Binds, people::list::rows::list_name, tasks::lines, tasks::part::Part,
};

#[async_trait]
impl Rules for ReassignCoach {
    async fn resolve(&self, caseload: &Caseload) -> Result<Option<Action>> {
        let coach = caseload.coaches().await?.into_iter().find(|coach| coach.id == self.coach_id);
        let coach =
            coach.ok_or_else(|| Problem::field("coachId", "unknown", "There is no such coach; choose another."))?;
        Ok(Some(Action::ReassignCoach(ReassignCoach { coach_id: coach.id, coach_name: coach.name })))
    }

    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach, SkipReason::AlreadyThere]
    }

    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        let (reach, coach) = (access::reach(actor, binds), binds.add(self.coach_id));
        format!(
            "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH'
                  WHEN p.coach_id = {coach} THEN 'ALREADY_THERE' END"
        )
    }

    fn line(&self, _: &Actor, binds: &mut Binds) -> Line {
        let after = binds.add(self.coach_name.as_str());
        Line { before: name("p.coach_id"), after: format!("CAST({after} AS text)"), former: since() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        lines::judge(part, self, actor).await?;
        let mut binds = Binds::default();
        let coach = binds.add(self.coach_id);
        move_to(part, &coach, binds, actor).await
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
    fn within(&self, actor: &Actor, binds: &mut Binds) -> String {
        access::reach(actor, binds)
    }

    /// An import may have changed the coach as well.
    fn as_left(&self, task: TaskId, _: &Actor, binds: &mut Binds) -> String {
        let task = binds.add(task);
        format!("(p.coach_id = ({}) AND ({}) = {task})", last("coach_id"), last("task_id"))
    }

    fn line_back(&self, _: TaskId, _: &Actor, _: &mut Binds) -> Line {
        Line { before: name("p.coach_id"), after: name(&format!("({})", last("former_coach_id"))), former: since() }
    }

    async fn put_back(&self, part: &Part<'_>, _: TaskId, actor: &Actor) -> Result<(), DbErr> {
        move_to(part, &format!("({})", last("former_coach_id")), Binds::default(), actor).await
    }
}

/// Gives the people of a part who are judged the coach of an SQL expression over the person `p`.
pub async fn move_to(part: &Part<'_>, coach: &str, mut binds: Binds, actor: &Actor) -> Result<(), DbErr> {
    let (db, txn) = (part.db, part.txn);
    let (task, now, by) = (binds.add(part.range.task_id), binds.add(part.at), binds.add(actor.person_id));
    let done = part.range.done(&mut binds);
    let keep = format!(
        "INSERT INTO coach_change (person_id, former_coach_id, coach_id, changed_date, changed_by, task_id)
         SELECT p.id, p.coach_id, {coach}, {now}, {by}, {task} FROM person p WHERE p.id IN ({done})"
    );
    txn.execute_raw(db.statement(&keep, binds.values())).await?;
    let mut binds = Binds::default();
    let (now, done) = (binds.add(part.at), part.range.done(&mut binds));
    let set = format!(
        "UPDATE person AS p SET coach_id = ({}), modified_date = {now} WHERE p.id IN ({done})",
        last("coach_id")
    );
    txn.execute_raw(db.statement(&set, binds.values())).await?;
    Ok(())
}

/// Of the person `p`, a column of the last change of coach.
fn last(column: &str) -> String {
    format!("SELECT h.{column} FROM coach_change h WHERE h.person_id = p.id ORDER BY h.id DESC LIMIT 1")
}

/// Since when the person `p` has had their coach, as far as a change of it is known.
pub fn since() -> String {
    format!("({})", last("changed_date"))
}

/// The name of the person of an id, in words.
pub fn name(id: &str) -> String {
    format!(
        "CASE WHEN p.id IS NOT NULL THEN COALESCE((
            SELECT s.last_name || CASE WHEN s.first_name = '' THEN '' ELSE ', ' || s.first_name END
            FROM person s WHERE s.id = {id}), 'No coach') END"
    )
}

impl Caseload {
    /// Whom people can be given to: everybody with an account that is in use.
    pub async fn coaches(&self) -> Result<Vec<CoachChoice>> {
        let sql = "SELECT s.id, s.first_name, s.last_name FROM account a JOIN person s ON s.id = a.person_id
                   WHERE NOT a.disabled ORDER BY s.sort_key";
        let rows = self.db().reader().query_all_raw(self.db().statement(sql, [])).await?;
        let coaches = rows.iter().map(|row| {
            let (last, first): (String, String) = (row.try_get("", "last_name")?, row.try_get("", "first_name")?);
            Ok(CoachChoice { id: row.try_get("", "id")?, name: list_name(&last, &first, None) })
        });
        coaches.collect()
    }
}
