//! The key that is offered to somebody who sets up an app. Until a code of it is shown it is in their session alone, sealed, so that a page
//! that is loaded again shows the same.

use app::{pages::settings::second_factor::NewApp, server::OfferedApp};
use caseload::{Actor, second_factor::AppKey};
use cookie::Key;
use std::sync::Arc;
use tower_sessions::{Session, session::Error};

use super::{qr_code, sealing::AppKeys};
use crate::auth::session as sessions;
use caseload::second_factor::Sealing;

/// The key of the key in a session.
const OFFERED: &str = "offered_app";

/// That of this session.
pub async fn of(session: &Session, key: &Key) -> Option<AppKey> {
    let sealed: String = session.get(OFFERED).await.ok()??;
    AppKeys(key.clone()).open(&sealed).as_deref().and_then(AppKey::read)
}

/// It is in an app, or is not wanted.
pub async fn forget(session: &Session) -> Result<(), Error> {
    session.remove_value(OFFERED).await.map(drop)
}

/// For the page that asks: the key of this session, which gets one if it has none. Only somebody who is signed in there gets one.
pub fn for_page(key: &Key, session: Option<Session>, actor: Option<&Actor>) -> OfferedApp {
    let (key, username) = (key.clone(), actor.map(|actor| actor.username.clone()));
    OfferedApp(Arc::new(move || {
        let (key, session, username) = (key.clone(), session.clone(), username.clone());
        Box::pin(async move {
            let (session, username) = (session?, username?);
            sessions::who(&session).await.ok()??;
            let app_key = match of(&session, &key).await {
                Some(app_key) => app_key,
                None => drawn(&session, &key).await?,
            };
            let picture = qr_code::of(&app_key.address(&username));
            Some(NewApp { key: app_key.in_groups(), picture })
        })
    }))
}

async fn drawn(session: &Session, key: &Key) -> Option<AppKey> {
    let app_key = AppKey::draw();
    session.insert(OFFERED, AppKeys(key.clone()).seal(&app_key.base32())?).await.ok()?;
    Some(app_key)
}
