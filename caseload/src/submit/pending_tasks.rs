//! The tasks that change the same as a preview would, by name.

use std::cmp::Reverse;

use model::{
    PersonId, PreviewToken, TaskId,
    preview::{Counted, PendingTask},
};
use queue::TaskTable;
use sea_orm::{
    ConnectionTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Result, access,
    caseload::Actions,
    statement::{composed, count},
    submit::{
        pending_changes::{Rivals, not_written_down},
        preview,
    },
    tasks::{title::title, visible},
};

/// Of the tasks that have not written down their people, so many are looked at.
const NAMED: usize = 5;

impl Actions<'_> {
    /// The rivals of a preview that the actor may see, as far as the first of its people show them: with what each is called.
    pub async fn pending_tasks(self, actor: &Actor, token: PreviewToken) -> Result<Vec<PendingTask>> {
        let record = preview::load_preview(self.0, actor, token).await?;
        let people = self.preview_people(actor, token, Some("PENDING"), None).await?.page.items;
        let people: Vec<PersonId> = people
            .iter()
            .filter_map(|line| match &line.who {
                Counted::Person(row) => Some(row.id),
                Counted::Given(_) => None,
            })
            .collect();
        if people.is_empty() {
            return Ok(Vec::new());
        }
        let rivals = Rivals::of(self.0, actor, token, &record).await?;
        let (db, t) = (self.0.db(), TaskTable("t"));
        let is_rival = rivals.condition([t.kind(), t.owner(), t.id()]);
        let among = |column: &'static str| Expr::col(("p", column)).is_in(people.iter().copied());
        let lines = "SELECT DISTINCT line.task_id FROM person p CROSS JOIN task_person line CROSS JOIN $1
            WHERE $2 AND line.person_id = p.id AND line.outcome IS NULL AND $3 = line.task_id AND $4 AND $5 AND $6";
        let parts = [t.table(), among("id"), t.id(), t.is_open(), is_rival, access::may_see(actor, t)];
        let rows = db.reader().query_all_raw(composed(db, lines, parts)).await?;
        let mut ids: Vec<TaskId> = rows.iter().map(|row| row.try_get("", "task_id")).collect::<Result<_, _>>()?;
        for meant in not_written_down(self.0, &rivals).await?.0.iter().take(NAMED) {
            let any = "SELECT COUNT(*) AS count FROM person p WHERE $1 AND $2";
            let any = composed(db, any, [among("id"), meant.condition()]);
            if count(db.reader(), any).await? > 0 {
                ids.push(meant.task);
            }
        }
        let mut tasks: Vec<_> = visible::visible_tasks(self.0, actor, ids).await?.into_values().collect();
        tasks.sort_by_key(|task| Reverse(task.submit_order));
        let now = db.now().await?;
        let mut named = Vec::new();
        for task in tasks {
            named.push(PendingTask {
                id: task.id,
                title: title(&task),
                owner_name: self.0.staff_name(task.owner_id).await?,
                start_date: Some(task.trigger_date).filter(|start| *start > now),
            });
        }
        Ok(named)
    }
}
