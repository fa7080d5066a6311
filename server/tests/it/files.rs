//! Downloads over HTTP: whole, in part, and never for a cache.

use axum::http::{HeaderMap, StatusCode, header};
use serde_json::json;
use testkit::On;

use crate::{
    binary::{Place, wait},
    site::{Site, request},
};

testkit::tests!(
    a_download_that_was_cut_off_goes_on,
    a_change_has_no_file,
    whoever_follows_a_link_to_a_file_that_is_gone_is_told_so,
    a_file_that_is_shorter_than_it_was_never_looks_whole,
);

async fn get(site: &Site, path: &str, more: &[(header::HeaderName, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
    let token = site.token("coach").await;
    let request = request(axum::http::Method::GET, path, Some(&token));
    let request = more.iter().fold(request, |request, (name, value)| request.header(name, *value));
    let answer = site.send(request.body(axum::body::Body::empty()).unwrap()).await;
    let (head, body) = answer.into_parts();
    (head.status, head.headers, axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec())
}

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

async fn a_change_has_no_file() {
    let site = Site::new().await;
    let path = format!("/files/{}", site.finished("watch", json!({ "operation": "WATCH" })).await);
    assert_eq!(get(&site, &path, &[]).await.0, StatusCode::NOT_FOUND);
}

async fn whoever_follows_a_link_to_a_file_that_is_gone_is_told_so() {
    let site = Site::new().await;
    let task = site.finished_export().await;
    site.caseload.files().delete_but(task.parse().unwrap(), None).await.unwrap();
    assert_eq!(get(&site, &format!("/api/1/tasks/{task}/file"), &[]).await.0, StatusCode::GONE);
    site.sign_in("coach").await;
    let led = site.server.get(&format!("/files/{task}")).add_header(header::ACCEPT, "text/html").await;
    led.assert_status_see_other();
    let page = site.server.get(led.header(header::LOCATION).to_str().unwrap()).add_header(header::ACCEPT, "text/html");
    let page = page.await.text();
    assert!(page.contains("The file is missing from storage. Export again."), "{page}");
}

async fn a_file_that_is_shorter_than_it_was_never_looks_whole() {
    let place = Place::on(On::Sqlite).await;
    place.command(&["people", "generate", "--count", "2000", "--seed", "1"]);
    let server = place.start("one", "all", &[]);
    let task = server.post("/api/1/people/export", &json!({ "target": { "everyone": true }, "format": "CSV" }));
    let id = task["id"].as_str().unwrap();
    wait("the export", || (server.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED").then_some(()));
    testkit::cut_off(&place.folder.path().join("data/exports").join(id), 20_000).unwrap();
    let answer = ureq::get(format!("http://{}/api/1/tasks/{id}/file", server.address))
        .header("authorization", format!("Bearer {}", place.token))
        .call();
    let read = answer.and_then(|answer| answer.into_body().read_to_vec());
    assert!(read.is_err(), "{:?} bytes as if they were all", read.map(|file| file.len()));
}
