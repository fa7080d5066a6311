//! Downloads over HTTP: whole, in part, and never for a cache.

use axum::http::{HeaderMap, StatusCode, header};
use serde_json::json;

use crate::site::{Site, request};

async fn get(site: &Site, path: &str, more: &[(header::HeaderName, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
    let token = site.token("coach").await;
    let request = request(axum::http::Method::GET, path, Some(&token));
    let request = more.iter().fold(request, |request, (name, value)| request.header(name, *value));
    let answer = site.send(request.body(axum::body::Body::empty()).unwrap()).await;
    let (head, body) = answer.into_parts();
    (head.status, head.headers, axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_was_cut_off_goes_on() {
    let site = Site::new().await;
    let path = format!("/api/1/tasks/{}/file", site.finished_export().await);
    let (status, head, whole) = get(&site, &path, &[]).await;
    assert_eq!((status, head[header::CACHE_CONTROL].to_str().unwrap()), (StatusCode::OK, "no-store"));
    assert!(head[header::CONTENT_DISPOSITION].to_str().unwrap().starts_with("attachment; filename=\"people-"));
    assert_eq!(head[header::CONTENT_LENGTH].to_str().unwrap(), whole.len().to_string());
    let tag = head[header::ETAG].to_str().unwrap().to_owned();
    let (status, head, rest) = get(&site, &path, &[(header::RANGE, "bytes=100-"), (header::IF_RANGE, &tag)]).await;
    assert_eq!((status, rest.as_slice()), (StatusCode::PARTIAL_CONTENT, &whole[100..]));
    let place = format!("bytes 100-{}/{}", whole.len() - 1, whole.len());
    assert_eq!(head[header::CONTENT_RANGE].to_str().unwrap(), place);
    let beyond = format!("bytes={}-", whole.len());
    let (status, head, _) = get(&site, &path, &[(header::RANGE, &beyond)]).await;
    assert_eq!(status, StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(head[header::CONTENT_RANGE].to_str().unwrap(), format!("bytes */{}", whole.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_has_no_file() {
    let site = Site::new().await;
    let path = format!("/files/{}", site.finished("watch", json!({ "operation": "WATCH" })).await);
    assert_eq!(get(&site, &path, &[]).await.0, StatusCode::NOT_FOUND);
}
