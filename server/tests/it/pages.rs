//! Pages while much else is going on in the process that makes them.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    body::{Body, to_bytes},
    http::{Method, StatusCode, header},
};
use futures::future::join_all;
use server::pages;
use tokio_util::task::TaskTracker;

use crate::site::{Site, request};

/// Asks for a page and reads it to its end.
async fn ask(site: &Site, path: &str, token: Option<&str>) -> StatusCode {
    let request = request(Method::GET, path, token).header(header::ACCEPT, "text/html").body(Body::empty()).unwrap();
    let response = site.send(request).await;
    let status = response.status();
    to_bytes(response.into_body(), usize::MAX).await.unwrap();
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_answered_while_others_ask_which_pages_there_are() {
    let site = Site::new().await;
    let asking = tokio::task::spawn_blocking(|| (0..500).for_each(|_| drop(pages::routes())));
    for _ in 0..100 {
        assert_eq!(ask(&site, "/login", None).await, StatusCode::OK);
    }
    asking.await.unwrap();
}

/// Of 26,000 that twelve browsers asked for at once, 820 were answered with 500: their titles were read when what they are
/// made of was gone, or was another page's.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_pages_at_once_are_all_answered() {
    let site = Arc::new(Site::new().await);
    let (coach, admin) = (site.token("coach").await, site.token("admin").await);
    let task = site.finished_task().await;
    let wanted = [
        ("/login".to_owned(), None, 200),
        ("/people".to_owned(), Some(coach.clone()), 200),
        (format!("/tasks/{task}"), Some(coach.clone()), 200),
        ("/tasks".to_owned(), Some(coach.clone()), 200),
        ("/nowhere".to_owned(), Some(coach), 404),
        ("/admin".to_owned(), Some(admin), 200),
    ];
    let browsers = TaskTracker::new();
    let asked = (0..24).map(|_| {
        let (site, wanted) = (site.clone(), wanted.clone());
        browsers.spawn(async move {
            let mut others = BTreeMap::new();
            for (path, token, expected) in wanted.iter().cycle().take(90) {
                let status = ask(&site, path, token.as_deref()).await.as_u16();
                if status != *expected {
                    *others.entry((path.clone(), status)).or_insert(0) += 1;
                }
            }
            others
        })
    });
    for others in join_all(asked).await {
        assert_eq!(others.unwrap(), BTreeMap::new());
    }
}
