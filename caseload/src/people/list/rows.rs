//! A row of the people list, and how far counts go.

use model::{Instant, PersonId, PersonRow, ProgramStatus};
use sea_orm::{FromQueryResult, sea_query::Expr};

use crate::{
    Actor, access,
    entity::people::person::{Column, P},
    statement::sql,
};

/// Totals are counted up to here; a list over more says so. Without a filter an index alone can count, so it goes further.
pub(crate) const COUNTED: u64 = 10_000;
pub(crate) const COUNTED_WITHOUT_FILTER: u64 = 100_000;

/// A person as the list's statement gives it.
#[derive(FromQueryResult)]
pub(crate) struct ListedPerson {
    pub id: PersonId,
    pub school_id: String,
    pub first_name: String,
    pub middle_name: Option<String>,
    pub last_name: String,
    pub primary_email: Option<String>,
    pub program_status: ProgramStatus,
    pub status_date: Option<Instant>,
    pub student_type: Option<String>,
    pub home_campus: Option<String>,
    pub declared_major: Option<String>,
    pub start_term: Option<String>,
    pub activated: bool,
    pub coach_first: Option<String>,
    pub coach_last: Option<String>,
    pub reached: bool,
    pub watched: bool,
    pub sort_key: String,
}

/// The columns of [`ListedPerson`] as this actor may see them, for a statement over `person p LEFT JOIN person c` (the coach).
pub(crate) fn columns(actor: &Actor) -> Expr {
    let own = P.cols([
        Column::Id,
        Column::SchoolId,
        Column::FirstName,
        Column::MiddleName,
        Column::LastName,
        Column::PrimaryEmail,
        Column::ProgramStatus,
        Column::StatusDate,
        Column::StudentType,
        Column::HomeCampus,
        Column::DeclaredMajor,
        Column::StartTerm,
        Column::Activated,
        Column::SortKey,
    ]);
    let (reached, watched) = (access::reach(actor), access::watched(actor));
    let columns = "$1, c.first_name AS coach_first, c.last_name AS coach_last, ($2) AS reached, ($3) AS watched";
    sql(columns, [own, reached, watched])
}

impl ListedPerson {
    /// `Last, First Middle`.
    pub fn name(&self) -> String {
        list_name(&self.last_name, &self.first_name, self.middle_name.as_deref())
    }

    /// `First Middle Last`.
    pub fn full_name(&self) -> String {
        full_name(&[Some(&self.first_name), self.middle_name.as_deref(), Some(&self.last_name)])
    }

    /// The same of the coach.
    pub fn coach(&self) -> Option<String> {
        Some(full_name(&[self.coach_first.as_deref(), Some(self.coach_last.as_deref()?)]))
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
            watched: self.watched,
            pending: None,
        }
    }

    /// `K. Lund`, or the whole name when it is short of a part.
    fn coach_name(&self) -> Option<String> {
        Some(short_name(self.coach_first.as_deref()?, self.coach_last.as_deref()?))
    }
}

/// `F. Last`, as the list of people has coaches.
pub(crate) fn short_name(first: &str, last: &str) -> String {
    match first.chars().next() {
        Some(initial) => format!("{initial}. {last}"),
        None => last.to_owned(),
    }
}

/// `First Middle Last`, as prose has it.
pub(crate) fn full_name(parts: &[Option<&str>]) -> String {
    parts.iter().copied().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// `Last, First Middle`, as lists have it.
pub(crate) fn list_name(last: &str, first: &str, middle: Option<&str>) -> String {
    let given =
        [Some(first), middle].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if given.is_empty() { last.to_owned() } else { format!("{last}, {given}") }
}
