//! The people list: a page by keyset, its total and the tabs.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{
    Action, Instant, Page, PeopleFilter, PeopleQuery, PersonRow, Problem, ProgramStatus, Scope, SkipReason, Sort,
    Total,
    length::within,
    person::{PendingChange, ScopeCounts},
};
use sea_orm::FromQueryResult;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use uuid::Uuid;

use crate::{Actor, Caseload, Result, access, actions::rules, binds::Binds, filter, spec::Spec};

/// Rows on a page unless asked otherwise.
pub(crate) const PAGE: u32 = 25;
/// Totals are counted up to here; a list over more says so. Without a filter an index alone can count, so it goes further.
pub(crate) const COUNTED: u64 = 10_000;
const COUNTED_WITHOUT_FILTER: u64 = 100_000;
/// As many as are looked up for one page rather than met on the way along the list.
const FEW: u64 = 2_000;
/// After how many people of a list the next ones who match are not near.
const NEAR: u32 = 10_000;
/// The longest place in a list that is read, in bytes: a folded name and an id, encoded twice.
const CURSOR: usize = 4 * 1024;

/// A person as the list's statement gives it.
#[derive(FromQueryResult)]
pub(crate) struct Found {
    pub id: Uuid,
    pub school_id: String,
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
    primary_email: Option<String>,
    program_status: ProgramStatus,
    status_date: Option<Instant>,
    student_type: Option<String>,
    home_campus: Option<String>,
    declared_major: Option<String>,
    start_term: Option<String>,
    activated: bool,
    coach_first: Option<String>,
    coach_last: Option<String>,
    reached: bool,
    pub sort_key: String,
    school_key: String,
}

/// The columns of [`Found`], for a statement over `person p LEFT JOIN person c` (the coach).
pub(crate) fn columns(reach: &str) -> String {
    format!(
        "p.id, p.school_id, p.first_name, p.middle_name, p.last_name, p.primary_email, p.program_status, p.status_date,
         p.student_type, p.home_campus, p.declared_major, p.start_term, p.activated, c.first_name AS coach_first,
         c.last_name AS coach_last, {reach} AS reached, p.sort_key, p.school_key"
    )
}

impl Found {
    /// `Last, First Middle`.
    pub fn name(&self) -> String {
        list_name(&self.last_name, &self.first_name, self.middle_name.as_deref())
    }

    /// As the actor who asked may see them: whoever watches somebody without reaching them sees the name.
    pub fn row(self) -> PersonRow {
        if !self.reached {
            return PersonRow::beyond_reach(self.id, self.name());
        }
        PersonRow {
            name: self.name(),
            coach_name: self.coach_name(),
            id: self.id,
            school_id: Some(self.school_id),
            primary_email: self.primary_email,
            program_status: Some(self.program_status),
            status_since: Some(self.status_date.unwrap_or_default()),
            student_type: self.student_type,
            home_campus: self.home_campus,
            declared_major: self.declared_major,
            start_term: self.start_term,
            activated: Some(self.activated),
            reached: true,
            pending: None,
        }
    }

    /// `K. Lund`, or the whole name when it is short of a part.
    fn coach_name(&self) -> Option<String> {
        let (first, last) = (self.coach_first.as_deref()?, self.coach_last.as_deref()?);
        Some(match first.chars().next() {
            Some(initial) => format!("{initial}. {last}"),
            None => last.to_owned(),
        })
    }
}

/// The column of an order, its direction, and what is beyond a place in it.
pub(crate) fn order(sort: Sort) -> (&'static str, &'static str, &'static str) {
    match sort {
        Sort::Name => ("sort_key", "ASC", ">"),
        Sort::NameDescending => ("sort_key", "DESC", "<"),
        Sort::SchoolId => ("school_key", "ASC", ">"),
        Sort::SchoolIdDescending => ("school_key", "DESC", "<"),
    }
}

/// How the people of a page are found.
#[derive(Clone, Copy)]
enum Way {
    /// All who match, and then sorted.
    Sorted,
    /// On the way along the list, until the page is full.
    Walked,
    /// The same, no further than [`NEAR`] people.
    Near,
}

/// The ways to find a page, one after the other until one has filled it.
fn ways(actor: &Actor, filter: &PeopleFilter, total: Total, key: &str) -> &'static [Way] {
    let is_by_name = key == "sort_key";
    if total.exact && (total.value <= FEW || !is_by_name) || !is_told_to_all(actor, key) {
        return &[Way::Sorted];
    }
    // Of many, the next ones are not far along the list of names. School ids follow terms, and statuses do as well: along those
    // they may all be at the other end, and to sort them is quicker than to walk there.
    if is_by_name || filter.is_everyone() { &[Way::Walked] } else { &[Way::Near, Way::Sorted] }
}

