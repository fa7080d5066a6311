//! The form of the email composer. Whatever its button is for but to discard it, what was typed is kept first; scripts keep it
//! whenever typing pauses, and are told how the letter looks now.

use caseload::{Actor, Caseload, Result};
use model::{
    PersonId, Problem, Revision, TemplateId,
    composer::{DraftSeen, Saved, Shown, Typed},
};
use serde::Serialize;

use crate::{
    pages::{
        done::{self, Done},
        new_action::composer::Composer,
    },
    url,
};

const PAGE: &str = "/actions/new/email";

/// What scripts are told.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftKept {
    #[serde(flatten)]
    saved: Saved,
    /// For the next time.
    next: Revision,
    /// Absent while nobody is chosen, or somebody who is gone.
    letter: Option<Shown>,
}

fn done(what: Done) -> (&'static str, &'static str) {
    (done::KEY, what.name())
}

impl Composer {
    /// Keeps the draft, whatever was pressed.
    pub async fn keep(&self, caseload: &Caseload, actor: &Actor) -> Result<DraftKept> {
        let typed = self.typed();
        let saved = caseload.emails().keep_draft(actor, &typed, self.seen()).await?;
        self.hold_on(caseload, actor).await?;
        let letter = match self.person.parse::<PersonId>() {
            // The draft is kept, whoever has gone.
            Ok(person) => caseload.emails().letter(actor, &typed, person).await.ok(),
            Err(_) => None,
        };
        Ok(DraftKept { saved, next: caseload::new_id(), letter })
    }

    /// Does what the button says, and gives the page to go on to.
    pub async fn press(&self, caseload: &Caseload, actor: &Actor) -> Result<String> {
        let typed = self.typed();
        match self.button.as_str() {
            "discard" => {
                caseload.emails().discard_draft(actor, self.seen().revision).await?;
                return Ok(match self.from.parse::<PersonId>() {
                    Ok(person) => format!("/people/{person}"),
                    Err(_) => url::with("/people", &[("sel", self.sel.as_str()), done(Done::DraftDiscarded)]),
                });
            }
            // What was written for others is gone, and whoever is selected stays so.
            "begin-anew" => {
                caseload.emails().discard_draft(actor, self.seen().revision).await?;
                self.hold_on(caseload, actor).await?;
                let of = Composer { sel: self.sel.clone(), from: self.from.clone(), ..Composer::default() };
                return Ok(of.page(&[done(Done::DraftDiscarded)]));
            }
            _ => {}
        }
        let saved = caseload.emails().put_draft(actor, &typed, self.seen()).await?;
        self.hold_on(caseload, actor).await?;
        let template = || {
            let none = |_| Problem::field("template", "required", "Choose a template.");
            self.template.parse::<TemplateId>().map_err(none)
        };
        Ok(match self.button.as_str() {
            "show" => self.page(&[]),
            "save" => self.page(&[done(Done::DraftSaved)]),
            "test" => {
                let address = caseload.emails().send_test(actor, &typed, self.person.parse().ok()).await?;
                self.page(&[done(Done::TestSent), ("address", &address)])
            }
            "template-save" => {
                caseload.emails().save_template(actor, &self.template_name, &typed).await?;
                self.page(&[done(Done::TemplateSaved)])
            }
            "template-use" => {
                let typed = caseload.emails().use_template(actor, template()?, typed).await?;
                let seen = DraftSeen { revision: Some(saved.revision), next: caseload::new_id() };
                caseload.emails().put_draft(actor, &typed, seen).await?;
                self.page(&[done(Done::TemplateUsed)])
            }
            "template-delete" => {
                caseload.emails().delete_template(actor, template()?).await?;
                self.page(&[done(Done::TemplateDeleted)])
            }
            _ => self.page(&[("step", "check")]),
        })
    }

    /// The draft that its writer has before them.
    fn seen(&self) -> DraftSeen {
        let next = self.next.parse().unwrap_or_else(|_| caseload::new_id());
        DraftSeen { revision: self.revision.parse().ok(), next }
    }

    /// Whoever writes for an hour writes to the same people.
    async fn hold_on(&self, caseload: &Caseload, actor: &Actor) -> Result<()> {
        match self.sel.parse() {
            Ok(selection) => caseload.selections().hold_on_to(actor, selection).await,
            Err(_) => Ok(()),
        }
    }

    fn typed(&self) -> Typed {
        Typed { body: self.typed.body.replace("\r\n", "\n"), ..self.typed.clone() }
    }

    /// The composer's page, with what is not in the draft.
    pub fn page(&self, more: &[(&str, &str)]) -> String {
        let own = [
            ("sel", &self.sel),
            ("from", &self.from),
            ("person", &self.person),
            ("start", &self.start),
            ("offset", &self.offset),
            ("reason", &self.reason),
        ];
        let own = own.into_iter().map(|(name, value)| (name, value.as_str()));
        url::with(PAGE, &own.chain(more.iter().copied()).collect::<Vec<_>>())
    }
}
