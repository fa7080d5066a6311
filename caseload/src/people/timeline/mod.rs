//! What happened to a person, newest first: one list of all that is kept of them. Each source is asked for the entries of one page
//! and no more, along an index of its own; what they give is put in order here. Who did it and in which task is looked up for
//! those alone that are shown.

mod place;
mod sources;

use std::collections::{HashMap, HashSet};

use model::{
    PersonId, TaskId, TaskKind,
    timeline::{Happened, Timeline, TimelineEntry, TimelineQuery},
};
use queue::Task;

use self::{
    place::Until,
    sources::{Found, What},
};
use crate::{
    Actor, Caseload, Result,
    caseload::People,
    people::{list::cursor, names::Names, person},
    submit::spec::Spec,
    tasks::{ledger::reason_label, title::title, visible},
};

/// Entries on a page.
const PAGE: usize = 50;

impl People<'_> {
    /// A part of what happened to a person within reach, as far as the lists of it may be seen.
    pub async fn timeline(self, actor: &Actor, id: PersonId, query: &TimelineQuery) -> Result<Timeline> {
        person::reached(self.0, actor, id).await?;
        let until = Until::read(query.after.as_ref())?;
        let mut found = sources::all(self.0, actor, id, query.only, &until, PAGE).await?;
        found.sort_by(|one, other| one.place.cmp(&other.place));
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let next = found.last().filter(|_| more).map(|last| cursor::cursor(&last.place));
        let tasks = self.0.queue().tasks_by_id(found.iter().filter_map(|found| found.task)).await?;
        let undo = TaskKind::Undo.name();
        let undoes: HashSet<TaskId> =
            tasks.iter().filter(|task| task.execution_component_name == undo).map(|task| task.id).collect();
        let tasks = tasks.into_iter().filter(|task| visible::may_see(actor, task));
        let tasks: HashMap<TaskId, Task> = tasks.map(|task| (task.id, task)).collect();
        let names = Names::of(self.0, id).await?;
        let mut entries = Vec::new();
        for Found { place, what, by, task } in found {
            let is_undo = task.is_some_and(|id| undoes.contains(&id));
            let task = task.and_then(|id| tasks.get(&id));
            // An email is told as one; its entry in the journal stands among those of the journal.
            let is_email = task.is_some_and(|task| task.execution_component_name == TaskKind::Email.name());
            if query.only.is_none() && is_email && matches!(what, What::Journal(_)) {
                continue;
            }
            let Some(happened) = happened(self.0, what, task, &names).await? else { continue };
            let by = by.or_else(|| task.map(|task| task.owner_id));
            entries.push(TimelineEntry {
                key: place.key(),
                date: place.at(),
                what: happened,
                by_name: match by {
                    Some(by) => Some(self.0.staff_name(by).await?),
                    None => None,
                },
                task_id: task.map(|task| task.id),
                is_undo,
            });
        }
        Ok(Timeline { entries, next })
    }
}

/// In words that are made out to the person. What is told by its task is nothing once that is gone.
async fn happened(caseload: &Caseload, what: What, task: Option<&Task>, names: &Names) -> Result<Option<Happened>> {
    let action = || task.and_then(Spec::of).map(|spec| spec.action);
    let subject = || match action() {
        Some(model::Action::Email(email)) => Some(names.merged_into(&email.subject)),
        _ => None,
    };
    Ok(match what {
        What::Status { before, after, why } => Some(Happened::Status { before, after, why }),
        What::Email { state, address, reply } => {
            let ended = task.is_some_and(|task| task.workflow_status.is_finished());
            let state = state.once(ended);
            subject().map(|subject| Happened::Email { subject, state, address, reply })
        }
        What::Bounced(note) => subject().map(|subject| Happened::Bounced { subject, note }),
        What::Alert { reason, comment } => Some(Happened::Alert { reason, comment }),
        // That of an email has the merge fields of its subject.
        What::Journal(entry) => Some(Happened::Journal(names.merged_into(&entry))),
        What::Coach { former, now } => {
            let (mut coaches, ids) = ([None, None], [former, now]);
            for (name, id) in coaches.iter_mut().zip(ids) {
                if let Some(id) = id {
                    *name = crate::entity::person_name(caseload.db().reader(), id).await?;
                }
            }
            let [former, now] = coaches;
            Some(Happened::Coach { former, now })
        }
        What::Watched => Some(Happened::Watched),
        What::Task { outcome, reason, before, after } => task.map(|task| Happened::Task {
            title: title(task),
            outcome,
            reason: reason.map(|reason| reason_label(action().as_ref(), &reason)),
            before,
            after,
        }),
        What::Added => Some(Happened::Added),
    })
}