/// Whether the actor may be told the place in the order of everybody who is listed.
fn is_told_to_all(actor: &Actor, key: &str) -> bool {
    key == "sort_key" || actor.role.reaches_everyone()
}

/// How many are on a page.
fn limit(query: &PeopleQuery) -> u32 {
    query.limit.unwrap_or(PAGE).clamp(1, model::filter::MAX_LIMIT)
}

/// `Last, First Middle`, as lists have it.
pub(crate) fn list_name(last: &str, first: &str, middle: Option<&str>) -> String {
    let given =
        [Some(first), middle].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if given.is_empty() { last.to_owned() } else { format!("{last}, {given}") }
}

impl Caseload {
    /// One page of the people who match. The indexes are `person_sort_key`, `person_school_key`, and one for each
    /// filter.
    pub async fn people(&self, actor: &Actor, query: &PeopleQuery) -> Result<Page<PersonRow>> {
        let limit = limit(query);
        let total = self.people_total(actor, &query.filter).await?;
        let (key, ..) = order(query.sort.unwrap_or(Sort::Name));
        let mut found = Vec::new();
        for way in ways(actor, &query.filter, total, key) {
            found = self.find_page(actor, query, *way).await?;
            if found.len() > limit as usize {
                break;
            }
        }
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|last| {
            let school_key = if last.reached { last.school_key.as_str() } else { "" };
            cursor(if key == "sort_key" { &last.sort_key } else { school_key }, last.id)
        });
        let mut items: Vec<PersonRow> = found.into_iter().map(Found::row).collect();
        self.add_pending(actor, &mut items).await?;
        Ok(Page { items, next, total })
    }

    /// Those of a page, and one more if there is a next one.
    async fn find_page(&self, actor: &Actor, query: &PeopleQuery, way: Way) -> Result<Vec<Found>> {
        let mut binds = Binds::default();
        let (key, direction, beyond) = order(query.sort.unwrap_or(Sort::Name));
        let matching = match way {
            Way::Sorted => filter::compile_rows(&query.filter, actor, &mut binds),
            Way::Walked | Way::Near => filter::compile_walk(&query.filter, actor, &mut binds),
        };
        let reach = access::reach(actor, &mut binds);
        // Neither their place in the list nor the mark after them tells the school id of those who are only watched.
        let by = match is_told_to_all(actor, key) {
            true => format!("p.{key}"),
            false => format!("CASE WHEN {reach} THEN p.{key} ELSE '' END"),
        };
        let after = match &query.after {
            None => "TRUE".to_owned(),
            Some(cursor) => {
                let (last, id) = read_cursor(cursor)?;
                format!("({by}, p.id) {beyond} ({}, {})", binds.add(last), binds.add(id))
            }
        };
        // PostgreSQL knows no more than SQLite of how far they are, and would walk, too.
        let not_along = if key == "sort_key" { "" } else { "{postgres: || ''}" };
        let order = match way {
            Way::Sorted => format!("{{not by}}{by}{not_along} {direction}, p.id {direction}"),
            Way::Walked | Way::Near => format!("{by} {direction}, p.id {direction}"),
        };
        let until = match way {
            Way::Near => {
                let within = if direction == "ASC" { "<=" } else { ">=" };
                format!(
                    "AND {by} {within} (SELECT {by} FROM person p WHERE {after} ORDER BY {order} LIMIT 1 OFFSET {NEAR})"
                )
            }
            Way::Sorted | Way::Walked => String::new(),
        };
        // First the ids, which indexes know, and then the people of the page.
        let sql = format!(
            "SELECT {} FROM (
                SELECT p.id, {by} AS key FROM person p WHERE {matching} AND {after} {until}
                ORDER BY {order} LIMIT {}) AS found
             CROSS JOIN person p LEFT JOIN person c ON c.id = p.coach_id
             WHERE p.id = found.id ORDER BY found.key {direction}, found.id {direction}",
            columns(&reach),
            limit(query) + 1
        );
        let db = self.db();
        Ok(Found::find_by_statement(db.statement(&sql, binds.values())).all(db.reader()).await?)
    }

    /// How many match, counted up to a bound. The index without a filter is `person_student`.
    pub(crate) async fn people_total(&self, actor: &Actor, filter: &PeopleFilter) -> Result<Total> {
        let mut binds = Binds::default();
        let matching = filter::compile(filter, actor, &mut binds);
        let bound = if filter.is_everyone() { COUNTED_WITHOUT_FILTER } else { COUNTED };
        let sql = format!(
            "SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM person p WHERE {matching} LIMIT {}) AS counted",
            bound + 1
        );
        let count = self.count(&sql, binds).await?;
        Ok(Total::upto(bound, count))
    }

    /// How many people each tab has.
    pub async fn scope_counts(&self, actor: &Actor) -> Result<ScopeCounts> {
        let scoped = |scope| PeopleFilter { scope: Some(scope), ..PeopleFilter::default() };
        Ok(ScopeCounts {
            caseload: self.people_total(actor, &scoped(Scope::Caseload)).await?,
            watchlist: self.people_total(actor, &scoped(Scope::Watchlist)).await?,
            all: match actor.role.reaches_everyone() {
                true => Some(self.people_total(actor, &scoped(Scope::All)).await?),
                false => None,
            },
        })
    }

    /// Marks those for whom a task that the actor may see is waiting or running, unless it will skip them; of several by the one
    /// that was submitted last. The index is `task_person_person`.
    pub(crate) async fn add_pending(&self, actor: &Actor, rows: &mut [PersonRow]) -> Result<()> {
        let reached: Vec<Uuid> = rows.iter().filter(|row| row.reached).map(|row| row.id).collect();
        if reached.is_empty() {
            return Ok(());
        }
        #[derive(FromQueryResult)]
        struct Pending {
            person_id: Uuid,
            task_id: Uuid,
            execution_spec: Option<String>,
            trigger_date: Instant,
        }
        let mut binds = Binds::default();
        let (people, may_see) = (binds.list(reached), may_see(actor, &mut binds));
        let sql = format!(
            "SELECT tp.person_id, tp.task_id, t.execution_spec, t.trigger_date
             FROM task_person tp CROSS JOIN queued_task t
             WHERE t.id = tp.task_id AND tp.person_id IN ({people}) AND tp.outcome IS NULL AND {may_see}
               AND t.workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING') ORDER BY t.submit_order"
        );
        let (db, now) = (self.db(), self.db().now().await?);
        for found in Pending::find_by_statement(db.statement(&sql, binds.values())).all(db.reader()).await? {
            let action: Option<Action> = found.execution_spec.as_deref().and_then(Spec::read).map(|spec| spec.action);
            let Some(action) = action else { continue };
            let is_passed_over = |row: &PersonRow| {
                row.activated == Some(false) && rules(&action).reasons().contains(&SkipReason::NotActivated)
            };
            if let Some(row) = rows.iter_mut().find(|row| row.id == found.person_id && !is_passed_over(row)) {
                let (what, start) = (action.pending_label(), found.trigger_date);
                row.pending = Some(PendingChange::new(found.task_id, what, start, now));
            }
        }
        Ok(())
    }
}

