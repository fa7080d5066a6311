//! Two pairs of eyes: the lists, one task to decide on, and what stands beside a task that waits.

use caseload::{Actor, Caseload};
use leptos::prelude::AnyView;
use model::{TaskId, TaskRow, TaskState};

use super::rendered::rendered;
use crate::{
    pages::{
        approvals::{beside, list, one},
        done,
    },
    refusal::Refusal,
    server::{
        self, answer,
        asked::{Asked, Made},
    },
    url,
};

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, .. } = asked;
    let waiting = answer(caseload.approvals().waiting(actor).await)?;
    let asked = answer(caseload.approvals().asked(actor).await)?;
    rendered("Approvals", list::view(waiting, asked))
}

pub async fn decision(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named, search } = asked;
    let id: TaskId = server::id(named, "approval")?;
    let detail = answer(caseload.approvals().get(actor, id).await)?;
    let title = detail.approval.title.clone();
    let view = one::view(detail, &actor.me(), url::refusal(search).as_ref());
    rendered(title, (done::notice(search), view))
}

/// What whoever follows a task is told of the second person that it needs.
pub async fn beside(caseload: &Caseload, actor: &Actor, row: &TaskRow) -> Result<Option<AnyView>, Refusal> {
    if !matches!(row.state, TaskState::Unapproved | TaskState::Declined) {
        return Ok(None);
    }
    let detail = answer(caseload.approvals().get(actor, row.id).await)?;
    Ok(beside::panel(&detail, row.owner_id == actor.person_id))
}
