//! Who can get the tasks of somebody who is disabled: whoever has permission for each, and for whom each is about nobody else than before.

use model::{Problem, Scope, TaskId, account::Right, kind};
use queue::{Task, Transaction};

use crate::{
    Actor, Caseload, Result,
    actions::all_actions::definition,
    entity::accounts::account,
    people::targeted_people::TargetedPeople,
    submit::spec::Spec,
    tasks::{people_executor::is_frozen, title::title},
};

/// How many are looked at together: what somebody asked for may name ten thousand people.
const TOGETHER: usize = 20;

/// From whom to whom.
pub(super) struct Handing<'a> {
    pub from: &'a account::Model,
    pub from_name: String,
    pub to: &'a Actor,
}

/// Why these tasks cannot be handed over; nothing where all of them can.
pub(super) async fn refusal(
    caseload: &Caseload,
    txn: &Transaction,
    handing: &Handing<'_>,
    tasks: &[TaskId],
) -> Result<Option<Problem>> {
    for some in tasks.chunks(TOGETHER) {
        let tasks = caseload.queue().tasks_in(txn, some).await?;
        if let Some(problem) = tasks.iter().find_map(|task| handing.refusal_of(task)) {
            return Ok(Some(problem));
        }
    }
    Ok(None)
}

impl Handing<'_> {
    fn refusal_of(&self, task: &Task) -> Option<Problem> {
        let (spec, what) = (Spec::of(task), title(task));
        let refused = |code: &str, message: String| Some(Problem::field("to", code, message));
        // Of what puts something back the action says what it takes.
        let right = match &spec {
            Some(spec) => spec.action.right(),
            None => kind::Description::of(&task.execution_component_name).right,
        };
        if !self.to.may(right) {
            let may = match right {
                Right::Permission(permission) => permission.label().to_lowercase(),
                Right::Administrator => "do what administrators do".to_owned(),
            };
            return refused(
                "forbidden",
                format!("{} does not have permission to {may}, as “{what}” takes.", self.to.name),
            );
        }
        let spec = spec?;
        if definition(&spec.action).is_personal() {
            let message = format!("“{what}” changes a list of {}’s own. Close it on its page first.", self.from_name);
            return refused("personal", message);
        }
        if !self.is_about_nobody_else(task, &spec) {
            let message = format!(
                "“{what}” is about whoever {} can act on once it starts, so {} would act on other people. Close it on its page first.",
                self.from_name, self.to.name
            );
            return refused("other_people", message);
        }
        None
    }

    /// Whether nobody is reached whom it did not reach before. What is written down stays as it is, and whoever gets it skips those beyond their
    /// reach; what a filter finds once the task starts is what it was only if the filter found it among everyone.
    fn is_about_nobody_else(&self, task: &Task, spec: &Spec) -> bool {
        match &spec.targeted {
            TargetedPeople::Matching { filter, .. } if !is_frozen(task, spec) => {
                self.from.role.reaches_everyone() && matches!(filter.scope, None | Some(Scope::All))
            }
            TargetedPeople::Matching { .. } | TargetedPeople::Listed { .. } | TargetedPeople::Ledger { .. } => true,
        }
    }
}
