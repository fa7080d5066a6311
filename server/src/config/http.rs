//! Where Docket listens, under which address people reach it, and what comes by there.

use std::{net::SocketAddr, time::Duration};

use ipnet::IpNet;
use url::Url;

use super::base_path::Base;

/// The largest body: ten thousand ids, several times over.
pub const BODY_LIMIT: usize = 2 * 1024 * 1024;

/// Where Docket listens, and under which address people reach it.
#[derive(Clone, Debug)]
pub struct Http {
    pub listen: SocketAddr,
    /// With a path that ends in `/`.
    pub public_url: Url,
    /// Whose word counts about where a request came from.
    pub trusted_proxies: Vec<IpNet>,
    /// By which header they say it.
    pub proxy_header: ProxyHeader,
    /// What all together may be sending, in MiB.
    pub sending: usize,
    pub bounds: Bounds,
}

impl Http {
    /// The path that Docket is served under.
    pub fn base(&self) -> Base {
        Base::of(&self.public_url)
    }

    /// The cookie of this name, as browsers know it. The prefix makes them refuse one that a neighbouring host or plain HTTP has
    /// set. Under a path it is another prefix, since the stronger one belongs to a whole host: there the cookie is sent to nothing
    /// else of that host, and two of Docket do not meet.
    pub fn cookie(&self, name: &str) -> Cookie {
        let base = self.base();
        let prefix = match (self.over_tls(), base.as_str()) {
            (false, _) => "",
            (true, "") => "__Host-",
            (true, _) => "__Secure-",
        };
        Cookie { name: format!("{prefix}{name}"), path: base.cookie_path().to_owned(), secure: self.over_tls() }
    }

    /// Whether people come over TLS; then cookies are `Secure` and the browser is told to stay with it.
    pub fn over_tls(&self) -> bool {
        self.public_url.scheme() == "https"
    }
}

/// What a cookie is called, and to what it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cookie {
    pub name: String,
    pub path: String,
    pub secure: bool,
}

impl Cookie {
    /// The header that sets it, for so many seconds; none of them ends it.
    pub fn set(&self, value: &str, seconds: u32) -> String {
        let secure = if self.secure { "; Secure" } else { "" };
        format!("{}={value}; Path={}; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}", self.name, self.path)
    }
}

/// What the trusted proxies write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`, as most do.
    XForwarded,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// So many at once; for a further one, one of them has to go.
    pub connections: usize,
    /// The longest silence of one.
    pub idle: Duration,
}
