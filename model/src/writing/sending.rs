//! Whether email can be sent from here, and what is said of an email where it cannot. Every page that speaks of one asks this, so that
//! none promises what another one takes back.

use crate::{Action, Role, ledger::FailReason};

/// Whether email can be sent.
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
            true => "Submit without sending".to_owned(),
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
                    everybody is listed as failed, and you can resend it later.";
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
    use crate::action::email::WrittenEmail;

    #[test]
    fn without_a_mail_server_nothing_is_promised_that_results_do_not_say() {
        let email = Action::email(WrittenEmail {
            subject: "Slots",
            body: "Hello",
            recipients: Some(crate::action::Recipients::Primary),
            ..WrittenEmail::default()
        })
        .unwrap();
        let watch = Action::watch("WATCH").unwrap();
        let no_mail = Sending::NotSetUp;
        assert_eq!(no_mail.will(&email), "will fail: email is not set up");
        assert_eq!(no_mail.button(&email, "4 people"), "Submit without sending");
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
