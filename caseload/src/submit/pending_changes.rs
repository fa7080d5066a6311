//! Which people another task is still to treat that changes the same of them. Of most tasks they are written down; a task about very many writes them down when
//! it begins, and until then they are those who match what it was asked for, as whoever it runs as. It is told of people within
//! the actor's reach only: of somebody who is watched beyond it a row says no more than the name.

use std::collections::{HashMap, hash_map::Entry};

use model::{AccountId, Action, PreviewToken, TaskId, TaskKind, action::changes_as, submission::FROZEN_AT_PREVIEW};
use queue::TaskTable;
use sea_orm::{
    ConnectionTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Caseload, Result, access,
    accounts::request_origin::Via,
    actions::all_actions::definition,
    people::targeted_people::{self, TargetedPeople},
    statement::{at_most, composed, count, sql},
    submit::{
        preview::{
            judged::{Judged, judged_by},
            record::PreviewRecord,
        },
        spec::Spec,
    },
    tasks::people_executor,
};

/// Tasks that have not written down their people, looked at, at most, and how long what they were asked for may be together, in bytes.
const TASKS: usize = 2_000;
const LONGEST: u64 = 4 * 1024 * 1024;
/// How many choices of people they may have among them, and how many values these: a statement of SQLite takes 32,766.
const CHOICES: usize = 200;
const VALUES: usize = 20_000;
/// With so many open tasks their lines are not gone through, and so many lines are, however few people it is asked for.
const OPEN_TASKS: i64 = 1_000;
const FEW_LINES: u64 = 10_000;
/// What asking for one person costs, in lines: there are those of all tasks that they had, and each of these tasks is looked up.
const LINES_FOR_ONE: u64 = 10;

/// How many of these people another task is still to treat that changes the same of them. None of an action that changes nobody:
/// it stands in no task's way, and reads what is there when it runs.
pub(crate) async fn pending_elsewhere(
    caseload: &Caseload,
    actor: &Actor,
    token: PreviewToken,
    record: &PreviewRecord,
) -> Result<u64> {
    if !record.action.changes_people() {
        return Ok(0);
    }
    let Judged { from, is_targeted, .. } = judged_by(targeted_people::walk_condition, actor, token, record);
    let both = is_targeted.and(treated_elsewhere(caseload, actor, token, record).await?);
    let counting = "SELECT COUNT(DISTINCT p.id) AS count FROM $1 WHERE $2";
    count(caseload.db().reader(), composed(caseload.db(), counting, [from, both])).await
}

/// The condition that another task than this preview's is still to change the same of the person `p`, who is one of its people.
///
/// Either the open lines of all tasks are gone through once, or each of these people is asked about. The first costs nothing
/// while few tasks are open, however many people it is about; the second costs nothing for few people, however many lines are
/// open. So it goes by whichever are fewer.
pub(crate) async fn treated_elsewhere(
    caseload: &Caseload,
    actor: &Actor,
    token: PreviewToken,
    record: &PreviewRecord,
) -> Result<Expr> {
    let by_lines = few_lines_are_open(caseload, record).await?;
    let rivals = Rivals::of(caseload, actor, token, record).await?;
    let meant = meant_by_others(caseload, &rivals).await?;
    // As a truth, and not as what people are found by: a coach may have more people than the preview.
    let mut all = sql("($1) IS TRUE", [access::reach(actor)]);
    // With anything else than a short list of open lines it is these people who are found first.
    if !record.frozen && matches!(record.targeted, TargetedPeople::Matching { .. }) && !(by_lines && meant.is_empty()) {
        all = targeted_people::condition(&record.targeted, actor).and(all);
    }
    let written = if by_lines { has_line_among_open(&rivals) } else { has_open_line(&rivals) };
    Ok(all.and(meant.into_iter().fold(written, |any, next| any.or(next))))
}

