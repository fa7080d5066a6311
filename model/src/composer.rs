//! Where an email is written: the draft, the templates, the letter as one person will see it.

use serde::{Deserialize, Serialize};

use crate::{
    Action, Instant, Markup, PersonId, Problem, Revision, Sending, TemplateId,
    action::{Email, Recipients, email::WrittenEmail},
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
}