/// The condition that the actor may see the task `t`. Tasks have an order for each owner, along which SQLite would rather walk than
/// look up those of a few people, unless it is told the order of a join (`CROSS JOIN`).
pub(crate) fn may_see(actor: &Actor, binds: &mut Binds) -> String {
    match actor.role.reads_all_tasks() {
        true => "TRUE".to_owned(),
        false => format!("t.owner_id = {}", binds.add(actor.person_id)),
    }
}

/// Where the next page begins: after this key, and among those of one key after this id.
pub(crate) fn cursor(key: &str, id: Uuid) -> String {
    place(&(key, id))
}

pub(crate) fn read_cursor(text: &str) -> Result<(String, Uuid)> {
    read_place(text)
}

/// A place in a list, for an address.
pub(crate) fn place(place: &impl Serialize) -> String {
    // Only maps with keys other than text cannot be written, and no place has any.
    URL_SAFE_NO_PAD.encode(serde_json::to_string(place).unwrap_or_default())
}

pub(crate) fn read_place<T: DeserializeOwned>(text: &str) -> Result<T> {
    let read = within::<CURSOR>(text).ok().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
    let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let read = read.filter(|value| !has_control(value)).and_then(|value| serde_json::from_value(value).ok());
    read.ok_or_else(|| Problem::field("after", "invalid", "That page is not there; start from the first one.").into())
}

/// Whether a text in it has characters that one of the databases refuses.
fn has_control(value: &Value) -> bool {
    match value {
        Value::String(text) => model::text::has_control(text),
        Value::Array(values) => values.iter().any(has_control),
        Value::Object(fields) => fields.values().any(has_control),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
