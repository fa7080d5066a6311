//! The people list: a page by keyset, its total and the tabs.

use model::{
    Action, Instant, Page, PeopleFilter, PeopleQuery, PersonId, PersonRow, Scope, SkipReason, Sort, TaskId, Total,
    person::{PendingChange, ScopeCounts},
};
use queue::TaskTable;
use sea_orm::{
    ConnectionTrait, FromQueryResult,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Caseload, Result,
    access::{self, may_see},
    actions::all_actions::definition,
    caseload::People,
    entity::people::person::{Column, P},
    people::{
        filter,
        list::{
            cursor::{self, cursor},
            order::{ListOrder, Place},
            rows::{COUNTED, COUNTED_WITHOUT_FILTER, ListedPerson, columns},
        },
        selection,
    },
    statement::{by_no_index, composed, not_by, sql},
    submit::spec::Spec,
};

/// Rows on a page unless asked otherwise.
pub(crate) const PAGE: u32 = 25;
/// As many as are looked up for one page rather than met on the way along the list.
const FEW: u64 = 2_000;
/// After how many people of a list the next ones who match are not near.
const NEAR: u32 = 10_000;
/// How the people of a page are found.
#[derive(Clone, Copy)]
enum FoundBy {
    /// All who match, and then sorted.
    Sorted,
    /// On the way along the list, until the page is full.
    Walked,
    /// The same, no further than [`NEAR`] people.
    Near,
}

/// The ways to find a page, one after the other until one has filled it.
fn ways(actor: &Actor, filter: &PeopleFilter, total: Total, order: ListOrder) -> &'static [FoundBy] {
    let is_by_name = order.is_by_name();
    // Nothing has everybody in the order of the other columns.
    let must_sort = !order.is_indexed() || !is_told_to_all(actor, order);
    if must_sort || total.exact && (total.value <= FEW || !is_by_name) {
        return &[FoundBy::Sorted];
    }
    // Of many, the next ones are not far along the list of names. School ids follow terms, and statuses do as well: along those
    // they may all be at the other end, and to sort them is quicker than to walk there.
    if is_by_name || filter.is_everyone() { &[FoundBy::Walked] } else { &[FoundBy::Near, FoundBy::Sorted] }
}

/// Whether the actor may be told the place in the order of everybody who is listed.
fn is_told_to_all(actor: &Actor, order: ListOrder) -> bool {
    order.is_by_name() || actor.role.reaches_everyone()
}

/// How many are on a page.
fn limit(query: &PeopleQuery) -> u32 {
    query.limit.unwrap_or(PAGE).clamp(1, model::parameters::MAX_LIMIT)
}

impl People<'_> {
    /// One page of the people who match. The indexes are `person_sort_key`, `person_school_key`, and one for each
    /// filter.
    pub async fn list(self, actor: &Actor, query: &PeopleQuery) -> Result<Page<PersonRow>> {
        let limit = limit(query);
        let total = people_total(self.0, actor, &query.filter).await?;
        let order = ListOrder(query.sort.unwrap_or(Sort::NAME));
        let mut found = Vec::new();
        for way in ways(actor, &query.filter, total, order) {
            found = self.find_page(actor, query, *way).await?;
            if found.len() > limit as usize {
                break;
            }
        }
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|(key, last)| cursor(&(key, &last.sort_key, last.id)));
        let mut items: Vec<PersonRow> = found.into_iter().map(|(_, person)| person.row()).collect();
        add_pending(self.0, actor, &mut items).await?;
        Ok(Page { items, next, total })
    }

    /// Those of a page with what they are sorted by, and one more if there is a next one.
    async fn find_page(self, actor: &Actor, query: &PeopleQuery, way: FoundBy) -> Result<Vec<(String, ListedPerson)>> {
        let order = ListOrder(query.sort.unwrap_or(Sort::NAME));
        let matching = match way {
            FoundBy::Sorted => filter::compile_rows(&query.filter, actor),
            FoundBy::Walked | FoundBy::Near => filter::compile_walk(&query.filter, actor),
        };
        // Neither their place in the list nor the mark after them tells more than the name of those who are only watched.
        let key = match is_told_to_all(actor, order) {
            true => order.key(),
            false => sql("CASE WHEN $1 THEN $2 ELSE '' END", [access::reach(actor), order.key()]),
        };
        let after = match &query.after {
            None => Expr::cust("TRUE"),
            Some(after) => {
                let place: Place = cursor::read(after)?;
                order.comes_after(key.clone(), place)
            }
        };
        let sorted_by = match way {
            FoundBy::Sorted if order.is_by_name() => not_by(key.clone()),
            // PostgreSQL knows no more than SQLite of how far they are, and would walk, too.
            FoundBy::Sorted if order.is_indexed() => by_no_index(key.clone()),
            FoundBy::Sorted | FoundBy::Walked | FoundBy::Near => key.clone(),
        };
        let in_order = order.by(sorted_by, P.col(Column::SortKey), P.col(Column::Id));
        let until = match way {
            FoundBy::Near => {
                let last_looked_at = "SELECT $1 FROM person p WHERE $2 ORDER BY $3 LIMIT 1 OFFSET $4";
                let parts = [key.clone(), after.clone(), in_order.clone(), Expr::Constant(NEAR.into())];
                order.comes_until(key.clone(), sql(last_looked_at, parts))
            }
            FoundBy::Sorted | FoundBy::Walked => Expr::cust("TRUE"),
        };
        // First the ids, which indexes know, and then the people of the page.
        let page = "SELECT $1, found.key AS key FROM (
                SELECT p.id, $2 AS key FROM person p WHERE ($3) AND $4 AND $5 ORDER BY $6 LIMIT $7) AS found
             CROSS JOIN person p LEFT JOIN person c ON c.id = p.coach_id WHERE p.id = found.id ORDER BY $8";
        let (columns, limit) = (columns(actor), Expr::Constant((limit(query) + 1).into()));
        let found = order.by(Expr::col(("found", "key")), P.col(Column::SortKey), Expr::col(("found", "id")));
        let page = composed(self.0.db(), page, [columns, key, matching, after, until, in_order, limit, found]);
        let rows = self.0.db().reader().query_all_raw(page).await?;
        let found = rows.iter().map(|row| Ok((row.try_get("", "key")?, ListedPerson::from_query_result(row, "")?)));
        found.collect()
    }

    /// How many people match, counted up to a bound.
    pub async fn count(self, actor: &Actor, filter: &PeopleFilter) -> Result<Total> {
        people_total(self.0, actor, filter).await
    }

    /// How many people each tab has.
    pub async fn scope_counts(self, actor: &Actor) -> Result<ScopeCounts> {
        let scoped = |scope| PeopleFilter { scope: Some(scope), ..PeopleFilter::default() };
        Ok(ScopeCounts {
            caseload: people_total(self.0, actor, &scoped(Scope::Caseload)).await?,
            watchlist: people_total(self.0, actor, &scoped(Scope::Watchlist)).await?,
            all: match actor.role.reaches_everyone() {
                true => Some(people_total(self.0, actor, &scoped(Scope::All)).await?),
                false => None,
            },
        })
    }
}

