//! Slows down whoever guesses passwords. It is kept in the database: all processes count together, and a restart forgets nothing.
//!
//! An attempt counts as failed from its start, so that a thousand at once are no way around. It is taken back if it was right, and
//! if nobody came to judge it. A count ends a day after its first failure, whatever came later. Counted are
//!
//! - an account at a place, and a place whomever it names: ten are free, and each further one has to wait, a minute first and
//!   twice as long each time, up to an hour;
//! - an account at all the places where its owner has never signed in: forty a day;
//! - an account at all the places where they have: thirty a day;
//! - all accounts at all places where their owners have never signed in, which bounds the rows: a hundred thousand a day.
//!
//! Where the owner has signed in before, only the first and the third of these are asked. Guesses from elsewhere keep nobody out
//! there, and neither do those that a neighbour makes at other accounts.
//!
//! A browser in which the owner has signed in before, and a session of theirs, are counted by themselves: as at a place, twenty a
//! day, and thirty a day in all of them. Nothing that anybody does elsewhere keeps them out there. So all guesses at an account are
//! a hundred a day, and each of the three has its part of them.
//!
//! Codes of a second factor are counted alike, by themselves: whoever guesses them knows the password, and keeps nobody from theirs. So are
//! passkeys that are to be a whole sign-in.

use std::{net::IpAddr, time::Duration};

use model::{AccountId, Code, Instant, Problem};
use queue::{Database, Transaction, lock::Lock, prune::in_batches, row_of, schedule::Work};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, OnConflict, Query},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Caseload, Result,
    accounts::{account, request_origin::network, tokens::secret::hash_of},
    entity::accounts::{
        known_place,
        sign_in_failure::{Column, Entity, Model},
    },
    statement::composed,
};

/// Failures that need not wait.
const FREE: i64 = 10;
const FIRST_WAIT: Duration = Duration::from_secs(60);
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);
/// How long failures are remembered.
const DAY: Duration = Duration::from_secs(86_400);
/// Guesses a day at an account in one browser of its owner's.
const IN_OWN: i64 = 20;
/// Guesses a day at an account: in all browsers of its owner's, where the owner has been, and where they never were.
const IN_ALL_OWN: i64 = 30;
const WHERE_KNOWN: i64 = 30;
const FROM_STRANGERS: i64 = 40;
/// Guesses a day of all strangers. Each leaves four rows at most.
const OF_ALL_STRANGERS: i64 = 100_000;
/// The places that are known of an account; who comes to a further one is forgotten where they have not been for longest.
const KNOWN: i64 = 20;
/// The accounts that a browser is known for, the last ones; a cookie has room for more.
const REMEMBERED: usize = 10;

/// What failures are counted for. Rows are locked in this order, so that no two attempts wait for each other; the one that all
/// strangers share comes last and is held for the shortest time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedBy {
    Own,
    AllOwn,
    AtPlace,
    Place,
    WhereKnown,
    FromStrangers,
    AllStrangers,
}

impl CountedBy {
    /// From how many failures on there is a wait.
    fn most(self) -> i64 {
        match self {
            CountedBy::Own | CountedBy::AtPlace | CountedBy::Place => FREE,
            CountedBy::AllOwn => IN_ALL_OWN,
            CountedBy::WhereKnown => WHERE_KNOWN,
            CountedBy::FromStrangers => FROM_STRANGERS,
            CountedBy::AllStrangers => OF_ALL_STRANGERS,
        }
    }

    /// How long after a failure there may be no further one; the count is with it.
    fn wait(self, failures: i64) -> Duration {
        let Ok(beyond) = u32::try_from(failures - self.most()) else { return Duration::ZERO };
        match self {
            CountedBy::Own if failures >= IN_OWN => DAY,
            CountedBy::Own | CountedBy::AtPlace | CountedBy::Place => {
                (FIRST_WAIT * 2_u32.pow(beyond.min(6))).min(LONGEST_WAIT)
            }
            CountedBy::AllOwn | CountedBy::WhereKnown | CountedBy::FromStrangers | CountedBy::AllStrangers => DAY,
        }
    }

    /// What is said to whoever has to wait. It is the same whether there is such an account or not.
    fn refusal(self, door: Door, wait: Duration) -> Problem {
        let told = in_words(wait);
        let detail = match self {
            _ if door == Door::Code => format!("Codes for this account were wrong too often. Wait {told}."),
            _ if door == Door::Passkey => format!("Sign-ins with a passkey have failed too often. Wait {told}."),
            _ if door == Door::Link => format!("Too many links were asked for. Wait {told}."),
            CountedBy::Own | CountedBy::AllOwn => {
                format!("The password was wrong too often. Wait {told}.")
            }
            _ => format!(
                "Too many attempts to sign in have failed, by you or by somebody else. Wait {told}, or use a browser in \
                 which you have signed in before."
            ),
        };
        Problem::new(429, Code::THROTTLED, "Too many attempts", detail).with("retryAfter", wait.as_secs().max(1))
    }

