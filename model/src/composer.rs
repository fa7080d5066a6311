//! Where an email is written: the draft, the templates, the letter as one person will see it.

use serde::{Deserialize, Serialize};

use crate::{
    Action, Instant, Markup, PersonId, Problem, Revision, Role, TemplateId,
    action::{Email, Recipients, email::WrittenEmail},
    ledger::FailReason,
};

/// What has been typed so far, right or wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Typed {
    pub subject: String,
    pub body: String,
    /// A word of [`Recipients`].
    pub to: String,
    pub cc: String,
    /// Anything for yes.
    pub journal: String,
}

impl Typed {
    /// An email as it would have been typed.
    pub fn of(email: &Email) -> Typed {
        Typed {
            subject: email.subject.clone(),
            body: email.body.clone(),
            to: email.recipients.name().to_owned(),
            cc: email.cc.join(", "),
            journal: if email.create_journal_entry { "yes".to_owned() } else { String::new() },
        }
    }

    /// The email, or every field that is wrong.
    pub fn action(&self) -> Result<Action, Problem> {
        Action::email(WrittenEmail {
            subject: &self.subject,
            body: &self.body,
            recipients: self.to.parse().ok(),
            cc: &self.cc,
            create_journal_entry: !self.journal.is_empty(),
        })
    }

    /// The addresses that were chosen; until then the primary ones.
    pub fn recipients(&self) -> Recipients {
        self.to.parse().unwrap_or(Recipients::Primary)
    }
}

/// That a draft is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    #[serde(rename = "savedDate")]
    pub date: Instant,
    /// Another one each time, so that two pages do not write over each other.
    pub revision: Revision,
}

/// What a page knows of the draft that it writes over.
#[derive(Clone, Copy, Debug)]
pub struct DraftSeen {
    /// That of the draft before it; none where there was none.
    pub revision: Option<Revision>,
    /// That of the draft which it leaves, so that it knows its own one again when an answer was lost.
    pub next: Revision,
}

/// A text that is kept for the next time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub id: TemplateId,
    pub name: String,
}

/// What is known while an email is written.
#[derive(Clone, Debug)]
pub struct ComposeContext {
    pub sending: Sending,
    /// For how long it waits for second thoughts, in seconds.
    pub hold: u64,
    /// The most people of one email.
    pub limit: Option<u64>,
    /// Who gets every message in place of those it is for.
    pub reroute: Option<String>,
    pub typed: Typed,
    /// Of the draft, if there is one.
    pub saved: Option<Saved>,
    /// The revision of the draft that is written here.
    pub next: Revision,
    pub templates: Vec<Template>,
    /// Some of the people, by name, for the choice of whose letter is shown.
    pub people: Vec<(PersonId, String)>,
    /// What one of them will see.
    pub letter: Option<Shown>,
    /// What would become of the people, by which addresses are chosen; absent for more people than are counted while somebody
    /// types.
    pub addresses: Option<Vec<(Recipients, Addresses)>>,
    /// In whose name it goes.
    pub from: String,
    /// Where answers go; nowhere while nobody has given an address.
    pub reply_to: Option<String>,
    /// Whether that is the writer.
    pub has_own_address: bool,
}

/// People by what addresses they have, and by what would become of them.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    pub primary: u64,
    pub secondary: u64,
    /// Who would get a message.
    pub reached: u64,
    /// Those who would not, by reason.
    pub skipped: Vec<(String, u64)>,
}

/// A letter as one person will see it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub person_id: PersonId,
    pub name: String,
    /// Absent when they have none.
    pub to: Option<String>,
    pub subject: String,
    /// With what was merged marked; what is wrong with a text that cannot be read.
    pub html: Markup,
    /// Whether they want no email.
    #[serde(skip)]
    pub opted_out: bool,
}

impl Shown {
    /// Whether they would get it, as far as that lies with them.
    pub fn gets_it(&self) -> bool {
        self.to.is_some() && !self.opted_out
    }
}

/// Whether email can be sent from here, and what is said of an email where it cannot. Every page that speaks of one asks this, so
/// that none promises what another one takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    Ready,
    /// There is no mail server: everybody whom an email is for fails.
    NotSetUp,
}

impl Sending {
    pub fn is_ready(self) -> bool {
        self == Sending::Ready
    }

    /// Whether nothing can come of this action.
    pub fn stops(self, action: &Action) -> bool {
        !self.is_ready() && action.cannot_be_taken_back()
    }

    /// What happens to those whom an action is for, after their number.
    pub fn will(self, action: &Action) -> String {
        if self.stops(action) { Sending::will_fail() } else { action.will() }
    }

    /// The same of every email that cannot be sent, as the results will say it.
    pub fn will_fail() -> String {
        format!("will fail: {}", FailReason::NotConfigured.label())
    }

    /// The button that submits an action on so many, who are given as words.
    pub fn button(self, action: &Action, people: &str) -> String {
        match self.stops(action) {
            true => format!("Submit anyway: {people} will fail"),
            false => action.button(people),
        }
    }

    /// The last step of writing an email.
    pub fn last_step(self) -> &'static str {
        match self {
            Sending::Ready => "Check and send",
            Sending::NotSetUp => "Check",
        }
    }

    /// How the end of a hold is counted down to, and what is said once it is over.
    pub fn countdown(self) -> (&'static str, &'static str) {
        match self {
            Sending::Ready => ("Sends in", "Sending now"),
            Sending::NotSetUp => ("Fails in", "Starting now"),
        }
    }

    /// Title and text of what is to be known before anything is submitted; nothing where all is well.
    pub fn warning(self, role: Role) -> Option<(&'static str, String)> {
        let text = "Nothing can be sent. Keep the email as a draft, and send it once email is set up. If you submit it anyway, \
                    every person is listed as failed, and you can resend it later.";
        (!self.is_ready()).then(|| ("Email is not set up on this server", format!("{text} {}", Sending::way_out(role))))
    }

    /// What to do about it. The name of a setting means something to those who can set it.
    pub fn way_out(role: Role) -> &'static str {
        match role {
            Role::Administrator => "Set up email with the setting mail.smtp_url.",
            _ => "Ask an administrator to set up email.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_mail_server_nothing_is_promised_that_results_do_not_say() {
        let email = Action::email(WrittenEmail {
            subject: "Slots",
            body: "Hello",
            recipients: Some(Recipients::Primary),
            ..WrittenEmail::default()
        })
        .unwrap();
        let watch = Action::watch("WATCH").unwrap();
        let no_mail = Sending::NotSetUp;
        assert_eq!(no_mail.will(&email), "will fail: email is not set up");
        assert_eq!(no_mail.button(&email, "4 people"), "Submit anyway: 4 people will fail");
        assert_eq!(
            (no_mail.will(&watch), no_mail.button(&watch, "4 people")),
            (watch.will(), watch.button("4 people"))
        );
        assert_eq!(Sending::Ready.button(&email, "4 people"), "Send to 4 people");
        let said = [no_mail.last_step(), no_mail.countdown().0, no_mail.countdown().1].join(" ").to_lowercase();
        assert!(!said.contains("send"), "{said}");
        assert!(no_mail.warning(Role::Coach).unwrap().1.ends_with("Ask an administrator to set up email."));
        assert_eq!(Sending::Ready.warning(Role::Coach), None);
    }
}
