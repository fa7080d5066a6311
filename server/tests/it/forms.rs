//! Signing in and out as a browser without scripts does it.

use axum_test::TestResponse;
use caseload::generate;
use model::{PeopleFilter, Permission, Role};
use rstest::rstest;
use serde_json::Value;

use crate::site::{MINE, PASSWORD, Site, THEIRS, add};

testkit::tests!(
    whoever_signs_in_gets_to_where_they_were_going,
    a_wrong_password_and_an_unknown_name_look_the_same,
    guessing_is_slowed_down_at_both_doors,
    signing_out_leads_back_to_the_sign_in_page,
    a_form_sent_after_the_session_ended_comes_back_to_its_page,
    a_posted_form_of_a_page_is_answered_by_303,
    a_form_that_is_refused_comes_back_to_its_own_page_with_what_was_typed,
    a_form_that_is_done_leads_to_the_page_that_says_so,
    rights_saved_as_they_were_change_nothing_and_keep_the_reason_that_was_typed,
    a_scheduled_task_has_its_start_in_the_field_that_changes_it,
    a_start_that_is_over_is_told_with_whatever_else_is_wrong,
    a_list_that_cannot_be_read_comes_back_with_the_name_of_its_file,
    scripts_keep_a_draft_and_are_told_how_it_looks,
    what_belongs_to_an_account_is_done_in_person,
    somebody_reads_numbers_as_they_chose_and_nobody_else_does,
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

/// A form with where it goes and where it leads.
type Sent<'a> = (&'a str, &'a [(&'a str, &'a str)], String);

/// Sends a form from a page that said something before.
async fn send(site: &Site, path: &str, form: &[(&str, &str)]) -> String {
    let request = site.server.post(&format!("/api/page/{path}")).form(form).add_header("accept", "text/html");
    location(&request.add_header("referer", "http://127.0.0.1:3000/settings?done=verified&verify=a-secret").await)
}

async fn somebody_reads_numbers_as_they_chose_and_nobody_else_does() {
    let site = Site::new().await;
    let now = site.test_db.clock.now();
    generate::generate(&site.test_db.db, 2_000 - MINE - THEIRS, 3, now, &[]).await.unwrap();
    add(&site.caseload, "colleague", Role::Manager).await;
    let people = async || site.server.get("/people").add_header("accept", "text/html").await.text();
    site.sign_in("manager").await;
    assert!(people().await.contains("2,000 people"));
    let chosen = [("theme", "auto"), ("address", ""), ("numbers", "dot"), ("live", "on")];
    send(&site, "settings/preferences", &chosen).await;
    let page = people().await;
    assert!(page.contains("2.000 people") && page.contains("data-numbers=\".\""), "{page}");
    assert!(!page.contains("2,000"), "{page}");
    let settings = site.server.get("/settings").add_header("accept", "text/html").await.text();
    assert!(settings.contains("<option value=\"dot\" selected>"), "{settings}");
    site.sign_in("colleague").await;
    let page = people().await;
    assert!(page.contains("2,000 people") && !page.contains("data-numbers") && !page.contains("2.000"), "{page}");
}

async fn a_form_that_is_refused_comes_back_to_its_own_page_with_what_was_typed() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let (task, coach) = (site.finished_task().await, site.coach_id.to_string());
    let why = "Because ‘it’ & <b>that</b>";
    let long = format!("{why}{}", "x".repeat(500));
    let token = [("id", coach.as_str()), ("token", "none"), ("reason", why)];
    let bulk = [("verb", "retry"), ("preview", "x"), ("reason", why), ("asked", "do=retry-all&kind=import")];
    let lock = [("name", "prune"), ("taken", "yesterday"), ("reason", why)];
    let cases: [Sent; 10] = [
        ("admin/tasks/retry", &[("id", &task), ("reason", why)], format!("/admin/tasks/{task}?")),
        ("admin/tasks/abandon", &[("id", &task), ("reason", why)], format!("/admin/tasks/{task}?")),
        ("admin/tasks/put-back", &[("id", &task), ("reason", why)], format!("/admin/tasks/{task}?")),
        ("admin/tasks/apply", &bulk, "/admin/tasks/check?do=retry-all&kind=import&".to_owned()),
        ("admin/kinds/pause", &[("kind", "export"), ("reason", &long)], "/admin/kinds/export?".to_owned()),
        ("admin/kinds/resume", &[("kind", "../../evil"), ("reason", &long)], "/admin/kinds/unknown?".to_owned()),
        ("admin/locks/release", &lock, "/admin/locks/release?name=prune&".to_owned()),
        ("admin/schedules/run", &[("name", "none"), ("reason", why)], "/admin/schedules/none?".to_owned()),
        ("admin/users/disable", &[("id", &coach), ("reason", &long)], format!("/admin/users/{coach}?")),
        ("admin/users/revoke", &token, format!("/admin/users/{coach}?")),
    ];
    for (path, form, page) in cases {
        let back = send(&site, path, form).await;
        let refusal = back.split_once('?').and_then(|(_, query)| app::url::refusal(query));
        let refusal = refusal.unwrap_or_else(|| panic!("{path}: {back}"));
        assert!(back.starts_with(&page), "{path}: {back}");
        assert!(refusal.given("reason").is_some_and(|given| given.starts_with(why)), "{path}: {refusal:?}");
    }
    for (path, form) in
        [("settings/preferences", &[("theme", "dark"), ("address", ""), ("time_zone", "Nowhere/At all")][..])]
    {
        let back = send(&site, path, form).await;
        assert!(back.starts_with("/settings?") && back.contains("__err") && !back.contains("secret"), "{path}: {back}");
    }
    let wrong = [("theme", "dark"), ("address", "k.lund@"), ("time_zone", "Nowhere"), ("live", ""), ("notify", "on")];
    let page = site.server.get(&send(&site, "settings/preferences", &wrong).await).await.text();
    assert!(page.contains("value=\"k.lund@\"") && page.contains("value=\"Nowhere\""), "{page}");
    assert!(
        page.contains("name=\"notify\" value=\"on\" checked") && !page.contains("name=\"live\" value=\"on\" checked"),
        "{page}"
    );
    let email = [("do", "test"), ("sel", "x"), ("reason", why), ("subject", "Four slots"), ("body", "{oops")];
    let back = send(&site, "actions/email", &email).await;
    assert!(back.starts_with("/actions/new/email?sel=x&reason=Because") && back.contains("__err"), "{back}");
}

