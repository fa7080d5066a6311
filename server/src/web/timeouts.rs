//! Requests that take too long. Whose fault that is the status says: 408 where not all of a request had come in, 504 where all
//! had, so that nobody is woken up because a stranger sends slowly.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::time::timeout;
use tokio_stream::{StreamExt, once};

/// Gives a request up whose answer has not begun after this time.
pub async fn given_up(State(after): State<Duration>, request: Request, next: Next) -> Response {
    let is_whole = Arc::new(AtomicBool::new(request.body().is_end_stream()));
    let ended = is_whole.clone();
    let request = request.map(|body| {
        if body.is_end_stream() {
            return body;
        }
        let end = once(()).filter_map(move |()| {
            ended.store(true, Ordering::Relaxed);
            None
        });
        Body::from_stream(body.into_data_stream().chain(end))
    });
    match timeout(after, next.run(request)).await {
        Ok(response) => response,
        Err(_) if is_whole.load(Ordering::Relaxed) => StatusCode::GATEWAY_TIMEOUT.into_response(),
        Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use axum::{Router, body::Bytes, middleware::from_fn_with_state, routing::post};
    use futures::{StreamExt, stream};
    use tower::ServiceExt;

    use super::*;

    testkit::tests!(on one thread; whoever_sends_half_of_a_request_is_told_so_and_what_takes_too_long_is_ours, what_has_come_in_is_no_fault_of_the_sender);

    async fn whoever_sends_half_of_a_request_is_told_so_and_what_takes_too_long_is_ours() {
        let never = || async { pending::<()>().await };
        let read = |_: Bytes| async {};
        let late = from_fn_with_state(Duration::from_millis(20), given_up);
        let router = Router::new().route("/never", post(never)).route("/read", post(read)).layer(late);
        let half = || Body::from_stream(stream::iter([Ok::<_, axum::Error>("a")]).chain(stream::pending()));
        for (path, body, status) in [
            ("/never", Body::empty(), 504),
            ("/read", Body::from("all"), 200),
            ("/read", half(), 408),
            ("/never", half(), 408),
        ] {
            let request = Request::post(path).body(body).unwrap();
            assert_eq!(router.clone().oneshot(request).await.unwrap().status(), status, "{path}");
        }
    }

    async fn what_has_come_in_is_no_fault_of_the_sender() {
        let read = |_: Bytes| async { pending::<()>().await };
        let late = from_fn_with_state(Duration::from_millis(20), given_up);
        let router = Router::new().route("/", post(read)).layer(late);
        let request = Request::post("/").body(Body::from("all")).unwrap();
        assert_eq!(router.oneshot(request).await.unwrap().status(), 504);
    }
}
