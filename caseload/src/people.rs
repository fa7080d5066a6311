//! The people list: a page by keyset, its total, the tabs and the choices of the filters.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{
    Action, FilterChoices, Instant, Page, PeopleFilter, PeopleQuery, PersonRow, Problem, ProgramStatus, Scope, Sort,
    Total,
    person::{CoachChoice, PendingChange, ScopeCounts},
};
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use crate::{Actor, Caseload, Result, access, binds::Binds, filter, spec::Spec};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 25;
/// Totals are counted up to here; a list over more says so. Without a filter an index alone can count, so it goes further.
pub(crate) const COUNTED: u64 = 10_000;
const COUNTED_WITHOUT_FILTER: u64 = 100_000;
/// The most values of one field that a filter offers.
const CHOICES: u64 = 200;

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

    pub fn row(self) -> PersonRow {
        PersonRow {
            name: self.name(),
            coach_name: self.coach_name(),
            id: self.id,
            school_id: self.school_id,
            primary_email: self.primary_email,
            program_status: self.program_status,
            status_since: self.status_date.unwrap_or_default(),
            student_type: self.student_type,
            home_campus: self.home_campus,
            declared_major: self.declared_major,
            start_term: self.start_term,
            activated: self.activated,
            reached: self.reached,
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

/// `Last, First Middle`, as lists have it.
pub(crate) fn list_name(last: &str, first: &str, middle: Option<&str>) -> String {
    let given =
        [Some(first), middle].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if given.is_empty() { last.to_owned() } else { format!("{last}, {given}") }
}

impl Caseload {
    /// One page of the people who match. The indexes are `person_sort_key`, `person_school_key`, and one for each filter.
    pub async fn people(&self, actor: &Actor, query: &PeopleQuery) -> Result<Page<PersonRow>> {
        let sort = query.sort.unwrap_or(Sort::Name);
        let limit = query.limit.unwrap_or(PAGE).clamp(1, model::filter::MAX_LIMIT);
        let total = self.people_total(actor, &query.filter).await?;
        let mut binds = Binds::default();
        // Few are found and then sorted; of many, the next ones are not far along the list.
        let matching = match total.exact {
            true => filter::compile(&query.filter, actor, &mut binds),
            false => filter::compile_walk(&query.filter, actor, &mut binds),
        };
        let (key, direction, beyond) = order(sort);
        let after = match &query.after {
            None => String::new(),
            Some(cursor) => {
                let (last, id) = read_cursor(cursor)?;
                format!("AND (p.{key}, p.id) {beyond} ({}, {})", binds.add(last), binds.add(id))
            }
        };
        let reach = access::reach(actor, &mut binds);
        let sql = format!(
            "SELECT {} FROM person p LEFT JOIN person c ON c.id = p.coach_id
             WHERE {matching} {after} ORDER BY p.{key} {direction}, p.id {direction} LIMIT {}",
            columns(&reach),
            limit + 1
        );
        let db = self.db();
        let mut found = Found::find_by_statement(db.statement(&sql, binds.values())).all(db.reader()).await?;
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|last| {
            let key = if key == "sort_key" { &last.sort_key } else { &last.school_key };
            cursor(key, last.id)
        });
        let mut items: Vec<PersonRow> = found.into_iter().map(Found::row).collect();
        self.add_pending(actor, &mut items).await?;
        Ok(Page { items, next, total })
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

    /// What the filters can be set to.
    pub async fn filter_choices(&self, _actor: &Actor) -> Result<FilterChoices> {
        let (db, reader) = (self.db(), self.db().reader());
        let coaches = format!(
            "WITH RECURSIVE {} SELECT c.id, c.first_name, c.last_name FROM found JOIN person c ON c.id = found.value
             ORDER BY c.sort_key",
            distinct("coach_id")
        );
        let coaches = reader.query_all_raw(db.statement(&coaches, [])).await?;
        let coaches = coaches.iter().map(|row| {
            let (last, first): (String, String) = (row.try_get("", "last_name")?, row.try_get("", "first_name")?);
            Ok(CoachChoice { id: row.try_get("", "id")?, name: list_name(&last, &first, None) })
        });
        Ok(FilterChoices {
            coaches: coaches.collect::<Result<_>>()?,
            home_campuses: self.values("home_campus").await?,
            majors: self.values("declared_major").await?,
            start_terms: self.values("start_term").await?,
        })
    }

    async fn values(&self, column: &str) -> Result<Vec<String>> {
        let sql = format!("WITH RECURSIVE {} SELECT value FROM found WHERE value IS NOT NULL", distinct(column));
        let rows = self.db().reader().query_all_raw(self.db().statement(&sql, [])).await?;
        rows.iter().map(|row| Ok(row.try_get("", "value")?)).collect()
    }

    /// Marks those for whom a task that the actor may see is waiting or running. The index is `task_person_person`.
    pub(crate) async fn add_pending(&self, actor: &Actor, rows: &mut [PersonRow]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        #[derive(FromQueryResult)]
        struct Pending {
            person_id: Uuid,
            task_id: Uuid,
            execution_spec: Option<String>,
        }
        let mut binds = Binds::default();
        let people = binds.list(rows.iter().map(|row| row.id));
        let whose = match actor.role.reads_all_tasks() {
            true => "TRUE".to_owned(),
            false => format!("t.owner_id = {}", binds.add(actor.person_id)),
        };
        let sql = format!(
            "SELECT tp.person_id, tp.task_id, t.execution_spec FROM task_person tp JOIN queued_task t ON t.id = tp.task_id
             WHERE tp.person_id IN ({people}) AND tp.outcome IS NULL AND {whose}
               AND t.workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING') ORDER BY t.id"
        );
        let db = self.db();
        for found in Pending::find_by_statement(db.statement(&sql, binds.values())).all(db.reader()).await? {
            let action: Option<Action> = found.execution_spec.as_deref().and_then(Spec::read).map(|spec| spec.action);
            if let (Some(action), Some(row)) = (action, rows.iter_mut().find(|row| row.id == found.person_id)) {
                row.pending = Some(PendingChange { task_id: found.task_id, label: action.pending_label() });
            }
        }
        Ok(())
    }
}

/// The distinct values of an indexed column, hopping from one to the next instead of reading every row.
fn distinct(column: &str) -> String {
    format!(
        "found (value, number) AS (
            SELECT * FROM (SELECT {column}, 1 FROM person WHERE {column} IS NOT NULL ORDER BY {column} LIMIT 1) AS least
            UNION ALL
            SELECT (SELECT {column} FROM person WHERE {column} > found.value ORDER BY {column} LIMIT 1), found.number + 1
            FROM found WHERE found.value IS NOT NULL AND found.number < {CHOICES}
        )"
    )
}

pub(crate) fn cursor(key: &str, id: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::json!([key, id]).to_string())
}

pub(crate) fn read_cursor(text: &str) -> Result<(String, Uuid)> {
    let read = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let read = read.filter(|(key, _): &(String, Uuid)| !model::text::has_control(key));
    read.ok_or_else(|| Problem::field("after", "invalid", "That page is not there; start from the first one.").into())
}
