//! The ledger: one row for each person of a task, written in the transaction that treats them.

pub(crate) mod named_in_list;
mod order;

use model::{
    Action, Cursor, Instant, LedgerQuery, LedgerRow, Outcome, Page, PersonId, SkipReason, TaskId, TaskKind, TaskRow,
    Total,
    action::line_label,
    ledger::{FailReason, PAGE_OF_LINES},
    task::ReasonCount,
};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use crate::{
    Actor, Caseload, Result, access,
    actions::all_actions::definition,
    caseload::Tasks,
    entity::tasks::{
        coach_wish,
        task_person::{Column, Entity},
    },
    erase::erased::{Erased, forget_texts},
    import::rows::line_cause,
    people::{fold::key, list::rows::list_name},
    statement::{at_most, composed, count, sql},
    submit::spec::Spec,
    tasks::{
        ledger_lines::{OUT_OF_REACH, with_outcome},
        visible,
    },
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 25;

#[derive(FromQueryResult)]
struct FoundLine {
    position: i64,
    person_id: Option<PersonId>,
    given: Option<String>,
    outcome: Option<Outcome>,
    reason: Option<String>,
    before_value: Option<String>,
    after_value: Option<String>,
    outcome_date: Option<Instant>,
    /// Of a list of coaches: which line of the file it is, and whom it names that is not found.
    list_line: Option<i64>,
    wanted: Option<String>,
    school_id: Option<String>,
    first_name: Option<String>,
    middle_name: Option<String>,
    last_name: Option<String>,
}

impl Tasks<'_> {
    /// Notes that the actor took a ledger away as a file.
    pub async fn ledger_downloaded(self, actor: &Actor, id: TaskId, query: &LedgerQuery) -> Result<()> {
        visible::visible_task(self.0, actor, id).await?;
        let txn = self.0.db().begin_write().await?;
        let detail = json!({ "outcome": query.outcome, "reason": query.reason });
        visible::record_verb(self.0, &txn, actor, "ledger.download", id, detail).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    /// A page of a task's ledger, in the order of treatment. The index is the primary key (task, position).
    pub async fn ledger(self, actor: &Actor, id: TaskId, query: &LedgerQuery) -> Result<Page<LedgerRow>> {
        let (items, next) = self.ledger_part(actor, id, query).await?;
        let counting = "SELECT COUNT(*) AS count FROM task_person tp WHERE $1";
        let count = count(self.0.db().reader(), composed(self.0.db(), counting, [matching(id, query)])).await?;
        Ok(Page { items, next, total: Total::exactly(count) })
    }

    /// The same without the count, for whoever reads a whole ledger part by part: the lines, and where the next ones begin.
    pub async fn ledger_part(
        self,
        actor: &Actor,
        id: TaskId,
        query: &LedgerQuery,
    ) -> Result<(Vec<LedgerRow>, Option<Cursor>)> {
        let task = visible::visible_task(self.0, actor, id).await?;
        order::can_be_asked_for(&task, query)?;
        reason_can_be_asked_for(self.0, id, query).await?;
        let action = task.execution_spec.as_deref().and_then(Spec::read).map(|spec| spec.action);
        let limit = query.limit.unwrap_or(PAGE).clamp(1, PAGE_OF_LINES);
        let after: i64 = query.after.as_ref().map_or(Ok(0), Cursor::place)?;
        // Whoever is out of reach by now is a name here, unless the action itself could only be done to people within reach.
        let within = || sql("COALESCE(tp.reason, '') <> $1", [OUT_OF_REACH.into()]);
        let met = match action.as_ref().is_some_and(|action| definition(action).is_personal()) {
            true => Expr::cust("FALSE"),
            false => Expr::cust("tp.outcome IS NOT NULL").and(within()),
        };
        // Lines from before this was so have their values written down.
        let lines = "$10 SELECT tp.position, tp.person_id, tp.given, tp.outcome, tp.reason,
                CASE WHEN $1 THEN tp.before_value END AS before_value, tp.after_value,
                tp.outcome_date, CASE WHEN $2 THEN p.school_id END AS school_id, p.first_name, p.middle_name, p.last_name,
                $8 AS list_line, $9 AS wanted
             FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id $11
             WHERE $3 AND tp.position > $4 ORDER BY $5 LIMIT $6 OFFSET $7";
        let (is_known, matching) = (access::reach(actor).or(met), matching(id, query));
        let db = self.0.db();
        let replaced = match (&action, query.sort) {
            (Some(Action::ReassignByList(_)), Some(sort)) => named_in_list::sort_texts(db, actor, id, sort).await?,
            _ => None,
        };
        let order = order::of(query.sort, &within(), &is_known, replaced.is_some());
        let [with, join] = match replaced {
            Some(texts) => [
                sql("WITH replaced AS MATERIALIZED ($1)", [texts]),
                Expr::cust("LEFT JOIN replaced ON replaced.key = CAST(tp.position AS text)"),
            ],
            None => [Expr::cust(""), Expr::cust("")],
        };
        // A page of a sorted ledger begins after so many lines, another one after a position.
        let (position, lines_before) = if query.sort.is_some() { (0, Ord::max(after, 0)) } else { (after, 0) };
        let parts = [within(), is_known, matching, position.into(), order];
        let parts = parts
            .into_iter()
            .chain([at_most(i64::from(limit + 1)), lines_before.into()])
            .chain(in_list(action.as_ref()))
            .chain([with, join]);
        let mut found = FoundLine::find_by_statement(composed(db, lines, parts)).all(db.reader()).await?;
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|last| match query.sort {
            Some(_) => Cursor::after(lines_before + found.len() as i64),
            None => Cursor::after(last.position),
        });
        if let Some(Action::ReassignByList(_)) = action {
            add_names_in_list(db, actor, id, &mut found).await?;
        }
        let items = found.into_iter().map(|found| found.row(action.as_ref())).collect();
        Ok((items, next))
    }
}

