//! What every handler can reach: handles that are cheap to clone, and nothing that changes but the sign-in throttle.

use std::sync::Arc;

use app::server::SettingsInEffect;
use axum::extract::FromRef;
use caseload::Caseload;
use leptos::config::LeptosOptions;
use tokio_util::sync::CancellationToken;

use crate::{config::Http, pages::DemoAccounts, session, throttle::Throttle};

/// The state of the web side of one process.
#[derive(Clone, FromRef)]
pub struct AppState {
    pub caseload: Caseload,
    pub sessions: session::Store,
    pub http: Http,
    pub throttle: Arc<Throttle>,
    pub demo: DemoAccounts,
    pub settings: SettingsInEffect,
    pub leptos: LeptosOptions,
    pub closing: Closing,
}

/// Ends the event streams, which would otherwise keep a stopping server waiting for ever.
#[derive(Clone, Default)]
pub struct Closing(pub CancellationToken);
