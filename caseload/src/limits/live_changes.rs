//! Who follows what changes, and how many live pages they have open.

use model::Problem;
use queue::{Following, TaskChange};

use super::{open_counts::OpenCount, refusal::Limited};
use crate::{Actor, Caseload, Result};

/// The changes that a live page follows; it counts as open until this is dropped.
pub struct LiveChanges {
    changes: Following,
    _page: OpenCount,
}

impl LiveChanges {
    pub(crate) fn new(changes: Following, page: OpenCount) -> LiveChanges {
        LiveChanges { changes, _page: page }
    }

    /// The next change.
    pub async fn recv(&mut self) -> TaskChange {
        self.changes.recv().await
    }
}

/// One more live page of the actor's.
pub(crate) fn open_live_page(caseload: &Caseload, actor: &Actor) -> Result<OpenCount, Problem> {
    let page = caseload.inner.open_pages.take(actor.person_id, caseload.limits().streams);
    page.ok_or_else(|| caseload.limits().refusal(Limited::Streams, None))
}
