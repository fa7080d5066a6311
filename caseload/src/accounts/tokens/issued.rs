//! Access tokens, with which programs act as the account they were issued for, as far and as long as was said then.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{
    AccessTokenId, AccountId, Code, Problem, Role,
    account::{Token, TokenScope},
    length::within,
};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use crate::{
    Actor, Caseload, Reauthenticated, Result, access,
    accounts::{
        credentials,
        request_origin::{Credential, Via},
        tokens::{new::NewToken, secret::hash_of},
    },
    audit::entry::{self, By, Entry},
    caseload::Tokens,
    entity::accounts::{access_token, account},
    limits::Limited,
    notices,
    people::private_to_account::{self, Owned},
    statement::{after, composed},
};

/// Tells what it is when it turns up in a log or a repository.
const PREFIX: &str = "docket_";
/// The longest token that is looked up, in bytes.
const LONGEST_TOKEN: usize = 200;
/// How often it is written down that a token is in use, in seconds.
const NOTED_EVERY: f64 = 60.0;

impl Tokens<'_> {
    /// Issues a token for a program of the actor's; `from` is where they are.
    pub async fn issue_own(self, actor: &Reauthenticated, new: NewToken, from: Option<&str>) -> Result<String> {
        // It would go further than its owner, from the day on which they may.
        if new.scope == TokenScope::Administer {
            actor.administers()?;
        }
        issue(self.0, actor.person_id, By::Actor(actor), new.checked()?, from).await
    }

    /// The actor's tokens that are not revoked, oldest first.
    pub async fn list(self, actor: &Actor) -> Result<Vec<Token>> {
        let found = tokens_of(self.0, [actor.person_id]).await?;
        Ok(found.into_iter().map(|(_, token)| token).collect())
    }

    /// Revokes one of the actor's tokens.
    pub async fn revoke_own(self, actor: &Actor, id: AccessTokenId) -> Result<()> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        if !credentials::revoke(db, &txn, actor.person_id, id).await? {
            txn.rollback().await?;
            return Err(
                private_to_account::not_ones_own(self.0, actor, Owned::Token(id), Problem::not_found("token")).await
            );
        }
        let detail = json!({ "token": id });
        note(db, &txn, By::Actor(actor), "token.revoke", actor.person_id, detail).await?;
        Ok(db.commit(txn).await?)
    }

    /// The actor of a token that goes as far as `asks`; `None` when it is unknown, revoked or over, or its account is disabled.
    /// That it was used from there is noted now and then.
    ///
    /// A token without administration makes nobody an administrator, so that no use case has to think of it.
    pub async fn actor_of(self, token: &str, asks: TokenScope, source: Option<IpAddr>) -> Result<Option<Actor>> {
        match self.bearer_of(token, asks, source).await? {
            TokenBearer::Nobody => Ok(None),
            TokenBearer::Known(actor) => Ok(Some(actor)),
            TokenBearer::Beyond(_, problem) => Err(problem.into()),
        }
    }

    /// Who comes with a token, also when they ask for more than it was made for.
    pub async fn bearer_of(self, token: &str, asks: TokenScope, source: Option<IpAddr>) -> Result<TokenBearer> {
        if within::<LONGEST_TOKEN>(token).is_err() {
            return Ok(TokenBearer::Nobody);
        }
        let db = self.0.db();
        let found = "SELECT id, person_id, scope, (used_date IS NULL OR used_date <= $2) AS unnoted FROM access_token
             WHERE token_hash = $1 AND revoked_date IS NULL AND expiry_date > $3";
        let parts = [hash_of(token).into(), after(db, -NOTED_EVERY), db.instant()];
        let found = composed(db, found, parts);
        let Some(found) = FoundToken::find_by_statement(found).one(self.0.db().reader()).await? else {
            return Ok(TokenBearer::Nobody);
        };
        let via = Via::new(Credential::Token(found.id), source);
        let Some(actor) = access::load(self.0.db().reader(), found.person_id, via).await? else {
            return Ok(TokenBearer::Nobody);
        };
        if found.scope < asks {
            return Ok(TokenBearer::Beyond(actor, beyond(found.scope, asks)));
        }
        if found.unnoted {
            self.note_use(found.id, source).await;
        }
        let role = match (actor.role, found.scope) {
            (Role::Administrator, TokenScope::Read | TokenScope::Submit) => Role::Manager,
            (role, _) => role,
        };
        // The password has nothing to do with it: whoever keeps the machine made the token for a program.
        Ok(TokenBearer::Known(Actor { role, must_change: false, ..actor }))
    }

    /// Notes that a token is in use. Whoever comes with it is not kept waiting for a trouble with that.
    async fn note_use(self, id: AccessTokenId, source: Option<IpAddr>) {
        use access_token::Column::{Id, UsedDate, UsedFrom};
        let db = self.0.db();
        let used = Expr::col(UsedDate);
        let noted = access_token::Entity::update_many()
            .col_expr(UsedDate, db.instant())
            .col_expr(UsedFrom, source.map(|source| source.to_string()).into())
            .filter(Id.eq(id))
            .filter(used.clone().is_null().or(used.lte(db.instant_after(-NOTED_EVERY))));
        if let Err(error) = db.write_query(&noted.into_query()).await {
            tracing::warn!(%error, "the use of an access token could not be noted");
        }
    }
}

