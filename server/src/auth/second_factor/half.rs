//! A sign-in that waits for its code. It is kept in the table of sessions and bound to its browser by their cookie, but it is nobody's session:
//! it has no owner there, and opens nothing.

use caseload::second_factor::HalfSignIn;
use tower_sessions::{Session, session::Error};

/// Where its code is asked for.
pub const PAGE: &str = "/login/code";
/// The key of [`HalfSignIn`] in a session.
const HALF: &str = "half";

/// Keeps it, under an id that nobody can have planted; whoever was signed in there is no more.
pub async fn keep(session: &Session, half: HalfSignIn) -> Result<(), Error> {
    session.clear().await;
    session.insert(HALF, half).await?;
    session.cycle_id().await
}

/// The one that waits in this browser.
pub async fn of(session: &Session) -> Option<HalfSignIn> {
    session.get(HALF).await.ok()?
}

/// Whoever comes in is asked no more.
pub async fn forget(session: &Session) -> Result<(), Error> {
    session.remove_value(HALF).await.map(drop)
}
