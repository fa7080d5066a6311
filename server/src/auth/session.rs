//! Who is signed in, kept in the table `session`, which this crate owns and nobody else writes.
//!
//! A session holds a person id, that person's session version, when they typed their password last, and the name and address of
//! the browser, nothing else. Its end is decided by the database's clock: after the idle limit without a request, and in any case at the absolute limit. The table holds a hash of the
//! cookie's value, so that whoever reads the table can become nobody.

use std::time::Duration;

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use caseload::{Actor, notices::Presence};
use model::{AccountId, Instant, account::SignedIn, counted};
use queue::{Database, lock::Lock, row_of, schedule::Work};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait,
    Select,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use tower_sessions::{
    Session, SessionManagerLayer, SessionStore,
    cookie::{SameSite, time::OffsetDateTime},
    service::PlaintextCookie,
    session::{Id, Record},
    session_store::{self, Error},
};

use crate::{
    auth::{provider::opened_session::OpenedBy, second_factor::half, visitor::Visitor},
    config,
    entity::session::{Column, Entity, Model},
};

/// The key of [`SessionOwner`] in a session.
const WHO: &str = "who";
/// The key of the browser's name in a session.
const DEVICE: &str = "device";
/// The key of the address from which somebody signed in.
const FROM: &str = "from";
/// The key of the time at which its owner typed their password last.
const TYPED: &str = "typed";
/// The key of the id that a session is going to have; it is in no row.
const PLANNED: &str = "planned";
/// The key of [`OpenedBy`].
const OPENED_BY: &str = "opened_by";
/// The most sessions that are listed.
const LISTED: u64 = 50;

/// Whose session it is. A session of another version than the account's is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionOwner {
    pub person_id: AccountId,
    pub session_version: i32,
}

/// The id that a session is going to have, drawn before anybody has signed in: the entry of the sign-in names it.
pub struct PlannedId(Id);

impl PlannedId {
    pub fn draw() -> PlannedId {
        PlannedId(Id::default())
    }

    /// What others may know of it.
    pub fn public(&self) -> String {
        hashed(&self.0)
    }
}

/// Makes the session that of `actor`, who has just typed their password there.
pub async fn begin(
    session: &Session,
    id: PlannedId,
    actor: &Actor,
    visitor: &Visitor,
    now: Instant,
) -> Result<(), tower_sessions::session::Error> {
    // The browser may come from a session that a provider opened.
    session.remove_value(OPENED_BY).await?;
    note_typed(session, now).await?;
    open(session, id, actor, visitor).await
}

async fn open(
    session: &Session,
    id: PlannedId,
    actor: &Actor,
    visitor: &Visitor,
) -> Result<(), tower_sessions::session::Error> {
    half::forget(session).await?;
    session.insert(PLANNED, id.0.to_string()).await?;
    if let Some(device) = &visitor.device {
        session.insert(DEVICE, device).await?;
    }
    if let Some(from) = visitor.source.told() {
        session.insert(FROM, from).await?;
    }
    go_on(session, actor).await
}

/// The same for whom a provider has let in; `shown`, if it says so, is when they last showed it who they are.
pub async fn begin_by(
    session: &Session,
    id: PlannedId,
    actor: &Actor,
    visitor: &Visitor,
    shown: Option<Instant>,
    opened: OpenedBy,
) -> Result<(), tower_sessions::session::Error> {
    session.insert(OPENED_BY, opened).await?;
    match shown {
        Some(shown) => note_typed(session, shown).await?,
        // What somebody typed in the session before was for that one.
        None => _ = session.remove_value(TYPED).await?,
    }
    open(session, id, actor, visitor).await
}

/// By which provider it was opened, if it was by one.
pub async fn opened_by(session: &Session) -> Option<OpenedBy> {
    session.get(OPENED_BY).await.ok()?
}

/// The same of a row that nobody has opened.
pub fn opened_in(data: &str) -> Option<OpenedBy> {
    let data: serde_json::Value = serde_json::from_str(data).ok()?;
    serde_json::from_value(data.get(OPENED_BY)?.clone()).ok()
}

/// The data of a row with another word of its provider.
pub fn with_opened(data: &str, opened: &OpenedBy) -> String {
    let mut data: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
    if let Ok(opened) = serde_json::to_value(opened) {
        data[OPENED_BY] = opened;
    }
    data.to_string()
}

/// Goes on as `actor`, under a new id, so that an id planted before the sign-in is worth nothing.
pub async fn go_on(session: &Session, actor: &Actor) -> Result<(), tower_sessions::session::Error> {
    session.insert(WHO, SessionOwner { person_id: actor.person_id, session_version: actor.session_version }).await?;
    let gone_on = session.cycle_id().await;
    if gone_on.is_err() {
        // Or the layer would keep what is here, though nobody is told that they are signed in.
        session.clear().await;
    }
    gone_on
}

