//! Pages while much else is going on in the process that makes them.

use std::{collections::BTreeMap, future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use axum::{
    body::{Body, to_bytes},
    http::{Method, header},
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use futures::future::join_all;
use scraper::{Html, Selector};
use tokio_util::task::TaskTracker;

use crate::site::{Site, request};

testkit::tests!(
    many_at_once_get_each_the_page_they_asked_for,
    pages_that_nobody_waits_for_hold_up_no_other,
    a_page_that_is_left_while_it_is_made_keeps_nothing_from_others,
    times_are_those_of_the_browser_from_the_beginning,
);

/// What a browser has got: the status, the page's title, and whether scripts of this answer may run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Got(u16, Option<String>, bool);

fn page(status: u16, title: &str) -> Got {
    Got(status, Some(format!("{title} · Docket")), true)
}

/// Asks, and reads the answer to its end.
async fn ask(site: &Site, method: Method, path: &str, token: Option<&str>) -> Got {
    let accept = if method == Method::GET { "text/html" } else { "application/json" };
    let request = request(method, path, token)
        .header(header::ACCEPT, accept)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    let status = response.status().as_u16();
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body = String::from_utf8_lossy(&body);
    let title = body.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    Got(status, title.map(|(title, _)| title.to_owned()), policy.contains("nonce-"))
}

/// One in thirty was answered with 500 when twelve browsers asked at once: its title was read when the page was gone, or out
/// of another page. What scripts asked for found the nonce of a page that was being made.
async fn many_at_once_get_each_the_page_they_asked_for() {
    let site = Arc::new(Site::new().await);
    let (coach, admin) = (site.token("coach").await, site.token("admin").await);
    let task = site.finished_task().await;
    let wanted = [
        (Method::GET, "/login".to_owned(), None, page(200, "Sign in")),
        (Method::GET, "/people".to_owned(), Some(coach.clone()), page(200, "People")),
        (Method::GET, format!("/tasks/{task}"), Some(coach.clone()), page(200, "Set status to Inactive")),
        (Method::POST, "/api/page/running".to_owned(), Some(coach.clone()), Got(200, None, false)),
        (Method::GET, "/tasks".to_owned(), Some(coach.clone()), page(200, "My tasks")),
        (Method::GET, "/nowhere".to_owned(), Some(coach), page(404, "Not found")),
        (Method::GET, "/admin".to_owned(), Some(admin), page(200, "Queue")),
    ];
    let browsers = TaskTracker::new();
    let asked = (0..12).map(|_| {
        let (site, wanted) = (site.clone(), wanted.clone());
        browsers.spawn(async move {
            let mut others = BTreeMap::new();
            for (method, path, token, expected) in wanted.iter().cycle().take(42) {
                let got = ask(&site, method.clone(), path, token.as_deref()).await;
                if got != *expected {
                    *others.entry((path.clone(), got)).or_insert(0) += 1;
                }
            }
            others
        })
    });
    for others in join_all(asked).await {
        assert_eq!(others.unwrap(), BTreeMap::new());
    }
}

/// A browser that goes leaves its pages half made. What they wait for then must not hold the thread that it comes to.
async fn pages_that_nobody_waits_for_hold_up_no_other() {
    let plenty = "[limits]\nrequests_per_second = 10000\nrequest_burst = 10000";
    let site = Arc::new(Site::on(testkit::On::Postgres, plenty).await);
    let token = site.token("coach").await;
    let browsers = TaskTracker::new();
    let left = (0..8).map(|_| {
        let (site, token) = (site.clone(), token.clone());
        browsers.spawn(async move {
            for path in ["/people", "/tasks", "/settings", "/people"].iter().cycle().take(40) {
                let request = request(Method::GET, path, Some(&token)).header(header::ACCEPT, "text/html");
                assert_eq!(site.send(request.body(Body::empty()).unwrap()).await.status(), 200);
            }
        })
    });
    join_all(left).await;
    assert_eq!(ask(&site, Method::GET, "/people", Some(&token)).await, page(200, "People"));
}

/// Whoever looked at the queue and went on at the wrong moment kept its state to themselves: from then on the overview came to
/// nobody, until the process was started anew.
async fn a_page_that_is_left_while_it_is_made_keeps_nothing_from_others() {
    let site = Site::new().await;
    let token = site.token("admin").await;
    let overview = || ask(&site, Method::GET, "/admin", Some(&token));
    for polls in [1, 2, 3, 4, 5].into_iter().cycle().take(60) {
        // What was found out is not asked for again within a second.
        site.test_db.clock.advance(Duration::from_secs(2));
        left_after(polls, overview()).await;
    }
    assert_eq!(overview().await, page(200, "Queue"));
}

/// What comes of something that is given up after it was looked at so many times.
async fn left_after<T>(polls: usize, asked: impl Future<Output = T>) -> Option<T> {
    let mut asked = pin!(asked);
    let mut polled = 0;
    poll_fn(|context| {
        polled += 1;
        match asked.as_mut().poll(context) {
            Poll::Ready(got) => Poll::Ready(Some(got)),
            Poll::Pending if polled < polls => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        }
    })
    .await
}

/// Somebody who had chosen no time zone saw every time jump from UTC to their own.
async fn times_are_those_of_the_browser_from_the_beginning() {
    let site = Site::new().await;
    let (coach, task) = (site.token("coach").await, site.finished_task().await);
    // A time as machines read it, and as it is written in full.
    let shown = async |cookie: &str| {
        let asked = request(Method::GET, &format!("/tasks/{task}"), Some(&coach)).header(header::ACCEPT, "text/html");
        let asked = asked.header(header::COOKIE, cookie).body(Body::empty()).unwrap();
        let body = to_bytes(site.send(asked).await.into_body(), usize::MAX).await.unwrap();
        let page = Html::parse_document(str::from_utf8(&body).unwrap());
        let times = Selector::parse("#content time[title]").unwrap();
        let time = page.select(&times).next().expect("a page with a time").value();
        let at: DateTime<Utc> = time.attr("datetime").unwrap().parse().unwrap();
        (at, time.attr("title").unwrap().to_owned())
    };
    let (at, unknown) = shown("docket-zone=Mars/Olympus").await;
    assert_eq!(unknown, at.format("%-d %b %Y %H:%M UTC").to_string());
    let (at, known) = shown("docket-zone=Asia/Kathmandu").await;
    assert_eq!(known, at.with_timezone(&Tz::Asia__Kathmandu).format("%-d %b %Y %H:%M").to_string());
}
