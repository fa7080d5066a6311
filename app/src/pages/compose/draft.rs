//! An action while it is being composed. It lives in the address, so that nothing typed is lost on the way to the check and back;
//! the text of an email is kept on the server instead (`caseload/src/desk/drafts.rs`).

use std::collections::BTreeMap;

use chrono::{NaiveDateTime, TimeDelta};
use model::{
    Action, FieldError, Instant, Problem, SelectionToken, Submission, Target, TaskId, TaskKind, grouped, note::note,
    people, submission::Door,
};
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use crate::{refusal::Refusal, url};

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
            PeopleSource::Task => format!("{} changed by it", people(count)),
            PeopleSource::File if count == 1 => "1 line in the list".to_owned(),
            PeopleSource::File => format!("{} lines in the list", grouped(count)),
        }
    }

    /// All of them, beside their number.
    pub fn whole(self) -> &'static str {
        match self {
            PeopleSource::Selection => "people selected",
            PeopleSource::Task => "people changed by the task",
            PeopleSource::File => "lines in the list",
        }
    }
}

impl Draft {
    /// From a query string.
    pub fn read(kind: &str, search: &str) -> Draft {
        let pairs: BTreeMap<String, String> = url::pairs(search).into_iter().rev().collect();
        let value = |key: &str| pairs.get(key).cloned().unwrap_or_default();
        Draft {
            kind: kind.to_owned(),
            sel: value("sel"),
            task: value("task"),
            reason: value("reason"),
            start: value("start"),
            offset: value("offset"),
            choices: pairs.clone(),
        }
        .tidy()
    }

    /// Only what belongs to the kind, and not what was chosen in a part of the form that is not shown.
    pub fn tidy(mut self) -> Draft {
        let fields = self.fields();
        self.choices.retain(|name, value| {
            fields.is_some_and(|fields| fields.names.contains(&name.as_str())) && !value.is_empty()
        });
        if let Some(fields) = fields {
            (fields.tidy)(&mut self.choices);
        }
        self
    }

    /// The kind of action, if there is one of this name.
    pub fn kind(&self) -> Option<TaskKind> {
        self.kind.parse().ok()
    }

    /// What there is to choose; nothing for an undo.
    pub fn fields(&self) -> Option<&'static Fields> {
        self.kind().and_then(Fields::of)
    }

    /// What was chosen in a field.
    pub fn choice(&self, name: &str) -> &str {
        self.choices.get(name).map_or("", String::as_str)
    }

    /// What came back with a refused form, where it differs.
    pub fn given_back(mut self, refusal: Option<&Refusal>) -> Draft {
        let Some(refusal) = refusal else { return self };
        for (field, value) in [("reason", &mut self.reason), ("start", &mut self.start), ("offset", &mut self.offset)] {
            *value = refusal.given(field).unwrap_or(std::mem::take(value));
        }
        for name in self.fields().map_or(&[][..], |fields| fields.names) {
            if let Some(given) = refusal.given(name) {
                self.choices.insert((*name).to_owned(), given);
            }
        }
        self
    }

    /// As the pairs of a query string, all but the kind.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let own = [
            ("sel", &self.sel),
            ("task", &self.task),
            ("reason", &self.reason),
            ("start", &self.start),
            ("offset", &self.offset),
        ];
        let in_address = self.fields().is_none_or(|fields| !fields.is_kept);
        let choices = self.choices.iter().filter(|_| in_address).map(|(name, value)| (name.as_str(), value.as_str()));
        own.into_iter().map(|(name, value)| (name, value.as_str())).chain(choices).collect()
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
        match self.source() {
            PeopleSource::Selection => format!("/people?sel={}", self.sel),
            PeopleSource::Task => format!("/tasks/{}", self.task),
            PeopleSource::File => "/people".to_owned(),
        }
    }

    /// The page where it is changed.
    pub fn compose_link(&self) -> String {
        match self.source() {
            // What was chosen is the file.
            PeopleSource::File => "/people/reassign".to_owned(),
            _ => url::with(&self.path(), &self.pairs()),
        }
    }

    /// The page with something more in its address.
    pub fn link(&self, more: &[(&str, &str)]) -> String {
        let mut pairs = self.pairs();
        pairs.extend_from_slice(more);
        url::with(&self.path(), &pairs)
    }

    /// The page where it is checked.
    pub fn check_link(&self) -> String {
        self.link(&[("step", "check")])
    }

    /// The action, or every field that is wrong.
    pub fn action(&self) -> Result<Action, Problem> {
        let mut errors = Vec::new();
        note("reason", &self.reason, &mut errors);
        errors.extend(self.start().err());
        let fields = self.fields().ok_or_else(|| Problem::not_found("page"))?;
        match (fields.action)(self) {
            Ok(action) if errors.is_empty() => Ok(action),
            Ok(_) => Err(Problem::fields(errors)),
            Err(mut problem) => {
                problem.errors.append(&mut errors);
                Err(Problem::fields(problem.errors))
            }
        }
    }

    /// When to start, if not at once.
    fn start(&self) -> Result<Option<Instant>, FieldError> {
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

    /// What is submitted from the pages, without the action and target of an undo. A preview knows its own target.
    pub fn submission(&self, confirmed: &ConfirmForm) -> Result<Submission, Problem> {
        let preview = match confirmed.preview.as_str() {
            "" => None,
            token => Some(token.parse().map_err(|_| Problem::not_found("preview"))?),
        };
        let (action, target) = match (self.fields(), preview) {
            (None, _) => (None, None),
            // The preview knows what was typed then.
            (Some(fields), Some(_)) if fields.is_kept => (None, None),
            (Some(_), Some(_)) => (Some(self.action()?), None),
            (Some(_), None) => (Some(self.action()?), Some(Target::Selection(self.selection()?))),
        };
        Ok(Submission {
            action,
            target,
            preview,
            confirm_total: number(&confirmed.confirm_total)?,
            trigger_date: self.start().map_err(|error| Problem::fields(vec![error]))?,
            reason: note("reason", &self.reason, &mut Vec::new()),
            everyone_confirmed: !confirmed.everyone.is_empty(),
            ..Submission::through(Door::Page)
        })
    }
}

