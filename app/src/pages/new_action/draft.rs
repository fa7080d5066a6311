//! An action while it is being composed. It lives in the address, so that nothing typed is lost on the way to the check and back;
//! the text of an email is kept on the server instead (`caseload/src/composer/drafts.rs`).

use std::collections::BTreeMap;

use crate::components::values::numbers::{grouped, people};

use chrono::{NaiveDateTime, TimeDelta};
use model::{FieldError, Instant, PersonId, Problem, SelectionToken, TaskId, TaskKind};
use serde::{Deserialize, Serialize};

/// What has been chosen and typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// The kind of action, as in its address.
    pub kind: String,
    /// The selection token.
    pub sel: String,
    /// The task that is to be undone, in place of a selection.
    pub task: String,
    /// The person whose page it is composed from, in place of the list.
    pub from: String,
    /// Whose email is shown, where one is written.
    pub person: String,
    /// Why, for the task.
    pub reason: String,
    /// When to start, on the reader's clock: `2026-05-31T14:05`.
    pub start: String,
    /// By how many minutes that clock is behind UTC.
    pub offset: String,
    /// What is chosen for the kind, by field.
    #[serde(flatten)]
    pub choices: BTreeMap<String, String>,
}

/// In the address of a composer whose writer has the draft before them already.
pub const KEPT: (&str, &str) = ("kept", "1");

/// What was confirmed about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConfirmForm {
    pub preview: String,
    /// The number that was typed.
    pub confirm_total: String,
    /// Filled when "everyone" was ticked.
    pub everyone: String,
}

/// Where the people of an action come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeopleSource {
    Selection,
    /// Those whom a task changed.
    Task,
    /// The lines of an uploaded list.
    File,
}

/// What the page is called that these people come from, as the first crumb.
pub fn crumb(draft: &Draft) -> &'static str {
    match draft.from.parse::<PersonId>() {
        Ok(_) => "Person",
        Err(_) => draft.source().crumb(),
    }
}

impl PeopleSource {
    /// The page they come from, as the first crumb.
    pub fn crumb(self) -> &'static str {
        match self {
            PeopleSource::Selection | PeopleSource::File => "People",
            PeopleSource::Task => "Task",
        }
    }

    /// So many of them: `12 people selected`.
    pub fn counted(self, count: u64) -> String {
        match self {
            PeopleSource::Selection => format!("{} selected", people(count)),
            PeopleSource::Task => format!("{} changed by the task", people(count)),
            PeopleSource::File if count == 1 => "1 line in the list".to_owned(),
            PeopleSource::File => format!("{} lines in the list", grouped(count)),
        }
    }

    /// What its numbers count, above them.
    pub fn counted_in(self) -> &'static str {
        match self {
            PeopleSource::Selection | PeopleSource::Task => "People",
            PeopleSource::File => "Lines",
        }
    }

    /// All of them, beside their number.
    pub fn whole(self, count: u64) -> &'static str {
        match (self, count) {
            (PeopleSource::Selection, 1) => "person selected",
            (PeopleSource::Selection, _) => "people selected",
            (PeopleSource::Task, 1) => "person changed by the task",
            (PeopleSource::Task, _) => "people changed by the task",
            (PeopleSource::File, 1) => "line in the list",
            (PeopleSource::File, _) => "lines in the list",
        }
    }
}

impl Draft {
    /// The kind of action, if there is one of this name.
    pub fn kind(&self) -> Option<TaskKind> {
        self.kind.parse().ok()
    }

    /// What was chosen in a field.
    pub fn choice(&self, name: &str) -> &str {
        self.choices.get(name).map_or("", String::as_str)
    }

    /// Where it is composed.
    pub fn path(&self) -> String {
        format!("/actions/new/{}", self.kind)
    }

    /// Where its people come from.
    pub fn source(&self) -> PeopleSource {
        match (self.kind(), self.task.as_str()) {
            (Some(TaskKind::ReassignByList), _) => PeopleSource::File,
            (_, "") => PeopleSource::Selection,
            _ => PeopleSource::Task,
        }
    }

    /// The page it is composed from.
    pub fn origin(&self) -> String {
        match (self.source(), self.from.parse::<PersonId>()) {
            (PeopleSource::Selection, Ok(person)) => format!("/people/{person}"),
            (PeopleSource::Selection, Err(_)) => format!("/people?sel={}", self.sel),
            (PeopleSource::Task, _) => format!("/tasks/{}", self.task),
            (PeopleSource::File, _) => "/people".to_owned(),
        }
    }

    /// When to start, if not at once.
    pub fn start(&self) -> Result<Option<Instant>, FieldError> {
        start(&self.start, &self.offset)
    }

    /// The selection it is aimed at.
    pub fn selection(&self) -> Result<SelectionToken, Problem> {
        self.sel.parse().map_err(|_| Problem::not_found("selection"))
    }

    /// The task that it undoes.
    pub fn undone(&self) -> Result<TaskId, Problem> {
        self.task.parse().map_err(|_| Problem::not_found("task"))
    }
}

/// A day and a time on a clock that is so many minutes behind UTC; without an offset it is read as UTC.
pub fn start(text: &str, offset: &str) -> Result<Option<Instant>, FieldError> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || FieldError::new("start", "invalid", "Enter a date and a time, or leave it empty to start now.");
    let read = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M");
    let read = read.or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S"));
    let offset = if offset.is_empty() { Ok(0) } else { offset.parse::<i32>() };
    let (read, offset) = (read.map_err(|_| wrong())?, offset.map_err(|_| wrong())?);
    read.checked_add_signed(TimeDelta::minutes(offset.into())).map(|at| Some(at.and_utc())).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_is_not_said_to_be_people() {
        let said = |count| [PeopleSource::Selection, PeopleSource::File].map(|source| source.whole(count));
        assert_eq!(said(1), ["person selected", "line in the list"]);
        assert_eq!(said(2), ["people selected", "lines in the list"]);
    }
}
