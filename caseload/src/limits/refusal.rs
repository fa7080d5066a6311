//! How one account is told that it has as much as it may have.

use std::time::Duration;

use model::{Code, FieldError, Problem, grouped};

use super::bounds::Limits;

/// A limit that refuses what would go beyond it. The others make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    Streams,
    WaitingTasks,
    Approvals,
    Templates,
    Tokens,
    Passkeys,
    Views,
    Matchings,
    TestMails,
    AddressLinks,
    PasswordLinks,
    Bodies,
    AtOnce,
    Requests,
}

impl Limits {
    /// The refusal of one more, with how long it is until there is room where time alone makes it.
    pub fn refusal(&self, limited: Limited, wait: Option<Duration>) -> Problem {
        let seconds = wait.map(|wait| wait.as_secs_f64().ceil().max(1.0) as u64);
        let soon = match seconds {
            Some(seconds) if seconds < 120 => format!("in {}", model::counted(seconds, "second", "seconds")),
            Some(seconds) => format!("in {} minutes", seconds.div_ceil(60)),
            None => "later".to_owned(),
        };
        let (setting, most) = match limited {
            Limited::Streams => ("limits.event_streams", self.streams),
            Limited::WaitingTasks => ("limits.waiting_tasks", self.waiting_tasks),
            Limited::Approvals => ("limits.approvals", self.approvals),
            Limited::Templates => ("limits.templates", self.templates),
            Limited::Tokens => ("limits.tokens", self.tokens),
            Limited::Passkeys => ("limits.passkeys", self.passkeys),
            Limited::Views => ("limits.saved_views", self.views),
            Limited::Matchings => ("limits.saved_matchings", self.matchings),
            Limited::AddressLinks => ("limits.address_links_per_hour", self.address_links),
            Limited::PasswordLinks => ("limits.reset_links_per_hour", self.password_links),
            Limited::TestMails => ("limits.test_mails_per_hour", self.test_mails),
            Limited::Bodies => ("limits.sending_mib", self.bodies),
            Limited::AtOnce => ("limits.requests_at_once", self.at_once),
            Limited::Requests => ("limits.requests_per_second", self.requests),
        };
        let number = grouped(u64::from(most));
        let (title, detail) = match limited {
            Limited::Streams => (
                "Too many live pages",
                format!("You have {number} live pages open, which is the limit. Close some and reload this page."),
            ),
            Limited::WaitingTasks => (
                "Too many waiting tasks",
                format!(
                    "You have {number} tasks waiting, which is the limit. Cancel some, or wait until they have run."
                ),
            ),
            Limited::Approvals => (
                "Too many tasks waiting for approval",
                format!(
                    "You have {number} tasks waiting for approval, which is the limit. Cancel some, or wait until they are decided."
                ),
            ),
            Limited::Templates => {
                ("Too many templates", format!("You have {number} templates, which is the limit. Delete one first."))
            }
            Limited::Tokens => (
                "Too many tokens",
                format!("This account has {number} access tokens, which is the limit. Revoke one first."),
            ),
            Limited::Passkeys => {
                ("Too many passkeys", format!("You have {number} passkeys, which is the limit. Remove one first."))
            }
            Limited::Views => (
                "Too many saved views",
                format!("You have {number} saved views, which is the limit. Delete one first."),
            ),
            Limited::Matchings => (
                "Too many saved matchings",
                format!("You have {number} saved matchings, which is the limit. Delete one first."),
            ),
            Limited::AddressLinks | Limited::PasswordLinks => (
                "Too many links",
                format!("You have asked for {number} links this hour, which is the limit. Try again {soon}."),
            ),
            Limited::TestMails => (
                "Too many test emails",
                format!("You have sent {number} test emails this hour, which is the limit. Send the next one {soon}."),
            ),
            Limited::Bodies => (
                "Too many uploads",
                format!(
                    "You are uploading more than {number} MB, which is the limit. Wait until the other uploads finish, then try again."
                ),
            ),
            Limited::AtOnce => (
                "Too many requests at the same time",
                format!(
                    "You have {number} requests under way, which is the limit. Wait until they are answered, then try again."
                ),
            ),
            Limited::Requests => {
                ("Too many requests", format!("You have sent more than {number} requests a second. Try again {soon}."))
            }
        };
        let mut problem =
            Problem::new(429, Code::LIMIT_REACHED, title, detail).with("limit", setting).with("most", u64::from(most));
        if let Some(seconds) = seconds {
            problem = problem.with("retryAfter", seconds);
        }
        let field = match limited {
            Limited::Templates => Some("templateName"),
            Limited::Views => Some("name"),
            Limited::Matchings => Some("matchingName"),
            Limited::AddressLinks => Some("address"),
            _ => None,
        };
        problem.errors.extend(field.map(|field| FieldError::new(field, "too_many", problem.detail.clone())));
        problem
    }
}
