//! Accounts. A password that is made here travels sealed to the one page that shows it.

use app::pages::done::Done;
use axum::{
    Extension, Form,
    extract::{Path, State},
    response::Response,
};
use caseload::{Actor, Added, Issued, NewUser, Reauthenticated, Users, reauthentication::FIELD};
use model::{AccountId, Permission, Problem, Role, enum_words::Reader, parameters};
use serde::Deserialize;
use tower_sessions::Session;

use crate::{
    auth::actor::Caller, auth::reauthentication, state::AppState, web::cookies::one_time::OneTimeContent, web::redirect,
};
use crate::{forms::admin::back_keeping, forms::admin::done};

/// Where an account is made.
const NEW: &str = "/admin/users/new";

/// An account to be.
#[derive(Deserialize)]
pub struct New {
    username: String,
    name: String,
    role: String,
    #[serde(default)]
    school_id: String,
    #[serde(default)]
    new_school_id: String,
    #[serde(default)]
    address: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    own_password: String,
}

impl New {
    fn user(&self) -> Result<NewUser, Problem> {
        let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Ok(NewUser {
            username: self.username.clone(),
            name: self.name.trim().to_owned(),
            role: parameters::parse::<Role>("role", &self.role, Reader::Person)?,
            school_id: some(&self.school_id),
            is_school_id_new: !self.new_school_id.is_empty(),
            address: some(&self.address),
        })
    }
}

/// `POST /admin/users/add`.
pub async fn add(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<New>,
) -> Response {
    let added = async {
        let new = given.user()?;
        let proven = reauthentication::prove_administrator(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.users().add(&proven, new, &given.reason).await?)
    };
    match added.await {
        Ok(Added::ByPassword(issued)) => show(&state, &actor, issued),
        Ok(Added::ByLink(id)) => done(&page(&id.to_string()), Done::InvitationSent),
        Err(problem) => {
            let typed = [
                ("name", given.name.as_str()),
                ("role", &given.role),
                ("schoolId", &given.school_id),
                ("newSchoolId", &given.new_school_id),
                ("address", &given.address),
                ("reason", &given.reason),
            ];
            OneTimeContent::username(NEW, &given.username).put(&state, back_keeping(NEW, problem, &typed))
        }
    }
}

/// `POST /admin/users/{id}/change`: the role, and a box for each right.
pub async fn change(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Path(id): Path<String>,
    Form(given): Form<Vec<(String, String)>>,
) -> Response {
    let value = |key: &str| given.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str());
    let permissions: Vec<Permission> =
        Permission::ALL.iter().copied().filter(|permission| !value(permission.name()).is_empty()).collect();
    let (page, role, reason) = (page(&id), value("role"), value("reason"));
    let changed = async {
        let (id, role) = (known(&id)?, parameters::parse::<Role>("role", role, Reader::Person)?);
        let proven = reauthentication::prove_administrator(&state, &session, &actor, value(FIELD)).await?;
        Ok::<_, Problem>(state.caseload.users().change(&proven, id, role, &permissions, reason).await?)
    };
    let refused = match changed.await {
        Ok(true) => return done(&page, Done::RightsChanged),
        Ok(false) => saved_as_they_were(),
        Err(problem) => problem,
    };
    let chosen: Vec<_> = permissions.iter().map(|permission| permission.name()).collect();
    let typed = [("role", role), ("permissions", &chosen.join(",")), ("rights-reason", reason)];
    back_keeping(&page, refused, &typed)
}

/// It is told like a refusal, which loses nothing that was typed: without a change no reason is kept anywhere.
fn saved_as_they_were() -> Problem {
    let message = "The role and permissions are as they were. Change them, and save them with the reason below.";
    Problem { title: "Nothing was changed".into(), ..Problem::field("role", "unchanged", message) }
}

/// What is asked of one account by an administrator who proves that it is still them.
pub type OneAccount = (State<AppState>, Caller, Extension<Session>, Path<String>, Form<WithPassword>);

/// Why, and who says so.
#[derive(Deserialize)]
pub struct WithPassword {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    own_password: String,
}

/// Does it, or leads back to the account with why not.
async fn proven<T>(
    asked: &OneAccount,
    does: impl AsyncFnOnce(Users<'_>, &Reauthenticated, AccountId, &str) -> caseload::Result<T>,
) -> Result<T, Response> {
    proven_in("access", asked, does).await
}

/// The same, sent from the form of this name.
async fn proven_in<T>(
    form: &str,
    (State(state), Caller(actor), Extension(session), Path(id), Form(given)): &OneAccount,
    does: impl AsyncFnOnce(Users<'_>, &Reauthenticated, AccountId, &str) -> caseload::Result<T>,
) -> Result<T, Response> {
    let done = async {
        let id = known(id)?;
        let proven = reauthentication::prove_administrator(state, session, actor, &given.own_password).await?;
        Ok::<_, Problem>(does(state.caseload.users(), &proven, id, &given.reason).await?)
    };
    let typed = [("form", form), ("reason", given.reason.as_str())];
    done.await.map_err(|problem| back_keeping(&page(id), problem, &typed))
}

/// `POST /admin/users/{id}/enable`.
pub async fn enable(asked: OneAccount) -> Response {
    match proven(&asked, async |users, actor, id, reason| users.enable(actor, id, reason).await).await {
        Ok(()) => done(&page(&asked.3), Done::AccountEnabled),
        Err(refused) => refused,
    }
}

/// `POST /admin/users/{id}/password`: one that works once.
pub async fn password(asked: OneAccount) -> Response {
    match proven(&asked, async |users, actor, id, reason| users.reset_password(actor, id, reason).await).await {
        Ok(issued) => show(&asked.0, &asked.1.0, issued),
        Err(refused) => refused,
    }
}

/// `POST /admin/users/{id}/link`: by email, so that nobody else ever knows a password of theirs.
pub async fn link(asked: OneAccount) -> Response {
    match proven(&asked, async |users, actor, id, reason| users.send_link(actor, id, reason).await).await {
        Ok(()) => done(&page(&asked.3), Done::PasswordLinkSent),
        Err(refused) => refused,
    }
}

/// `POST /admin/users/{id}/second-factor`: takes it away from whoever has lost it.
pub async fn second_factor(asked: OneAccount) -> Response {
    let reset = async |users: Users<'_>, actor: &Reauthenticated, id: AccountId, reason: &str| {
        users.reset_second_factor(actor, id, reason).await
    };
    match proven_in("factor", &asked, reset).await {
        Ok(()) => done(&page(&asked.3), Done::SecondFactorReset),
        Err(refused) => refused,
    }
}

/// Leads to the account, whose page shows the password this once.
fn show(state: &AppState, actor: &Actor, issued: Issued) -> Response {
    let Issued { person_id: of, username, password } = issued;
    let page = redirect::to(&format!("/admin/users/{of}"));
    OneTimeContent::Password { owner: actor.person_id, of, username, password }.put(state, page)
}

fn known(id: &str) -> Result<AccountId, Problem> {
    id.parse().map_err(|_| Problem::not_found("account"))
}

fn page(id: &str) -> String {
    id.parse::<AccountId>().map_or_else(|_| "/admin/users".to_owned(), |id| format!("/admin/users/{id}"))
}
