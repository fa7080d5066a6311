//! One task: the states that it passes through, its row in lists, and what its own page shows.

mod detail;
mod query;
mod row;
mod state;

pub use detail::{Event, EventKind, ExportFile, OutcomeCount, PeopleChosen, ReasonCount, TaskDetail, TaskLink};
pub use query::{TaskQuery, TaskScope};
pub use row::{IN_LINE, Submitted, TaskRow, percent};
pub use state::{TaskGroup, TaskState, WorkflowStatus};
