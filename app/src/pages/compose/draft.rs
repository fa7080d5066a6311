//! A program status change while it is being composed. All of it lives in the address, so that nothing typed is lost on the
//! way to the check and back.

use model::{
    Action, FieldError, Problem, ProgramStatus, Submission, Target,
    action::{Door, note},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{refusal::Refusal, url};

/// Where it is composed.
pub const PATH: &str = "/actions/new/program-status";

/// What has been chosen and typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// The selection token.
    pub sel: String,
    pub program_status: String,
    pub change_reason: String,
    pub comment: String,
    /// Why, for the task.
    pub reason: String,
}

/// What was confirmed about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Confirmed {
    pub preview: String,
    /// The number that was typed.
    pub confirm_total: String,
    /// Filled when "everyone" was ticked.
    pub everyone: String,
}

impl Draft {
    /// From a query string.
    pub fn read(search: &str) -> Draft {
        let value = |key: &str| url::value(search, key).unwrap_or_default();
        Draft {
            sel: value("sel"),
            program_status: value("programStatus"),
            change_reason: value("changeReason"),
            comment: value("comment"),
            reason: value("reason"),
        }
        .tidy()
    }

    /// The list of reasons is shown for one status only; what was chosen in it before counts for nothing with another.
    pub fn tidy(mut self) -> Draft {
        if self.program_status.parse().is_ok_and(|status: ProgramStatus| !status.needs_reason()) {
            self.change_reason.clear();
        }
        self
    }

    /// What came back with a refused form, where it differs.
    pub fn given_back(mut self, refusal: Option<&Refusal>) -> Draft {
        for (field, value) in [
            ("programStatus", &mut self.program_status),
            ("changeReason", &mut self.change_reason),
            ("comment", &mut self.comment),
            ("reason", &mut self.reason),
        ] {
            if let Some(given) = refusal.and_then(|refusal| refusal.given(field)) {
                *value = given;
            }
        }
        self
    }

    /// As the pairs of a query string.
    pub fn pairs(&self) -> [(&'static str, &str); 5] {
        [
            ("sel", &self.sel),
            ("programStatus", &self.program_status),
            ("changeReason", &self.change_reason),
            ("comment", &self.comment),
            ("reason", &self.reason),
        ]
    }

    /// The page where it is changed.
    pub fn compose_link(&self) -> String {
        url::with(PATH, &self.pairs())
    }

    /// The page with something more in its address.
    pub fn link(&self, more: &[(&str, &str)]) -> String {
        let mut pairs = self.pairs().to_vec();
        pairs.extend_from_slice(more);
        url::with(PATH, &pairs)
    }

    /// The page where it is checked.
    pub fn check_link(&self) -> String {
        self.link(&[("step", "check")])
    }

    /// The action, or every field that is wrong.
    pub fn action(&self) -> Result<Action, Problem> {
        let mut errors = Vec::new();
        note("reason", &self.reason, &mut errors);
        match Action::program_status(&self.program_status, &self.change_reason, &self.comment) {
            Ok(action) if errors.is_empty() => Ok(action),
            Ok(_) => Err(Problem::fields(errors)),
            Err(mut problem) => {
                problem.errors.append(&mut errors);
                Err(Problem::fields(problem.errors))
            }
        }
    }

    /// The selection it is aimed at.
    pub fn selection(&self) -> Result<Uuid, Problem> {
        self.sel.parse().map_err(|_| Problem::not_found("selection"))
    }

    /// What is submitted from the pages. A preview knows its own target.
    pub fn submission(&self, confirmed: &Confirmed) -> Result<Submission, Problem> {
        let action = self.action()?;
        let preview = match confirmed.preview.as_str() {
            "" => None,
            token => Some(token.parse().map_err(|_| Problem::not_found("preview"))?),
        };
        let target = if preview.is_some() { None } else { Some(Target::Selection(self.selection()?)) };
        Ok(Submission {
            action: Some(action),
            target,
            preview,
            confirm_total: number(&confirmed.confirm_total)?,
            trigger_date: None,
            reason: note("reason", &self.reason, &mut Vec::new()),
            idempotency_key: None,
            everyone_confirmed: !confirmed.everyone.is_empty(),
            door: Door::Page,
        })
    }
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
        Draft {
            sel: SEL.into(),
            program_status: "NON_PARTICIPATING".into(),
            change_reason: "HEALTH".into(),
            comment: "a & b".into(),
            reason: "May".into(),
        }
    }

    #[test]
    fn a_draft_survives_its_address() {
        let link = draft().check_link();
        let search = link.split_once('?').unwrap().1;
        assert_eq!(Draft::read(search), draft());
        assert_eq!(url::value(search, "step").as_deref(), Some("check"));
    }

    #[test]
    fn a_reason_goes_with_its_status() {
        let other = Draft { program_status: "ACTIVE".into(), ..draft() }.tidy();
        assert_eq!(other.change_reason, "");
        assert!(other.action().is_ok());
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let wrong = Draft { program_status: String::new(), reason: "x".repeat(501), ..draft() };
        let problem = wrong.action().unwrap_err();
        let fields: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["programStatus", "reason"]);
    }

    #[test]
    fn a_preview_knows_its_own_target() {
        let with = draft()
            .submission(&Confirmed { preview: SEL.into(), confirm_total: "1,204".into(), everyone: String::new() })
            .unwrap();
        assert_eq!((with.target, with.confirm_total), (None, Some(1_204)));
        let without = draft().submission(&Confirmed::default()).unwrap();
        assert_eq!((without.target, without.preview), (Some(Target::Selection(Uuid::from_u128(7))), None));
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
        assert_eq!((back.comment.as_str(), back.reason.as_str()), ("typed last", "May"));
    }
}
