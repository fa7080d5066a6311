//! `POST /api/1/admin/self-test`: tasks that exercise the queue and nothing else, where a setting allows them.

use axum::{Json as Reply, extract::State, http::StatusCode};
use caseload::{Caseload, SelfTestRequest};
use model::{Instant, Submitted, TaskKind};
use queue::self_test::SelfTestEnding;
use serde::Deserialize;
use utoipa::{
    ToSchema,
    openapi::{Object, ObjectBuilder, schema::Type},
};

use crate::{
    api::input::Body, api::input::Json, api::input::MaySend, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// What the tasks are to do.
#[derive(Default, Deserialize, ToSchema)]
#[schema(as = SelfTest)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SelfTestBody {
    /// How many tasks; 1 when absent.
    #[schema(minimum = 1, maximum = 10_000)]
    count: Option<u32>,
    /// Before each chunk, outside of its transaction.
    #[schema(maximum = 600_000)]
    sleep_ms: u64,
    /// In each chunk, inside its transaction.
    #[schema(maximum = 600_000)]
    hold_ms: u64,
    /// 1 when absent.
    #[schema(minimum = 1, maximum = 10_000)]
    chunks: Option<u32>,
    #[schema(schema_with = endings)]
    outcome: SelfTestEnding,
    /// How many attempts end with `outcome` before one works; 0 means all of them.
    fail_times: u32,
    #[schema(value_type = Option<DateTime>)]
    trigger_date: Option<Instant>,
}

impl Body for SelfTestBody {
    const BY: MaySend = MaySend::Those(TaskKind::SelfTest.right());
}

/// The queue writes them so, and knows of no document.
fn endings() -> Object {
    let names = ["ok", "transient", "permanent", "panic", "hang", "exhaust"];
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build()
}

impl From<SelfTestBody> for SelfTestRequest {
    fn from(wanted: SelfTestBody) -> Self {
        let SelfTestBody { count, sleep_ms, hold_ms, chunks, outcome, fail_times, trigger_date } = wanted;
        SelfTestRequest { count, sleep_ms, hold_ms, chunks, outcome, fail_times, trigger_date }
    }
}

/// Submits tasks that exercise the queue and treat nobody; 404 where no setting allows them.
#[utoipa::path(
    post,
    path = "/api/1/admin/self-test",
    operation_id = "selfTest",
    tag = "Administration",
    request_body = SelfTestBody,
    responses((status = 202, description = "The tasks.", body = Vec<Submitted>), Always, WithBody, Refused<404>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(wanted): Json<SelfTestBody>,
) -> Answer<(StatusCode, Reply<Vec<Submitted>>)> {
    Ok((StatusCode::ACCEPTED, Reply(caseload.actions().self_test(&actor, wanted.into()).await?)))
}