async fn a_form_that_is_done_leads_to_the_page_that_says_so() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let coach = site.coach_id.to_string();
    let cases: [Sent; 8] = [
        (
            "admin/kinds/pause",
            &[("kind", "export"), ("reason", "x")],
            "/admin/processes?done=paused&of=export".to_owned(),
        ),
        (
            "admin/kinds/pause",
            &[("kind", "export"), ("reason", "x")],
            "/admin/processes?done=unchanged&of=export".to_owned(),
        ),
        (
            "admin/kinds/resume",
            &[("kind", "export"), ("reason", "x")],
            "/admin/processes?done=resumed&of=export".to_owned(),
        ),
        ("admin/users/disable", &[("id", &coach), ("reason", "x")], format!("/admin/users/{coach}?done=disabled")),
        ("settings/preferences", &[("theme", "dark"), ("address", "")], "/settings?done=preferences".to_owned()),
        ("actions/email", &[("do", "save"), ("subject", "x")], "/actions/new/email?done=save".to_owned()),
        ("actions/email", &[("do", "discard"), ("sel", "x"), ("reason", "y")], "/people?sel=x&done=discard".to_owned()),
        (
            "actions/email",
            &[("do", "begin-anew"), ("sel", "x"), ("reason", "y"), ("start", "2030-01-01T10:00")],
            "/actions/new/email?sel=x&done=discard".to_owned(),
        ),
    ];
    for (path, form, to) in cases {
        assert_eq!(send(&site, path, form).await, to, "{path}");
    }
    assert!(site.server.get("/settings").await.text().contains("data-theme=\"dark\""));
}

