//! Accounts of staff, as administrators keep them: added, changed, disabled and let in again. The last administrator stays
//! one, and nobody shuts themselves out.

use std::collections::HashMap;

use model::{
    AccessTokenId, AccountId, Code, Conflict, Instant, Permission, PersonId, Problem, Role, Total,
    account::Token,
    admin::{ScheduleName, UserRow},
};
use queue::COUNTED;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use serde_json::json;

use crate::{
    Actor, NewAccount, NewPassword, Reauthenticated, Result,
    accounts::{
        account::record, credentials, password_links, passwords::clear_letters, staff_accounts::Ready, tokens::issued,
    },
    admin::guard::{administering, reasoned},
    audit::entry::By,
    caseload::Users,
    entity::{
        accounts::{
            account,
            password_link::{self, LinkPurpose},
        },
        audit::entry as audit,
        people::person,
        primary_address,
    },
    notices::{self, PasswordChange},
};

/// The longest address that mail goes to, in bytes.
const LONGEST_ADDRESS: usize = 254;

/// An account to be; its password is made here.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub username: String,
    /// `First Last`.
    pub name: String,
    pub role: Role,
    /// Taken from the username when absent.
    pub school_id: Option<String>,
    /// Whether the school ID may be one that nobody in Docket has.
    pub is_school_id_new: bool,
    /// Where they get a link to choose a password; without it a password is made for them.
    pub address: Option<String>,
}

/// How the owner of a new account comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    ByPassword(Issued),
    /// By a link that is on its way.
    ByLink(AccountId),
}

/// A password that is shown this once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    pub person_id: AccountId,
    pub username: String,
    pub password: String,
}

