//! Where a request came from: the other end of its connection or, where that is a proxy of `http.trusted_proxies`, whoever the
//! proxy says was at the other end of its own. This is the only door to it. Once [`find`] has looked, neither the connection's
//! address nor a header about it is left in the request for anybody to take by mistake.
//!
//! A header is a list that each hop adds to at its end, and what stands before the last hop that is trusted can be anybody's
//! invention. So it is read from its end, and the first address that is no trusted proxy counts. A proxy writes one sort of
//! header and hands all others on as they were sent, so that only the sort that is said to be the proxies' is looked at.

use std::net::{IpAddr, SocketAddr};

#[expect(clippy::disallowed_types, reason = "this is the one door to the address")]
use axum::extract::ConnectInfo;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;

use crate::config::http::{Http, ProxyHeader};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// What says something of where a request came from. Nobody behind [`find`] sees any of it.
const TOLD: [HeaderName; 6] = [
    header::FORWARDED,
    X_FORWARDED_FOR,
    X_FORWARDED_PROTO,
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-port"),
    HeaderName::from_static("x-real-ip"),
];

/// Where a request came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Absent where there is no network, as in tests.
    pub address: Option<IpAddr>,
    /// Set when a trusted proxy says that the request reached it without TLS.
    pub in_clear: bool,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.address.map_or(Ok(()), |address| address.fmt(f))
    }
}

impl Source {
    /// The address in words, where there is one.
    pub fn told(&self) -> Option<String> {
        self.address.map(|address| address.to_string())
    }
}

impl<S: Sync> FromRequestParts<S> for Source {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// Notes the other end of a connection on a request that came over it; for whoever accepts connections.
pub fn arrived<B>(request: &mut axum::http::Request<B>, peer: SocketAddr) {
    request.extensions_mut().insert(ConnectInfo(peer));
}

/// Puts the [`Source`] into the request, for all layers within.
#[expect(clippy::disallowed_types, reason = "this is the one door to the address")]
pub async fn find(State(http): State<Http>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions_mut().remove::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let source =
        peer.map_or_else(Source::default, |peer| of(peer, request.headers(), &http.trusted_proxies, http.proxy_header));
    for name in &TOLD {
        request.headers_mut().remove(name);
    }
    request.extensions_mut().insert(source);
    next.run(request).await
}

/// The source of a request that came from `peer` with these headers.
fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet], written: ProxyHeader) -> Source {
    let peer = peer.to_canonical();
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(&peer) {
        return Source { address: Some(peer), in_clear: false };
    }
    let (address, proto) = match written {
        ProxyHeader::XForwarded => {
            let known = furthest(peer, items(headers, &X_FORWARDED_FOR).map(address), is_trusted);
            (known, items(headers, &X_FORWARDED_PROTO).next_back())
        }
        ProxyHeader::Forwarded => by_forwarded(peer, headers, is_trusted),
    };
    Source { address: Some(address), in_clear: proto.is_some_and(|proto| proto.eq_ignore_ascii_case("http")) }
}

/// The first address from the end that is not trusted. A word that is no address is where the trail is lost: the hop that
/// wrote it is the last one known.
fn furthest(
    peer: IpAddr,
    hops: impl DoubleEndedIterator<Item = Option<IpAddr>>,
    is_trusted: impl Fn(&IpAddr) -> bool,
) -> IpAddr {
    let mut known = peer;
    for hop in hops.rev() {
        match hop {
            Some(hop) if is_trusted(&hop) => known = hop,
            Some(hop) => return hop,
            None => break,
        }
    }
    known
}

/// What `Forwarded` (RFC 7239) says: who, and by which protocol the last hop was reached. Its elements are parted at every
/// comma, even a quoted one: no proxy writes such, and a quotation mark that somebody opened swallows nothing that way.
fn by_forwarded(peer: IpAddr, headers: &HeaderMap, is_trusted: impl Fn(&IpAddr) -> bool) -> (IpAddr, Option<&str>) {
    let hops = items(headers, &header::FORWARDED).map(|element| member(element, "for").and_then(address));
    let proto = items(headers, &header::FORWARDED).next_back().and_then(|element| member(element, "proto"));
    (furthest(peer, hops, is_trusted), proto)
}

/// The items of a header that is a list, over all its lines. Each is read by itself: one that is no text says nothing, and
/// takes nothing of those that a proxy has written after it in the same line.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl DoubleEndedIterator<Item = &'a str> {
    let lines: Vec<_> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    let items = lines.into_iter().flat_map(|line| line.split(|byte| *byte == b','));
    items.map(|item| str::from_utf8(item).unwrap_or("?").trim())
}

/// A member of an element of `Forwarded`, without its quotation marks.
fn member<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let mut members = element.split(';').filter_map(|member| member.trim().split_once('='));
    let (_, value) = members.find(|(key, _)| key.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().trim_matches('"'))
}

