//! Forms with files: what they have in common is that they may be long. Whatever has no end of its own, such as what stands
//! before a field, is given up after a little of it, because the parser would keep all of it and look through it again and again.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
};

#[expect(clippy::disallowed_types, reason = "this is the one door to it")]
use axum::extract::Multipart;
use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::{
        FromRequest, Request,
        multipart::{self, MultipartError, MultipartRejection},
    },
    http::StatusCode,
    response::Response,
};
use futures::{Stream, StreamExt};
use model::{Problem, length::TooLong};

use crate::forms::settings::back;

/// The most that the parser may have had since it gave something, in bytes, but for one piece more.
const AHEAD: usize = 64 * 1024;

/// A form that is read as it comes in.
pub struct Form {
    #[expect(clippy::disallowed_types, reason = "this is the one door to it")]
    parser: Multipart,
    reading: Arc<Reading>,
}

/// What the parser and its reader know of each other.
#[derive(Default)]
struct Reading {
    /// What the parser has had since it gave something, in bytes.
    ahead: AtomicUsize,
    /// Whether nobody wants the rest.
    discarded: AtomicBool,
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = MultipartRejection;

    async fn from_request(request: Request, state: &S) -> Result<Form, MultipartRejection> {
        let reading = Arc::<Reading>::default();
        let watched = reading.clone();
        let request = request
            .map(|body| Body::from_stream(Watched { body: body.into_data_stream(), reading: watched, at_once: 0 }));
        #[expect(clippy::disallowed_types, reason = "this is the one door to it")]
        let parser = Multipart::from_request(request, state).await?;
        Ok(Form { parser, reading })
    }
}

impl Form {
    pub async fn next_field(&mut self) -> Result<Option<FormField<'_>>, MultipartError> {
        let field = self.parser.next_field().await?;
        self.reading.gave();
        Ok(field.map(|field| FormField { field, reading: &self.reading }))
    }

    /// Back to the page, which says what is wrong. The rest of the form is read without keeping it, as a browser that cannot
    /// send all it has shows no answer; but not that of somebody who may not send it, and has no such page.
    pub async fn refused(self, page: &str, problem: Problem) -> Response {
        if problem.status != StatusCode::FORBIDDEN.as_u16() {
            self.discard().await;
        }
        back(page, problem)
    }

    async fn discard(mut self) {
        self.reading.discarded.store(true, Ordering::Relaxed);
        while let Ok(Some(_)) = self.parser.next_field().await {}
    }
}

impl Reading {
    fn gave(&self) {
        self.ahead.store(0, Ordering::Relaxed);
    }
}

/// A field of a form.
pub struct FormField<'a> {
    field: multipart::Field<'a>,
    reading: &'a Reading,
}

impl FormField<'_> {
    pub fn name(&self) -> Option<&str> {
        self.field.name()
    }

    pub fn file_name(&self) -> Option<&str> {
        self.field.file_name()
    }

    /// Its next piece; nothing at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, MultipartError> {
        let piece = self.field.chunk().await?;
        self.reading.gave();
        Ok(piece)
    }

    /// Its text, if it has at most so many bytes; what comes beyond them is not kept.
    pub async fn text<const MOST: usize>(&mut self, name: &str) -> Result<String, Problem> {
        let cut =
            || Problem::field(name, "unreadable", "This file is too large, or did not arrive whole. Choose it again.");
        let unreadable = || {
            Problem::field(name, "unreadable", "This file is not plain text (UTF-8). In Excel, save it as “CSV UTF-8”.")
        };
        let mut text = Vec::new();
        while let Some(piece) = self.chunk().await.map_err(|_| cut())? {
            if text.len() + piece.len() > MOST {
                return Err(TooLong { most: MOST }.of(name));
            }
            text.extend_from_slice(&piece);
        }
        // What no text of a database can hold is no text here, either.
        String::from_utf8(text).ok().filter(|text| !text.contains('\0')).ok_or_else(unreadable)
    }
}

/// What comes in, as the parser gets it: a little at once, since it takes all that there is before it looks, and no more once
/// it has found nothing in what it had.
struct Watched {
    body: BodyDataStream,
    reading: Arc<Reading>,
    /// What the parser has had since it looked, in bytes.
    at_once: usize,
}

