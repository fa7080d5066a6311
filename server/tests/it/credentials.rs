//! Tokens, passwords and sessions as a browser or a program meets them.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, header},
};
use axum_test::TestResponse;
use caseload::NewPassword;
use model::account::TokenScope;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use server::{actor, router};

use crate::site::{PASSWORD, Site, request};

testkit::tests!(
    a_token_made_for_reading_or_submitting_opens_no_more_than_that,
    a_session_left_open_gives_nobody_a_way_in,
    whoever_was_given_a_password_chooses_their_own_before_anything_else,
    a_password_that_was_handed_over_works_once,
    a_new_token_or_password_is_kept_nowhere_and_shown_once,
    one_browser_is_signed_out_from_another,
    signing_out_clears_what_the_browser_has_kept,
    a_neighbouring_host_cannot_seal_words_of_its_own,
    over_tls_every_cookie_is_bound_to_the_host,
    a_username_that_was_refused_stands_in_no_address,
    a_username_that_was_refused_for_another_account_stands_in_no_address,
);

const OTHER: &str = "violet kettle seven moons";
/// Longer than a sign-in is proof.
const LATER: Duration = Duration::from_secs(6 * 60);

fn location(answer: &TestResponse) -> String {
    assert_eq!(answer.status_code(), 303, "{}", answer.text());
    answer.header("location").to_str().unwrap().to_owned()
}

async fn page(site: &Site, path: &str) -> String {
    let answer = site.server.get(path).add_header("accept", "text/html").await;
    assert_eq!(answer.status_code(), 200, "{path}");
    answer.text()
}

/// Everything that the database holds, as one text.
async fn kept(site: &Site) -> String {
    let db = &site.test_db.db;
    let tables = db.statement("SELECT name FROM sqlite_master WHERE type = 'table'", []);
    let mut all = String::new();
    for table in db.reader().query_all_raw(tables).await.unwrap() {
        let table: String = table.try_get("", "name").unwrap();
        let columns = db.statement(&format!("SELECT name FROM pragma_table_info('{table}')"), []);
        for column in db.reader().query_all_raw(columns).await.unwrap() {
            let column: String = column.try_get("", "name").unwrap();
            let texts = format!("SELECT CAST({column} AS text) AS kept FROM {table} WHERE {column} IS NOT NULL");
            for row in db.reader().query_all_raw(db.statement(&texts, [])).await.unwrap() {
                all.push_str(&row.try_get::<String>("", "kept").unwrap_or_default());
                all.push('\n');
            }
        }
    }
    all
}

