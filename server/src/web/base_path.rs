//! Docket under a path of its host (`http.public_url` with one), as where a proxy serves other things beside it.
//!
//! All else is written as if Docket stood at the root: routes, links, redirects, what a page remembers of where it is. The path
//! comes off whatever arrives and is put before whatever leaves, here and nowhere else: it is taken off the address of a
//! request and the page that it comes from, and put before the one that an answer leads to and the addresses on a page. What
//! scripts add to a page gets it from `frontend/page.js`, and what they ask the server for from `app::url`.
//!
//! A proxy may take the path off by itself: an address without it is understood as well.

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{OriginalUri, Request, State},
    http::{HeaderMap, HeaderValue, Uri, header, uri::PathAndQuery},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use lol_html::{RewriteStrSettings, element, html_content::Element, rewrite_str};
use model::Problem;
use tower::ServiceBuilder;

use crate::{config::base_path::Base, web::problem::ProblemAnswer, web::redirect};

/// Where an element says an address.
const ADDRESSES: [&str; 4] = ["href", "action", "formaction", "src"];

/// The router under a path.
pub fn under(base: Base, router: Router) -> Router {
    if base.0.is_empty() {
        return router;
    }
    let within = ServiceBuilder::new().layer(from_fn_with_state(base, translated)).service(router);
    Router::new().fallback_service(within)
}

async fn translated(State(base): State<Base>, mut request: Request, next: Next) -> Response {
    if let Some(uri) = without(&base, request.uri()) {
        *request.uri_mut() = uri;
    }
    // Whoever asks for it asks for what is known within.
    request.extensions_mut().remove::<OriginalUri>();
    if let Some(from) = referrer(&base, request.headers()) {
        request.headers_mut().insert(header::REFERER, from);
    }
    let mut response = next.run(request).await;
    if let Some(address) = redirect::of(&response).and_then(|address| base.on(address)) {
        redirect::set(&mut response, &address);
    }
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if kind.is_some_and(|kind| kind.starts_with(b"text/html")) { page(&base, response).await } else { response }
}

/// An address without the path.
fn without(base: &Base, uri: &Uri) -> Option<Uri> {
    let rest = base.off(uri.path_and_query()?.as_str())?;
    let rest = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(rest).ok()?);
    Uri::from_parts(parts).ok()
}

/// The page that a request comes from, without the path.
fn referrer(base: &Base, headers: &HeaderMap) -> Option<HeaderValue> {
    let from: Uri = headers.get(header::REFERER)?.to_str().ok()?.parse().ok()?;
    HeaderValue::try_from(without(base, &from)?.to_string()).ok()
}

/// A page with the path before the addresses on it.
async fn page(base: &Base, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    // It has been made already, or is made as it is read: there is no more of it than a page.
    let text = to_bytes(body, usize::MAX).await.ok().and_then(|bytes| String::from_utf8(bytes.into()).ok());
    let rewritten = text.and_then(|text| rewritten(base, &text).ok());
    match rewritten {
        Some(text) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(text))
        }
        None => {
            tracing::error!("a page could not be read");
            ProblemAnswer(Problem::internal()).into_response()
        }
    }
}

fn rewritten(base: &Base, text: &str) -> Result<String, lol_html::errors::RewritingError> {
    let put_before = |element: &mut Element| {
        for name in ADDRESSES {
            if let Some(address) = element.get_attribute(name).and_then(|address| base.on(&address)) {
                element.set_attribute(name, &address)?;
            }
        }
        Ok(())
    };
    let everywhere = element!("[href], [action], [formaction], [src]", put_before);
    rewrite_str(text, RewriteStrSettings::new().append_element_content_handler(everywhere))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Base {
        Base::of(&"https://college.example/apps/docket/".parse().unwrap())
    }

    #[test]
    fn the_path_comes_off_what_arrives_and_is_put_before_what_leaves() {
        let within = |address: &str| without(&base(), &address.parse().unwrap()).map(|uri| uri.to_string());
        assert_eq!(within("/apps/docket/people?q=a").as_deref(), Some("/people?q=a"));
        assert_eq!(within("/apps/docket").as_deref(), Some("/"));
        assert_eq!(within("/apps/docket?q=a").as_deref(), Some("/?q=a"));
        assert_eq!(
            within("https://college.example/apps/docket/people").as_deref(),
            Some("https://college.example/people")
        );
        assert_eq!([within("/apps/docketeer"), within("/people")], [None, None]);
        assert_eq!(base().on("/people").as_deref(), Some("/apps/docket/people"));
        for as_it_is in
            ["/apps/docket/people", "//elsewhere.example/", "https://elsewhere.example/", "people", "#content", ""]
        {
            assert_eq!(base().on(as_it_is), None, "{as_it_is}");
        }
    }

    #[test]
    fn a_page_is_changed_in_its_addresses_only() {
        let page = r##"<a href="/people?a=1&amp;b=&quot;" class="x">href="/people"</a><form action='/logout'><svg><use href="#i-x">"##;
        let expected = r##"<a href="/apps/docket/people?a=1&amp;b=&quot;" class="x">href="/people"</a><form action="/apps/docket/logout"><svg><use href="#i-x">"##;
        assert_eq!(rewritten(&base(), page).unwrap(), expected);
    }

    #[test]
    fn a_path_that_docket_has_itself_is_told() {
        let routes = ["/people", "/api/1/me"];
        let of = |url: &str| Base::of(&url.parse().unwrap());
        for (url, taken) in [("people/docket", true), ("docket", false), ("docket/people", false), ("", false)] {
            assert_eq!(of(&format!("https://college.example/{url}")).is_taken_by(routes.into_iter()), taken, "{url}");
        }
    }
}