/// The reason went without a word.
async fn rights_saved_as_they_were_change_nothing_and_keep_the_reason_that_was_typed() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let page = format!("/admin/users/{}", site.coach_id);
    let save = async |role: &str| {
        let rights = Permission::default_for(Role::Coach);
        let boxes = rights.iter().map(|right| (right.name(), "yes"));
        let form: Vec<(&str, &str)> =
            [("role", role), ("reason", "Covers for spring")].into_iter().chain(boxes).collect();
        location(&site.server.post(&format!("{page}/change")).form(&form).await)
    };
    let unchanged = save("coach").await;
    assert!(unchanged.starts_with(&format!("{page}?")) && !unchanged.contains("done="), "{unchanged}");
    let said = site.server.get(&unchanged).add_header("accept", "text/html").await.text();
    assert!(said.contains("Nothing was changed") && said.contains("are as they were"), "{said}");
    assert!(said.contains("value=\"Covers for spring\""), "{said}");
    assert_eq!(save("manager").await, format!("{page}?done=changed"));
}

/// The field was empty.
async fn a_scheduled_task_has_its_start_in_the_field_that_changes_it() {
    let site = Site::new().await;
    let start = (site.test_db.clock.now() + chrono::TimeDelta::days(2)).date_naive();
    let body = serde_json::json!({
        "programStatus": "INACTIVE",
        "target": { "everyone": true },
        "triggerDate": format!("{start}T09:30:00Z"),
    });
    let token = site.token("coach").await;
    let sent = site.server.post("/api/1/people/program-status").authorization_bearer(&token).json(&body).await;
    let sent: Value = sent.json();
    let id = sent["id"].as_str().unwrap();
    let task =
        async || -> Value { site.server.get(&format!("/api/1/tasks/{id}")).authorization_bearer(&token).await.json() };
    let before = task().await;
    assert_eq!(before["state"], "SCHEDULED", "{before}");
    site.sign_in("coach").await;
    let page = async || site.server.get(&format!("/tasks/{id}")).add_header("accept", "text/html").await.text();
    let typed = format!("{start}T18:30");
    let unknown = page().await;
    assert!(unknown.contains("Change start time") && !unknown.contains(&format!("value=\"{start}")), "{unknown}");
    send(&site, "settings/preferences", &[("theme", "dark"), ("address", ""), ("time_zone", "Asia/Tokyo")]).await;
    let known = page().await;
    assert!(known.contains(&format!("value=\"{typed}\"")), "{known}");
    // Sent as it stands it is the same start.
    assert_eq!(
        send(&site, "reschedule-task", &[("id", id), ("start", typed.as_str()), ("offset", "")]).await,
        format!("/tasks/{id}?done=start")
    );
    let said = site.server.get(&format!("/tasks/{id}?done=start")).add_header("accept", "text/html").await.text();
    assert!(said.contains("The start time is changed"), "{said}");
    assert_eq!(task().await["triggerDate"], before["triggerDate"]);
}

