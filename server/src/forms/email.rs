//! `POST /actions/email`: the form of the email composer. Whatever its button is for but to discard it, what was typed is kept
//! first; scripts keep it every few seconds and are told how the letter looks now.

use app::pages::done::Done;
use axum::{
    Form, Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload};
use model::{
    PersonId, Problem, Revision, TemplateId,
    composer::{DraftSeen, Saved, Shown, Typed},
};
use serde::{Deserialize, Serialize};

use crate::{auth::actor::Caller, forms::settings::back, web::problem::ProblemAnswer, web::redirect};

const PAGE: &str = "/actions/new/email";

/// The form, with the button that was pressed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct Composer {
    #[serde(rename = "do")]
    button: String,
    /// Of the draft that the page has before it, and of the one that it leaves.
    revision: String,
    next: String,
    sel: String,
    from: String,
    person: String,
    subject: String,
    body: String,
    to: String,
    cc: String,
    journal: String,
    start: String,
    offset: String,
    reason: String,
    template_name: String,
    template: String,
}

/// What scripts are told.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DraftKept {
    #[serde(flatten)]
    saved: Saved,
    /// For the next time.
    next: Revision,
    /// Absent while nobody is chosen, or somebody who is gone.
    letter: Option<Shown>,
}

pub async fn compose(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    headers: HeaderMap,
    Form(form): Form<Composer>,
) -> Response {
    let by_script = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if by_script {
        return match kept(&caseload, &actor, &form).await {
            Ok(kept) => Json(kept).into_response(),
            Err(error) => ProblemAnswer::from(error).into_response(),
        };
    }
    match act(&caseload, &actor, &form).await {
        Ok(to) => redirect::to(&to),
        Err(error) => back(&form.page(&[]), error.into()),
    }
}

async fn kept(caseload: &Caseload, actor: &Actor, form: &Composer) -> caseload::Result<DraftKept> {
    let typed = form.typed();
    let saved = caseload.emails().keep_draft(actor, &typed, form.seen()).await?;
    form.hold_on(caseload, actor).await?;
    let letter = match form.person.parse::<PersonId>() {
        // The draft is kept, whoever has gone.
        Ok(person) => caseload.emails().letter(actor, &typed, person).await.ok(),
        Err(_) => None,
    };
    Ok(DraftKept { saved, next: queue::new_id(), letter })
}

fn done(what: Done) -> (&'static str, &'static str) {
    ("done", what.name())
}

/// Does what the button says, and gives the page to go on to.
async fn act(caseload: &Caseload, actor: &Actor, form: &Composer) -> caseload::Result<String> {
    let typed = form.typed();
    if form.button == "discard" {
        caseload.emails().discard_draft(actor, form.seen().revision).await?;
        return Ok(match form.from.parse::<PersonId>() {
            Ok(person) => format!("/people/{person}"),
            Err(_) => redirect::with_query("/people", &[("sel", form.sel.as_str())]),
        });
    }
    let saved = caseload.emails().put_draft(actor, &typed, form.seen()).await?;
    form.hold_on(caseload, actor).await?;
    let template = || {
        form.template.parse::<TemplateId>().map_err(|_| Problem::field("template", "required", "Choose a template."))
    };
    Ok(match form.button.as_str() {
        "show" => form.page(&[]),
        "save" => form.page(&[done(Done::DraftSaved)]),
        "test" => {
            let address = caseload.emails().send_test(actor, &typed, form.person.parse().ok()).await?;
            form.page(&[done(Done::TestSent), ("address", &address)])
        }
        "template-save" => {
            caseload.emails().save_template(actor, &form.template_name, &typed).await?;
            form.page(&[done(Done::TemplateSaved)])
        }
        "template-use" => {
            let typed = caseload.emails().use_template(actor, template()?, typed).await?;
            let seen = DraftSeen { revision: Some(saved.revision), next: queue::new_id() };
            caseload.emails().put_draft(actor, &typed, seen).await?;
            form.page(&[done(Done::TemplateUsed)])
        }
        "template-delete" => {
            caseload.emails().delete_template(actor, template()?).await?;
            form.page(&[done(Done::TemplateDeleted)])
        }
        _ => form.page(&[("step", "check")]),
    })
}

impl Composer {
    /// The draft that its writer has before them.
    fn seen(&self) -> DraftSeen {
        let next = self.next.parse().unwrap_or_else(|_| queue::new_id());
        DraftSeen { revision: self.revision.parse().ok(), next }
    }

    /// Whoever writes for an hour writes to the same people.
    async fn hold_on(&self, caseload: &Caseload, actor: &Actor) -> caseload::Result<()> {
        match self.sel.parse() {
            Ok(selection) => caseload.selections().hold_on_to(actor, selection).await,
            Err(_) => Ok(()),
        }
    }

    fn typed(&self) -> Typed {
        Typed {
            subject: self.subject.clone(),
            body: self.body.replace("\r\n", "\n"),
            to: self.to.clone(),
            cc: self.cc.clone(),
            journal: self.journal.clone(),
        }
    }

    /// The composer's page, with what is not in the draft.
    fn page(&self, more: &[(&str, &str)]) -> String {
        let own = [
            ("sel", &self.sel),
            ("from", &self.from),
            ("person", &self.person),
            ("start", &self.start),
            ("offset", &self.offset),
            ("reason", &self.reason),
        ];
        let own = own.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name, value.as_str()));
        redirect::with_query(PAGE, &own.chain(more.iter().copied()).collect::<Vec<_>>())
    }
}
