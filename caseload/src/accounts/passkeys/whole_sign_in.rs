//! A passkey as the whole of a sign-in: its device has made sure of its owner, and says who they are. Whatever is wrong, the answer is the
//! same, and whoever tries is slowed down as at the password.

use std::net::IpAddr;

use model::Problem;
use sea_orm::EntityTrait;
use serde_json::json;

use super::{
    answers::{AnswerOfAnybody, KeyVerdict},
    kept,
    open_questions::{self, PasskeyAnswer, PasskeyPurpose},
    refusals::refused,
    suspicion,
};
use crate::{
    Actor, Result, access,
    accounts::{
        account::locked,
        request_origin::{Credential, Via},
        session::begun,
        throttle::{self, Browser, Claim, Door, SignInAttempt},
    },
    audit::entry::{self, By, Entry},
    caseload::Passkeys,
    entity::accounts::{account, passkeys::passkey},
};

/// What a sign-in is judged by.
struct BroughtPasskey<'a> {
    answer: Option<AnswerOfAnybody>,
    key: Option<passkey::Model>,
    secret: &'a str,
    source: Option<IpAddr>,
    session: Option<&'a str>,
}

impl Passkeys<'_> {
    /// Signs in whoever has this passkey, for a session that is going to have this id.
    pub async fn sign_in(
        self,
        given: PasskeyAnswer<'_>,
        source: Option<IpAddr>,
        browser: Option<&Browser>,
        session: Option<&str>,
    ) -> Result<Actor> {
        self.address()?;
        let answer = AnswerOfAnybody::read(given.answer);
        let name = answer.as_ref().map(AnswerOfAnybody::credential_id).unwrap_or_default();
        let key = kept::by_credential(self.0.db().reader(), &name).await?;
        let account = key.as_ref().map(|key| key.person_id);
        let own = browser.and_then(|browser| browser.own(account));
        let claim = Claim { door: Door::Passkey, username: &name, account, source, own };
        let brought = BroughtPasskey { answer, key, secret: given.secret, source, session };
        let judge = async |attempt: &SignInAttempt| self.judge(attempt, brought).await;
        Ok(throttle::attempt(self.0, claim, judge).await??)
    }

    /// Who it is, or that it is nobody. An error says neither.
    async fn judge(self, attempt: &SignInAttempt, brought: BroughtPasskey<'_>) -> Result<Result<Actor, Problem>> {
        let (db, address) = (self.0.db(), self.address()?);
        let state = open_questions::take(db, brought.secret, PasskeyPurpose::WholeSignIn, None).await?;
        let verdict = match (&brought.answer, &state, &brought.key) {
            (Some(answer), Some(state), Some(key)) => answer.judge(&address, state, key),
            _ => KeyVerdict::Wrong,
        };
        let actor = match &brought.key {
            Some(key) => self.who_may(key, brought.source).await?,
            None => None,
        };
        if let (KeyVerdict::Copied, Some(key)) = (&verdict, &brought.key) {
            suspicion::noted(self.0, key).await?;
        }
        let txn = db.begin_write().await?;
        let mut came_in = None;
        if let (KeyVerdict::Right { device_state }, Some(actor), Some(key)) = (verdict, actor, &brought.key)
            // Beside somebody who changes what lets them in meanwhile, nobody comes in.
            && locked(db, &txn, actor.person_id).await? == Some(actor.session_version)
            && kept::used(db, &txn, key, &device_state).await?
        {
            came_in = Some(actor);
        }
        let (action, mut detail) = match came_in {
            Some(_) => ("session.begin", begun(brought.session)),
            None => ("session.refused", json!({})),
        };
        detail["passkey"] = json!(brought.key.as_ref().map(|key| key.id));
        let account = brought.key.as_ref().map(|key| key.person_id);
        let object_id = account.map(|id| id.to_string());
        let by = By::WithPasskey { account, source: brought.source };
        entry::record(db, &txn, Entry { by, action, object_kind: "account", object_id, detail }).await?;
        if let Some(actor) = &came_in {
            attempt.succeeded(db, &txn, actor.person_id).await?;
        }
        db.commit(txn).await?;
        Ok(came_in.ok_or_else(refused))
    }

    /// Its owner, if they may come in without a password: one that was made for them has to be used up first, and whoever is let in by a
    /// provider alone comes in there.
    async fn who_may(self, key: &passkey::Model, source: Option<IpAddr>) -> Result<Option<Actor>> {
        let reader = self.0.db().reader();
        let account = account::Entity::find_by_id(key.person_id).one(reader).await?;
        let has_own = |account: &account::Model| {
            self.0.passwords().is_for(&account.username)
                && !account.password_hash.is_empty()
                && !account.password_state.is_to_be_changed()
        };
        match account.filter(has_own) {
            Some(account) => Ok(access::actor(reader, account, Via::new(Credential::Passkey, source)).await?),
            None => Ok(None),
        }
    }
}