    /// Whether only one account's failures are in it, at one place: once the owner is in, they are nobody's guesses.
    fn is_forgiven(self) -> bool {
        matches!(self, CountedBy::Own | CountedBy::AtPlace)
    }
}

/// A browser in which people have signed in. It carries this itself, in a form that only Docket can write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Browser {
    id: AccountId,
    accounts: Vec<AccountId>,
    /// Whose owner is asked for no code here, with a secret that it has carried since they said so. Somebody else may know what it carried before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trusted: Vec<(AccountId, Uuid)>,
}

impl Browser {
    /// What a browser is once this account's owner has signed in there.
    pub fn after(before: Option<&Browser>, account: AccountId) -> Browser {
        let others =
            before.map_or(&[][..], |before| &before.accounts).iter().copied().filter(|other| *other != account);
        let accounts: Vec<AccountId> = std::iter::once(account).chain(others).take(REMEMBERED).collect();
        let mut trusted = before.map(|before| before.trusted.clone()).unwrap_or_default();
        trusted.retain(|(whose, _)| accounts.contains(whose));
        Browser { id: before.map_or_else(queue::secret_id, |before| before.id), accounts, trusted }
    }

    /// The same, in which this account's owner is asked for no code for a while.
    pub fn trusted_by(mut self, account: AccountId) -> Browser {
        self.trusted.retain(|(whose, _)| *whose != account);
        self.trusted.push((account, queue::secret_id()));
        self
    }

    /// What is kept of the secret that it carries for this account.
    pub(crate) fn secret_hash(&self, account: AccountId) -> Option<String> {
        let (_, secret) = self.trusted.iter().find(|(whose, _)| *whose == account)?;
        Some(hash_of(&secret.to_string()))
    }

    /// What this account's failures are counted by here, if its owner has signed in here.
    pub(crate) fn own(&self, account: Option<AccountId>) -> Option<String> {
        account.filter(|account| self.accounts.contains(account)).map(|_| self.id.to_string())
    }
}

/// What somebody wants at the door. Each is counted by itself, so that none keeps anybody from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// To come in.
    SignIn,
    /// To come in whose password was right: a code is wanted as well.
    Code,
    /// To come in with a passkey alone.
    Passkey,
    /// A link to choose a password. Nobody judges these: all count.
    Link,
}

/// Who somebody says to be, and where.
pub(crate) struct Claim<'a> {
    pub door: Door,
    pub username: &'a str,
    /// Whose name that is.
    pub account: Option<AccountId>,
    pub source: Option<IpAddr>,
    /// Where the owner must have been before: a browser of theirs, or a session.
    pub own: Option<String>,
}

/// A sign-in under way, counted as failed.
#[derive(Debug)]
pub(crate) struct SignInAttempt {
    counted: Vec<Mark>,
    place: String,
    /// Whether the owner of the account has signed in from there before.
    pub is_known: bool,
}

/// How an attempt was counted: `failures` are with it, and `since` tells the count from a later one of the same key.
#[derive(Debug)]
struct Mark {
    what: CountedBy,
    key: String,
    failures: i64,
    since: Instant,
}

/// Counts an attempt and has it judged, or refuses it for a while. Whoever judges calls [`SignInAttempt::succeeded`] if it was right; an
/// error means that nobody knows, and takes it back.
pub(crate) async fn attempt<T>(
    caseload: &Caseload,
    claim: Claim<'_>,
    judge: impl AsyncFnOnce(&SignInAttempt) -> Result<T>,
) -> Result<T> {
    let attempt = SignInAttempt::begin(caseload.db(), claim).await?;
    let judged = judge(&attempt).await;
    if judged.is_err()
        && let Err(error) = attempt.give_back(caseload.db()).await
    {
        tracing::error!(%error, "an attempt to sign in that nobody judged stays counted as a failure");
    }
    judged
}

