//! The words of Docket, shared by the browser, the server, the API and the tables: states and their legal moves, filters,
//! rows, problems. It does no I/O, knows no clock, and builds for the browser; its `orm` feature adds database
//! derives, its `openapi` feature schemas for the document of the REST interface.

pub mod account;
pub mod action;
pub mod admin;
pub mod desk;
pub mod filter;
pub mod ledger;
pub mod length;
pub mod letter;
pub mod markup;
pub mod note;
pub mod page;
pub mod person;
pub mod preferences;
pub mod preview;
pub mod problem;
pub mod selection;
pub mod short_id;
pub mod submission;
pub mod task;
pub mod text;
pub mod trouble;

pub use account::{Me, Permission, Role};
pub use action::Action;
pub use filter::{PeopleFilter, PeopleQuery, Scope, Sort};
pub use ledger::{LedgerQuery, LedgerRow, Outcome, SkipReason};
pub use markup::Markup;
pub use page::{Page, Total};
pub use person::{ChangeReason, PersonRow, ProgramStatus};
pub use preview::Preview;
pub use problem::{Code, Conflict, FieldError, Problem};
pub use selection::{Selection, SelectionRequest, SelectionView};
pub use short_id::{TaskName, short_id};
pub use submission::{Submission, Target};
pub use task::{Submitted, TaskDetail, TaskQuery, TaskRow, TaskState, WorkflowStatus};
pub use text::{counted, grouped, people, tasks};
pub use trouble::TroubleCode;

/// An instant, in UTC. Tables hold microseconds.
pub type Instant = chrono::DateTime<chrono::Utc>;
