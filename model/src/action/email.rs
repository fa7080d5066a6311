//! What is chosen for an email.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
pub use crate::letter::BODY;
use crate::{
    FieldError, Problem, TaskKind,
    enum_words::words,
    length::within,
    writing::letter::{Letter, Unreadable},
};

/// The longest subject, in characters.
pub const SUBJECT: usize = 200;
/// The longest address, in bytes (RFC 5321, section 4.5.3.1.3).
pub const ADDRESS: usize = 254;
/// The most addresses for a copy.
const COPIES: usize = 5;
/// The longest list of them that is read, in bytes: each of them twice, with names that nobody asked for.
const CC: usize = 4 * COPIES * ADDRESS;

words! {
    /// Which of a person's addresses a message goes to.
    Recipients {
        Primary = "PRIMARY", "Primary email";
        Secondary = "SECONDARY", "Secondary email";
        /// The primary one as To and the secondary one as Cc; of one of them only, that one.
        Both = "BOTH", "Primary and secondary email";
    }
}

/// Writes to each of these people, one message each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Email {
    /// With merge fields, as in the body.
    pub subject: String,
    /// Plain text with merge fields and a little formatting.
    pub body: String,
    pub recipients: Recipients,
    /// Who gets one copy of the whole action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cc: Vec<String>,
    /// Whether each message leaves a journal entry on its person.
    #[serde(default)]
    pub create_journal_entry: bool,
}

impl ActionWords for Email {
    fn kind(&self) -> TaskKind {
        TaskKind::Email
    }

    fn title(&self) -> String {
        // A name in it is another one for each person.
        let subject =
            Letter::read(&self.subject).map_or_else(|_| self.subject.clone(), |letter| letter.without_names());
        format!("Email: {subject}")
    }

    fn button(&self, people: &str) -> String {
        format!("Send to {}", people)
    }

    fn will(&self) -> String {
        "will get an email".to_owned()
    }

    fn did(&self, people: &str) -> String {
        format!("{people} emailed")
    }

    fn pending_label(&self) -> String {
        "Email".to_owned()
    }
}

/// An email as somebody chose or sent it.
#[derive(Clone, Copy, Debug, Default)]
pub struct WrittenEmail<'a> {
    pub subject: &'a str,
    pub body: &'a str,
    /// None, when neither address was chosen.
    pub recipients: Option<Recipients>,
    /// Addresses with commas between them.
    pub cc: &'a str,
    pub create_journal_entry: bool,
}

impl Email {
    /// An email, or every field that is wrong.
    pub fn written(written: WrittenEmail) -> Result<Email, Problem> {
        let mut errors = Vec::new();
        let mut wrong = |field: &str, code: &str, message: String| errors.push(FieldError::new(field, code, message));
        let subject = written.subject.trim();
        let body = written.body.replace("\r\n", "\n");
        if subject.is_empty() {
            wrong("subject", "required", "Enter a subject.".to_owned());
        } else if subject.chars().count() > SUBJECT {
            wrong("subject", "too_long", format!("The subject is longer than {SUBJECT} characters. Shorten it."));
        } else if subject.chars().any(char::is_control) {
            wrong("subject", "invalid", "Write the subject on one line, without tabs.".to_owned());
        }
        if body.trim().is_empty() {
            wrong("body", "required", "Write a message.".to_owned());
        } else if body.chars().count() > BODY {
            wrong(
                "body",
                "too_long",
                format!("The message is longer than {} characters.", crate::grouped(BODY as u64)),
            );
        } else if body.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
            wrong("body", "invalid", "The message contains a character that cannot be sent. Remove it.".to_owned());
        }
        for (field, text) in [("subject", subject), ("body", body.as_str())] {
            match Letter::read(text) {
                // What is too long has been said above.
                Ok(_) | Err(Unreadable::TooLong(_)) => {}
                Err(Unreadable::Unknown(unknown)) => wrong(field, "unknown_field", unknown.to_string()),
            }
        }
        if written.recipients.is_none() {
            wrong("toPrimary", "required", "Choose which address to send to.".to_owned());
        }
        let mut cc: Vec<String> = Vec::new();
        let given = within::<CC>(written.cc).unwrap_or_else(|too_long| {
            wrong("cc", "too_long", too_long.to_string());
            ""
        });
        for address in given.split([',', ';']).map(str::trim).filter(|address| !address.is_empty()) {
            match is_address(address) {
                _ if cc.iter().any(|known| known.eq_ignore_ascii_case(address)) => {}
                true => cc.push(address.to_owned()),
                false => wrong("cc", "invalid", format!("“{address}” is not an email address.")),
            }
        }
        if cc.len() > COPIES {
            wrong("cc", "too_many", format!("Enter at most {COPIES} addresses for copies."));
        }
        match written.recipients {
            Some(recipients) if errors.is_empty() => Ok(Email {
                subject: subject.to_owned(),
                body,
                recipients,
                cc,
                create_journal_entry: written.create_journal_entry,
            }),
            _ => Err(Problem::fields(errors)),
        }
    }
}

