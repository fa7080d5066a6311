//! The domain of Docket: people, permissions, actions and their ledgers. The methods of [`Caseload`] are the product's use
//! cases; pages and API are doors to them. It knows no HTTP and no pages.
//!
//! Each use case takes the [`Actor`] first, decides what that actor may see and do, and opens (and commits) its own
//! transaction. Whatever it refuses, it refuses with a [`model::Problem`].

pub mod access;
pub mod actions;
mod admin;
mod again;
mod audit;
mod behind;
mod binds;
mod choices;
mod credentials;
mod demo;
mod denials;
mod desk;
mod download;
mod entity;
mod erase;
mod error;
pub mod files;
mod filter;
mod fold;
mod follow_up;
mod freeze;
pub mod generate;
pub mod hashing;
pub mod import;
mod journal;
mod ledger;
pub mod limits;
pub mod mail;
mod members;
mod messages;
mod names;
pub mod notices;
mod own_address;
mod owned;
mod part;
mod passwords;
mod pending;
mod people;
mod people_run;
mod person;
pub mod preferences;
pub mod preview;
pub mod proof;
pub mod prune;
mod selection;
mod setup;
mod sign_in;
mod spec;
pub mod spreadsheet;
mod status;
mod submit;
mod tasks;
pub mod throttle;
pub mod tokens;
mod users;
pub mod via;
mod views;
mod waiting;

use std::{collections::HashSet, sync::Arc};

pub use access::Actor;
pub use actions::{Exports, SelfTestRequest, email};
pub use admin::{Issued, NewUser};
pub use denials::{Denial, Denied};
pub use error::{Error, Result};
pub use limits::{Limited, Limits, Live};
use mail::Mail;
use model::Instant;
pub use own_address::Wished;
pub use passwords::NewPassword;
pub use proof::Proven;
use queue::{Database, Queue, Registry};
pub use tokens::{NewToken, Visitor};
pub use users::{NewAccount, SYSTEM_PERSON, account_key};
use uuid::Uuid;
pub use via::{Credential, Via};

/// A cheap handle on the domain.
#[derive(Clone)]
pub struct Caseload {
    inner: Arc<Inner>,
}

struct Inner {
    db: Database,
    queue: Queue,
    names: tasks::Names,
    health: admin::Health,
    exports: Exports,
    mail: Mail,
    self_test: bool,
    limits: Limits,
    places: limits::Places,
    turns: limits::Turns,
    denials: denials::Denials,
}

impl Caseload {
    /// `self_test` allows the self-test kind, which exercises the queue. The exports are those that [`Caseload::registry`] was
    /// given,
    /// and the mail is that one, too. The limits are for each account.
    pub fn new(queue: Queue, exports: Exports, mail: Mail, self_test: bool, limits: Limits) -> Caseload {
        let db = queue.db().clone();
        let (names, health) = (tasks::Names::default(), admin::Health::default());
        let (places, turns, denials) = Default::default();
        let inner = Inner { db, queue, names, health, exports, mail, self_test, limits, places, turns, denials };
        Caseload { inner: Arc::new(inner) }
    }

    /// The executors of every kind of task that Docket knows.
    pub fn registry(exports: &Exports, mail: &Mail) -> Registry {
        actions::registry(exports, mail)
    }

    /// Who hears of tasks that ended without being done.
    pub fn notices(mail: &Mail) -> Arc<dyn queue::notice::Notices> {
        Arc::new(notices::DeadTasks(mail.clone()))
    }

    pub fn db(&self) -> &Database {
        &self.inner.db
    }

    pub fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Where tasks put their files.
    pub fn files(&self) -> &files::Files {
        &self.inner.exports.files
    }

    /// How mail is sent.
    pub fn mail(&self) -> &Mail {
        &self.inner.mail
    }

    /// The time on the clock that tasks go by.
    pub fn now(&self) -> Instant {
        self.inner.db.clock().now()
    }

    /// The changes of all tasks that the actor may see, or of `these` among them, after their commit; see
    /// [`Caseload::live_row`]. It takes one of the places for live pages that the actor has.
    pub fn follow(&self, actor: &Actor, these: Option<HashSet<Uuid>>) -> Result<Live> {
        let place = self.live_place(actor)?;
        let (own, all) = (actor.person_id, actor.role.reads_all_tasks());
        let wanted = move |id: &Uuid| these.as_ref().is_none_or(|these| these.contains(id));
        let changes = self.inner.queue.follow(move |task| wanted(&task.id) && (all || task.owner_id == own));
        Ok(Live::new(changes, place))
    }
}
