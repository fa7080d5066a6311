//! Asking somebody who is signed in for their own password once more, before what decides who may come in. Guessing is slowed down
//! as it is at the sign-in.

use caseload::{Actor, Reauthenticated};
use model::Problem;
use tower_sessions::Session;

use crate::{auth::session, state::AppState, web::problem::ProblemAnswer};

/// The same for an administrator; nobody else is asked for a password.
pub async fn prove_administrator(
    state: &AppState,
    session: &Session,
    actor: &Actor,
    password: &str,
) -> Result<Reauthenticated, Problem> {
    state.caseload.admin().require_administrator(actor)?;
    prove(state, session, actor, password).await
}

/// The proof of the caller: a sign-in of late, or the password that came with the form, which counts as one from here on.
pub async fn prove(
    state: &AppState,
    session: &Session,
    actor: &Actor,
    password: &str,
) -> Result<Reauthenticated, Problem> {
    let typed = session::typed(session).await;
    let by_session = state.caseload.accounts().prove(actor, typed, None).await;
    if password.is_empty() || by_session.is_ok() {
        return Ok(by_session?);
    }
    let proven = state.caseload.accounts().prove(actor, None, Some(password)).await?;
    let now = state.caseload.db().now().await.map_err(caseload::Error::from)?;
    session::note_typed(session, now).await.map_err(|error| {
        tracing::error!(%error, "a session could not be written");
        ProblemAnswer(Problem::unavailable()).0
    })?;
    Ok(proven)
}