async fn a_token_made_for_reading_or_submitting_opens_no_more_than_that() {
    let site = Site::with("queue.self_test = true").await;
    let scopes = [TokenScope::Read, TokenScope::Submit, TokenScope::Administer];
    let mut tokens = Vec::new();
    for scope in scopes {
        tokens.push((scope, site.token_for("admin", scope).await));
    }
    let (table, uploads) = (router::table(), router::uploads());
    let mut wrong = Vec::new();
    for (method, path) in table.routes().iter().chain(uploads.routes()) {
        // The directory has tokens of its own.
        if actor::is_open(method, path) || *path == "/events" || path.starts_with(actor::DOOR) {
            continue;
        }
        let administration = path.starts_with("/admin/") || path.starts_with("/api/1/admin/");
        let needed = match () {
            () if administration => TokenScope::Administer,
            () if method == Method::GET => TokenScope::Read,
            () => TokenScope::Submit,
        };
        let id = uuid::Uuid::from_u128(7).to_string();
        let uri = ["{id}", "{person}", "{kind}", "{name}"]
            .iter()
            .fold((*path).to_owned(), |uri, part| uri.replace(part, &id));
        for (scope, token) in &tokens {
            let asked = request(method.clone(), &uri, Some(token)).body(Body::empty()).unwrap();
            let answer = site.send(asked).await;
            let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
            let refused = serde_json::from_slice::<Value>(&body).is_ok_and(|problem| problem["code"] == "scope");
            wrong.extend((refused != (*scope < needed)).then(|| format!("{method} {path} with {scope}: {refused}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    // What only an administrator may do elsewhere is not for a token without administration either.
    let (person, task) = (site.somebody().await, site.finished_task().await);
    for (path, body) in [
        (format!("/api/1/people/{person}/erase"), json!({ "reason": "x" })),
        (format!("/api/1/tasks/{task}/abandon"), json!({ "reason": "x" })),
    ] {
        let answer = site.server.post(&path).authorization_bearer(&tokens[1].1).json(&body).await;
        assert_eq!(answer.status_code(), 403, "{path}");
    }
}

async fn a_session_left_open_gives_nobody_a_way_in() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let coach = format!("/admin/users/{}", site.coach_id);
    type Form<'a> = (String, &'a str, Vec<(&'a str, &'a str)>, &'a str);
    let forms: [Form; 4] = [
        (
            "/admin/users/add".to_owned(),
            "/admin/users/new",
            vec![("username", "eve"), ("name", "Eve Adams"), ("role", "manager"), ("reason", "Starts today")],
            "Eve Adams",
        ),
        (
            format!("{coach}/change"),
            &coach,
            vec![("role", "administrator"), ("watch", "yes"), ("reason", "Takes over")],
            "Takes over",
        ),
        (format!("{coach}/password"), &coach, vec![("reason", "Lost it")], "Lost it"),
        (
            "/settings/tokens".to_owned(),
            "/settings",
            vec![("name", "Nightly report"), ("scope", "read"), ("days", "30")],
            "Nightly report",
        ),
    ];
    assert!(
        !page(&site, "/admin/users/new").await.contains("Enter your password to confirm it is you"),
        "the sign-in was just now"
    );
    for (action, shown, fields, typed) in &forms {
        site.test_db.clock.advance(LATER);
        assert!(page(&site, shown).await.contains("Enter your password to confirm it is you"), "{shown}");
        for (password, says) in [("", "Enter your password."), ("wrong-guess-77", "That is not your password")] {
            let form: Vec<_> = fields.iter().copied().chain([("own_password", password)]).collect();
            let back = location(&site.server.post(action).form(&form).await);
            assert!(back.starts_with(&format!("{shown}?")) && !back.contains("wrong-guess"), "{back}");
            let html = page(&site, &back).await;
            assert!(html.contains(says), "{action}: {password}");
            assert!(html.contains(typed), "{action}: nothing that was typed is lost");
        }
        let form: Vec<_> = fields.iter().copied().chain([("own_password", PASSWORD)]).collect();
        let done = location(&site.server.post(action).form(&form).await);
        assert!(!done.contains("__err"), "{action}: {done}");
    }
    // An address is where a link to a new password goes.
    site.test_db.clock.advance(LATER);
    let back = location(&site.server.post("/settings/address").form(&[("token", "the-token")]).await);
    assert!(back.starts_with("/settings?verify=the-token&"), "{back}");
    assert!(page(&site, &back).await.contains("Enter your password."), "{back}");
    let form = [("token", "the-token"), ("own_password", PASSWORD)];
    let gone = location(&site.server.post("/settings/address").form(&form).await);
    assert!(page(&site, &gone).await.contains("This link no longer works"), "{gone}");
    // What was typed counts for a while.
    assert!(!page(&site, "/settings").await.contains("Enter your password to confirm it is you"));
    // Signing out elsewhere asks for none, and is no proof.
    site.test_db.clock.advance(LATER);
    location(&site.server.post("/settings/sessions/end").form(&[("x", "y")]).await);
    assert!(page(&site, "/settings").await.contains("Enter your password to confirm it is you"));
}

async fn whoever_was_given_a_password_chooses_their_own_before_anything_else() {
    let site = Site::new().await;
    let given = "made-by-somebody-else-12";
    site.caseload.by_command().set_password("coach", NewPassword::ForOnce(given.to_owned())).await.unwrap();
    let body = json!({ "username": "coach", "password": given });
    site.server.post("/api/1/session").json(&body).await.assert_status_no_content();
    // A program is told, for every route there is; a browser is led to where one is chosen.
    let id = uuid::Uuid::from_u128(7).to_string();
    for (method, path) in router::table().routes().iter().filter(|(method, path)| !actor::is_open(method, path)) {
        if ["/settings/password", "/api/1/session"].contains(path) || path.starts_with(actor::DOOR) {
            continue;
        }
        let uri = ["{id}", "{person}", "{kind}", "{name}"]
            .iter()
            .fold((*path).to_owned(), |uri, part| uri.replace(part, &id));
        let answer = site.server.method(method.clone(), &uri).await;
        assert_eq!(answer.status_code(), 403, "{method} {path}");
        assert_eq!(answer.json::<Value>()["code"], "password_change_required", "{method} {path}");
    }
    let away = site.server.get("/tasks?limit=5").add_header("accept", "text/html").await;
    assert_eq!(location(&away), "/login?next=%2Ftasks%3Flimit%3D5");
    assert!(page(&site, "/login?next=%2Ftasks%3Flimit%3D5").await.contains("Choose a password"));

    let choose = async |password: &str| {
        let form = [("current", given), ("password", password), ("next", "/tasks?limit=5")];
        location(&site.server.post("/settings/password").form(&form).await)
    };
    for weak in ["short", "password123", "test-coach", given] {
        let back = choose(weak).await;
        assert!(back.starts_with("/login?") && back.contains("__err"), "{weak}: {back}");
        assert!(page(&site, &back).await.contains("Choose a password"));
    }
    assert_eq!(choose(OTHER).await, "/tasks?limit=5");
    site.server.get("/api/1/me").await.assert_status_ok();
    // The one that was handed over opens nothing any more.
    site.server.post("/api/1/session").clear_cookies().json(&body).await.assert_status_unauthorized();
}

async fn a_password_that_was_handed_over_works_once() {
    let site = Site::new().await;
    let given = "made-by-somebody-else-12";
    site.caseload.by_command().set_password("coach", NewPassword::ForOnce(given.to_owned())).await.unwrap();
    let sign_in = async || {
        let form = [("username", "coach"), ("password", given)];
        location(&site.server.post("/login").form(&form).await)
    };
    assert_eq!(sign_in().await, "/people");
    assert_eq!(sign_in().await, "/login?failed=spent");
}

async fn a_new_token_or_password_is_kept_nowhere_and_shown_once() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let shown = async |page_of: &str| {
        let html = page(&site, page_of).await;
        let shown = html.split("<code id=\"secret\">").nth(1).and_then(|rest| rest.split("</code>").next());
        // Pages end each text with a mark.
        shown.map(|shown| shown.trim_end_matches("<!>").to_owned())
    };
    let form = [("name", "robot"), ("scope", "read"), ("days", "30")];
    assert_eq!(location(&site.server.post("/settings/tokens").form(&form).await), "/settings");
    let before = kept(&site).await;
    let token = shown("/settings").await.expect("the page shows it");
    assert!(token.starts_with("docket_") && !token.contains(['<', '&']), "{token}");
    assert!(!before.contains(&token) && before.contains("session_version"));
    assert_eq!(shown("/settings").await, None, "once");
    site.server.get("/api/1/me").authorization_bearer(&token).await.assert_status_ok();

    let account = format!("/admin/users/{}", site.coach_id);
    let form = [("reason", "Lost it")];
    assert_eq!(location(&site.server.post(&format!("{account}/password")).form(&form).await), account);
    let before = kept(&site).await;
    // Another page on the way does not take it.
    page(&site, "/settings").await;
    let password = shown(&account).await.expect("the page shows it");
    assert!(password.len() == 24 && !before.contains(&password));
    assert_eq!(shown(&account).await, None, "once");
    let body = json!({ "username": "coach", "password": password });
    site.server.post("/api/1/session").clear_cookies().json(&body).await.assert_status_no_content();
}

async fn one_browser_is_signed_out_from_another() {
    let site = Site::new().await;
    let body = json!({ "username": "coach", "password": PASSWORD });
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let there =
        site.server.post("/api/1/session").do_not_save_cookies().add_header("user-agent", agent).json(&body).await;
    let there = there.cookie("docket");
    let others = site
        .server
        .post("/api/1/session")
        .do_not_save_cookies()
        .json(&json!({ "username": "manager", "password": PASSWORD }));
    let others = others.await.cookie("docket");
    site.sign_in("coach").await;
    let alive = async |cookie: &tower_sessions::cookie::Cookie<'static>| {
        let asked = site.server.get("/api/1/me").do_not_save_cookies().clear_cookies().add_cookie(cookie.clone());
        asked.await.status_code() == 200
    };
    let html = page(&site, "/settings").await;
    assert!(html.contains("Firefox on Linux"));
    let ids: Vec<_> = html.split("/settings/sessions/").skip(1).filter_map(|rest| rest.split("/end").next()).collect();
    let ids: Vec<_> = ids.into_iter().filter(|id| !id.is_empty() && id.len() < 60).collect();
    assert!(ids.iter().all(|id| id == &ids[0]), "one other session has a button: {ids:?}");
    assert!(alive(&there).await && alive(&others).await);
    // Nobody ends those of others.
    let db = &site.test_db.db;
    let sql = "SELECT s.id FROM session s JOIN account a ON a.person_id = s.person_id AND a.username = 'manager'";
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
    let foreign: String = row.try_get("", "id").unwrap();
    assert!(location(&site.server.post(&format!("/settings/sessions/{foreign}/end")).await).contains("__err"));
    assert!(alive(&others).await);
    assert_eq!(
        location(&site.server.post(&format!("/settings/sessions/{}/end", ids[0])).await),
        "/settings?done=session"
    );
    assert!(!alive(&there).await && alive(&others).await);
    site.server.get("/api/1/me").await.assert_status_ok();
}

async fn signing_out_clears_what_the_browser_has_kept() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let answer = site.server.post("/logout").await;
    assert_eq!(answer.header("clear-site-data").to_str().unwrap(), r#""cache", "storage""#);
    site.sign_in("coach").await;
    let answer = site.server.delete("/api/1/session").await;
    assert_eq!(answer.header("clear-site-data").to_str().unwrap(), r#""cache", "storage""#);
}

async fn a_neighbouring_host_cannot_seal_words_of_its_own() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use sha2::{Digest, Sha256};
    let site = Site::new().await;
    site.sign_in("coach").await;
    let words =
        URL_SAFE_NO_PAD.encode(r#"{"type":"x","title":"Your account is locked","status":400,"detail":"Call 555"}"#);
    let hash: String = Sha256::digest(words.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let asked = site.server.get(&format!("/people?__err={words}"));
    let planted = tower_sessions::cookie::Cookie::new("docket-refused", hash);
    let answer = asked.add_cookie(planted).add_header("accept", "text/html").await;
    assert_eq!(location(&answer), "/people", "whoever knows the words knows their hash");
}

async fn over_tls_every_cookie_is_bound_to_the_host() {
    let site = Site::with("http = { public_url = 'https://docket.example.edu' }").await;
    let form = [("username", "coach"), ("password", "wrong")];
    let failed = site.server.post("/login").form(&form).await;
    let body = json!({ "username": "coach", "password": PASSWORD });
    let session = site.server.post("/api/1/session").json(&body).await.cookie("__Host-docket");
    let wrong = [("current", "wrong"), ("password", "x"), ("next", "")];
    let refused = site.server.post("/settings/password").add_cookie(session).form(&wrong).await;
    let set = |answer: &TestResponse| {
        answer.iter_headers_by_name(header::SET_COOKIE).map(|set| set.to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = [set(&failed), set(&refused)].concat();
    assert!(all.iter().any(|set| set.starts_with("__Host-docket-refused=")), "{all:?}");
    assert!(all.iter().any(|set| set.starts_with("__Host-docket-parcel=")), "{all:?}");
    for set in &all {
        assert!(set.starts_with("__Host-") && set.contains("; Secure") && set.contains("HttpOnly"), "{set}");
    }
}

async fn a_username_that_was_refused_stands_in_no_address() {
    let site = Site::new().await;
    let typed = "my-password-in-the-wrong-field";
    let form = [("username", typed), ("password", "wrong"), ("next", "/tasks")];
    let answer = site.server.post("/login").form(&form).await;
    assert_eq!(location(&answer), "/login?failed=credentials&next=%2Ftasks");
    let cookie = answer.header("set-cookie");
    assert!(!cookie.to_str().unwrap().contains(typed));
    let back = page(&site, "/login?failed=credentials&next=%2Ftasks").await;
    assert!(back.contains(&format!("value=\"{typed}\"")), "it is still in its field");
    assert!(!page(&site, "/login").await.contains(typed), "and not for whoever comes next");
}

async fn a_username_that_was_refused_for_another_account_stands_in_no_address() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let form = [("username", "ines two"), ("name", "Ann Smith"), ("role", "coach"), ("reason", "new here")];
    let address = location(&site.server.post("/admin/users/add").form(&form).await);
    let refusal = app::url::refusal(address.split_once('?').unwrap().1).unwrap();
    assert_eq!((refusal.given("username"), refusal.given("name").as_deref()), (None, Some("Ann Smith")));
    assert!(!refusal.0.detail.contains("ines"), "{}", refusal.0.detail);
    let back = page(&site, &address).await;
    assert!(back.contains("value=\"ines two\"") && back.contains("value=\"Ann Smith\""), "{back}");
}
