//! A test of an email: the letter to one person, sent to whoever writes it.

use model::{Action, Code, PersonId, Problem, Selection, action::Email, composer::Typed};

use super::addressee;
use crate::{
    Actor, Result,
    actions::email::Wording,
    audit::entry::{self, By, Entry},
    caseload::Emails,
    limits::{Allowance, allowance},
    mail::{Delivery, Rendered, Sender},
    notices::{About, at_once::AtOnce},
    people::person,
};

impl Emails<'_> {
    /// Sends the letter to one person to the actor instead, and gives the address it went to.
    pub async fn send_test(self, actor: &Actor, typed: &Typed, person: Option<PersonId>) -> Result<String> {
        actor.require(model::Permission::Email)?;
        let Action::Email(email) = typed.action()? else { return Err(Problem::internal().into()) };
        let own = self.0.accounts().own_address(actor).await?.ok_or_else(|| {
            let message = "Add your email address in your settings, then send the test again.";
            Problem::refused(Code::NO_OWN_ADDRESS, "No address to send it to", message)
        })?;
        let rendered = self.test_letter(actor, &email, person).await?;
        allowance::spend(self.0, actor, Allowance::TestMail).await?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let message = AtOnce::put_down(db, &txn, About::Test(queue::new_id()), &own).await?;
        db.commit(txn).await?;
        let sender = Sender { name: actor.name.clone(), address: Some(own.clone()) };
        let handed = message.send(db, self.0.mail(), Some(sender), &rendered).await?;
        let entry = Entry {
            by: By::Actor(actor),
            action: "email.test",
            object_kind: "account",
            object_id: Some(actor.person_id.to_string()),
            detail: serde_json::json!({ "sent": handed == Delivery::Accepted }),
        };
        let txn = db.begin_write().await?;
        entry::record(db, &txn, entry).await?;
        db.commit(txn).await?;
        answer(handed, own)
    }

    /// The letter as that person would get it, or as somebody without a name would.
    async fn test_letter(self, actor: &Actor, email: &Email, person: Option<PersonId>) -> Result<Rendered> {
        let person = match person {
            Some(id) => {
                person::reached(self.0, actor, id).await?;
                let picked = Selection::Picked { ids: vec![id] };
                self.addressees(actor, &picked, email.recipients, None).await?.into_iter().next()
            }
            None => None,
        };
        let wrong = |wrong: String| Problem::field("body", "unknown_field", wrong);
        let wording = Wording::of(email).map_err(|error| wrong(error.to_string()))?;
        let rendered = wording.to(&person.as_ref().map(addressee).unwrap_or_default());
        Ok(Rendered { subject: format!("Test: {}", rendered.subject), ..rendered })
    }
}

/// The address, if the test may be there.
fn answer(handed: Delivery, own: String) -> Result<String> {
    let refused = |title: &str, why: String| Err(Problem::refused(Code::TEST_NOT_SENT, title, why).into());
    match handed {
        Delivery::Accepted | Delivery::Partly(_) => Ok(own),
        Delivery::NotConfigured => refused("The test was not sent", "Email is not set up on this server.".to_owned()),
        Delivery::BadAddress => refused("The test was not sent", format!("{own} is not an email address.")),
        Delivery::Unknown(_) => refused(
            "The test may not have been sent",
            "The mail server did not confirm the email. Check your mailbox before you try again.".to_owned(),
        ),
        Delivery::Deferred(_) | Delivery::Rejected(_) | Delivery::NotBegun(_) => refused(
            "The test was not sent",
            "The mail server could not be reached, or refused the email. Ask your Docket administrator.".to_owned(),
        ),
    }
}
