//! One person: details, history, watchers, and the tasks that treated them.

use std::collections::BTreeMap;

use model::{
    ChangeReason, Instant, Outcome, PersonId, Problem, TaskId, TaskState,
    person::{PersonDetail, PersonFacts, PersonTask, StatusPeriod, Watcher},
};
use queue::{Database, TaskTable, Transaction, state_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use crate::{
    Actor, Caseload, Error, Result, access,
    audit::entry::{self, By, Entry},
    caseload::People,
    entity::people::{
        early_alert,
        person::{Column, P},
        program_status_history,
    },
    erase::erased::{Erased, forget_texts},
    people::{
        list::{
            page,
            rows::{self, ListedPerson, full_name},
        },
        selection, status,
    },
    statement::composed,
    submit::spec::Spec,
    tasks::{ledger::reason_label, row, visible},
};

/// Tasks and periods that are shown of one person.
const SHOWN: i64 = 100;

#[derive(FromQueryResult)]
struct Facts {
    secondary_email: Option<String>,
    email_opt_out: bool,
    birth_date: Option<chrono::NaiveDate>,
    change_reason: Option<ChangeReason>,
    coach_id: Option<PersonId>,
    extra: String,
    watched_date: Option<Instant>,
}

#[derive(FromQueryResult)]
struct Treated {
    task_id: TaskId,
    outcome: Option<Outcome>,
    reason: Option<String>,
    before_value: Option<String>,
    after_value: Option<String>,
    outcome_date: Option<Instant>,
}

impl People<'_> {
    /// A person whom the actor may know of; details only of those within reach.
    pub async fn get(self, actor: &Actor, id: PersonId) -> Result<PersonDetail> {
        let sql = "SELECT $1, p.secondary_email, p.email_opt_out, p.birth_date, p.change_reason, p.coach_id, p.extra,
                (SELECT w.watched_date FROM watch w WHERE w.watcher_id = $2 AND w.person_id = p.id) AS watched_date
             FROM person p LEFT JOIN person c ON c.id = p.coach_id WHERE p.id = $3 AND p.student AND ($4)";
        let columns = rows::columns(actor);
        let parts = [columns, actor.person_id.into(), id.into(), access::visible(actor)];
        let row = self.0.db().reader().query_one_raw(composed(self.0.db(), sql, parts)).await?;
        let Some(row) = row else { return Err(no_person(self.0, actor, id).await?) };
        let (facts, listed) = (Facts::from_query_result(&row, "")?, ListedPerson::from_query_result(&row, "")?);
        let (full_name, coach) = (listed.full_name(), listed.coach().filter(|_| listed.reached));
        let mut row = listed.row();
        page::add_pending(self.0, actor, std::slice::from_mut(&mut row)).await?;
        let watchers = if row.reached { self.watchers(id).await? } else { Vec::new() };
        let details = row.reached.then(|| PersonFacts {
            secondary_email: facts.secondary_email,
            email_opt_out: facts.email_opt_out,
            birth_date: facts.birth_date,
            change_reason: facts.change_reason,
            coach_id: facts.coach_id,
            extra: extra(&facts.extra),
            watchers,
        });
        Ok(PersonDetail { row, full_name, coach, watched_date: facts.watched_date, details })
    }

    /// The periods of a person's program status, latest first. The index is `program_status_history_person`.
    pub async fn status_history(self, actor: &Actor, id: PersonId) -> Result<Vec<StatusPeriod>> {
        reached(self.0, actor, id).await?;
        let latest = program_status_history::Entity::find()
            .filter(program_status_history::Column::PersonId.eq(id))
            .order_by_desc(program_status_history::Column::Id)
            .limit(SHOWN.unsigned_abs());
        let found = latest.all(self.0.db().reader()).await?;
        let visible = visible::visible_tasks(self.0, actor, found.iter().filter_map(|period| period.task_id)).await?;
        let mut periods = Vec::new();
        for period in found {
            periods.push(StatusPeriod {
                program_status: period.program_status,
                change_reason: period.change_reason,
                comment: period.comment,
                effective_date: period.effective_date,
                expiration_date: period.expiration_date,
                created_by_name: self.0.staff_name(period.created_by).await?,
                task_id: period.task_id.filter(|id| visible.contains_key(id)),
            });
        }
        Ok(periods)
    }

    /// The tasks that treated a person, or will, as far as the actor may see them; the last one submitted first. Lines of previews
    /// belong to no task yet. The index is `task_person_person`.
    pub async fn tasks_of(self, actor: &Actor, id: PersonId) -> Result<Vec<PersonTask>> {
        reached(self.0, actor, id).await?;
        let sql = "SELECT tp.task_id, tp.outcome, tp.reason, tp.before_value, tp.after_value, tp.outcome_date
             FROM task_person tp CROSS JOIN $4 WHERE $5 = tp.task_id AND tp.person_id = $1 AND $2 ORDER BY $6 DESC LIMIT $3";
        let t = TaskTable("t");
        let parts = [id.into(), access::may_see(actor, t), SHOWN.into(), t.table(), t.id(), t.submit_order()];
        let statement = composed(self.0.db(), sql, parts);
        let now = self.0.db().now().await?;
        let found = Treated::find_by_statement(statement).all(self.0.db().reader()).await?;
        let visible = visible::visible_tasks(self.0, actor, found.iter().map(|treated| treated.task_id)).await?;
        let mut tasks = Vec::new();
        for treated in found {
            // It may be gone since.
            let Some(task) = visible.get(&treated.task_id) else { continue };
            let action = Spec::of(task).map(|spec| spec.action);
            let state = state_of(task, now);
            tasks.push(PersonTask {
                task: row::link(task, now),
                owner_name: self.0.staff_name(task.owner_id).await?,
                reason_label: match (treated.outcome, task.workflow_status.is_finished()) {
                    (None, true) => None,
                    (None, false) => Some(state.label().to_lowercase()),
                    _ => treated.reason.as_deref().map(|reason| reason_label(action.as_ref(), reason)),
                },
                outcome: treated.outcome,
                before: treated.before_value,
                after: treated.after_value,
                date: treated.outcome_date.unwrap_or(task.created_date),
                start_date: (state == TaskState::Scheduled).then_some(task.trigger_date),
            });
        }
        Ok(tasks)
    }

    /// Puts one person on the actor's watch list, or takes them off it, at once.
    pub async fn set_watched(self, actor: &Actor, id: PersonId, watched: bool) -> Result<()> {
        actor.require(model::Permission::Watch)?;
        if watched {
            reached(self.0, actor, id).await?;
        }
        let (watcher, db) = (actor.person_id.into(), self.0.db());
        let statement = match watched {
            true => {
                let sql = "INSERT INTO watch (watcher_id, person_id, watched_date) SELECT $1, id, $3 FROM person WHERE id = $2
                 ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = CASE
                    WHEN watch.watched_date > excluded.watched_date THEN watch.watched_date ELSE excluded.watched_date END";
                composed(db, sql, [watcher, id.into(), db.instant()])
            }
            false => composed(db, "DELETE FROM watch WHERE watcher_id = $1 AND person_id = $2", [watcher, id.into()]),
        };
        let txn = self.0.db().begin_write().await?;
        txn.execute_raw(statement).await?;
        let entry = Entry {
            by: By::Actor(actor),
            action: if watched { "person.watch" } else { "person.unwatch" },
            object_kind: "person",
            object_id: Some(id.to_string()),
            detail: json!({}),
        };
        entry::record(self.0.db(), &txn, entry).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    async fn watchers(self, id: PersonId) -> Result<Vec<Watcher>> {
        let statement = self.0.db().statement(
            "SELECT w.watcher_id, w.watched_date, s.first_name, s.last_name FROM watch w
             JOIN person s ON s.id = w.watcher_id WHERE w.person_id = $1 ORDER BY s.sort_key LIMIT $2",
            [id.into(), SHOWN.into()],
        );
        let rows = self.0.db().reader().query_all_raw(statement).await?;
        let watchers = rows.iter().map(|row| {
            let (first, last): (String, String) = (row.try_get("", "first_name")?, row.try_get("", "last_name")?);
            Ok(Watcher {
                id: row.try_get("", "watcher_id")?,
                name: full_name(&[Some(&first), Some(&last)]),
                date: row.try_get("", "watched_date")?,
            })
        });
        watchers.collect()
    }
}

/// Refuses whoever does not reach the person; to them there is no such person.
pub(crate) async fn reached(caseload: &Caseload, actor: &Actor, id: PersonId) -> Result<()> {
    match selection::count_people(caseload, student(id).and(access::reach(actor)), 1).await? {
        0 => Err(no_person(caseload, actor, id).await?),
        _ => Ok(()),
    }
}

/// What is said of somebody whom the actor does not reach: it is the same whether there is such a person.
async fn no_person(caseload: &Caseload, actor: &Actor, id: PersonId) -> Result<Error> {
    Ok(match selection::count_people(caseload, student(id), 1).await? {
        0 => Problem::not_found("person").into(),
        _ => actor.hidden("person"),
    })
}

/// The condition that the person `p` is this student.
fn student(id: PersonId) -> Expr {
    P.col(Column::Id).eq(id).and(P.col(Column::Student))
}

fn extra(json: &str) -> BTreeMap<String, String> {
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        serde_json::Value::Bool(is_so) => if is_so { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    };
    fields.into_iter().map(|(name, value)| (name, text(value))).collect()
}

/// Takes out the comments on others that name somebody who is erased. One comment stands on everybody whom a task treated.
pub async fn forget(db: &Database, txn: &Transaction, erased: &Erased) -> Result<()> {
    status::forget(db, txn, erased).await?;
    Ok(forget_texts::<early_alert::Entity>(db, txn, erased, early_alert::Column::Comment, None).await?)
}
