//! The limits of this installation, and the place of a page that is open.

use model::Problem;

use super::{bounds::Limits, open_pages::Place, refusal::Limited};
use crate::{Actor, Caseload, Result};

impl Caseload {
    /// What one account may have.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }
}

/// A place for a live page of the actor's, given back when it is dropped.
pub(crate) fn live_place(caseload: &Caseload, actor: &Actor) -> Result<Place, Problem> {
    let place = caseload.inner.places.take(actor.person_id, caseload.limits().streams);
    place.ok_or_else(|| caseload.limits().refusal(Limited::Streams, None))
}
