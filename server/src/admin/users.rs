//! Accounts. A password that is made here travels in the session to the one page that shows it.

use axum::{
    Extension, Form,
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use caseload::{Caseload, Issued, NewUser};
use model::{Permission, Problem, Role, filter};
use serde::Deserialize;
use tower_sessions::Session;
use uuid::Uuid;

use super::{Reasoned, back, done};
use crate::{account::FRESH_PASSWORD, actor::InPerson, problem::Refusal};

/// An account to be.
#[derive(Deserialize)]
pub struct New {
    username: String,
    name: String,
    role: String,
    #[serde(default)]
    school_id: String,
    #[serde(default)]
    reason: String,
}

/// `POST /admin/users/add`.
pub async fn add(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Form(given): Form<New>,
) -> Response {
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let added = match filter::parse::<Role>("role", &given.role) {
        Ok(role) => {
            let new = NewUser {
                username: given.username.clone(),
                name: some(&given.name),
                role,
                school_id: some(&given.school_id),
            };
            caseload.add_user(&actor, new, &given.reason).await.map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match added {
        Ok(issued) => show(&session, issued).await,
        Err(problem) if problem.status == 403 => Refusal(problem).into_response(),
        Err(problem) => {
            let typed = [
                ("username", given.username.as_str()),
                ("name", &given.name),
                ("role", &given.role),
                ("schoolId", &given.school_id),
                ("reason", &given.reason),
            ];
            crate::account::back("/admin/users/new", app::refusal::Refusal(problem).keeping(&typed).0)
        }
    }
}

/// `POST /admin/users/{id}/change`: the role, and a box for each right.
pub async fn change(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
    Form(given): Form<Vec<(String, String)>>,
) -> Response {
    let value = |key: &str| given.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str());
    let permissions: Vec<Permission> =
        Permission::ALL.iter().copied().filter(|permission| !value(permission.name()).is_empty()).collect();
    let page = page(&id);
    let changed = async {
        let (id, role) = (known(&id)?, filter::parse::<Role>("role", value("role"))?);
        caseload.change_user(&actor, id, role, &permissions, value("reason")).await.map_err(Problem::from)
    };
    match changed.await {
        Ok(()) => done(&page, "changed"),
        Err(problem) => back(&page, problem, value("reason")),
    }
}

/// `POST /admin/users/{id}/disable`.
pub async fn disable(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    set_disabled(&caseload, &actor, &id, true, &given.reason).await
}

/// `POST /admin/users/{id}/enable`.
pub async fn enable(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    set_disabled(&caseload, &actor, &id, false, &given.reason).await
}

async fn set_disabled(
    caseload: &Caseload,
    actor: &caseload::Actor,
    id: &str,
    disabled: bool,
    reason: &str,
) -> Response {
    let page = page(id);
    let changed =
        async { caseload.set_user_disabled(actor, known(id)?, disabled, reason).await.map_err(Problem::from) };
    match changed.await {
        Ok(()) => done(&page, if disabled { "disabled" } else { "enabled" }),
        Err(problem) => back(&page, problem, reason),
    }
}

/// `POST /admin/users/{id}/password`.
pub async fn password(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let issued = async { caseload.reset_password(&actor, known(&id)?, &given.reason).await.map_err(Problem::from) };
    match issued.await {
        Ok(issued) => show(&session, issued).await,
        Err(problem) => back(&page(&id), problem, &given.reason),
    }
}

/// Which token, and why.
#[derive(Deserialize)]
pub struct Revoke {
    #[serde(default)]
    token: String,
    #[serde(default)]
    reason: String,
}

/// `POST /admin/users/{id}/revoke`.
pub async fn revoke(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
    Form(given): Form<Revoke>,
) -> Response {
    let page = page(&id);
    let revoked = async {
        let token: Uuid = given.token.parse().map_err(|_| Problem::not_found("token"))?;
        caseload.revoke_token_of(&actor, known(&id)?, token, &given.reason).await.map_err(Problem::from)
    };
    match revoked.await {
        Ok(()) => done(&page, "revoked"),
        Err(problem) => back(&page, problem, &given.reason),
    }
}

/// Leads to the account, whose page shows the password this once.
async fn show(session: &Session, issued: Issued) -> Response {
    let page = format!("/admin/users/{}", issued.person_id);
    match session.insert(FRESH_PASSWORD, (issued.username, issued.password)).await {
        Ok(()) => Redirect::to(&page).into_response(),
        Err(error) => {
            tracing::error!(%error, "a session could not be written");
            Refusal(Problem::unavailable()).into_response()
        }
    }
}

fn known(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| Problem::not_found("account"))
}

fn page(id: &str) -> String {
    id.parse::<Uuid>().map_or_else(|_| "/admin/users".to_owned(), |id| format!("/admin/users/{id}"))
}
