//! Who acts, and whose people they reach. Reach is a condition in SQL, so that lists, counts and changes all obey it.

use chrono_tz::Tz;
use model::{AccountId, Me, Permission, Problem, Role, account::Right, preferences::Preferences};
use queue::TaskTable;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait,
    sea_query::{Expr, ExprTrait, Query},
};

use crate::{
    Error, Result,
    accounts::request_origin::Via,
    entity::{
        accounts::account,
        people::{
            person::{Column, P},
            watch,
        },
        person_name,
    },
};

/// A member of staff who acts, as their account says now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub person_id: AccountId,
    pub username: String,
    pub name: String,
    pub role: Role,
    pub permissions: Vec<Permission>,
    /// Grows when all sessions of the account are ended.
    pub session_version: i32,
    pub preferences: Preferences,
    /// Whether the password with which they signed in was made for them, and they have to choose their own first.
    pub must_change: bool,
    /// By what they are known, and where they are.
    pub via: Via,
}

impl Actor {
    pub fn me(&self) -> Me {
        Me {
            person_id: self.person_id,
            username: self.username.clone(),
            name: self.name.clone(),
            role: self.role,
            permissions: self.permissions.clone(),
        }
    }

    pub fn may(&self, right: impl Into<Right>) -> bool {
        match right.into() {
            Right::Permission(permission) => self.permissions.contains(&permission),
            Right::Administrator => self.role == Role::Administrator,
        }
    }

    /// Refuses whoever lacks the right.
    pub fn require(&self, right: impl Into<Right>) -> Result<()> {
        let right = right.into();
        match right {
            _ if self.may(right) => Ok(()),
            Right::Permission(permission) => {
                let what = permission.label().to_lowercase();
                Err(self.forbidden(format!("You do not have permission to {what}. Ask your Docket administrator.")))
            }
            Right::Administrator => Err(self.forbidden("Only administrators can do this.")),
        }
    }

    /// The time zone they chose.
    pub fn time_zone(&self) -> Option<Tz> {
        self.preferences.time_zone.as_deref()?.parse().ok()
    }

    /// What is said to them of something that they have no right to.
    pub fn forbidden(&self, detail: impl Into<String>) -> Error {
        self.via.refused.note_forbidden();
        Problem::forbidden(detail).into()
    }

    /// What is said to them of something that is there and out of their reach: the same as if it were not there.
    pub fn hidden(&self, what: &str) -> Error {
        self.via.refused.note_hidden();
        Problem::not_found(what).into()
    }

    /// Refuses whoever is no administrator.
    pub fn administers(&self) -> Result<()> {
        self.require(Right::Administrator)
    }
}

/// The condition that the person `p` is within the actor's reach; it is never unknown.
pub fn reach(actor: &Actor) -> Expr {
    match actor.role.reaches_everyone() {
        true => Expr::cust("TRUE"),
        false => P.col(Column::CoachId).is_not_null().and(P.col(Column::CoachId).eq(actor.person_id)),
    }
}

/// The condition that the actor may know of the person `p`: within reach, or on their watch list.
pub fn visible(actor: &Actor) -> Expr {
    reach(actor).or(watched(actor))
}

/// The condition that the actor may find the person `p` by a school ID. A watch list tells no more than a name, so whoever is only
/// there is as unknown by their school ID as somebody who does not exist.
pub fn by_school_id(actor: &Actor) -> Expr {
    reach(actor)
}

/// The condition that the actor watches the person `p`.
pub fn watched(actor: &Actor) -> Expr {
    let mut list = Query::select();
    list.column(watch::Column::PersonId).from(watch::Entity).and_where(watch::Column::WatcherId.eq(actor.person_id));
    P.col(Column::Id).in_subquery(list)
}

/// The actor behind a person's account; `None` when there is none or it is disabled.
pub async fn load(connection: &impl ConnectionTrait, person_id: AccountId, via: Via) -> Result<Option<Actor>> {
    let Some(account) = account::Entity::find_by_id(person_id).one(connection).await? else { return Ok(None) };
    actor(connection, account, via).await
}

/// The actor of an account; `None` when it is disabled.
pub async fn actor(connection: &impl ConnectionTrait, account: account::Model, via: Via) -> Result<Option<Actor>> {
    if account.disabled {
        return Ok(None);
    }
    let name = person_name(connection, account.person_id.person()).await?.unwrap_or_else(|| account.username.clone());
    Ok(Some(Actor {
        person_id: account.person_id,
        name,
        role: account.role,
        permissions: account.permissions(),
        preferences: account.preferences(),
        must_change: account.password_state.is_to_be_changed(),
        username: account.username,
        session_version: account.session_version,
        via,
    }))
}

/// The condition that the actor may see a task. Tasks have an order for each owner, along which SQLite would rather walk than
/// look up those of a few people, unless it is told the order of a join (`CROSS JOIN`).
pub(crate) fn may_see(actor: &Actor, task: TaskTable) -> Expr {
    match actor.role.reads_all_tasks() {
        true => Expr::cust("TRUE"),
        false => task.is_of_owner(actor.person_id),
    }
}
