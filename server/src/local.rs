//! Addresses inside Docket: where somebody may be sent after signing in, and how such an address carries a query.

/// `path` if it leads to a page of this very server, else nothing. A browser reads `//host` and `/\host` as another host,
/// and skips tabs and line ends anywhere.
pub fn page(path: &str) -> Option<&str> {
    let rest = path.strip_prefix('/')?;
    let elsewhere = rest.starts_with(['/', '\\']);
    let sign_in = ["/login", "/logout"].contains(&path.split(['?', '#']).next().unwrap_or_default());
    let printable = path.bytes().all(|byte| byte.is_ascii_graphic());
    (!elsewhere && !sign_in && printable).then_some(path)
}

/// `path` with these pairs as its query.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// `path` with this query string, whoever wrote it.
pub fn with_rest(path: &str, rest: &str) -> String {
    let pairs: Vec<_> = url::form_urlencoded::parse(rest.trim_start_matches('?').as_bytes()).collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(key, value)| (key.as_ref(), value.as_ref())).collect();
    with_query(path, &pairs)
}

/// A name as a part of a path: as it is if it needs no encoding, else one that nothing has.
pub fn segment(name: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.bytes().all(plain) { name } else { "unknown" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_are_local() {
        for good in ["/", "/people", "/people?q=a%20b&sort=-name", "/tasks/1#ledger", "/login-help"] {
            assert_eq!(page(good), Some(good));
        }
        let bad = [
            "",
            "people",
            "//evil",
            "/\\evil",
            "/\t/evil",
            "https://evil",
            "javascript:x",
            "/login?next=/",
            "/a b",
            "/é",
        ];
        for bad in bad {
            assert_eq!(page(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_query_is_encoded() {
        assert_eq!(with_query("/login", &[("next", "/people?q=a&b")]), "/login?next=%2Fpeople%3Fq%3Da%26b");
        assert_eq!(with_query("/login", &[]), "/login");
    }
}
