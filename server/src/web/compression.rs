//! Which answers are compressed. The length of a compressed answer tells whether one part of it repeats another, so a page elsewhere
//! that could have a browser ask for ours again and again, each time with another guess in the address, would learn what stands on
//! them from their lengths alone (BREACH). Hence what another site had a browser ask for is sent as it is.

use axum::{
    extract::Request,
    http::{Extensions, HeaderMap, HeaderName, StatusCode, Version, header},
    middleware::Next,
    response::Response,
};
use tower_http::compression::{
    CompressionLayer, Predicate,
    predicate::{And, DefaultPredicate},
};

/// Who had a browser ask, by the browser's word, which no page can change: <https://www.w3.org/TR/fetch-metadata/>.
const ASKED_BY: HeaderName = HeaderName::from_static("sec-fetch-site");

/// That nobody elsewhere has chosen what was asked for.
#[derive(Clone, Copy)]
struct ChosenHere;

/// Compresses what [`noted`], which has to be within, has found to be chosen here.
pub fn layer() -> CompressionLayer<And<DefaultPredicate, impl Predicate>> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(is_chosen_here))
}

fn is_chosen_here(_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    extensions.get::<ChosenHere>().is_some()
}

/// Notes on an answer who had it asked for.
pub async fn noted(request: Request, next: Next) -> Response {
    let by = request.headers().get(ASKED_BY).cloned();
    let mut response = next.run(request).await;
    let is_page =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let chosen_here = match by.as_ref().map(|by| by.as_bytes()) {
        // Docket's own pages, or the address bar.
        Some(b"same-origin" | b"none") => true,
        Some(_) => false,
        // A program, unless it takes pages: then a browser that does not tell.
        None => !is_page,
    };
    if chosen_here {
        response.extensions_mut().insert(ChosenHere);
    }
    response
}