/// Refuses a reason that nobody was ever skipped or failed for. Those of an import are written for each line and so have to
/// stand in this ledger.
async fn reason_can_be_asked_for(caseload: &Caseload, id: TaskId, query: &LedgerQuery) -> Result<()> {
    let Some(reason) = query.reason.as_ref() else { return Ok(()) };
    if reason.parse::<SkipReason>().is_ok() || reason.parse::<FailReason>().is_ok() {
        return Ok(());
    }
    let db = caseload.db();
    let these = sql("tp.task_id = $1", [id.into()]).and(of_reason(reason));
    let found = composed(db, "SELECT 1 FROM task_person tp WHERE $1 LIMIT 1", [these]);
    let found = db.reader().query_one_raw(found).await?;
    found.map(drop).ok_or_else(|| crate::admin::guard::unknown("reason", reason, "reason").into())
}

/// The condition of the lines `tp` that are asked for.
fn matching(id: TaskId, query: &LedgerQuery) -> Expr {
    let mut all = sql("tp.task_id = $1", [id.into()]);
    if let Some(wanted) = query.outcome {
        all = all.and(with_outcome(&[wanted], &Expr::cust("tp.outcome")));
    }
    if let Some(reason) = &query.reason {
        all = all.and(of_reason(reason));
    }
    all
}

/// The condition of the lines `tp` with a reason, or with one of those that it stands for: `Status: “…” is not a known value`.
fn of_reason(reason: &str) -> Expr {
    let Some((begins, ends)) = line_cause::parts(reason) else { return sql("tp.reason = $1", [reason.into()]) };
    let letters = |text: &str| i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    let both = letters(begins).saturating_add(letters(ends));
    let text = "LENGTH(tp.reason) >= $1 AND SUBSTR(tp.reason, 1, $2) = $3
        AND SUBSTR(tp.reason, LENGTH(tp.reason) - $4 + 1) = $5";
    sql(text, [both.into(), letters(begins).into(), begins.into(), letters(ends).into(), ends.into()])
}

/// The largest ledger whose reasons are counted each time that its task is looked at.
const COUNTED: u64 = 100_000;
/// The most reasons that are told: an import has one for each bad line.
const TOLD: u64 = 8;

#[derive(FromQueryResult)]
struct LineReason {
    outcome: Outcome,
    reason: String,
    count: i64,
}

/// See [`model::TaskDetail::reasons`].
pub(crate) async fn reasons(caseload: &Caseload, row: &TaskRow, action: Option<&Action>) -> Result<Vec<ReasonCount>> {
    let of_interest = row.skipped + row.failed > 0 && row.status.is_finished();
    if !of_interest || row.total.is_none_or(|total| total > COUNTED) {
        return Ok(Vec::new());
    }
    let db = caseload.db();
    let sql = "SELECT outcome, reason, COUNT(*) AS count FROM task_person
               WHERE task_id = $1 AND outcome IN ('SKIPPED', 'FAILED') AND reason IS NOT NULL
               GROUP BY outcome, reason ORDER BY count DESC, reason LIMIT $2";
    let statement = db.statement(sql, [row.id.into(), TOLD.into()]);
    let found = LineReason::find_by_statement(statement).all(db.reader()).await?;
    let told = |found: LineReason| ReasonCount {
        label: reason_label(action, &found.reason),
        outcome: found.outcome,
        reason: found.reason,
        count: found.count.cast_unsigned(),
    };
    Ok(found.into_iter().map(told).collect())
}

