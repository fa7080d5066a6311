//! Keys of apps on their way to the table and back, and the rule that this process goes by.

use super::{
    app_key::AppKey,
    rule::SecondFactorRule,
    sealing::{Sealing, SecondFactors},
};
use crate::{Caseload, Error, Result};

impl Caseload {
    /// Has second factors work in this process. The first word counts.
    pub fn with_second_factors(&self, second_factors: SecondFactors) {
        let _ = self.inner.second_factors.set(second_factors);
    }

    /// Who must have one.
    pub(super) fn second_factor_rule(&self) -> SecondFactorRule {
        self.inner.second_factors.get().map(|those| those.rule).unwrap_or_default()
    }
}

pub(super) fn sealed(caseload: &Caseload, key: &AppKey) -> Result<String> {
    let sealing = sealing(caseload)?;
    sealing.seal(&key.base32()).ok_or_else(|| Error::Internal("the key of an app could not be sealed".to_owned()))
}

pub(super) fn opened(caseload: &Caseload, sealed: &str) -> Result<AppKey> {
    let text = sealing(caseload)?.open(sealed);
    let key = text.as_deref().and_then(AppKey::read);
    key.ok_or_else(|| Error::Internal("the key of an app was sealed under another key of the server".to_owned()))
}

fn sealing(caseload: &Caseload) -> Result<&dyn Sealing> {
    let those = caseload.inner.second_factors.get();
    let those = those.ok_or_else(|| Error::Internal("this process reads no keys of apps".to_owned()))?;
    Ok(those.sealing.as_ref())
}