/// Whether fewer lines are open than these people have.
async fn few_lines_are_open(caseload: &Caseload, record: &PreviewRecord) -> Result<bool> {
    let db = caseload.db();
    // Whoever is about more people and has not begun has no lines.
    let counting = "SELECT COUNT(*) AS tasks, CAST(COALESCE(SUM(lines), 0) AS bigint) AS lines FROM (
            SELECT CASE WHEN attempt = 0 AND total > $1 THEN 0 ELSE total END AS lines
            FROM ($2) AS task LIMIT $3) AS few";
    let parts = [FROZEN_AT_PREVIEW.cast_signed().into(), queue::unfinished::tasks(), at_most(OPEN_TASKS)];
    let Some(row) = db.reader().query_one_raw(composed(db, counting, parts)).await? else { return Ok(false) };
    let (tasks, lines): (i64, i64) = (row.try_get("", "tasks")?, row.try_get("", "lines")?);
    let of_people = record.total.saturating_mul(LINES_FOR_ONE);
    Ok(tasks < OPEN_TASKS && lines.unsigned_abs() <= Ord::max(of_people, FEW_LINES))
}

/// The condition of the people of each task that has not written them down. Should there be more of them than one statement
/// can ask for, whoever may be theirs counts: nobody is to take a silence for a promise.
async fn meant_by_others(caseload: &Caseload, rivals: &Rivals<'_>) -> Result<Vec<Expr>> {
    let (tasks, all) = not_written_down(caseload, rivals).await?;
    let mut any: Vec<Expr> = tasks.iter().map(Meant::condition).collect();
    if !all {
        any.push(Expr::cust("TRUE"));
    }
    Ok(any)
}

/// Whom the tasks are about that are still to write that down, each choice once, with whom it runs as; and whether that is
/// all of them.
pub async fn not_written_down(caseload: &Caseload, rivals: &Rivals<'_>) -> Result<(Vec<Meant>, bool)> {
    let db = caseload.db();
    let others = TaskKind::ALL.iter().filter(|kind| !kind.description().freezes_people);
    let others: Vec<&str> = others.map(|kind| kind.name()).collect();
    let most = TASKS as u64 + 1;
    let open = queue::unfinished::large(caseload.db(), FROZEN_AT_PREVIEW, rivals.except.task(), &others, most).await?;
    let (mut looked_at, mut length): (Vec<TaskId>, u64) = (Vec::new(), 0);
    for (task, bytes) in open.iter().take(TASKS) {
        length += bytes;
        if length > LONGEST {
            break;
        }
        looked_at.push(*task);
    }
    let mut all = looked_at.len() == open.len();
    let (mut found, mut values): (Vec<Meant>, usize) = (Vec::new(), 0);
    let mut actors: HashMap<AccountId, Option<Actor>> = HashMap::new();
    for task in caseload.queue().tasks_by_id(looked_at).await? {
        let Some(spec) = Spec::of(&task).filter(|spec| rivals.has(&spec.action, task.owner_id)) else { continue };
        let is_known = |meant: &Meant| meant.runs_as.person_id == task.run_as_id && meant.targeted == spec.targeted;
        if people_executor::is_frozen(&task, &spec) || found.iter().any(is_known) {
            continue;
        }
        let runs_as = match actors.entry(task.run_as_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(access::load(db.reader(), task.run_as_id, Via::docket()).await?),
        };
        // Whoever may not act any more treats nobody.
        let Some(runs_as) = runs_as.as_ref().filter(|actor| actor.may(spec.action.right())) else { continue };
        values += values_of(&spec.targeted);
        if values > VALUES || found.len() == CHOICES {
            all = false;
            break;
        }
        found.push(Meant { task: task.id, targeted: spec.targeted, runs_as: runs_as.clone() });
    }
    Ok((found, all))
}

/// How many values the condition of these people has, with a few for whoever asks.
fn values_of(targeted: &TargetedPeople) -> usize {
    let of_filter = targeted.filter().map(|filter| {
        let texts = [&filter.home_campus, &filter.major, &filter.start_term].map(Vec::len);
        filter.program_status.len() + filter.coach.len() + texts.iter().sum::<usize>()
    });
    of_filter.unwrap_or_default() + 16
}

