//! Signing in and out as a browser without scripts does it.

use axum_test::TestResponse;
use rstest::rstest;

use crate::site::{PASSWORD, Site};

testkit::tests!(
    whoever_signs_in_gets_to_where_they_were_going,
    a_wrong_password_and_an_unknown_name_look_the_same,
    guessing_is_slowed_down_at_both_doors,
    signing_out_leads_back_to_the_sign_in_page,
    a_form_sent_after_the_session_ended_comes_back_to_its_page,
    a_posted_form_of_a_page_is_answered_by_303,
);

fn location(answer: &TestResponse) -> String {
    assert_eq!(answer.status_code(), 303);
    answer.header("location").to_str().unwrap().to_owned()
}

async fn sign_in(site: &Site, username: &str, password: &str, next: &str) -> String {
    let form = [("username", username), ("password", password), ("next", next)];
    location(&site.server.post("/login").form(&form).await)
}

async fn whoever_signs_in_gets_to_where_they_were_going() {
    let site = Site::new().await;
    let away = site.server.get("/tasks?state=DONE&limit=5").add_header("accept", "text/html,*/*").await;
    assert_eq!(location(&away), "/login?next=%2Ftasks%3Fstate%3DDONE%26limit%3D5");
    assert_eq!(sign_in(&site, "coach", PASSWORD, "/tasks?state=DONE&limit=5").await, "/tasks?state=DONE&limit=5");
    site.server.get("/api/1/me").await.assert_status_ok();
}

#[rstest]
#[case("")]
#[case("https://evil.example/")]
#[case("//evil.example")]
#[case("/\\evil.example")]
#[case("/logout")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn nobody_is_sent_anywhere_else(#[case] next: &str) {
    let site = Site::new().await;
    assert_eq!(sign_in(&site, "coach", PASSWORD, next).await, "/people");
}

async fn a_wrong_password_and_an_unknown_name_look_the_same() {
    let site = Site::new().await;
    let wrong = sign_in(&site, "coach", "wrong", "/tasks").await;
    assert_eq!(wrong, "/login?failed=credentials&next=%2Ftasks");
    let unknown = sign_in(&site, "nobody", "wrong", "/tasks").await;
    assert_eq!(unknown, wrong);
    site.caseload.by_command().disable("coach").await.unwrap();
    assert_eq!(sign_in(&site, "coach", PASSWORD, "/tasks").await, wrong);
}

#[rstest]
#[case(&[("password", PASSWORD)], "username", "The username is missing")]
#[case(&[("username", " "), ("password", PASSWORD)], "username", "The username is missing")]
#[case(&[("username", "coach")], "password", "The password is missing")]
#[case(&[("next", "")], "username", "The username is missing")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn a_field_that_is_missing_is_named_on_the_page(
    #[case] form: &[(&str, &str)],
    #[case] field: &str,
    #[case] words: &str,
) {
    let site = Site::new().await;
    let back = location(&site.server.post("/login").form(form).await);
    assert_eq!(back, format!("/login?failed={field}"));
    assert!(site.server.get(&back).await.text().contains(words));
}

async fn guessing_is_slowed_down_at_both_doors() {
    let site = Site::new().await;
    for spelling in ["coach", "Coach", " coach ", "c!oach", "coách", "coach", "coach", "coach", "coach", "coach'"] {
        assert!(sign_in(&site, spelling, "wrong", "").await.contains("failed=credentials"));
    }
    assert_eq!(sign_in(&site, "coach", PASSWORD, "").await, "/login?failed=throttled");
    let body = serde_json::json!({ "username": "coach", "password": PASSWORD });
    let answer = site.server.post("/api/1/session").json(&body).await;
    assert_eq!(answer.status_code(), 429);
    assert!(answer.header("retry-after").to_str().unwrap().parse::<u64>().unwrap() <= 60);
    // Another account is not affected: without a network there is no address to count.
    assert_eq!(sign_in(&site, "manager", PASSWORD, "").await, "/people");
}

async fn signing_out_leads_back_to_the_sign_in_page() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    assert_eq!(location(&site.server.post("/logout").await), "/login");
    site.server.get("/api/1/me").await.assert_status_unauthorized();
    // Once more is no error.
    assert_eq!(location(&site.server.post("/logout").await), "/login");
}

async fn a_form_sent_after_the_session_ended_comes_back_to_its_page() {
    let site = Site::new().await;
    let stale = tower_sessions::cookie::Cookie::new("docket", "AAAAAAAAAAAAAAAAAAAAAA");
    let answer = site
        .server
        .post("/api/page/select-matching")
        .add_cookie(stale)
        .add_header("accept", "text/html")
        .add_header("referer", "http://docket.example.edu/people?q=ann")
        .await;
    assert_eq!(location(&answer), "/login?failed=ended&next=%2Fpeople%3Fq%3Dann");
}

async fn a_posted_form_of_a_page_is_answered_by_303() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let answer = site
        .server
        .post("/api/page/select-matching")
        .form(&[("back", "q=")])
        .add_header("accept", "text/html")
        .add_header("referer", "http://127.0.0.1:3000/people")
        .await;
    assert!(location(&answer).contains("/people?"));
}
