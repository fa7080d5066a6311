//! What this process is measured by, in the text format of Prometheus, at an address of its own: it is for those who run Docket
//! and asks nobody to sign in, so it is not among the pages.

use std::{sync::Once, time::Duration};

use ::metrics::{Unit, describe_gauge, gauge};
use anyhow::{Context, Result};
use axum::{Router, extract::State, http::header, response::IntoResponse, routing::get};
use axum_prometheus::{
    AXUM_HTTP_REQUESTS_DURATION_SECONDS, EndpointLabel, PrometheusMetricLayer, PrometheusMetricLayerBuilder,
};
use caseload::Caseload;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use model::admin::ProcessState;
use queue::metrics;

use crate::{auth::counted, web::problem::Answer};

const TASKS: &str = "docket_queue_tasks";
const OLDEST: &str = "docket_queue_oldest_waiting_seconds";
const SLOTS: &str = "docket_queue_slots";
const PROCESSES: &str = "docket_processes";
const BUILD: &str = "docket_build_info";
const STREAMS: &str = "docket_event_streams";

/// How often what was recorded is gathered, so that it takes no more and more memory while nobody asks.
pub const UPKEEP: Duration = Duration::from_secs(5);
/// The classes of every span, in seconds.
const SPANS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 300.0, 3_600.0];

/// Begins to count. Once for a process.
pub fn install() -> Result<PrometheusHandle> {
    let mut builder = PrometheusBuilder::new();
    for name in metrics::HISTOGRAMS.iter().copied().chain([AXUM_HTTP_REQUESTS_DURATION_SECONDS]) {
        builder = builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), &SPANS)?;
    }
    let handle = builder.install_recorder().context("cannot begin to count")?;
    describe();
    Ok(handle)
}

fn describe() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        metrics::describe();
        counted::describe();
        describe_gauge!(TASKS, "Tasks in the queue that are not over, by state; counted up to a limit.");
        describe_gauge!(OLDEST, Unit::Seconds, "How long the oldest task has been due.");
        describe_gauge!(SLOTS, "Slots of the processes that are up.");
        describe_gauge!(PROCESSES, "Processes that run tasks, by state.");
        describe_gauge!(BUILD, "1, with the version of this process.");
        describe_gauge!(STREAMS, "Event streams that are open in this process.");
    });
}

/// The one route.
pub fn router(caseload: Caseload, handle: PrometheusHandle) -> Router {
    Router::new().route("/metrics", get(show)).with_state((caseload, handle))
}

async fn show(State((caseload, handle)): State<(Caseload, PrometheusHandle)>) -> Answer<impl IntoResponse> {
    let health = caseload.queue().health().await.map_err(caseload::Error::from)?;
    let states = [
        ("waiting", health.waiting),
        ("running", health.running),
        ("retrying", health.retrying),
        ("scheduled", health.scheduled),
        ("stalled", health.stalled),
    ];
    for (state, n) in states {
        gauge!(TASKS, "state" => state).set(n as f64);
    }
    gauge!(OLDEST).set(health.oldest_seconds.unwrap_or_default() as f64);
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let processes = caseload.queue().processes().await.map_err(caseload::Error::from)?;
    let with = |state| processes.iter().filter(move |process| process.state == state);
    for (state, shown) in [
        (queue::ProcessState::Up, ProcessState::Up),
        (queue::ProcessState::Stopping, ProcessState::Stopping),
        (queue::ProcessState::Silent, ProcessState::Silent),
    ] {
        gauge!(PROCESSES, "state" => shown.name().to_lowercase()).set(with(state).count() as f64);
    }
    gauge!(SLOTS).set(with(queue::ProcessState::Up).map(|process| process.slots as f64).sum::<f64>());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()))
}

/// Counts requests by their route and never by their address, of which there is no end: whatever has no route is one.
pub fn requests() -> PrometheusMetricLayer<'static> {
    let unmatched = EndpointLabel::MatchedPathWithFallbackFn(|_| "unmatched".to_owned());
    PrometheusMetricLayerBuilder::new().with_endpoint_label_type(unmatched).build()
}

/// An event stream that is counted as long as it is open.
pub struct OpenStream(());

impl OpenStream {
    pub fn stream() -> OpenStream {
        gauge!(STREAMS).increment(1.0);
        OpenStream(())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        gauge!(STREAMS).decrement(1.0);
    }
}
