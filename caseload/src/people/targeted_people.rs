//! From a target, as somebody gave it, to who is meant: people by name, or everybody who matches.

use model::{
    PeopleFilter, PersonId, SchoolId, Scope, Selection, Target, TaskId, ledger::LedgerFilter, task::PeopleChosen,
};
use sea_orm::sea_query::{Expr, ExprTrait};
use serde::{Deserialize, Serialize};

use crate::{
    Actor, Caseload, Result, access,
    entity::people::person::{Column, P},
    people::{filter, selection},
    statement::{ValueList, sql},
    tasks::{ledger_lines, visible},
};

/// Who an action is aimed at. Kept in previews and in the spec of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
pub enum TargetedPeople {
    /// These, whether they exist or not.
    Listed {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ids: Vec<PersonId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        school_ids: Vec<SchoolId>,
    },
    /// Everybody who matches at the time of the freeze, but not these.
    Matching {
        filter: PeopleFilter,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<PersonId>,
    },
    /// Those of an earlier task whose lines have one of these outcomes.
    Ledger { task: TaskId, outcomes: Vec<LedgerFilter> },
}

impl TargetedPeople {
    /// Whether this is everyone within reach, with nothing to narrow it.
    pub fn is_everyone(&self) -> bool {
        matches!(self, TargetedPeople::Matching { filter, exclude } if exclude.is_empty() && filter.is_everyone())
    }

    /// The filter, when it is one.
    pub fn filter(&self) -> Option<&PeopleFilter> {
        match self {
            TargetedPeople::Matching { filter, .. } => Some(filter),
            TargetedPeople::Listed { .. } | TargetedPeople::Ledger { .. } => None,
        }
    }

    /// How they were chosen; a list that names a coach for each is told as the file it came from.
    pub fn chosen(&self) -> Option<PeopleChosen> {
        match self {
            TargetedPeople::Listed { ids, school_ids } if school_ids.is_empty() => {
                (!ids.is_empty()).then_some(PeopleChosen::ByHand(ids.len() as u64))
            }
            TargetedPeople::Listed { school_ids, .. } => Some(PeopleChosen::BySchoolId(school_ids.len() as u64)),
            TargetedPeople::Matching { exclude, .. } => Some(PeopleChosen::ByFilter { without: exclude.len() as u64 }),
            TargetedPeople::Ledger { outcomes, .. } => Some(PeopleChosen::OfTask(outcomes.clone())),
        }
    }

    /// How many were named, found or not.
    pub fn count_named(&self) -> Option<u64> {
        match self {
            TargetedPeople::Listed { ids, school_ids } => Some((ids.len() + school_ids.len()) as u64),
            TargetedPeople::Matching { .. } | TargetedPeople::Ledger { .. } => None,
        }
    }

    /// The task they were treated by before.
    pub fn of_task(&self) -> Option<TaskId> {
        match self {
            TargetedPeople::Ledger { task, .. } => Some(*task),
            TargetedPeople::Listed { .. } | TargetedPeople::Matching { .. } => None,
        }
    }
}

/// The condition that the person `p` is one of them, and may be known of by the actor.
pub fn condition(targeted: &TargetedPeople, actor: &Actor) -> Expr {
    match targeted {
        TargetedPeople::Matching { filter, exclude } => filter::without(filter::compile_rows(filter, actor), exclude),
        TargetedPeople::Listed { ids, school_ids } => {
            let mut named = Expr::cust("FALSE");
            if !ids.is_empty() {
                let these = sql("p.id IN ($1)", [ValueList::People(ids).query()]);
                named = named.or(these.and(access::visible(actor)));
            }
            if !school_ids.is_empty() {
                let these = sql("p.school_id IN ($1)", [ValueList::SchoolIds(school_ids).query()]);
                named = named.or(these.and(access::by_school_id(actor)));
            }
            P.col(Column::Student).and(named)
        }
        TargetedPeople::Ledger { task, outcomes } => sql(
            "p.student AND p.id IN (SELECT tp.person_id FROM task_person tp WHERE tp.task_id = $1 AND $2)",
            [(*task).into(), ledger_lines::to_treat_again(*task, outcomes)],
        ),
    }
}

/// The same for statements that count them or list their ids.
pub fn count_condition(targeted: &TargetedPeople, actor: &Actor) -> Expr {
    match targeted {
        TargetedPeople::Matching { filter, exclude } => filter::compile_without(filter, exclude, actor),
        targeted => condition(targeted, actor),
    }
}

/// The same for walking along all of them in the order of a list.
pub fn walk_condition(targeted: &TargetedPeople, actor: &Actor) -> Expr {
    match targeted {
        TargetedPeople::Matching { filter, exclude } => filter::without(filter::compile_walk(filter, actor), exclude),
        targeted => condition(targeted, actor),
    }
}

/// Who is meant by a target. An empty list is nobody, never everybody.
pub(crate) async fn resolve(caseload: &Caseload, actor: &Actor, target: Target) -> Result<TargetedPeople> {
    let targeted = match target {
        Target::People(ids) => {
            TargetedPeople::Listed { ids: selection::tidy("personIds", ids)?, school_ids: Vec::new() }
        }
        Target::SchoolIds(ids) => {
            TargetedPeople::Listed { ids: Vec::new(), school_ids: selection::tidy("schoolIds", ids)? }
        }
        Target::Query { filter, exclude } => {
            TargetedPeople::Matching { filter: filter.checked()?, exclude: selection::tidy("exclude", exclude)? }
        }
        Target::Everyone => {
            let filter = PeopleFilter { scope: Some(Scope::All), ..PeopleFilter::default() };
            TargetedPeople::Matching { filter, exclude: Vec::new() }
        }
        Target::Ledger { task, outcomes } => {
            visible::visible_task(caseload, actor, task).await?;
            TargetedPeople::Ledger { task, outcomes }
        }
        Target::Selection(token) => match selection::load_selection(caseload, actor, token).await? {
            Selection::Picked { ids } => TargetedPeople::Listed { ids, school_ids: Vec::new() },
            Selection::Matching { filter, exclude } => TargetedPeople::Matching { filter, exclude },
        },
    };
    Ok(targeted)
}
