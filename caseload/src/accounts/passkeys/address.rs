//! For which address passkeys are. A device keeps them for the name of a host, and browsers give them to a page that came encrypted, or
//! from this machine.

use url::{Host, Url};
use webauthn_rp::request::{AsciiDomain, RpId};

/// The address at which people open Docket, as devices know it.
#[derive(Clone, Debug)]
pub struct PasskeyAddress {
    pub(super) host: RpId,
    /// As browsers write it: `https://docket.example`.
    pub(super) origin: String,
}

impl PasskeyAddress {
    /// Nothing where devices keep no passkeys for the address: it has no name, or whoever is between could change a page.
    pub fn of(public_url: &str) -> Option<PasskeyAddress> {
        let url = Url::parse(public_url).ok()?;
        let Some(Host::Domain(name)) = url.host() else { return None };
        let is_here = name == "localhost" || name.ends_with(".localhost");
        let is_trusted = url.scheme() == "https" || url.scheme() == "http" && is_here;
        let host = AsciiDomain::try_from(name.to_owned()).ok().filter(|_| is_trusted)?;
        Some(PasskeyAddress { host: RpId::Domain(host), origin: url.origin().ascii_serialization() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_for_a_name_that_browsers_trust() {
        let known = |url: &str| PasskeyAddress::of(url).map(|found| (found.host.as_ref().to_owned(), found.origin));
        let is = |host: &str, origin: &str| Some((host.to_owned(), origin.to_owned()));
        assert_eq!(known("https://Docket.example/apps/x"), is("docket.example", "https://docket.example"));
        assert_eq!(known("https://docket.example:8443"), is("docket.example", "https://docket.example:8443"));
        assert_eq!(known("http://localhost:3000"), is("localhost", "http://localhost:3000"));
        for off in [
            "http://127.0.0.1:3000",
            "https://192.0.2.1",
            "https://[::1]",
            "http://docket.example",
            "docket.example",
            "",
        ] {
            assert_eq!(known(off), None, "{off}");
        }
    }
}
