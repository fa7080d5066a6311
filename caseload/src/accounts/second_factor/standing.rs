//! What an account has beside its password. A further way to show who one is is asked for here as well.

use model::{
    AccountId,
    account::{AuthenticatorApp, SecondFactor},
};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use super::{HalfSignIn, app, recovery};
use crate::{Actor, Result, accounts::passkeys::kept, caseload::Factors, entity::accounts::authenticator_app};

/// Whether an account has one.
pub(crate) async fn is_set_up(connection: &impl ConnectionTrait, owner: AccountId) -> Result<bool, DbErr> {
    Ok(app::is_there(connection, owner).await? || kept::count(connection, owner).await? > 0)
}

/// That of an account.
pub(crate) async fn of(connection: &impl ConnectionTrait, owner: AccountId) -> Result<Option<SecondFactor>, DbErr> {
    let app = authenticator_app::Entity::find_by_id(owner).one(connection).await?;
    let app = app.map(|app| AuthenticatorApp { set_up: app.created_date, used: app.used_date });
    let passkeys = kept::listed(connection, owner).await?;
    if app.is_none() && passkeys.is_empty() {
        return Ok(None);
    }
    Ok(Some(SecondFactor { app, passkeys, codes_left: recovery::left(connection, owner).await? }))
}

/// What somebody can show after their password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedFor {
    /// A code of their app.
    pub app: bool,
    /// A passkey, where passkeys can be used.
    pub passkey: bool,
}

impl Factors<'_> {
    /// What the actor shows beside their password.
    pub async fn second_factor(self, actor: &Actor) -> Result<Option<SecondFactor>> {
        Ok(of(self.0.db().reader(), actor.person_id).await?)
    }

    /// What whoever has typed this password can show beside it; a recovery code does in any case.
    pub async fn asked_for(self, half: &HalfSignIn) -> Result<AskedFor> {
        let (reader, owner) = (self.0.db().reader(), half.person_id);
        let app = app::is_there(reader, owner).await?;
        let passkey = self.0.passkeys().are_possible() && kept::count(reader, owner).await? > 0;
        Ok(AskedFor { app, passkey })
    }

    /// Whether somebody with the actor's role must have a second factor.
    pub fn needs_second_factor(self, actor: &Actor) -> bool {
        self.0.second_factor_rule().is_for(actor.role)
    }

    /// Whether the actor, who came in by a password, has to set one up before anything else.
    pub async fn must_set_up(self, actor: &Actor) -> Result<bool> {
        Ok(self.needs_second_factor(actor) && !is_set_up(self.0.db().reader(), actor.person_id).await?)
    }
}
