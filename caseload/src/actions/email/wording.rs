//! What an email says to one person.

use model::{
    Markup,
    action::Email,
    letter::{Addressee, Letter, Unreadable},
};

use crate::mail::Rendered;

/// Subject and message, read.
#[derive(Clone, Debug)]
pub struct Wording {
    subject: Letter,
    body: Letter,
}

impl Wording {
    pub fn of(email: &Email) -> Result<Wording, Unreadable> {
        Ok(Wording { subject: Letter::read(&email.subject)?, body: Letter::read(&email.body)? })
    }

    /// To this person.
    pub fn to(&self, person: &Addressee) -> Rendered {
        Rendered {
            subject: self.subject.plain(person),
            plain: self.body.plain(person),
            html: self.body.html(person, false).into_string(),
        }
    }

    /// The one copy of the whole action: the fields stay as they are.
    pub fn copy(email: &Email) -> Rendered {
        let told =
            "This is the copy of an email. Each person it is for gets it with their own name in place of the fields.";
        let html = Markup::default().ours("<p><em>").text(told).ours("</em></p><p>").lines(&email.body).ours("</p>");
        Rendered {
            subject: format!("Copy: {}", email.subject),
            plain: format!("{told}\n\n{}", email.body),
            html: html.into_string(),
        }
    }
}
