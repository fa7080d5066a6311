//! The document as it is sent.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;

/// The document as it is sent: written once, and then the same bytes for all who ask.
#[derive(Clone, Default)]
pub struct Written(pub(crate) Arc<OnceLock<Bytes>>);
