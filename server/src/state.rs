//! What every handler can reach: handles that are cheap to clone, and nothing that changes but the share of each account.

use std::sync::Arc;

use app::server::{DemoAccounts, SettingsInEffect};
use axum::extract::FromRef;
use caseload::{Caseload, directory::DirectoryRule};
use cookie::Key;
use leptos::config::LeptosOptions;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    api::openapi::written::Written,
    auth::{provider::Providers, session},
    config::Http,
    fairness::{Bodies, Shares, Turns, WaitingLine},
};

/// The state of the web side of one process.
#[derive(Clone, FromRef)]
pub struct AppState {
    pub caseload: Caseload,
    pub sessions: session::Store,
    /// What is left with browsers is signed and sealed under it.
    pub key: Key,
    pub http: Http,
    pub shares: Arc<Shares>,
    pub bodies: Arc<Bodies>,
    pub line: Arc<WaitingLine>,
    pub turns: Turns,
    pub demo: DemoAccounts,
    pub providers: Providers,
    pub directory: Arc<DirectoryRule>,
    pub settings: SettingsInEffect,
    pub leptos: LeptosOptions,
    pub closing: Closing,
    pub making: PagesBeingMade,
    pub document: Written,
}

/// Ends the event streams, which would otherwise keep a stopping server waiting for ever.
#[derive(Clone, Default)]
pub struct Closing(pub CancellationToken);

/// Pages that are being made, whether or not their browsers still wait for them.
#[derive(Clone, Default)]
pub struct PagesBeingMade(pub TaskTracker);
