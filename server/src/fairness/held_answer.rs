//! An answer that holds something until all of it has been taken, or nobody waits for it any more.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    response::Response,
};
use hyper::body::{Frame, SizeHint};

struct HeldAnswer<T> {
    body: Body,
    held: Option<T>,
}

impl<T: Unpin> HttpBody for HeldAnswer<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.held = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The answer with something that goes with it. One without a body holds nothing.
pub fn until_taken<T: Send + Unpin + 'static>(response: Response, held: T) -> Response {
    response.map(|body| if body.is_end_stream() { body } else { Body::new(HeldAnswer { body, held: Some(held) }) })
}
