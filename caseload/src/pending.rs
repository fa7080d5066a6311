//! Which people another task is still to treat. Of most tasks they are written down; a task about very many writes them down when
//! it begins, and until then they are those who match what it was asked for, as whoever it runs as.

use model::submission::FROZEN_AT_PREVIEW;
use queue::{Task, self_test};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::{
    Actor, Caseload, Result, access,
    binds::Binds,
    import, members, people_run,
    preview::{self, Record},
    spec::Spec,
    via::Via,
};

/// Tasks that have not written down their people, looked at, at most.
const TASKS: usize = 50;

impl Caseload {
    /// How many of these people another task is still to treat. None of an action that changes nobody: it stands in no task's
    /// way, and reads what is there when it runs.
    pub(crate) async fn pending_elsewhere(&self, actor: &Actor, token: Uuid, record: &Record) -> Result<u64> {
        if !record.action.changes_people() {
            return Ok(0);
        }
        let mut binds = Binds::default();
        let (from, _) = preview::judged(actor, token, record, &mut binds);
        let (written, meant) = (written_down(token, &mut binds), self.meant(token, &mut binds).await?);
        let sql = match meant.as_slice() {
            [] => format!(
                "SELECT COUNT(DISTINCT written.person_id) AS count FROM ({written}) AS written
                 WHERE written.person_id IN (SELECT p.id FROM {from})"
            ),
            meant => format!(
                "SELECT COUNT(DISTINCT p.id) AS count FROM {from} AND (p.id IN ({written}) OR ({}))",
                meant.join(") OR (")
            ),
        };
        self.count(&sql, binds).await
    }

    /// The condition that another task than this one is still to treat the person `p`.
    pub(crate) async fn treated_elsewhere(&self, token: Uuid, binds: &mut Binds) -> Result<String> {
        let mut any = vec![format!("p.id IN ({})", written_down(token, binds))];
        any.extend(self.meant(token, binds).await?);
        Ok(format!("(({}))", any.join(") OR (")))
    }

    /// The condition of the people of each task that has not written them down.
    async fn meant(&self, except: Uuid, binds: &mut Binds) -> Result<Vec<String>> {
        let tasks = self.not_written_down(except).await?;
        Ok(tasks.iter().map(|(spec, runs_as)| members::condition(&spec.members, runs_as, binds)).collect())
    }

    /// What the tasks were asked for that are still to write down whom they are about, with whom each runs as. The index is
    /// `queued_task_large`.
    async fn not_written_down(&self, except: Uuid) -> Result<Vec<(Spec, Actor)>> {
        let db = self.db();
        let sql = format!(
            "SELECT * FROM queued_task {{by queued_task_large}}
             WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING') AND total > {FROZEN_AT_PREVIEW} AND id <> $1
               AND execution_component_name NOT IN ('export', $2, $3)
             ORDER BY id DESC LIMIT {TASKS}"
        );
        let rows = db
            .reader()
            .query_all_raw(db.statement(&sql, [except.into(), import::task::KIND.into(), self_test::KIND.into()]))
            .await?;
        let tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, DbErr>>()?;
        let mut found = Vec::new();
        for task in tasks {
            let Some(spec) = Spec::of(&task).filter(|spec| spec.action.changes_people()) else { continue };
            if people_run::is_frozen(&task, &spec) {
                continue;
            }
            // Whoever may not act any more treats nobody.
            if let Some(runs_as) = access::load(db.reader(), task.run_as_id, Via::docket()).await?
                && runs_as.may(spec.action.permission())
            {
                found.push((spec, runs_as));
            }
        }
        Ok(found)
    }
}

/// The people whom other tasks have written down and not come to.
fn written_down(except: Uuid, binds: &mut Binds) -> String {
    let other = binds.add(except);
    format!(
        "SELECT pending.person_id FROM task_person pending JOIN queued_task t ON t.id = pending.task_id
         WHERE pending.outcome IS NULL AND pending.task_id <> {other}
           AND t.workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')"
    )
}
