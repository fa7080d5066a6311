//! `--demo`: where it is allowed, and what it leaves behind.

use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use caseload::{Caseload, Exports, files::Files, mail::Mail};
use queue::{Queue, Settings};
use server::{config::Config, demo::Demo, pages::DemoAccounts, router, state::AppState};
use testkit::{On, TestDb};
use tower::ServiceExt;

use crate::site::Site;

testkit::tests!(
    a_demo_has_people_and_three_accounts_with_new_passwords_at_each_start,
    a_demo_whose_password_is_given_signs_nobody_out_at_its_next_start,
    a_demo_never_leaves_this_machine,
    a_demo_tells_its_passwords_under_no_other_name,
    a_request_with_two_names_is_refused,
    a_demo_touches_no_other_data,
);

const MADE_UP: Demo = Demo { password: None };

async fn empty() -> (Caseload, TestDb) {
    let test_db = TestDb::new(On::Sqlite).await.unwrap();
    let exports = Exports::with_defaults(Files::in_memory());
    let mail = Mail::none();
    let queue = Queue::new(test_db.db.clone(), Caseload::registry(&exports, &mail), Settings::default());
    (Caseload::new(queue, exports, mail, false, caseload::Limits::default()), test_db)
}

fn config(listen: &str) -> Config {
    Config::from_text(&format!("http.listen = '{listen}'")).unwrap()
}

async fn a_demo_has_people_and_three_accounts_with_new_passwords_at_each_start() {
    let (caseload, _test_db) = empty().await;
    let http = config("127.0.0.1:3000").http;
    let first = MADE_UP.prepare(&caseload, &http).await.unwrap();
    let names: Vec<_> = first.iter().map(|(username, _)| username.as_str()).collect();
    assert_eq!(names, ["coach", "manager", "admin"]);
    let second = MADE_UP.prepare(&caseload, &http).await.unwrap();
    for ((username, old), (_, new)) in first.iter().zip(&second) {
        assert!(caseload.accounts().sign_in(username, old, None).await.is_err());
        let actor = caseload.accounts().sign_in(username, new, None).await.unwrap();
        assert!(caseload.people().list(&actor, &Default::default()).await.unwrap().total.value > 0);
    }
    let manager = caseload.accounts().sign_in("manager", &second[1].1, None).await.unwrap();
    assert_eq!(caseload.people().list(&manager, &Default::default()).await.unwrap().total.value, 2_000);
}

async fn a_demo_whose_password_is_given_signs_nobody_out_at_its_next_start() {
    let (caseload, _test_db) = empty().await;
    let mut versions = Vec::new();
    for _ in 0..2 {
        let demo = Demo { password: Some("slate-fern-07".to_owned()) };
        demo.prepare(&caseload, &config("127.0.0.1:3000").http).await.unwrap();
        versions.push(caseload.accounts().sign_in("coach", "slate-fern-07", None).await.unwrap().session_version);
    }
    assert_eq!(versions[0], versions[1]);
}

async fn a_demo_never_leaves_this_machine() {
    let (caseload, _test_db) = empty().await;
    for listen in ["0.0.0.0:3000", "[::]:3000", "192.0.2.1:3000"] {
        let error = MADE_UP.prepare(&caseload, &config(listen).http).await.unwrap_err();
        assert!(error.to_string().contains("this machine only"), "{error}");
    }
    assert!(!caseload.accounts().are_there().await.unwrap());
}

/// Its sign-in page, with all passwords, could be read by a page whose name was made to lead to this machine.
async fn a_demo_tells_its_passwords_under_no_other_name() {
    let site = Site::new().await;
    let demo = DemoAccounts(vec![("coach".to_owned(), "velvet-anchor-4".to_owned())]);
    let router = router::router(AppState { demo, ..site.state.clone() }).unwrap();
    for (host, status, told) in [("127.0.0.1:3000", 200, true), ("localhost", 200, true), ("evil.example", 421, false)]
    {
        let request = Request::get("/login").header("host", host).header("accept", "text/html");
        let answer = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), status, "{host}");
        let page = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&page).contains("velvet-anchor-4"), told, "{host}");
    }
}

async fn a_request_with_two_names_is_refused() {
    let site = Site::new().await;
    let request = Request::get("/login").header("host", "docket.test").header("host", "evil.example");
    assert_eq!(site.send(request.body(Body::empty()).unwrap()).await.status(), 400);
}

async fn a_demo_touches_no_other_data() {
    let site = Site::new().await;
    let error = MADE_UP.prepare(&site.caseload, &site.state.http).await.unwrap_err();
    assert!(format!("{error:#}").contains("data that no demo has made"), "{error:#}");
    site.sign_in("coach").await;
}
