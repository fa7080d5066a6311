//! The key that is offered to somebody who sets up an app. Until a code of it is shown it is in their session alone, sealed, so that a page
//! that is loaded again shows the same. It is theirs: whoever signs in after them in the same browser gets another one, of which nobody has
//! a picture.

use std::sync::Arc;

use app::{pages::settings::second_factor::NewApp, server::OfferedApp};
use caseload::{
    Actor,
    second_factor::{AppKey, Sealing},
};
use cookie::Key;
use model::AccountId;
use tower_sessions::{Session, session::Error};

use super::{qr_code, sealing::AppKeys};
use crate::auth::session as sessions;

/// The key of the key in a session.
const OFFERED: &str = "offered_app";

/// That of this session, if it was offered to this account.
pub async fn of(session: &Session, key: &Key, owner: AccountId) -> Option<AppKey> {
    let sealed: String = session.get(OFFERED).await.ok()??;
    let opened = AppKeys(key.clone()).open(&sealed)?;
    let (offered_to, app_key) = opened.split_once(' ')?;
    if offered_to != owner.to_string() {
        return None;
    }
    AppKey::read(app_key)
}

/// It is in an app, or is not wanted.
pub async fn forget(session: &Session) -> Result<(), Error> {
    session.remove_value(OFFERED).await.map(drop)
}

/// For the page that asks: the key of this session, which gets one if it has none. Only somebody who is signed in there gets one.
pub fn for_page(key: &Key, session: Option<Session>, actor: Option<&Actor>) -> OfferedApp {
    let (key, who) = (key.clone(), actor.map(|actor| (actor.person_id, actor.username.clone())));
    OfferedApp(Arc::new(move || {
        let (key, session, who) = (key.clone(), session.clone(), who.clone());
        Box::pin(async move {
            let (session, (owner, username)) = (session?, who?);
            sessions::who(&session).await.ok()??;
            let app_key = match of(&session, &key, owner).await {
                Some(app_key) => app_key,
                None => drawn(&session, &key, owner).await?,
            };
            let picture = qr_code::of(&app_key.address(&username));
            Some(NewApp { key: app_key.in_groups(), picture })
        })
    }))
}

async fn drawn(session: &Session, key: &Key, owner: AccountId) -> Option<AppKey> {
    let app_key = AppKey::draw();
    let sealed = AppKeys(key.clone()).seal(&format!("{owner} {}", app_key.base32()))?;
    session.insert(OFFERED, sealed).await.ok()?;
    Some(app_key)
}