impl Users<'_> {
    /// Every account, by username.
    pub async fn list(self, actor: &Actor) -> Result<Vec<UserRow>> {
        administering(actor)?;
        self.user_rows(account::Entity::find().order_by_asc(account::Column::Username)).await
    }

    /// One account.
    pub async fn get(self, actor: &Actor, id: AccountId) -> Result<UserRow> {
        administering(actor)?;
        let found = self.user_rows(account::Entity::find_by_id(id)).await?.pop();
        found.ok_or_else(|| Problem::not_found("account").into())
    }

    async fn user_rows(self, accounts: Select<account::Entity>) -> Result<Vec<UserRow>> {
        let reader = self.0.db().reader();
        let ids = accounts.clone().select_only().column(account::Column::PersonId).into_query();
        let school_ids = person::Entity::find().filter(person::Column::Id.in_subquery(ids)).select_only();
        let school_ids: Vec<(PersonId, String)> =
            school_ids.column(person::Column::Id).column(person::Column::SchoolId).into_tuple().all(reader).await?;
        let mut school_ids: HashMap<PersonId, String> = school_ids.into_iter().collect();
        let accounts = accounts.all(reader).await?;
        let mut tokens: HashMap<AccountId, Vec<Token>> = HashMap::new();
        for (owner, token) in issued::tokens_of(self.0, accounts.iter().map(|account| account.person_id)).await? {
            tokens.entry(owner).or_default().push(token);
        }
        let open = queue::unfinished::by_owner(self.0.db(), COUNTED + 1).await?;
        // Beyond the limit each has at least so many.
        let exact = open.values().sum::<u64>() <= COUNTED;
        let mut users = Vec::with_capacity(accounts.len());
        for account in accounts {
            users.push(UserRow {
                name: self.0.staff_name(account.person_id).await?,
                school_id: school_ids.remove(&account.person_id.person()).unwrap_or_default(),
                permissions: account.permissions(),
                last_sign_in: self.last_sign_in(account.person_id).await?,
                open_tasks: Total { value: open.get(&account.person_id).copied().unwrap_or_default(), exact },
                tokens: tokens.remove(&account.person_id).unwrap_or_default(),
                person_id: account.person_id,
                username: account.username,
                role: account.role,
                disabled: account.disabled,
                awaits_password: account.password_state.is_to_be_changed(),
                created_date: account.created_date,
            });
        }
        Ok(users)
    }

    /// Makes an account. Its owner gets a link to choose a password, or there is one that is shown once and works once.
    pub async fn add(self, actor: &Reauthenticated, new: NewUser, reason: &str) -> Result<Added> {
        administering(actor)?;
        let password = fresh_password();
        let account = NewAccount {
            username: new.username.clone(),
            role: new.role,
            name: Some(new.name),
            school_id: new.school_id,
            password: NewPassword::ForOnce(password.clone()),
        };
        // All that is wrong is said together.
        let mut wrong = account.mistakes();
        if wrong.is_empty() {
            wrong = account.taken(self.0.db(), new.is_school_id_new).await?;
        }
        let address = new.address.as_deref().map_or(Ok(()), |address| self.is_deliverable(address));
        let reason = reasoned(actor, reason).map_err(Problem::from);
        for problem in [address.err(), reason.as_ref().err().cloned()].into_iter().flatten() {
            wrong.extend(problem.errors);
        }
        if !wrong.is_empty() {
            return Err(Problem::fields(wrong).into());
        }
        let (reason, ready) = (reason?, Ready::of(account).await?);
        let username = crate::account_key(&new.username);
        let txn = self.0.db().begin_write().await?;
        let person_id = ready.insert(self.0.db(), &txn, By::Actor(actor), Some(&reason)).await?;
        let added = match new.address {
            Some(address) => {
                self.put_down_link(&txn, person_id, LinkPurpose::Invitation, &address).await?;
                Added::ByLink(person_id)
            }
            None => Added::ByPassword(Issued { person_id, username, password }),
        };
        self.0.db().commit(txn).await?;
        Ok(added)
    }

    /// Sends the owner of an account a link to choose a password, to their address or to where they were invited;
    /// nothing where none can be sent.
    pub async fn send_link(self, actor: &Reauthenticated, id: AccountId, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        let account = self.account(&txn, id).await?;
        if account.disabled {
            return Err(Problem::conflict(Conflict::ALREADY, "Enable the account first.").into());
        }
        let invited = password_link::Entity::find_by_id(id).one(&txn).await?;
        let invited = invited.filter(|link| link.purpose == LinkPurpose::Invitation).map(|link| link.address);
        let (purpose, address) = match (primary_address(&txn, id.person()).await?, invited) {
            (Some(address), _) => (LinkPurpose::Reset, address),
            (None, Some(address)) => (LinkPurpose::Invitation, address),
            (None, None) => {
                let detail = "This account has no email address. Create a one-time password instead.";
                return Err(Problem::new(409, Code::NO_OWN_ADDRESS, "No email address", detail).into());
            }
        };
        self.is_deliverable(&address)?;
        self.put_down_link(&txn, id, purpose, &address).await?;
        record(self.0.db(), &txn, By::Actor(actor), "account.invite", id, json!({ "reason": reason })).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    async fn put_down_link(
        self,
        txn: &impl ConnectionTrait,
        owner: AccountId,
        purpose: LinkPurpose,
        address: &str,
    ) -> Result<()> {
        let db = self.0.db();
        let link = password_links::put_down(db, txn, owner, purpose, address).await?;
        notices::of_password_link(db, txn, link, address).await?;
        queue::schedule::fire_soon(db, txn, ScheduleName::SendNotices.name()).await?;
        Ok(())
    }

    fn is_deliverable(self, address: &str) -> Result<(), Problem> {
        if !self.0.mail().is_configured() {
            let message = "This server sends no email. Leave this empty: you get a one-time password to pass on.";
            return Err(Problem::field("address", "not_configured", message));
        }
        match address.len() <= LONGEST_ADDRESS && address.parse::<lettre::Address>().is_ok() {
            true => Ok(()),
            false => Err(Problem::field("address", "invalid", format!("“{address}” is not an email address."))),
        }
    }

    /// Changes what an account may do. It holds from its next request and its tasks' next chunk on. False: it may do just that.
    pub async fn change(
        self,
        actor: &Reauthenticated,
        id: AccountId,
        role: Role,
        permissions: &[Permission],
        reason: &str,
    ) -> Result<bool> {
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        let account = self.account(&txn, id).await?;
        let had = account.permissions();
        let holds = |one: &[Permission], other: &[Permission]| one.iter().all(|right| other.contains(right));
        if account.role == role && holds(&had, permissions) && holds(permissions, &had) {
            return Ok(false);
        }
        if account.role == Role::Administrator && role != Role::Administrator {
            self.keep_an_administrator(&txn, id).await?;
        }
        let before = json!({ "role": account.role, "permissions": had });
        credentials::set_role(self.0.db(), &txn, id, role, permissions).await?;
        let after = json!({ "role": role, "permissions": permissions });
        let detail = json!({ "reason": reason, "before": before, "after": after });
        record(self.0.db(), &txn, By::Actor(actor), "account.change", id, detail).await?;
        self.0.db().commit(txn).await?;
        Ok(true)
    }

    /// Shuts an account out. Its sessions and tokens end now, its event streams within seconds, and its tasks at their next chunk.
    pub async fn disable(self, actor: &Actor, id: AccountId, reason: &str) -> Result<()> {
        self.set_user_disabled(actor, id, true, reason).await
    }

    /// Lets an account in again, with every right that it had.
    pub async fn enable(self, actor: &Reauthenticated, id: AccountId, reason: &str) -> Result<()> {
        self.set_user_disabled(actor, id, false, reason).await
    }

    async fn set_user_disabled(self, actor: &Actor, id: AccountId, disabled: bool, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        if disabled && id == actor.person_id {
            return Err(Problem::conflict(Conflict::YOURSELF, "You cannot disable your own account.").into());
        }
        let txn = self.0.db().begin_write().await?;
        let account = self.account(&txn, id).await?;
        if account.disabled == disabled {
            let word = if disabled { "disabled" } else { "enabled" };
            return Err(Problem::conflict(Conflict::ALREADY, format!("The account is already {word}.")).into());
        }
        if disabled && account.role == Role::Administrator {
            self.keep_an_administrator(&txn, id).await?;
        }
        credentials::set_disabled(self.0.db(), &txn, id, disabled).await?;
        let action = if disabled { "account.disable" } else { "account.enable" };
        let (before, after) = (json!({ "disabled": !disabled }), json!({ "disabled": disabled }));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        record(self.0.db(), &txn, By::Actor(actor), action, id, detail).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    /// Gives an account a new password, which is shown once and works once, and ends its sessions and tokens.
    pub async fn reset_password(self, actor: &Reauthenticated, id: AccountId, reason: &str) -> Result<Issued> {
        let reason = reasoned(actor, reason)?;
        let password = fresh_password();
        let hashed = NewPassword::ForOnce(password.clone()).hashed("", "").await?;
        let txn = self.0.db().begin_write().await?;
        let account = self.account(&txn, id).await?;
        let ended = credentials::set_password(self.0.db(), &txn, id, hashed).await?;
        let detail = json!({ "reason": reason, "tokens": ended.tokens });
        record(self.0.db(), &txn, By::Actor(actor), "account.password", id, detail).await?;
        notices::of_password_change(self.0.db(), &txn, self.0.mail(), id, PasswordChange::ByAdministrator).await?;
        self.0.db().commit(txn).await?;
        Ok(Issued { person_id: id, username: account.username, password })
    }

    /// Revokes a token of somebody's.
    pub async fn revoke_token_of(self, actor: &Actor, owner: AccountId, id: AccessTokenId, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        if !credentials::revoke(self.0.db(), &txn, owner, id).await? {
            return Err(Problem::not_found("token").into());
        }
        let detail = json!({ "reason": reason, "token": id });
        record(self.0.db(), &txn, By::Actor(actor), "token.revoke", owner, detail).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    async fn account(self, connection: &impl ConnectionTrait, id: AccountId) -> Result<account::Model> {
        let found = account::Entity::find_by_id(id).one(connection).await?;
        found.ok_or_else(|| Problem::not_found("account").into())
    }

    /// Refuses what would leave nobody who could put it right.
    async fn keep_an_administrator(self, txn: &impl ConnectionTrait, but: AccountId) -> Result<()> {
        // Locked, so that two who take each other's role away do not both succeed.
        let sql = "SELECT person_id FROM account WHERE role = 'administrator' AND NOT disabled
             ORDER BY person_id {for update}";
        let rows = txn.query_all_raw(self.0.db().statement(sql, [])).await?;
        let mut others = 0;
        for row in rows {
            others += u64::from(row.try_get::<AccountId>("", "person_id")? != but);
        }
        if others == 0 {
            let detail = "This is the last administrator. Make somebody else an administrator first.";
            return Err(Problem::conflict(Conflict::LAST_ADMINISTRATOR, detail).into());
        }
        Ok(())
    }

    /// Where the owner of an account gets a link to choose a password: their address, or where they were invited.
    pub async fn link_goes_to(self, actor: &Actor, id: AccountId) -> Result<Option<String>> {
        administering(actor)?;
        if !self.0.mail().is_configured() {
            return Ok(None);
        }
        let reader = self.0.db().reader();
        if let Some(address) = primary_address(reader, id.person()).await? {
            return Ok(Some(address));
        }
        let invited = password_link::Entity::find_by_id(id).one(reader).await?;
        Ok(invited.filter(|link| link.purpose == LinkPurpose::Invitation).map(|link| link.address))
    }

    /// When somebody last signed in with an account. The index is `audit_actor`.
    async fn last_sign_in(self, id: AccountId) -> Result<Option<Instant>> {
        let last = audit::Entity::find()
            .filter(audit::Column::ActorId.eq(id))
            .filter(audit::Column::Action.eq("session.begin"))
            .order_by_desc(audit::Column::Id);
        Ok(last.one(self.0.db().reader()).await?.map(|entry| entry.audit_date))
    }
}

/// Five groups of four letters and digits.
fn fresh_password() -> String {
    clear_letters::drawn(20)
}