impl SignInAttempt {
    async fn begin(db: &Database, claim: Claim<'_>) -> Result<SignInAttempt> {
        let place = claim.source.map(network).map(|place| place.to_string()).unwrap_or_default();
        let name = match claim.account {
            Some(id) => id.to_string(),
            // A name longer than any account's needs no more room than its hash.
            None => hash_of(&account::account_key(claim.username)),
        };
        let txn = db.begin_write().await?;
        let is_known = match claim.account {
            Some(id) => claim.own.is_some() || is_known(db, &txn, id, &place).await?,
            None => false,
        };
        let of = match claim.door {
            Door::Code => "code ",
            Door::Passkey => "passkey ",
            Door::SignIn | Door::Link => "",
        };
        let mut keys = Vec::new();
        if claim.door == Door::Link {
            keys.push((CountedBy::AtPlace, format!("link at {name} {place}")));
            keys.push((CountedBy::AllStrangers, "all links".to_owned()));
        } else if let Some(own) = claim.own {
            keys.push((CountedBy::Own, format!("{of}own {name} {own}")));
            keys.push((CountedBy::AllOwn, format!("{of}all own {name}")));
        } else {
            keys.push((CountedBy::AtPlace, format!("{of}at {name} {place}")));
            if is_known {
                keys.push((CountedBy::WhereKnown, format!("{of}known {name}")));
            } else {
                keys.extend(claim.source.map(|_| (CountedBy::Place, format!("{of}place {place}"))));
                keys.push((CountedBy::FromStrangers, format!("{of}strangers {name}")));
                keys.push((CountedBy::AllStrangers, format!("{of}all strangers")));
            }
        }
        let now = db.now().await?;
        let mut rows = Vec::new();
        for (what, key) in keys {
            let row = FailedGuesses::of(db, &txn, &key, now).await?;
            if let Some(wait) = row.wait(now) {
                return Err(what.refusal(claim.door, wait).into());
            }
            rows.push((what, key, row));
        }
        let mut counted = Vec::new();
        for (what, key, row) in rows {
            counted.push(row.more(db, &txn, what, key, now).await?);
        }
        db.commit(txn).await?;
        Ok(SignInAttempt { counted, place, is_known })
    }

    /// It was the account's owner, who is known there from now on.
    pub(crate) async fn succeeded(&self, db: &Database, txn: &Transaction, owner: AccountId) -> Result<(), DbErr> {
        let row = [
            (known_place::Column::PersonId, owner.into()),
            (known_place::Column::Place, self.place.clone().into()),
            (known_place::Column::UsedDate, db.instant()),
        ];
        let conflict = OnConflict::columns([known_place::Column::PersonId, known_place::Column::Place])
            .update_column(known_place::Column::UsedDate)
            .to_owned();
        txn.execute_raw(db.build(row_of(known_place::Entity, row).on_conflict(conflict))).await?;
        let sql = "DELETE FROM known_place WHERE person_id = $1 AND place NOT IN (
                       SELECT place FROM known_place WHERE person_id = $1 ORDER BY used_date DESC, place LIMIT $2)";
        txn.execute_raw(db.statement(sql, [owner.into(), KNOWN.into()])).await?;
        self.was_right(db, txn).await
    }

    /// It was no guess. Where it was made is not known for that: more is asked there before anybody is in.
    pub(crate) async fn was_right(&self, db: &Database, txn: &Transaction) -> Result<(), DbErr> {
        for mark in &self.counted {
            mark.take_back(db, txn, mark.what.is_forgiven()).await?;
        }
        Ok(())
    }

    async fn give_back(&self, db: &Database) -> Result<(), DbErr> {
        let txn = db.begin_write().await?;
        for mark in &self.counted {
            mark.take_back(db, &txn, false).await?;
        }
        db.commit(txn).await
    }
}

impl Mark {
    /// Takes this one off its count, or all of them. The wait goes with it, unless others have come to it since.
    async fn take_back(&self, db: &Database, txn: &Transaction, all: bool) -> Result<(), DbErr> {
        let sql = "UPDATE sign_in_failure SET failures = CASE WHEN $5 THEN 0 ELSE failures - 1 END,
                       until_date = CASE WHEN $5 OR failures = $3 OR failures <= $4 THEN $6 ELSE until_date END
                   WHERE id = $1 AND since_date = $2 AND failures > 0";
        let (key, most) = (self.key.clone(), self.what.most());
        let parts = [key.into(), self.since.into(), self.failures.into(), most.into(), all.into(), db.instant()];
        txn.execute_raw(composed(db, sql, parts)).await.map(drop)
    }
}

/// What is known of one key.
struct FailedGuesses {
    count: i64,
    since: Instant,
    until: Instant,
}

