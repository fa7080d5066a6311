//! The words of Docket, shared by the browser, the server, the API and the tables: states, filters,
//! rows, problems. It does no I/O, knows no clock, and builds for the browser; its `orm` feature adds database
//! derives, its `openapi` feature schemas for the document of the REST interface.

pub mod account;
pub mod action;
pub mod admin;
pub mod composer;
pub mod enum_words;
mod id;
mod instant;
pub mod length;
mod lists;
mod people;
pub mod preferences;
pub mod problem;
mod tasks;
mod writing;

pub use account::{Me, Permission, Role};
pub use action::Action;
pub use composer::Sending;
pub use enum_words::{counted, grouped, grouped_by, lasting, people, tasks};
pub use id::{
    AccessTokenId, AccountId, DirectoryGroupId, DirectoryTokenId, MatchingId, OperationToken, PasskeyId,
    PasswordLinkId, PersonId, PreviewToken, Revision, SelectionToken, TaskId, TemplateId, ViewId,
};
pub use instant::Instant;
pub use lists::{
    extra_fields,
    page::{self, Cursor, Page, Total},
    parameters,
};
pub use people::{
    filter::{self, PeopleFilter, Scope, query::PeopleQuery},
    import,
    order::{ListLook, PersonColumn, RowHeight, Sort},
    person::{self, PersonRow},
    program_status::{ChangeReason, ProgramStatus},
    school_id::{self, SchoolId},
    selection::{self, Selection, SelectionRequest, SelectionView},
    timeline,
};
pub use problem::{Code, Conflict, FieldError, Problem};
pub use tasks::{
    approval,
    attempt::AttemptOutcome,
    error_code::{self, TaskErrorCode},
    kind::{self, TaskKind},
    ledger::{self, LedgerQuery, LedgerRow, Outcome, SkipReason},
    preview::{self, Preview},
    short_id::{TaskName, short_id},
    submission::{self, Submission, Target},
    task::{self, Submitted, TaskDetail, TaskQuery, TaskRow, TaskState, WorkflowStatus},
};
pub use writing::{
    letter,
    markup::{self, Markup},
    note,
};
