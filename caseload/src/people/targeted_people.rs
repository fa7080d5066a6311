//! From a target, as somebody gave it, to who is meant: people by name, or everybody who matches.

use model::{PeopleFilter, PersonId, SchoolId, Scope, Selection, Target, TaskId, ledger::LedgerFilter};
use sea_orm::sea_query::{Expr, ExprTrait};
use serde::{Deserialize, Serialize};

use crate::{
    Actor, Caseload, Result, access,
    entity::people::person::{Column, P},
    people::{filter, selection},
    statement::{Many, sql},
    tasks::{ledger_lines, visible},
};

/// Who an action is aimed at. Kept in previews and in the spec of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
pub enum Members {
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

impl Members {
    /// Whether this is everyone within reach, with nothing to narrow it.
    pub fn is_everyone(&self) -> bool {
        matches!(self, Members::Matching { filter, exclude } if exclude.is_empty() && filter.is_everyone())
    }

    /// The filter, when it is one.
    pub fn filter(&self) -> Option<&PeopleFilter> {
        match self {
            Members::Matching { filter, .. } => Some(filter),
            Members::Listed { .. } | Members::Ledger { .. } => None,
        }
    }

    /// How many were named, found or not.
    pub fn count_named(&self) -> Option<u64> {
        match self {
            Members::Listed { ids, school_ids } => Some((ids.len() + school_ids.len()) as u64),
            Members::Matching { .. } | Members::Ledger { .. } => None,
        }
    }

    /// The task they were treated by before.
    pub fn of_task(&self) -> Option<TaskId> {
        match self {
            Members::Ledger { task, .. } => Some(*task),
            Members::Listed { .. } | Members::Matching { .. } => None,
        }
    }
}

/// The condition that the person `p` is one of them, and may be known of by the actor.
pub fn condition(members: &Members, actor: &Actor) -> Expr {
    match members {
        Members::Matching { filter, exclude } => filter::without(filter::compile_rows(filter, actor), exclude),
        Members::Listed { ids, school_ids } => {
            let mut named = Expr::cust("FALSE");
            if !ids.is_empty() {
                let these = sql("p.id IN ($1)", [Many::People(ids).query()]);
                named = named.or(these.and(access::visible(actor)));
            }
            if !school_ids.is_empty() {
                let these = sql("p.school_id IN ($1)", [Many::SchoolIds(school_ids).query()]);
                named = named.or(these.and(access::by_school_id(actor)));
            }
            P.col(Column::Student).and(named)
        }
        Members::Ledger { task, outcomes } => sql(
            "p.student AND p.id IN (SELECT tp.person_id FROM task_person tp WHERE tp.task_id = $1 AND $2)",
            [(*task).into(), ledger_lines::to_treat_again(*task, outcomes)],
        ),
    }
}

/// The same for statements that count them or list their ids.
pub fn count_condition(members: &Members, actor: &Actor) -> Expr {
    match members {
        Members::Matching { filter, exclude } => filter::compile_without(filter, exclude, actor),
        members => condition(members, actor),
    }
}

/// The same for walking along all of them in the order of a list.
pub fn walk_condition(members: &Members, actor: &Actor) -> Expr {
    match members {
        Members::Matching { filter, exclude } => filter::without(filter::compile_walk(filter, actor), exclude),
        members => condition(members, actor),
    }
}

/// Who is meant by a target. An empty list is nobody, never everybody.
pub(crate) async fn members(caseload: &Caseload, actor: &Actor, target: Target) -> Result<Members> {
    let members = match target {
        Target::People(ids) => Members::Listed { ids: selection::tidy("personIds", ids)?, school_ids: Vec::new() },
        Target::SchoolIds(ids) => Members::Listed { ids: Vec::new(), school_ids: selection::tidy("schoolIds", ids)? },
        Target::Query { filter, exclude } => {
            Members::Matching { filter: filter.checked()?, exclude: selection::tidy("exclude", exclude)? }
        }
        Target::Everyone => {
            let filter = PeopleFilter { scope: Some(Scope::All), ..PeopleFilter::default() };
            Members::Matching { filter, exclude: Vec::new() }
        }
        Target::Ledger { task, outcomes } => {
            visible::visible_task(caseload, actor, task).await?;
            Members::Ledger { task, outcomes }
        }
        Target::Selection(token) => match selection::load_selection(caseload, actor, token).await? {
            Selection::Picked { ids } => Members::Listed { ids, school_ids: Vec::new() },
            Selection::Matching { filter, exclude } => Members::Matching { filter, exclude },
        },
    };
    Ok(members)
}