impl Recipients {
    /// The two flags of the API.
    pub fn of(primary: bool, secondary: bool) -> Option<Recipients> {
        match (primary, secondary) {
            (true, true) => Some(Recipients::Both),
            (true, false) => Some(Recipients::Primary),
            (false, true) => Some(Recipients::Secondary),
            (false, false) => None,
        }
    }

    pub fn primary(self) -> bool {
        self != Recipients::Secondary
    }

    pub fn secondary(self) -> bool {
        self != Recipients::Primary
    }
}

/// Whether a text may be an address: what the mail server makes of it is its own affair.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let bare = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    let local = !local.is_empty() && local.len() <= 64 && local.chars().all(bare);
    let labels = domain.split('.');
    let label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    local && text.len() <= ADDRESS && labels.clone().count() > 1 && labels.clone().all(label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    const WRITTEN: WrittenEmail = WrittenEmail {
        subject: " Four slots ",
        body: "Hello {first name | there},\r\nsee you.",
        recipients: Some(Recipients::Primary),
        cc: " a@x.example ,b@y.example,, A@x.example",
        create_journal_entry: true,
    };

    fn fields(written: WrittenEmail) -> Vec<String> {
        Action::email(written).unwrap_err().errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn spaces_doubles_and_line_ends_are_put_right() {
        let Ok(Action::Email(email)) = Action::email(WRITTEN) else { panic!("refused") };
        assert_eq!(email.subject, "Four slots");
        assert_eq!(email.body, "Hello {first name | there},\nsee you.");
        assert_eq!(email.cc, ["a@x.example", "b@y.example"]);
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let wrong =
            WrittenEmail { subject: "a\r\nBcc: b@c.example", body: "{nme}", recipients: None, cc: "x y", ..WRITTEN };
        assert_eq!(fields(wrong), ["subject", "body", "toPrimary", "cc"]);
        assert_eq!(fields(WrittenEmail::default()), ["subject", "body", "toPrimary"]);
        assert_eq!(fields(WrittenEmail { body: "a\0b", ..WRITTEN }), ["body"]);
    }

    #[test]
    fn addresses_are_of_some_length() {
        let long = format!("{}@{}.example", "a".repeat(64), ["b".repeat(60), "c".repeat(60), "d".repeat(55)].join("."));
        assert_eq!(long.len(), 250);
        assert!(Action::email(WrittenEmail { cc: &long, ..WRITTEN }).is_ok());
        let longer = long.replace("ddd", "dddddddd");
        assert_eq!(
            (longer.len() > ADDRESS, fields(WrittenEmail { cc: &longer, ..WRITTEN })),
            (true, vec!["cc".to_owned()])
        );
        for wrong in ["a@b", "@b.example", "a@@b.example", "a b@c.example", "<a@b.example>", "a@b..example"] {
            assert_eq!(fields(WrittenEmail { cc: wrong, ..WRITTEN }), ["cc"], "{wrong}");
        }
    }
}