/// An address as proxies write it: bare, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const PROXY: &str = "10.0.0.2";

    fn seen(peer: &str, told: &[(&'static str, &str)]) -> String {
        let told: Vec<_> = told.iter().map(|(name, value)| (*name, value.as_bytes().to_vec())).collect();
        seen_bytes(peer, &told)
    }

    fn seen_bytes(peer: &str, told: &[(&'static str, Vec<u8>)]) -> String {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, value) in told {
            headers.append(*name, HeaderValue::from_bytes(value).unwrap());
        }
        // Beside what the proxy wrote stands whatever the sender liked.
        let (ours, theirs, invented, written) = match told.iter().any(|(name, _)| *name == "forwarded") {
            true => ("forwarded", "x-forwarded-for", "192.0.2.66", ProxyHeader::Forwarded),
            false => ("x-forwarded-for", "forwarded", "for=192.0.2.66", ProxyHeader::XForwarded),
        };
        let alone = of(peer.parse().unwrap(), &headers, &trusted, written);
        headers.append(theirs, invented.parse().unwrap());
        assert_eq!(of(peer.parse().unwrap(), &headers, &trusted, written), alone, "{ours} alone counts");
        alone.to_string()
    }

    #[rstest]
    #[case::stranger("203.0.113.9", &[("x-forwarded-for", "198.51.100.7")], "203.0.113.9")]
    #[case::one_proxy(PROXY, &[("x-forwarded-for", "198.51.100.7")], "198.51.100.7")]
    #[case::two_proxies(PROXY, &[("x-forwarded-for", "198.51.100.7, 10.0.0.3")], "198.51.100.7")]
    #[case::invented(PROXY, &[("x-forwarded-for", "1.1.1.1, 198.51.100.7")], "198.51.100.7")]
    #[case::two_lines(PROXY, &[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "198.51.100.7")], "198.51.100.7")]
    #[case::nothing_told(PROXY, &[], PROXY)]
    #[case::from_within(PROXY, &[("x-forwarded-for", "10.0.0.9")], "10.0.0.9")]
    #[case::trail_lost(PROXY, &[("x-forwarded-for", "1.1.1.1, unknown, 10.0.0.3")], "10.0.0.3")]
    #[case::port(PROXY, &[("x-forwarded-for", "198.51.100.7:4711")], "198.51.100.7")]
    #[case::mapped("::ffff:10.0.0.2", &[("x-forwarded-for", "::ffff:198.51.100.7")], "198.51.100.7")]
    #[case::forwarded(PROXY, &[("forwarded", "for=1.1.1.1, For=\"[2001:db8::7]:4711\";proto=https")], "2001:db8::7")]
    #[case::open_quotation(PROXY, &[("forwarded", "for=\"1.1.1.1, for=198.51.100.7")], "198.51.100.7")]
    #[case::obfuscated(PROXY, &[("forwarded", "for=_hidden")], PROXY)]
    fn the_last_address_that_is_no_trusted_proxy_counts(
        #[case] peer: &str,
        #[case] told: &[(&'static str, &str)],
        #[case] expected: &str,
    ) {
        assert_eq!(seen(peer, told), expected);
    }

    #[test]
    fn a_byte_that_is_no_text_hides_nobody_behind_the_proxy() {
        for (name, line) in [
            ("x-forwarded-for", &b"\xff, 198.51.100.7"[..]),
            ("x-forwarded-for", b"1.1.1.1\xff,198.51.100.7"),
            ("forwarded", b"for=\xff, for=198.51.100.7"),
        ] {
            assert_eq!(seen_bytes(PROXY, &[(name, line.to_vec())]), "198.51.100.7", "{}", line.escape_ascii());
        }
    }

    #[rstest]
    #[case::said(PROXY, ("x-forwarded-proto", "http"), true)]
    #[case::tls(PROXY, ("x-forwarded-proto", "https"), false)]
    #[case::last_hop(PROXY, ("x-forwarded-proto", "http, https"), false)]
    #[case::forwarded(PROXY, ("forwarded", "for=1.1.1.1;proto=http"), true)]
    #[case::stranger("203.0.113.9", ("x-forwarded-proto", "http"), false)]
    fn only_a_trusted_proxy_says_how_it_was_reached(
        #[case] peer: &str,
        #[case] told: (&'static str, &'static str),
        #[case] expected: bool,
    ) {
        let headers = HeaderMap::from_iter([(HeaderName::from_static(told.0), told.1.parse().unwrap())]);
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let written = if told.0 == "forwarded" { ProxyHeader::Forwarded } else { ProxyHeader::XForwarded };
        assert_eq!(of(peer.parse().unwrap(), &headers, &trusted, written).in_clear, expected);
    }
}