/// How many match, counted up to a bound. The index without a filter is `person_student`.
pub(crate) async fn people_total(caseload: &Caseload, actor: &Actor, filter: &PeopleFilter) -> Result<Total> {
    let bound = if filter.is_everyone() { COUNTED_WITHOUT_FILTER } else { COUNTED };
    Ok(Total::upto(bound, selection::count_people(caseload, filter::compile(filter, actor), bound + 1).await?))
}

/// Marks those for whom a task that the actor may see is waiting or running, unless it will skip them; of several by the one
/// that was submitted last. The index is `task_person_person`.
pub(crate) async fn add_pending(caseload: &Caseload, actor: &Actor, rows: &mut [PersonRow]) -> Result<()> {
    let reached: Vec<PersonId> = rows.iter().filter(|row| row.reached).map(|row| row.id).collect();
    if reached.is_empty() {
        return Ok(());
    }
    #[derive(FromQueryResult)]
    struct PendingTask {
        person_id: PersonId,
        task_id: TaskId,
        execution_spec: Option<String>,
        trigger_date: Instant,
        is_unapproved: bool,
    }
    let t = TaskTable("t");
    let sql = "SELECT tp.person_id, tp.task_id, $3 AS execution_spec, $4 AS trigger_date, $9 AS is_unapproved
         FROM task_person tp CROSS JOIN $5
         WHERE $6 = tp.task_id AND $1 AND tp.outcome IS NULL AND $2 AND $7 ORDER BY $8";
    let people = Expr::col(("tp", "person_id")).is_in(reached);
    let (db, now) = (caseload.db(), caseload.db().now().await?);
    let of_tasks = [t.spec(), t.trigger_date(), t.table(), t.id(), t.is_open(), t.submit_order(), t.is_unapproved()];
    let pending = composed(db, sql, [people, may_see(actor, t)].into_iter().chain(of_tasks));
    for found in PendingTask::find_by_statement(pending).all(db.reader()).await? {
        let action: Option<Action> = found.execution_spec.as_deref().and_then(Spec::read).map(|spec| spec.action);
        let Some(action) = action else { continue };
        let is_passed_over = |row: &PersonRow| {
            row.activated == Some(false) && definition(&action).reasons().contains(&SkipReason::NotActivated)
        };
        if let Some(row) = rows.iter_mut().find(|row| row.id == found.person_id && !is_passed_over(row)) {
            let (what, start) = (action.pending_label(), found.trigger_date);
            row.pending = Some(match found.is_unapproved {
                true => PendingChange::if_approved(found.task_id, &what),
                false => PendingChange::new(found.task_id, what, start, now),
            });
        }
    }
    Ok(())
}