/// The tokens of these that are not revoked, oldest first, each with whose it is.
pub(crate) async fn tokens_of(
    caseload: &Caseload,
    owners: impl IntoIterator<Item = AccountId>,
) -> Result<Vec<(AccountId, Token)>> {
    let found = access_token::Entity::find()
        .filter(access_token::Column::RevokedDate.is_null())
        .filter(access_token::Column::PersonId.is_in(owners))
        .order_by_asc(access_token::Column::Id)
        .all(caseload.db().reader())
        .await?;
    let now = caseload.db().now().await?;
    let token = |found: access_token::Model| {
        let token = Token {
            id: found.id,
            name: found.name,
            scope: found.scope,
            created_date: found.created_date,
            expired: found.expiry_date <= now,
            expiry_date: found.expiry_date,
            used_date: found.used_date,
            used_from: found.used_from,
        };
        (found.person_id, token)
    };
    Ok(found.into_iter().map(token).collect())
}

/// Who comes with a token.
pub enum TokenBearer {
    Nobody,
    Known(Actor),
    /// With a token that does not go as far as what they ask for, and why they are refused.
    Beyond(Actor, Problem),
}

/// A token as it is looked up.
#[derive(FromQueryResult)]
struct FoundToken {
    id: AccessTokenId,
    person_id: AccountId,
    scope: TokenScope,
    unnoted: bool,
}

/// 403: the token was made for less.
fn beyond(scope: TokenScope, asks: TokenScope) -> Problem {
    let detail = match asks {
        TokenScope::Administer => "This token cannot administer. Use one with the scope “administer”.",
        _ => "This token can only read. Use one with the scope “submit”.",
    };
    Problem::new(403, Code::SCOPE, "The token does not have this permission", detail)
        .with("scope", scope.name())
        .with("needed", asks.name())
}

async fn note(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: By<'_>,
    action: &str,
    owner: AccountId,
    detail: serde_json::Value,
) -> Result<()> {
    let object_id = Some(owner.to_string());
    Ok(entry::record(db, txn, Entry { by, action, object_kind: "account", object_id, detail }).await?)
}

pub(crate) async fn issue(
    caseload: &Caseload,
    owner: AccountId,
    by: By<'_>,
    new: NewToken,
    from: Option<&str>,
) -> Result<String> {
    // Two version 4 ids: 244 random bits.
    let secret = [queue::secret_bytes(), queue::secret_bytes()].concat();
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
    let (db, txn, id) = (caseload.db(), caseload.db().begin_write().await?, queue::new_id::<AccessTokenId>());
    expect_room(caseload, &txn, owner).await?;
    let row = [
        (access_token::Column::Id, id.into()),
        (access_token::Column::PersonId, owner.into()),
        (access_token::Column::TokenHash, hash_of(&token).into()),
        (access_token::Column::Name, new.name.as_str().into()),
        (access_token::Column::Scope, new.scope.name().into()),
        (access_token::Column::CreatedDate, db.instant()),
        (access_token::Column::ExpiryDate, db.instant_after(new.lasts.as_secs_f64())),
    ];
    txn.execute_raw(db.build(&queue::row_of(access_token::Entity, row))).await?;
    let days = new.lasts.as_secs() / 86_400;
    let detail = json!({ "token": id, "name": new.name, "scope": new.scope, "days": days });
    note(db, &txn, by, "token.issue", owner, detail).await?;
    notices::of_new_token(db, &txn, caseload.mail(), owner, id, &new, from).await?;
    db.commit(txn).await?;
    Ok(token)
}

/// Refuses another token of somebody who has as many as one account may. Two at once take turns at the account.
async fn expect_room(caseload: &Caseload, txn: &impl ConnectionTrait, owner: AccountId) -> Result<()> {
    use account::Column::{PersonId, SessionVersion};
    let turn =
        account::Entity::update_many().col_expr(SessionVersion, Expr::col(SessionVersion)).filter(PersonId.eq(owner));
    txn.execute_raw(caseload.db().build(&turn.into_query())).await?;
    let good = access_token::Entity::find()
        .filter(access_token::Column::PersonId.eq(owner))
        .filter(access_token::Column::RevokedDate.is_null())
        .filter(Expr::col(access_token::Column::ExpiryDate).gt(caseload.db().instant()));
    match good.count(txn).await? < u64::from(caseload.limits().tokens) {
        true => Ok(()),
        false => Err(caseload.limits().refusal(Limited::Tokens, None).into()),
    }
}