impl FailedGuesses {
    async fn of(db: &Database, txn: &Transaction, key: &str, now: Instant) -> Result<FailedGuesses, DbErr> {
        let counted = Entity::find_by_id(key)
            .filter(Column::ExpiryDate.gt(now))
            .filter(Column::Failures.gt(0))
            .lock_exclusive()
            .into_query();
        let found = Model::find_by_statement(db.build(&counted)).one(txn).await?;
        Ok(found.map_or(FailedGuesses { count: 0, since: now, until: now }, |found| FailedGuesses {
            count: found.failures,
            since: found.since_date,
            until: found.until_date,
        }))
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        (self.until - now).to_std().ok().filter(|wait| !wait.is_zero())
    }

    /// Counts one more.
    async fn more(
        &self,
        db: &Database,
        txn: &Transaction,
        what: CountedBy,
        key: String,
        now: Instant,
    ) -> Result<Mark, DbErr> {
        let failures = self.count + 1;
        let expiry = self.since + DAY;
        let until = expiry.min(now + what.wait(failures));
        let row = [
            (Column::Id, key.clone().into()),
            (Column::Failures, failures.into()),
            (Column::SinceDate, self.since.into()),
            (Column::UntilDate, until.into()),
            (Column::ExpiryDate, expiry.into()),
        ];
        let mut counted = row_of(Entity, row);
        counted.on_conflict(beside(now)).returning(Query::returning().columns([Column::Failures, Column::SinceDate]));
        let row = txn.query_one_raw(db.build(&counted)).await?.ok_or(DbErr::RecordNotInserted)?;
        Ok(Mark { what, key, failures: row.try_get("", "failures")?, since: row.try_get("", "since_date")? })
    }
}

/// Beside an attempt that made the row meanwhile, both count; what is over begins anew.
fn beside(now: Instant) -> OnConflict {
    use sea_orm::sea_query::ExprTrait;

    let (new, old) = (|column: Column| Expr::col(("excluded", column)), |column: Column| Expr::col((Entity, column)));
    let is_over = old(Column::ExpiryDate).lte(now).or(old(Column::Failures).lt(1));
    let begun_anew =
        |column: Column, otherwise: Expr| (column, Expr::case(is_over.clone(), new(column)).finally(otherwise).into());
    let values = [
        (Column::UntilDate, new(Column::UntilDate)),
        begun_anew(Column::Failures, old(Column::Failures).add(1)),
        begun_anew(Column::SinceDate, old(Column::SinceDate)),
        begun_anew(Column::ExpiryDate, old(Column::ExpiryDate)),
    ];
    OnConflict::column(Column::Id).values(values).to_owned()
}

async fn is_known(db: &Database, txn: &Transaction, person_id: AccountId, place: &str) -> Result<bool, DbErr> {
    let known = known_place::Entity::find_by_id((person_id, place.to_owned())).into_query();
    Ok(txn.query_one_raw(db.build(&known)).await?.is_some())
}

/// How long somebody has to wait, in words.
fn in_words(wait: Duration) -> String {
    match wait.as_secs().max(1) {
        seconds @ ..120 => model::counted(seconds, "second", "seconds"),
        seconds @ 120..7_200 => format!("{} minutes", seconds.div_ceil(60)),
        seconds => format!("{} hours", seconds.div_ceil(3_600)),
    }
}

/// Forgets failures whose day has passed.
pub struct PruneFailures(pub Database);

#[async_trait::async_trait]
impl Work for PruneFailures {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        let sql =
            "DELETE FROM sign_in_failure WHERE id IN (SELECT id FROM sign_in_failure WHERE expiry_date <= $1 LIMIT $2)";
        let failures = in_batches(&self.0, |most| composed(&self.0, sql, [self.0.instant(), most.into()])).await?;
        Ok(model::counted(failures, "sign-in failure", "sign-in failures"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end_at_an_hour() {
        let minutes = |failures| CountedBy::AtPlace.wait(failures).as_secs() / 60;
        let waits: Vec<u64> = [1, 9, 10, 11, 12, 15, 16, 17, 1_000].into_iter().map(minutes).collect();
        assert_eq!(waits, [0, 0, 1, 2, 4, 32, 60, 60, 60]);
        assert_eq!([39, 40].map(|n| CountedBy::FromStrangers.wait(n)), [Duration::ZERO, DAY]);
        assert_eq!([29, 30].map(|n| CountedBy::WhereKnown.wait(n)), [Duration::ZERO, DAY]);
        assert_eq!([29, 30].map(|n| CountedBy::AllOwn.wait(n)), [Duration::ZERO, DAY]);
        assert_eq!([9, 10, 19, 20].map(|n| CountedBy::Own.wait(n).as_secs() / 60), [0, 1, 60, 24 * 60]);
    }
}
