//! For whoever watches over the process: is it alive, may it be given requests.

use axum::{Json, extract::State};
use model::{Code, Problem};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::{
    state::AppState,
    web::problem::{Answer, ProblemAnswer},
};

/// `GET /healthz`: it answers, so it lives.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "alive" }))
}

/// `GET /readyz`: 503 with the part that fails.
pub async fn ready(State(state): State<AppState>) -> Answer<Json<Value>> {
    if state.closing.0.is_cancelled() {
        return Err(not_ready("process", "Docket is stopping."));
    }
    let db = state.caseload.db();
    match db.reader().query_one_raw(db.statement("SELECT 1", [])).await {
        Ok(_) => Ok(Json(json!({ "status": "ready" }))),
        Err(error) => {
            tracing::error!(%error, "not ready: the database does not answer");
            Err(not_ready("database", "The database does not answer."))
        }
    }
}

fn not_ready(part: &str, detail: &str) -> ProblemAnswer {
    ProblemAnswer(Problem::new(503, Code::NOT_READY, "Not ready", detail).with("part", part))
}
