//! What this process goes by and how keys of apps are kept. Both come from the server once it has read its own key, so that a process
//! without one, such as a command, reads no key of anybody.

use std::sync::Arc;

use super::rule::SecondFactorRule;

/// Seals a text so that whoever reads the table alone cannot read it.
pub trait Sealing: Send + Sync {
    fn seal(&self, text: &str) -> Option<String>;
    fn open(&self, sealed: &str) -> Option<String>;
}

/// Of whom a second factor is asked, and how keys are kept.
#[derive(Clone)]
pub struct SecondFactors {
    pub rule: SecondFactorRule,
    pub sealing: Arc<dyn Sealing>,
}