/// Notes that its owner has typed their password.
pub async fn note_typed(session: &Session, now: Instant) -> Result<(), tower_sessions::session::Error> {
    session.insert(TYPED, now).await
}

/// When its owner typed their password last; nothing in doubt.
pub async fn typed(session: &Session) -> Option<Instant> {
    session.get(TYPED).await.ok()?
}

/// Whose session this is, if it is anybody's. Looking keeps it alive.
pub async fn who(session: &Session) -> Result<Option<SessionOwner>, tower_sessions::session::Error> {
    session.get(WHO).await
}

/// The name of the cookie, without its prefix.
pub const COOKIE: &str = "docket";

/// The layer that gives every request its session, unread until somebody asks.
pub fn layer(store: Store, http: &config::Http) -> SessionManagerLayer<Store, PlaintextCookie> {
    let cookie = http.cookie(COOKIE);
    SessionManagerLayer::new(store)
        .with_name(cookie.name)
        .with_secure(cookie.secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path(cookie.path)
}

/// The table, with the limits of its rows.
#[derive(Clone)]
pub struct Store {
    database: Database,
    limits: config::Session,
}

impl Store {
    pub fn new(database: Database, limits: config::Session) -> Self {
        Store { database, limits }
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Whether the session still lives, without keeping it alive: an open event stream is nobody's presence.
    pub async fn is_alive(&self, id: &Id) -> Result<bool, DbErr> {
        Ok(self.alive(id).one(self.database.reader()).await?.is_some())
    }

    /// Where a person is signed in, the newest first.
    pub async fn list(&self, who: SessionOwner, current: Option<Id>) -> Result<Vec<SignedIn>, DbErr> {
        let signed_in = Entity::find()
            .filter(Column::PersonId.eq(who.person_id))
            .filter(Column::SessionVersion.eq(who.session_version))
            .filter(Expr::col(Column::ExpiryDate).gt(self.database.instant()))
            .order_by_desc(Column::CreatedDate)
            .limit(LISTED);
        let rows = signed_in.all(self.database.reader()).await?;
        let current = current.map(|id| hashed(&id));
        let signed_in = |row: Model| {
            let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
            SignedIn {
                from: data[FROM].as_str().map(str::to_owned),
                current: Some(&row.id) == current.as_ref(),
                id: row.id,
                device: data[DEVICE].as_str().map(str::to_owned),
                created_date: row.created_date,
            }
        };
        Ok(rows.into_iter().map(signed_in).collect())
    }

    /// Ends one session of a person's, by the id in the list; false: there is no such session.
    pub async fn end(&self, person_id: AccountId, id: &str) -> Result<bool, DbErr> {
        let ended = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::PersonId.eq(person_id));
        Ok(self.database.write_query(&ended.into_query()).await? > 0)
    }

    /// How long a session may go without its row being moved. A request is not worth a write each time.
    fn touch_every(&self) -> Duration {
        (self.limits.idle / 6).min(Duration::from_secs(300))
    }

    /// Clears away what has ended; the index is session_expiry.
    async fn clear_ended(&self) -> Result<u64, DbErr> {
        let ended = Entity::delete_many().filter(Expr::col(Column::ExpiryDate).lte(self.database.instant()));
        self.database.write_query(&ended.into_query()).await
    }

    /// The row of a session that has not ended, and for which the provider that opened it still vouches.
    fn alive(&self, id: &Id) -> Select<Entity> {
        let vouched_for = Expr::col(Column::VouchedUntil).gt(self.database.instant());
        Entity::find_by_id(hashed(id))
            .filter(Expr::col(Column::ExpiryDate).gt(self.database.instant()))
            .filter(Column::VouchedUntil.is_null().or(vouched_for))
    }

    /// That row, and whether its end is due to be moved.
    async fn row(&self, id: &Id) -> Result<Option<QueryResult>, DbErr> {
        let soon = self.database.instant_after((self.limits.idle - self.touch_every()).as_secs_f64());
        let row = self.alive(id).expr_as(Expr::col(Column::ExpiryDate).lt(soon), "due").into_query();
        self.database.reader().query_one_raw(self.database.build(&row)).await
    }

    /// Moves the end to one idle limit from now, never beyond the absolute one. The row of an ended session stays ended.
    async fn touch(&self, id: &Id) -> Result<u64, DbErr> {
        let (ends, absolute) = (|| Expr::col(Column::ExpiryDate), || Expr::col(Column::AbsoluteDate));
        let idle = || self.database.instant_after(self.limits.idle.as_secs_f64());
        let until: Expr = Expr::case(idle().lt(absolute()), idle()).finally(absolute()).into();
        let touched = Entity::update_many()
            .col_expr(Column::ExpiryDate, until)
            .filter(Column::Id.eq(hashed(id)))
            .filter(ends().gt(self.database.instant()))
            .filter(ends().lt(absolute()));
        self.database.write_query(&touched.into_query()).await
    }

    async fn insert(&self, record: &Record) -> Result<u64, DbErr> {
        // Whoever signs in clears away what has ended.
        self.clear_ended().await?;
        let from_now = |time: Duration| self.database.instant_after(time.as_secs_f64());
        let [person, version, issuer, subject, provider_session, vouched_until, data] = columns(record);
        let row = [
            (Column::Id, hashed(&record.id).into()),
            person,
            version,
            issuer,
            subject,
            provider_session,
            vouched_until,
            data,
            (Column::CreatedDate, self.database.instant()),
            (Column::ExpiryDate, from_now(self.limits.idle)),
            (Column::AbsoluteDate, from_now(self.limits.absolute)),
        ];
        let nothing = OnConflict::column(Column::Id).do_nothing().to_owned();
        self.database.write_query(row_of(Entity, row).on_conflict(nothing)).await
    }
}

/// How long ago the last request may be of somebody who is still there: a session's row is moved every few minutes only.
const LATELY: Duration = Duration::from_secs(600);

#[async_trait]
impl Presence for Store {
    async fn is_here(&self, person: AccountId) -> Result<bool, DbErr> {
        let lately = self.database.instant_after(self.limits.idle.saturating_sub(LATELY).as_secs_f64());
        let here = Entity::find().filter(Column::PersonId.eq(person)).filter(Expr::col(Column::ExpiryDate).gt(lately));
        Ok(here.one(self.database.reader()).await?.is_some())
    }
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        let planned = record.data.remove(PLANNED);
        if let Some(id) = planned.as_ref().and_then(|id| id.as_str()?.parse().ok()) {
            record.id = id;
        }
        while self.insert(record).await.map_err(backend)? == 0 {
            record.id = Id::default();
        }
        Ok(())
    }

    /// Updates, and never inserts: a request in flight while somebody signs out must not bring the session back.
    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let mut saved = Entity::update_many()
            .filter(Column::Id.eq(hashed(&record.id)))
            .filter(Expr::col(Column::ExpiryDate).gt(self.database.instant()));
        for (column, value) in columns(record) {
            saved = saved.col_expr(column, value);
        }
        self.database.write_query(&saved.into_query()).await.map_err(backend)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let Some(row) = self.row(id).await.map_err(backend)? else { return Ok(None) };
        if row.try_get("", "due").map_err(backend)? {
            self.touch(id).await.map_err(backend)?;
        }
        let data: String = row.try_get("", "data").map_err(backend)?;
        let expiry: Instant = row.try_get("", "expiry_date").map_err(backend)?;
        Ok(Some(Record {
            id: *id,
            data: serde_json::from_str(&data).map_err(|error| Error::Decode(error.to_string()))?,
            expiry_date: OffsetDateTime::from_unix_timestamp(expiry.timestamp()).map_err(backend)?,
        }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let gone = Entity::delete_many().filter(Column::Id.eq(hashed(id)));
        self.database.write_query(&gone.into_query()).await.map_err(backend)?;
        Ok(())
    }
}

#[async_trait]
impl Work for Store {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        Ok(counted(self.clear_ended().await?, "session", "sessions"))
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The id that a session has for others: who knows it can become nobody.
pub fn public_id(id: &Id) -> String {
    hashed(id)
}

fn hashed(id: &Id) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(id.0.to_le_bytes()))
}

