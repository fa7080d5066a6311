//! An authority for tests, which nobody trusts who was not told to, and the certificates that it issues.

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};

/// An authority of its own.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new(name: &str) -> Result<Authority> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Ok(Authority(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?))
    }

    /// What makes somebody trust it, as PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate and its key for this name, as PEM.
    pub fn certify(&self, name: &str) -> Result<String> {
        self.issue(&CertificateParams::new([name.to_owned()])?)
    }

    /// One that has expired.
    pub fn certify_until_2020(&self, name: &str) -> Result<String> {
        let mut params = CertificateParams::new([name.to_owned()])?;
        params.not_after = date_time_ymd(2020, 1, 1);
        self.issue(&params)
    }

    fn issue(&self, params: &CertificateParams) -> Result<String> {
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.0)?;
        Ok(format!("{}{}", certificate.pem(), key.serialize_pem()))
    }
}
