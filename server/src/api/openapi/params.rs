//! Parameters: those that extractors read, and the filters of lists. Whether a list takes exactly these is tested.

use model::{
    TaskState, WorkflowStatus,
    admin::{TaskOrder, Window},
    ledger::{LedgerFilter, LedgerSort},
    task::TaskScope,
};
use utoipa::{
    IntoParams,
    openapi::{
        KnownFormat, ObjectBuilder, Required, SchemaFormat,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::Type,
    },
};

use crate::api::input::{IDEMPOTENCY_KEY, IdempotencyKey, LONGEST_KEY, Nameable, Named};

impl<Id: Nameable> IntoParams for Named<Id> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![id(&format!("The {}.", Id::WHAT))]
    }
}

fn id(whose: &str) -> Parameter {
    let uuid =
        ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    ParameterBuilder::new()
        .name("id")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(whose))
        .schema(Some(uuid))
        .build()
}

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let key = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(LONGEST_KEY));
        let what = "Makes the request repeatable: with the same body it gives the same task, with another one 422.";
        let header = ParameterBuilder::new().name(IDEMPOTENCY_KEY).parameter_in(ParameterIn::Header);
        vec![header.required(Required::False).description(Some(what)).schema(Some(key)).build()]
    }
}

/// Which page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Rows on a page; 25 when absent.
    #[param(minimum = 1, maximum = 200)]
    pub limit: Option<u32>,
    /// Where the page begins: `next` of the page before.
    pub after: Option<String>,
}

/// Which tasks.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TaskFilters {
    /// Stored states; each stands for the states under which it is seen.
    #[param(required = false)]
    pub status: Vec<WorkflowStatus>,
    /// States as people see them.
    #[param(required = false)]
    pub state: Vec<TaskState>,
    /// The kind, such as `program-status`.
    pub kind: Option<String>,
    /// Whose; `mine` when absent.
    pub scope: Option<TaskScope>,
}

/// Which of all tasks.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AdminTaskFilters {
    /// States as people see them, with commas between.
    pub state: Option<String>,
    /// The kind, such as `program-status`.
    pub kind: Option<String>,
    /// The username of the owner.
    pub owner: Option<String>,
    /// Some attempt was made by this process.
    pub process: Option<String>,
    /// `yes` for those whose process is silent or that are past their deadline.
    pub stalled: Option<String>,
    /// The last attempt failed of this cause, as failures name it.
    pub cause: Option<String>,
    /// Some attempt failed with these words in its error; of the last 7 days unless a time is given.
    pub error: Option<String>,
    /// Submitted within this time.
    pub window: Option<Window>,
    /// Ended within this time.
    pub ended: Option<Window>,
    /// Submitted from then on: an instant or a day.
    pub since: Option<String>,
    /// Submitted before then, or up to the end of that day.
    pub until: Option<String>,
    /// `newest` first unless `oldest` is said.
    pub order: Option<TaskOrder>,
    /// Up to this task and none that is newer.
    pub newest: Option<uuid::Uuid>,
    /// These and no others, with commas between; 200 at most.
    pub only: Option<String>,
}

/// Which entries of the audit trail.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct AuditFilters {
    /// The username of whoever did it.
    pub actor: Option<String>,
    /// What was done, such as `task.abandon`; `task.` for all that was done to single tasks.
    pub action: Option<String>,
    /// What sort of thing it was done to, such as `task`.
    pub object_kind: Option<String>,
    /// To which.
    pub object_id: Option<String>,
    /// The address that it came from.
    pub source: Option<String>,
    /// By what somebody was known, as an entry says it, such as `token:` and its id.
    pub credential: Option<String>,
    /// From then on: an instant or a day.
    pub since: Option<String>,
    /// Before then, or up to the end of that day.
    pub until: Option<String>,
}

/// How far back.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WithinWindow {
    /// The last 24 hours when absent.
    pub window: Option<Window>,
}

/// How far back, and of what.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CourseFilters {
    /// The last hour when absent.
    pub window: Option<Window>,
    /// Of this kind of task alone.
    pub kind: Option<String>,
}

/// Which lines of a ledger.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LedgerFilters {
    pub outcome: Option<LedgerFilter>,
    /// A reason code, such as `NOT_FOUND`.
    pub reason: Option<String>,
    /// By which column; in the order of treatment when absent, which a CSV file always is. Up to 100,000 lines can be sorted.
    pub sort: Option<LedgerSort>,
    /// Whether a CSV file begins with a byte order mark, which Excel wants; `true` when absent.
    pub bom: Option<bool>,
}