/// The columns beside the id: whose it is, for whoever ends all sessions of a person, by which provider, for whoever ends those that it
/// opened, and the data.
fn columns(record: &Record) -> [(Column, Expr); 7] {
    let who: Option<SessionOwner> = read(record, WHO);
    let opened: Option<OpenedBy> = read(record, OPENED_BY);
    let data = serde_json::to_string(&record.data).unwrap_or_else(|_| "{}".to_owned());
    let of_provider = |value: fn(&OpenedBy) -> Option<&String>| opened.as_ref().and_then(value).cloned();
    [
        (Column::PersonId, who.map(|who| who.person_id).into()),
        (Column::SessionVersion, who.map(|who| who.session_version).into()),
        (Column::Issuer, of_provider(|opened| Some(&opened.issuer)).into()),
        (Column::Subject, of_provider(|opened| Some(&opened.subject)).into()),
        (Column::ProviderSession, of_provider(|opened| opened.provider_session.as_ref()).into()),
        (Column::VouchedUntil, opened.as_ref().map(|opened| opened.vouched_until).into()),
        (Column::Data, data.into()),
    ]
}

fn read<T: DeserializeOwned>(record: &Record, key: &str) -> Option<T> {
    record.data.get(key).and_then(|value| serde_json::from_value(value.clone()).ok())
}

fn backend(error: impl std::fmt::Display) -> Error {
    Error::Backend(error.to_string())
}