/// The condition that the person `p` has a line of a rival and has not been come to, by going through these lines.
fn has_line_among_open(rivals: &Rivals<'_>) -> Expr {
    let is_rival = rivals.condition(["kind", "owner_id", "id"].map(|column| Expr::col(("task", column))));
    sql(
        "p.id IN (SELECT line.person_id FROM ($1) AS task CROSS JOIN task_person line
            WHERE line.task_id = task.id AND $2 AND line.outcome IS NULL)",
        [queue::unfinished::tasks(), is_rival],
    )
}

/// The same by going through the lines of the person. The index is `task_person_person`.
fn has_open_line(rivals: &Rivals<'_>) -> Expr {
    let task = TaskTable("task");
    let is_rival = rivals.condition([task.kind(), task.owner(), task.id()]);
    sql(
        "EXISTS (SELECT 1 FROM task_person line CROSS JOIN $2
            WHERE line.person_id = p.id AND $1 AND line.outcome IS NULL AND $3 = line.task_id AND $4)",
        [is_rival, task.table(), task.id(), task.is_open()],
    )
}

/// Undoes that are open and looked at: with more of them, those beyond count as rivals whatever they undo.
const UNDOES: i64 = 200;

/// The other tasks that change the same as an action: of two of them the later one wins.
pub struct Rivals<'a> {
    action: &'a Action,
    actor: &'a Actor,
    except: PreviewToken,
    /// Undoes of something else.
    others: Vec<TaskId>,
}

impl Rivals<'_> {
    pub async fn of<'a>(
        caseload: &Caseload,
        actor: &'a Actor,
        except: PreviewToken,
        record: &'a PreviewRecord,
    ) -> Result<Rivals<'a>> {
        let mut rivals = Rivals { action: &record.action, actor, except, others: Vec::new() };
        if rivals.kinds().contains(&TaskKind::Undo) {
            let t = TaskTable("t");
            let undoes = "SELECT $1 AS id, $2 AS spec, $3 AS owner_id FROM ($4) AS task CROSS JOIN $5
                WHERE $1 = task.id AND task.kind = $6 LIMIT $7";
            let parts = [t.id(), t.spec(), t.owner(), queue::unfinished::tasks(), t.table()];
            let parts = parts.into_iter().chain([TaskKind::Undo.name().into(), at_most(UNDOES)]);
            for row in caseload.db().reader().query_all_raw(composed(caseload.db(), undoes, parts)).await? {
                let (spec, owner): (Option<String>, AccountId) =
                    (row.try_get("", "spec")?, row.try_get("", "owner_id")?);
                let spec = spec.as_deref().and_then(Spec::read);
                if spec.is_some_and(|spec| !rivals.has(&spec.action, owner)) {
                    rivals.others.push(row.try_get("", "id")?);
                }
            }
        }
        Ok(rivals)
    }

    /// Whether a task of this owner is one.
    fn has(&self, action: &Action, owner: AccountId) -> bool {
        action.changes_people()
            && changes_as(action) == changes_as(self.action)
            && (owner == self.actor.person_id || !definition(self.action).is_personal())
    }

    /// The kinds that they are of.
    fn kinds(&self) -> Vec<TaskKind> {
        let changed = changes_as(self.action);
        TaskKind::ALL.iter().copied().filter(|kind| kind.may_change_as(changed)).collect()
    }

    /// The condition that a task of this kind, owner and id is one.
    pub fn condition(&self, [kind, owner, id]: [Expr; 3]) -> Expr {
        let kinds = self.kinds().into_iter().map(TaskKind::name);
        let others = self.others.iter().copied().chain([self.except.task()]);
        let all = kind.is_in(kinds).and(id.is_not_in(others));
        match definition(self.action).is_personal() {
            true => all.and(owner.eq(self.actor.person_id)),
            false => all,
        }
    }
}

/// Whom a task is about that is still to write that down, and whom it runs as.
pub struct Meant {
    pub task: TaskId,
    targeted: TargetedPeople,
    runs_as: Actor,
}

impl Meant {
    pub fn condition(&self) -> Expr {
        targeted_people::condition(&self.targeted, &self.runs_as)
    }
}
