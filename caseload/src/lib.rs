//! The domain of Docket: people, permissions, actions and their ledgers. The methods of [`Caseload`] are the product's use
//! cases; pages and API are doors to them. It knows no HTTP and no pages.
//!
//! Each use case takes the [`Actor`] first, decides what that actor may see and do, and opens (and commits) its own
//! transaction. Whatever it refuses, it refuses with a [`model::Problem`].

pub mod access;
pub mod actions;
mod admin;
mod audit;
mod binds;
mod demo;
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
pub mod import;
mod journal;
mod ledger;
pub mod mail;
mod members;
mod messages;
mod names;
pub mod notices;
mod people;
mod people_run;
mod person;
pub mod preferences;
pub mod preview;
pub mod prune;
mod selection;
mod setup;
mod sign_in;
mod spec;
pub mod spreadsheet;
mod submit;
mod tasks;
mod tokens;
mod users;
mod views;
mod waiting;

use std::{collections::HashSet, sync::Arc};

pub use access::Actor;
pub use actions::{Exports, SelfTestRequest, email};
pub use admin::{Issued, NewUser};
pub use error::{Error, Result};
use mail::Mail;
use model::Instant;
use queue::{Database, Following, Queue, Registry};
pub use users::{NewAccount, SYSTEM_PERSON, account_key};
use uuid::Uuid;

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
}

impl Caseload {
    /// `self_test` allows the self-test kind, which exercises the queue. The exports are those that [`Caseload::registry`] was
    /// given,
    /// and the mail is that one, too.
    pub fn new(queue: Queue, exports: Exports, mail: Mail, self_test: bool) -> Caseload {
        let db = queue.db().clone();
        let (names, health) = (tasks::Names::default(), admin::Health::default());
        Caseload { inner: Arc::new(Inner { db, queue, names, health, exports, mail, self_test }) }
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
    /// [`Caseload::live_row`].
    pub fn follow(&self, actor: &Actor, these: Option<HashSet<Uuid>>) -> Following {
        let (own, all) = (actor.person_id, actor.role.reads_all_tasks());
        let wanted = move |id: &Uuid| these.as_ref().is_none_or(|these| these.contains(id));
        self.inner.queue.follow(move |task| wanted(&task.id) && (all || task.owner_id == own))
    }
}