/// It was told only once all other mistakes were mended.
async fn a_start_that_is_over_is_told_with_whatever_else_is_wrong() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let coach = site.caseload.accounts().actor_of_session(site.coach_id, 0, caseload::Via::command()).await;
    let selected = site.caseload.selections().select_matching(&coach.unwrap().unwrap(), PeopleFilter::default()).await;
    let sel = selected.unwrap().token.to_string();
    for (kind, field) in [("program-status", "programStatus"), ("email", "subject")] {
        let page = format!("/actions/new/{kind}?sel={sel}&start=2020-01-01T10%3A00&step=check");
        let page = site.server.get(&page).add_header("accept", "text/html").await.text();
        let said = [format!("href=\"#{field}\""), "href=\"#start\"".to_owned()];
        assert!(said.iter().all(|said| page.contains(said)), "{kind}: {page}");
        assert!(
            page.contains("id=\"start-problem\" class=\"problem\">Choose a start in the future."),
            "{kind}: {page}"
        );
    }
    let form = [("kind", "program-status"), ("sel", sel.as_str()), ("start", "2020-01-01T10:00")];
    let back = send(&site, "submit-action", &form).await;
    let refusal = back.split_once('?').and_then(|(_, query)| app::url::refusal(query)).unwrap();
    let fields: Vec<_> = refusal.0.errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["programStatus", "triggerDate"]);
}

async fn a_list_that_cannot_be_read_comes_back_with_the_name_of_its_file() {
    let site = Site::new().await;
    site.sign_in("manager").await;
    let upload = async |content: &str| {
        let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"spring.csv\"\r\n\r\n";
        let body = format!("{head}{content}\r\n--b--\r\n");
        let sent = site.server.post("/people/reassign").content_type("multipart/form-data; boundary=b");
        let back = location(&sent.bytes(body.into()).await);
        site.server.get(&back).add_header("accept", "text/html").await.text()
    };
    let page = upload(&"G1-1,\n".repeat(12)).await;
    let (named, at_field) = ("“<bdi>spring.csv", "The file has 12 lines that cannot be read.");
    assert!(page.contains(named) && page.contains(at_field), "{page}");
    assert_eq!(["Line 1: no coach.", "2 more lines are like these."].map(|said| page.matches(said).count()), [1, 1]);
    let page = upload("G1-1,mia\0\n").await;
    assert!(page.contains(named) && page.contains("is not plain text"), "{page}");
}

async fn scripts_keep_a_draft_and_are_told_how_it_looks() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let person = site.somebody().await;
    let keep = async |revision: &str| {
        let form =
            [("do", "save"), ("subject", "Four slots"), ("body", "Hello"), ("person", &person), ("revision", revision)];
        site.server.post("/api/page/actions/email").form(&form).add_header("accept", "application/json").await
    };
    let kept = keep("").await;
    kept.assert_status_ok();
    let kept: Value = kept.json();
    assert_eq!(kept["letter"]["subject"], "Four slots", "{kept}");
    assert!(["savedDate", "next", "revision"].iter().all(|key| kept[key].is_string()), "{kept}");
    assert!(kept["letter"]["html"].as_str().unwrap().contains("Hello"), "{kept}");
    // Another page has written since, and says something else.
    let other = [("do", "save"), ("subject", "Five slots"), ("revision", kept["revision"].as_str().unwrap())];
    assert_eq!(send(&site, "actions/email", &other).await, "/actions/new/email?done=save");
    let late = keep(kept["revision"].as_str().unwrap()).await;
    assert_eq!(late.status_code(), 409);
    assert!(late.json::<Value>()["detail"].as_str().unwrap().contains("another window"));
}

/// Whatever a token may do: a program must not outlive it.
async fn what_belongs_to_an_account_is_done_in_person() {
    let site = Site::new().await;
    let token = site.token("admin").await;
    let coach = site.coach_id.to_string();
    for accept in ["text/html", "application/json"] {
        for (path, form) in [
            ("/api/page/settings/preferences", &[("theme", "dark"), ("address", "")][..]),
            ("/api/page/admin/users/disable", &[("id", &coach), ("reason", "x")]),
            ("/settings/sessions/end", &[]),
        ] {
            let request = site.server.post(path).form(form).authorization_bearer(&token).add_header("accept", accept);
            let answer = request.await;
            assert_eq!(answer.status_code(), 403, "{path}");
            assert!(answer.text().contains("A token is not enough for this."), "{path}: {}", answer.text());
        }
    }
    site.server.get("/settings").authorization_bearer(&token).await.assert_status_ok();
}
