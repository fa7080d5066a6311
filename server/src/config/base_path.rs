//! The path of its host that Docket is served under.

/// A path such as `/docket`, or nothing at the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base(pub(crate) String);

impl Base {
    /// That of a URL.
    pub fn of(url: &url::Url) -> Base {
        Base(url.path().trim_end_matches('/').to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where cookies are sent: to Docket, and to nothing else of its host.
    pub fn cookie_path(&self) -> &str {
        if self.0.is_empty() { "/" } else { &self.0 }
    }

    /// Whether one of these routes begins as it does: then nobody could tell whether the path is still to be taken off.
    pub fn is_taken_by<'a>(&self, mut routes: impl Iterator<Item = &'a str>) -> bool {
        let first = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
        let own = first(&self.0);
        !own.is_empty() && routes.any(|route| first(route) == own)
    }

    /// An address on this server without the path; nothing where there is none to take off.
    pub fn off<'a>(&self, address: &'a str) -> Option<&'a str> {
        let rest = address.strip_prefix(&self.0)?;
        match rest.as_bytes().first() {
            Some(b'/') => Some(rest),
            None | Some(b'?') => Some(rest),
            Some(_) => None,
        }
    }

    /// An address on this server with the path; nothing where it has it, or is another server's.
    pub fn on(&self, address: &str) -> Option<String> {
        let here = address.starts_with('/') && !address.starts_with("//");
        (here && self.off(address).is_none()).then(|| format!("{}{address}", self.0))
    }
}
