//! `import_choice`: while an import runs, the row that stands for each person of a file that has several of them.

use model::TaskId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_choice")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    /// The hash of their school id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: String,
    pub line: i64,
    /// The row, as JSON.
    pub cells: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
