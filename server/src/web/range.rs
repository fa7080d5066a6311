//! Parts of a file, as a download that was cut off asks for the rest (RFC 9110, section 14).

use std::ops::Range;

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use http_range_header::parse_range_header;

/// The range that cannot be given.
pub struct Unsatisfiable;

/// The part that is asked for; the whole when none is, when several are, or when it is a part of another file than the one
/// with this tag.
pub fn wanted(headers: &HeaderMap, size: u64, tag: &str) -> Result<Option<Range<u64>>, Unsatisfiable> {
    let same = headers.get(header::IF_RANGE).is_none_or(|known| known.as_bytes() == tag.as_bytes());
    let asked = headers.get(header::RANGE).and_then(|range| range.to_str().ok()).filter(|_| same);
    // One that cannot be read counts for nothing.
    let Some(Ok(ranges)) = asked.map(parse_range_header) else { return Ok(None) };
    match ranges.validate(size).map_err(|_| Unsatisfiable)?.as_slice() {
        [range] => Ok(Some(*range.start()..*range.end() + 1)),
        _ => Ok(None),
    }
}

/// 200 with the whole, or 206 with a part.
pub fn answer(part: Option<Range<u64>>, size: u64, content: Body) -> Response {
    let accepts = [(header::ACCEPT_RANGES, "bytes".to_owned())];
    match part {
        None => (accepts, [(header::CONTENT_LENGTH, size.to_string())], content).into_response(),
        Some(part) => {
            let place = format!("bytes {}-{}/{size}", part.start, part.end - 1);
            let length = (part.end - part.start).to_string();
            let head = [(header::CONTENT_LENGTH, length), (header::CONTENT_RANGE, place)];
            (StatusCode::PARTIAL_CONTENT, accepts, head, content).into_response()
        }
    }
}

/// 416.
pub fn unsatisfiable(size: u64) -> Response {
    (StatusCode::RANGE_NOT_SATISFIABLE, [(header::CONTENT_RANGE, format!("bytes */{size}"))]).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(range: &'static str, if_range: Option<&'static str>) -> Result<Option<Range<u64>>, ()> {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(range));
        if_range.map(|tag| headers.insert(header::IF_RANGE, HeaderValue::from_static(tag)));
        wanted(&headers, 100, "\"tag\"").map_err(|_| ())
    }

    #[test]
    fn a_part_is_given_as_it_is_asked_for() {
        assert_eq!(asked("bytes=10-19", None), Ok(Some(10..20)));
        assert_eq!(asked("bytes=90-", None), Ok(Some(90..100)));
        assert_eq!(asked("bytes=-5", None), Ok(Some(95..100)));
        assert_eq!(asked("bytes=100-", None), Err(()));
        assert_eq!(asked("bytes=0-1,5-6", None), Ok(None));
        assert_eq!(asked("lines=1-2", None), Ok(None));
    }

    #[test]
    fn a_part_of_another_file_is_the_whole_of_this_one() {
        assert_eq!(asked("bytes=10-19", Some("\"tag\"")), Ok(Some(10..20)));
        assert_eq!(asked("bytes=10-19", Some("\"other\"")), Ok(None));
    }
}