/// A day and a time on a clock that is so many minutes behind UTC; without an offset it is read as UTC.
pub fn start(text: &str, offset: &str) -> Result<Option<Instant>, FieldError> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || FieldError::new("start", "invalid", "Give a day and a time, or leave it empty to start at once.");
    let read = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M");
    let read = read.or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S"));
    let offset = if offset.is_empty() { Ok(0) } else { offset.parse::<i32>() };
    let (read, offset) = (read.map_err(|_| wrong())?, offset.map_err(|_| wrong())?);
    read.checked_add_signed(TimeDelta::minutes(offset.into())).map(|at| Some(at.and_utc())).ok_or_else(wrong)
}

/// A number as people type it: `1204`, `1,204` or `1 204`.
fn number(text: &str) -> Result<Option<u64>, Problem> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '.' | '’')).collect();
    if digits.is_empty() {
        return Ok(None);
    }
    digits.parse().map(Some).map_err(|_| {
        Problem::fields(vec![FieldError::new("confirmTotal", "invalid", format!("“{text}” is not a number."))])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEL: &str = "00000000-0000-0000-0000-000000000007";

    fn draft() -> Draft {
        let choices = [("programStatus", "NON_PARTICIPATING"), ("changeReason", "HEALTH"), ("comment", "a & b")];
        Draft {
            kind: "program-status".into(),
            sel: SEL.into(),
            reason: "May".into(),
            choices: choices.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            ..Draft::default()
        }
    }

    fn with(name: &str, value: &str) -> Draft {
        let mut draft = draft();
        draft.choices.insert(name.to_owned(), value.to_owned());
        draft
    }

    #[test]
    fn a_draft_survives_its_address() {
        let link = draft().check_link();
        let search = link.split_once('?').unwrap().1;
        assert_eq!(Draft::read("program-status", search), draft());
        assert_eq!(url::value(search, "step").as_deref(), Some("check"));
    }

    #[test]
    fn a_draft_survives_its_form() {
        let form = serde_urlencoded::to_string([("kind", "program-status"), ("preview", SEL)]).unwrap();
        let form = format!("{form}&{}", url::query(&draft().pairs()));
        let read: Draft = serde_urlencoded::from_str(&form).unwrap();
        assert_eq!(read.tidy(), draft());
    }

    #[test]
    fn a_reason_goes_with_its_status() {
        let other = with("programStatus", "ACTIVE").tidy();
        assert_eq!(other.choice("changeReason"), "");
        assert!(other.action().is_ok());
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let wrong = Draft { reason: "x".repeat(501), start: "tomorrow".into(), ..with("programStatus", "") };
        let problem = wrong.action().unwrap_err();
        let fields: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["programStatus", "reason", "start"]);
    }

    #[test]
    fn a_start_is_read_on_the_readers_clock() {
        let at = |start: &str, offset: &str| Draft { start: start.into(), offset: offset.into(), ..draft() }.start();
        assert_eq!(at("2026-05-31T14:05", "-120").unwrap().unwrap().to_string(), "2026-05-31 12:05:00 UTC");
        assert_eq!(at("2026-05-31T14:05", "").unwrap().unwrap().to_string(), "2026-05-31 14:05:00 UTC");
        assert_eq!(at("", "60").unwrap(), None);
    }

    #[test]
    fn a_preview_knows_its_own_target() {
        let with = draft()
            .submission(&ConfirmForm { preview: SEL.into(), confirm_total: "1,204".into(), everyone: String::new() })
            .unwrap();
        assert_eq!((with.target, with.confirm_total), (None, Some(1_204)));
        let without = draft().submission(&ConfirmForm::default()).unwrap();
        assert_eq!((without.target, without.preview), (Some(Target::Selection(SelectionToken::from_u128(7))), None));
    }

    #[test]
    fn a_number_is_read_as_it_is_typed() {
        assert_eq!(number(" 1 204 ").unwrap(), Some(1_204));
        assert_eq!(number("").unwrap(), None);
        assert_eq!(number("lots").unwrap_err().errors[0].field, "confirmTotal");
    }

    #[test]
    fn what_was_typed_comes_back_with_a_refusal() {
        let refusal = Refusal(Problem::internal()).keeping(&[("comment", "typed last")]);
        let back = draft().given_back(Some(&refusal));
        assert_eq!((back.choice("comment"), back.reason.as_str()), ("typed last", "May"));
    }
}
