//! What a draft becomes by the form of its kind: an address, an action, what is submitted.

use std::collections::BTreeMap;

use model::{Action, FieldError, Problem, Submission, Target, note::note, submission::SubmitSource};

use super::{
    draft::{ConfirmForm, Draft, KEPT, PeopleSource},
    fields::form::Fields,
};
use crate::{refusal::Refusal, url};

impl Draft {
    /// From a query string.
    pub fn read(kind: &str, search: &str) -> Draft {
        let pairs: BTreeMap<String, String> = url::pairs(search).into_iter().rev().collect();
        let value = |key: &str| pairs.get(key).cloned().unwrap_or_default();
        Draft {
            kind: kind.to_owned(),
            sel: value("sel"),
            task: value("task"),
            from: value("from"),
            person: value("person"),
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

    /// What there is to choose; nothing for an undo.
    pub fn fields(&self) -> Option<&'static Fields> {
        self.kind().and_then(Fields::of)
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
            ("from", &self.from),
            ("person", &self.person),
            ("reason", &self.reason),
            ("start", &self.start),
            ("offset", &self.offset),
        ];
        let in_address = self.fields().is_none_or(|fields| !fields.is_kept);
        let choices = self.choices.iter().filter(|_| in_address).map(|(name, value)| (name.as_str(), value.as_str()));
        own.into_iter().map(|(name, value)| (name, value.as_str())).chain(choices).collect()
    }

    /// The page where it is changed.
    pub fn compose_link(&self) -> String {
        match self.source() {
            // What was chosen is the file.
            PeopleSource::File => "/people/reassign".to_owned(),
            _ if self.fields().is_some_and(|fields| fields.is_kept) => self.link(&[KEPT]),
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
            ..Submission::from_source(SubmitSource::Page)
        })
    }
}

/// A number as people type it: `1204`, `1,204` or `1 204`.
fn number(text: &str) -> Result<Option<u64>, Problem> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '.' | '’' | '\'')).collect();
    if digits.is_empty() {
        return Ok(None);
    }
    digits.parse().map(Some).map_err(|_| {
        Problem::fields(vec![FieldError::new("confirmTotal", "invalid", format!("“{text}” is not a number."))])
    })
}

#[cfg(test)]
mod tests {
    use model::SelectionToken;

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
    fn whoever_was_chosen_for_the_email_is_chosen_still_after_the_check() {
        let draft = Draft { kind: "email".into(), sel: SEL.into(), person: SEL.into(), ..Draft::default() };
        for link in [draft.check_link(), draft.compose_link(), draft.link(&[("show", "CHANGE")])] {
            assert_eq!(url::value(&link, "person").as_deref(), Some(SEL), "{link}");
        }
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
        for typed in [" 1 204 ", "1,204", "1.204", "1\u{202f}204", "1’204", "1'204"] {
            assert_eq!(number(typed).unwrap(), Some(1_204), "{typed}");
        }
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
