//! What somebody is asked for: a new passkey, one of theirs after their password, or any.

use serde_json::Value;

use super::{
    address::PasskeyAddress,
    kept,
    open_questions::{self, PasskeyPurpose},
    questions, refusals,
};
use crate::{
    Actor, Result,
    accounts::second_factor::{HalfSignIn, over},
    caseload::Passkeys,
    limits::Limited,
};

/// A question that is open.
#[derive(Clone, Debug)]
pub struct AskedForPasskey {
    /// For the browser that asked, and nobody else.
    pub secret: String,
    /// What it is to hand on to the device, as JSON: `publicKey` of the standard.
    pub options: Value,
}

impl Passkeys<'_> {
    /// Whether anybody can have one: devices keep them for an address with a name.
    pub fn are_possible(self) -> bool {
        self.address().is_ok()
    }

    pub(super) fn address(self) -> Result<PasskeyAddress> {
        let address = PasskeyAddress::of(&self.0.mail().settings().public_url);
        Ok(address.ok_or_else(refusals::off)?)
    }

    /// For a new one of the actor's.
    pub async fn ask_to_add(self, actor: &Actor) -> Result<AskedForPasskey> {
        let address = self.address()?;
        if !self.0.accounts().has_password(actor).await? {
            return Err(refusals::without_password().into());
        }
        let kept = kept::of(self.0.db().reader(), actor.person_id).await?;
        // Before their device makes one that nobody takes.
        if kept.len() as u64 >= u64::from(self.0.limits().passkeys) {
            return Err(self.0.limits().refusal(Limited::Passkeys, None).into());
        }
        let whose = (actor.person_id, actor.username.as_str(), actor.name.as_str());
        let question = questions::to_add(&address, whose, &kept)?;
        let secret =
            open_questions::put_down(self.0.db(), PasskeyPurpose::Add, Some(actor.person_id), &question).await?;
        Ok(AskedForPasskey { secret, options: question.options })
    }

    /// For one of theirs, of whoever has typed their password.
    pub async fn ask_beside_password(self, half: &HalfSignIn) -> Result<AskedForPasskey> {
        let (db, address) = (self.0.db(), self.address()?);
        if half.is_over(db.now().await?) {
            return Err(over().into());
        }
        let kept = kept::of(db.reader(), half.person_id).await?;
        if kept.is_empty() {
            return Err(refusals::refused().into());
        }
        let question = questions::beside_password(&address, &kept)?;
        let owner = Some(half.person_id);
        let secret = open_questions::put_down(db, PasskeyPurpose::BesidePassword, owner, &question).await?;
        Ok(AskedForPasskey { secret, options: question.options })
    }

    /// For any, of whoever says nothing else.
    pub async fn ask_anybody(self) -> Result<AskedForPasskey> {
        let question = questions::for_anybody(&self.address()?)?;
        let secret = open_questions::put_down(self.0.db(), PasskeyPurpose::WholeSignIn, None, &question).await?;
        Ok(AskedForPasskey { secret, options: question.options })
    }
}
