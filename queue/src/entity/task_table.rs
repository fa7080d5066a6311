//! The table of tasks in statements of others, which join it with tables of their own. What it and its columns are called is known
//! to this crate alone.

use model::{AccountId, WorkflowStatus};
use sea_orm::{
    EntityName, Iden,
    sea_query::{Expr, ExprTrait},
};

use crate::{TaskColumn as Column, TaskEntity, database::compose::literal};

/// The tasks, under a name of the statement's own.
#[derive(Clone, Copy, Debug)]
pub struct TaskTable(pub &'static str);

impl TaskTable {
    /// What stands behind FROM or JOIN.
    pub fn table(self) -> Expr {
        Expr::cust(format!("{} AS {}", TaskEntity.table_name(), self.0))
    }

    pub fn id(self) -> Expr {
        self.column(Column::Id)
    }

    pub fn owner(self) -> Expr {
        self.column(Column::OwnerId)
    }

    pub fn kind(self) -> Expr {
        self.column(Column::ExecutionComponentName)
    }

    pub fn spec(self) -> Expr {
        self.column(Column::ExecutionSpec)
    }

    pub fn trigger_date(self) -> Expr {
        self.column(Column::TriggerDate)
    }

    pub fn created_date(self) -> Expr {
        self.column(Column::CreatedDate)
    }

    pub fn stopped_date(self) -> Expr {
        self.column(Column::WorkflowStoppedDate)
    }

    /// Who was first, of two tasks.
    pub fn submit_order(self) -> Expr {
        self.column(Column::SubmitOrder)
    }

    pub fn is_of_kind(self, kind: &str) -> Expr {
        self.column(Column::ExecutionComponentName).eq(kind)
    }

    pub fn is_of_owner(self, owner: AccountId) -> Expr {
        self.owner().eq(owner)
    }

    pub fn is_open(self) -> Expr {
        self.is_one_of(WorkflowStatus::OPEN)
    }

    pub fn is_unapproved(self) -> Expr {
        self.is_one_of(&[WorkflowStatus::Unapproved])
    }

    pub fn is_finished(self) -> Expr {
        self.is_one_of(WorkflowStatus::FINISHED)
    }

    pub fn has_failed(self) -> Expr {
        self.is_one_of(WorkflowStatus::FAILED)
    }

    pub fn is_completed(self) -> Expr {
        self.is_one_of(&[WorkflowStatus::Completed])
    }

    /// The states stand in the text: the indexes of some of them are found by no parameter.
    fn is_one_of(self, states: &[WorkflowStatus]) -> Expr {
        self.column(Column::WorkflowStatus).is_in(states.iter().map(|state| literal(state.name())))
    }

    fn column(self, column: Column) -> Expr {
        Expr::cust(format!("{}.{}", self.0, column.unquoted()))
    }
}

/// A query for the id of a task, if there is such a task. Like the others that are given, for statements with `$1`, `$2`, … on both
/// databases.
pub fn id_of(task: impl Into<Expr>) -> Expr {
    let found = TaskTable("found");
    Expr::cust_with_exprs("SELECT $1 FROM $2 WHERE $1 = $3", [found.id(), found.table(), task.into()])
}

/// A query for the ids of all tasks of a kind.
pub fn ids_of_kind(kind: &str) -> Expr {
    let of_kind = TaskTable("of_kind");
    Expr::cust_with_exprs("SELECT $1 FROM $2 WHERE $3", [of_kind.id(), of_kind.table(), of_kind.is_of_kind(kind)])
}