/// Names those of a list who are known by another line of it.
async fn add_names_in_list(db: &Database, actor: &Actor, task: TaskId, lines: &mut [FoundLine]) -> Result<()> {
    let nameless = |line: &FoundLine| line.given.clone().filter(|_| line.person_id.is_none());
    let given: Vec<String> = lines.iter().filter_map(nameless).collect();
    let named = named_in_list::find(db, actor, task, &given).await?;
    for line in lines {
        let Some(given) = nameless(line) else { continue };
        match named.get(&key(&given)) {
            Some(named) => {
                (line.person_id, line.school_id) = (Some(named.id), Some(named.school_id.clone()));
                (line.first_name, line.last_name) = (Some(named.first_name.clone()), Some(named.last_name.clone()));
                line.middle_name = named.middle_name.clone();
            }
            // The list has nothing but school IDs.
            None => line.school_id = Some(given),
        }
    }
    Ok(())
}

impl FoundLine {
    fn row(self, action: Option<&model::Action>) -> LedgerRow {
        let name = match (&self.last_name, &self.first_name) {
            (Some(last), Some(first)) => list_name(last, first, self.middle_name.as_deref()),
            _ => self.given.clone().unwrap_or_else(|| "No longer in Docket".to_owned()),
        };
        let reason_label = self.reason.as_deref().map(|reason| {
            let label = reason_label(action, reason);
            line_label(reason.parse().ok(), label, self.list_line, self.wanted.as_deref())
        });
        LedgerRow {
            position: self.position,
            person_id: self.person_id,
            school_id: self.school_id,
            name,
            outcome: self.outcome,
            reason: self.reason,
            reason_label,
            before: self.before_value,
            after: self.after_value,
            date: self.outcome_date,
        }
    }
}

/// What is kept of the line `tp` as it stood in an uploaded list: its number, and the coach that is not found.
pub fn in_list(action: Option<&Action>) -> [Expr; 2] {
    let parts = match action {
        Some(Action::ReassignByList(_)) => [
            "(SELECT w.line FROM coach_wish w WHERE w.task_id = tp.task_id AND w.position = tp.position)",
            "(SELECT w.wanted FROM coach_wish w WHERE w.task_id = tp.task_id AND w.position = tp.position)",
        ],
        _ => ["CAST(NULL AS bigint)", "CAST(NULL AS text)"],
    };
    parts.map(Expr::cust)
}

/// A reason in words, within the action.
pub fn reason_label(action: Option<&Action>, reason: &str) -> String {
    match (reason.parse::<SkipReason>(), reason.parse::<FailReason>()) {
        (Ok(reason), _) => action.map_or(reason.label().to_owned(), |action| definition(action).skip_label(reason)),
        (_, Ok(reason)) => reason.label().to_owned(),
        // The reason against a line of an import is written for people.
        _ => reason.to_owned(),
    }
}

/// Takes somebody who is erased off every ledger; the lines stay, so that the sums do.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let gone = || Expr::val(None::<String>);
    let own = Entity::update_many()
        .col_expr(Column::PersonId, None::<PersonId>.into())
        .col_expr(Column::Given, gone())
        .col_expr(Column::BeforeValue, gone())
        .col_expr(Column::AfterValue, gone())
        .filter(Column::PersonId.eq(erased.id));
    let given = [erased.school_id.to_string(), erased.id.to_string()]
        .map(|given| Entity::update_many().col_expr(Column::Given, gone()).filter(Column::Given.eq(given)));
    for lines in given.into_iter().chain([own]) {
        txn.execute_raw(db.build(&lines.into_query())).await?;
    }
    forget_texts::<coach_wish::Entity>(db, txn, erased, coach_wish::Column::Wanted, None).await?;
    // The reason against a line of an import says what stood there.
    let sql = "SELECT task_id, position, reason FROM task_person WHERE outcome = 'FAILED' AND reason <> $1
               AND task_id IN ($2)";
    let parts = [FailReason::Erased.name().into(), queue::ids_of_kind(TaskKind::Import.name())];
    for row in txn.query_all_raw(composed(db, sql, parts)).await? {
        let reason: String = row.try_get("", "reason")?;
        if erased.is_named_in(&reason) {
            let (task, position): (TaskId, i64) = (row.try_get("", "task_id")?, row.try_get("", "position")?);
            let line = Entity::update_many().filter(Column::TaskId.eq(task)).filter(Column::Position.eq(position));
            let line = line.col_expr(Column::Reason, FailReason::Erased.name().into());
            txn.execute_raw(db.build(&line.into_query())).await?;
        }
    }
    Ok(())
}
