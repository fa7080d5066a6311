//! What an account has beside its password. A further way to show who one is is asked for here as well.

use model::{AccountId, account::SecondFactor};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use super::recovery;
use crate::{Actor, Result, caseload::Factors, entity::accounts::authenticator_app};

/// Whether an account has one.
pub(crate) async fn is_set_up(connection: &impl ConnectionTrait, owner: AccountId) -> Result<bool, DbErr> {
    Ok(authenticator_app::Entity::find_by_id(owner).one(connection).await?.is_some())
}

/// That of an account.
pub(crate) async fn of(connection: &impl ConnectionTrait, owner: AccountId) -> Result<Option<SecondFactor>, DbErr> {
    let Some(app) = authenticator_app::Entity::find_by_id(owner).one(connection).await? else { return Ok(None) };
    let codes_left = recovery::left(connection, owner).await?;
    Ok(Some(SecondFactor { set_up: app.created_date, used: app.used_date, codes_left }))
}

impl Factors<'_> {
    /// What the actor shows beside their password.
    pub async fn second_factor(self, actor: &Actor) -> Result<Option<SecondFactor>> {
        Ok(of(self.0.db().reader(), actor.person_id).await?)
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
