//! The handle on the domain, and what all who have one share.

use std::sync::Arc;

use model::Instant;
use queue::{Database, Queue};

use crate::{
    admin::health::cache::LastHealth,
    audit::denial_counter::Denials,
    files::exports::Exports,
    files::store::Files,
    limits::bounds::Limits,
    limits::{open_pages::Places, turns::AccountTurns},
    mail::Mail,
    staff_names::StaffNames,
};

/// A cheap handle on the domain.
#[derive(Clone)]
pub struct Caseload {
    pub(crate) inner: Arc<CaseloadInner>,
}

pub(crate) struct CaseloadInner {
    pub db: Database,
    pub queue: Queue,
    pub names: StaffNames,
    pub health: LastHealth,
    pub exports: Exports,
    pub mail: Mail,
    pub self_test: bool,
    pub limits: Limits,
    pub places: Places,
    pub turns: AccountTurns,
    pub denials: Denials,
}

impl Caseload {
    /// `self_test` allows the self-test kind, which exercises the queue. The exports are those that [`Caseload::registry`] was
    /// given,
    /// and the mail is that one, too. The limits are for each account.
    pub fn new(queue: Queue, exports: Exports, mail: Mail, self_test: bool, limits: Limits) -> Caseload {
        let db = queue.db().clone();
        let (names, health) = (StaffNames::default(), LastHealth::default());
        let (places, turns, denials) = Default::default();
        let inner =
            CaseloadInner { db, queue, names, health, exports, mail, self_test, limits, places, turns, denials };
        Caseload { inner: Arc::new(inner) }
    }

    pub fn db(&self) -> &Database {
        &self.inner.db
    }

    pub fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Where tasks put their files.
    pub fn files(&self) -> &Files {
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
}
