//! Parameters: those that extractors read, and the filters of lists. Whether a list takes exactly these is tested.

use model::{TaskState, WorkflowStatus, ledger::LedgerFilter, task::TaskScope};
use utoipa::{
    IntoParams,
    openapi::{
        KnownFormat, ObjectBuilder, Required, SchemaFormat,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::Type,
    },
};

use crate::api::input::{IDEMPOTENCY_KEY, IdempotencyKey, LONGEST_KEY, PersonId, TaskId};

impl IntoParams for TaskId {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![id("The task.")]
    }
}

impl IntoParams for PersonId {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![id("The person.")]
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

/// Which lines of a ledger.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LedgerFilters {
    pub outcome: Option<LedgerFilter>,
    /// A reason code, such as `NOT_FOUND`.
    pub reason: Option<String>,
}
