//! Whom a session that was signed in is of, as long as nobody has ended it.

use crate::{Actor, Result, access::load, accounts::request_origin::Via, caseload::Accounts};
use model::AccountId;
use serde_json::{Value, json};

impl Accounts<'_> {
    /// The actor of a signed-in session, unless the account is disabled or its sessions were ended since.
    pub async fn actor_of_session(self, person_id: AccountId, session_version: i32, via: Via) -> Result<Option<Actor>> {
        let actor = load(self.0.db().reader(), person_id, via).await?;
        Ok(actor.filter(|actor| actor.session_version == session_version))
    }
}

/// What is noted with a sign-in: its session, so that it is found with all that is done there.
pub(super) fn begun(session: Option<&str>) -> Value {
    session.map_or_else(|| json!({}), |session| json!({ "session": session }))
}