impl Stream for Watched {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.reading.discarded.load(Ordering::Relaxed) {
            while let Some(Ok(_)) = ready!(self.body.poll_next_unpin(cx)) {}
            return Poll::Ready(None);
        }
        if self.at_once >= AHEAD {
            self.at_once = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.reading.ahead.load(Ordering::Relaxed) >= AHEAD {
            return Poll::Ready(Some(Err(axum::Error::new("a field does not begin, or begins for too long"))));
        }
        let piece = ready!(self.body.poll_next_unpin(cx));
        if let Some(Ok(piece)) = &piece {
            self.at_once += piece.len();
            self.reading.ahead.fetch_add(piece.len(), Ordering::Relaxed);
        }
        Poll::Ready(piece)
    }
}

#[cfg(test)]
mod tests {
    use axum::extract::DefaultBodyLimit;
    use futures::stream;

    use super::*;

    testkit::tests!(on one thread; a_field_that_never_begins_is_given_up, of_somebody_who_may_not_send_it_no_more_is_read, a_long_file_comes_in_a_little_at_a_time, a_text_that_is_too_long_is_not_kept_and_the_rest_not_looked_at);

    const PIECE: usize = 16 * 1024;
    const HEAD: &str = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n";

    /// A form that begins so, and goes on with so many pieces; with how many were taken.
    async fn form(begin: String, pieces: usize, end: &'static str) -> (Form, Arc<AtomicUsize>) {
        let taken = Arc::new(AtomicUsize::new(0));
        let counted = taken.clone();
        let pieces = stream::repeat(Bytes::from(vec![b'a'; PIECE])).take(pieces);
        let pieces = pieces.inspect(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let body = stream::iter([Bytes::from(begin)]).chain(pieces).chain(stream::iter([Bytes::from(end)]));
        let request = Request::post("/").header("content-type", "multipart/form-data; boundary=edge");
        let mut request = request.body(Body::from_stream(body.map(Ok::<_, axum::Error>))).unwrap();
        DefaultBodyLimit::disable().apply(&mut request);
        (Form::from_request(request, &()).await.unwrap(), taken)
    }

    /// Twelve forms whose field never began took 720 MiB.
    async fn a_field_that_never_begins_is_given_up() {
        for begin in ["", "--edge\r\nX: ", HEAD] {
            let (mut form, taken) = form(begin.to_owned(), 4_000, "").await;
            assert!(form.next_field().await.is_err(), "{begin}");
            let given_up = taken.load(Ordering::Relaxed);
            assert!(given_up <= 2 * AHEAD / PIECE, "{begin}: {given_up}");
            form.discard().await;
            assert_eq!(taken.load(Ordering::Relaxed), 4_000, "{begin}");
        }
    }

    /// 40 MB of somebody who may not import were read before they were told so.
    async fn of_somebody_who_may_not_send_it_no_more_is_read() {
        for (problem, read) in [(Problem::forbidden("No."), 0), (Problem::field("file", "invalid", "No."), 4_000)] {
            let (form, taken) = form(format!("{HEAD}\r\n"), 4_000, "\r\n--edge--\r\n").await;
            let answer = form.refused("/people/ids", problem).await;
            assert_eq!((answer.status(), taken.load(Ordering::Relaxed)), (StatusCode::SEE_OTHER, read));
        }
    }

    async fn a_long_file_comes_in_a_little_at_a_time() {
        let (mut form, taken) = form(format!("{HEAD}\r\n"), 4_000, "\r\n--edge--\r\n").await;
        let mut field = form.next_field().await.unwrap().unwrap();
        assert_eq!((field.name(), field.file_name()), (Some("file"), Some("a.csv")));
        let mut had = 0;
        while let Some(piece) = field.chunk().await.unwrap() {
            had += piece.len();
            assert!(taken.load(Ordering::Relaxed) * PIECE <= had + 2 * AHEAD);
        }
        assert_eq!(had, 4_000 * PIECE);
        drop(field);
        assert!(form.next_field().await.unwrap().is_none());
    }

    async fn a_text_that_is_too_long_is_not_kept_and_the_rest_not_looked_at() {
        let (mut form, taken) = form(format!("{HEAD}\r\n"), 100, "\r\n--edge--\r\n").await;
        let mut field = form.next_field().await.unwrap().unwrap();
        assert_eq!(field.text::<1_000>("file").await.unwrap_err().errors[0].code, "too_long");
        drop(field);
        form.discard().await;
        assert_eq!(taken.load(Ordering::Relaxed), 100);
    }
}
