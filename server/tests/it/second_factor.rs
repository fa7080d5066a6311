//! A code beside the password, as browsers and programs meet it: where it is asked for, what opens before it, and what whoever must have
//! one and has none can do until then.

use std::time::Duration;

use axum::http::Method;
use axum_test::TestResponse;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use server::{actor, pages, router};
use testkit::On;
use totp_rs::{Builder, Secret};

use crate::site::{PASSWORD, Site, cookie, session_set};

testkit::on_both!(
    a_sign_in_that_waits_for_its_code_opens_nothing,
    who_is_asked_for_a_code_goes_on_to_where_they_wanted,
    whoever_must_have_a_second_factor_and_has_none_reaches_nothing_else,
);

testkit::tests!(
    a_session_that_was_taken_while_it_waited_is_worth_nothing_afterwards,
    a_key_that_somebody_was_shown_is_not_offered_to_whoever_signs_in_after_them,
    whom_a_provider_has_let_in_is_asked_for_no_code_and_sets_nothing_up,
    whoever_says_so_is_asked_for_no_code_in_that_browser,
    a_program_sends_the_code_with_the_password,
    a_sign_in_waits_in_the_browser_where_the_password_was_typed,
    a_token_is_asked_for_no_code,
    a_session_left_open_changes_no_second_factor,
    the_key_and_the_codes_are_shown_once_and_are_kept_so_that_nobody_can_read_them,
    an_administrator_resets_what_somebody_has_lost,
);

const HTML: &str = "text/html";
/// Longer than a sign-in is proof.
const LATER: Duration = Duration::from_secs(6 * 60);

fn location(answer: &TestResponse) -> String {
    assert_eq!(answer.status_code(), 303, "{}", answer.text());
    answer.header("location").to_str().unwrap().to_owned()
}

async fn page(site: &Site, path: &str) -> String {
    let answer = site.server.get(path).add_header("accept", HTML).await;
    assert_eq!(answer.status_code(), 200, "{path}");
    answer.text()
}

async fn sent(site: &Site, path: &str, form: &[(&str, &str)]) -> String {
    location(&site.server.post(path).form(&form).await)
}

/// What an app with this key shows now.
async fn shown(site: &Site, key: &str) -> String {
    let now = site.test_db.db.now().await.unwrap().timestamp();
    let secret = Secret::try_from_base32(key.replace(' ', "")).expect(key);
    Builder::new().with_secret(secret).build().unwrap().generate(now.unsigned_abs()).to_string()
}

/// The key or codes that a page shows.
fn secret(html: &str) -> String {
    let shown = html.split("id=\"secret\"").nth(1).and_then(|rest| rest.split_once('>')).expect("something is shown").1;
    let shown = shown.split("</").next().unwrap_or_default();
    // Pages end each text with a mark.
    shown.trim_end_matches("<!>").to_owned()
}

/// Has whoever is signed in set up an app; its key and the recovery codes. Afterwards its next code counts.
async fn set_up(site: &Site) -> (String, Vec<String>) {
    let key = secret(&page(site, "/settings/second-factor").await);
    let code = shown(site, &key).await;
    assert_eq!(sent(site, "/settings/second-factor", &[("code", &code)]).await, "/settings/second-factor");
    let codes = secret(&page(site, "/settings/second-factor").await);
    site.test_db.clock.advance(Duration::from_secs(30));
    (key, codes.lines().map(str::to_owned).collect())
}

/// A site whose coach has an app; nobody is signed in.
async fn with_app(site: &Site) -> (String, Vec<String>) {
    site.sign_in("coach").await;
    let set_up = set_up(site).await;
    site.server.post("/logout").await;
    set_up
}

async fn type_password(site: &Site, next: &str) -> String {
    sent(site, "/login", &[("username", "coach"), ("password", PASSWORD), ("next", next)]).await
}

async fn is_in(site: &Site) -> bool {
    site.server.get("/api/1/me").await.status_code() == 200
}

/// What is closed to strangers: every route, page and server function.
fn closed() -> Vec<(Method, String)> {
    let id = uuid::Uuid::from_u128(7).to_string();
    let (table, uploads) = (router::table(), router::uploads());
    let routes =
        table.routes().iter().chain(uploads.routes()).map(|(method, path)| (method.clone(), (*path).to_owned()));
    let pages = app::server::routes::PAGES.iter().map(|page| (Method::GET, page.address.to_owned()));
    let functions = pages::server_functions().into_iter().map(|(path, method)| (method, path.to_owned()));
    let named = |path: String| {
        ["{id}", "{person}", "{kind}", "{name}", "{topic}", "{provider}"]
            .iter()
            .fold(path, |path, part| path.replace(part, &id))
    };
    let all = routes.chain(pages).chain(functions).map(|(method, path)| (method, named(path)));
    all.filter(|(method, path)| !actor::is_open(method, path)).collect()
}

async fn a_sign_in_that_waits_for_its_code_opens_nothing(on: On) {
    let site = Site::on(on, "").await;
    let (key, _) = with_app(&site).await;
    assert_eq!(type_password(&site, "").await, "/login/code");
    let mut opened = Vec::new();
    for (method, path) in closed() {
        let answer = site.server.method(method.clone(), &path).await;
        opened.extend((answer.status_code() != 401).then(|| format!("{method} {path}: {}", answer.status_code())));
    }
    assert_eq!(opened, Vec::<String>::new());
    let away = site.server.get("/people").add_header("accept", HTML).await;
    assert!(location(&away).starts_with("/login?"), "a browser is led to sign in");
    assert_eq!(sent(&site, "/login/code", &[("code", &shown(&site, &key).await)]).await, "/people");
    assert!(is_in(&site).await);
}

async fn who_is_asked_for_a_code_goes_on_to_where_they_wanted(on: On) {
    let site = Site::on(on, "").await;
    let (key, codes) = with_app(&site).await;
    let asked = type_password(&site, "/tasks?limit=5").await;
    assert_eq!(asked, "/login/code?next=%2Ftasks%3Flimit%3D5");
    let html = page(&site, &asked).await;
    assert!(html.contains("Signing in as coach") && html.contains("/tasks?limit=5"));
    // A mistake loses nothing.
    let back = sent(&site, "/login/code", &[("code", "12 34"), ("next", "/tasks?limit=5")]).await;
    assert_eq!(back, "/login/code?failed=wrong&next=%2Ftasks%3Flimit%3D5");
    let html = page(&site, &back).await;
    assert!(html.contains("That code is not right") && html.contains("value=\"12 34\"") && !back.contains("12"));
    let code = shown(&site, &key).await;
    assert_eq!(sent(&site, "/login/code", &[("code", &code), ("next", "/tasks?limit=5")]).await, "/tasks?limit=5");
    assert!(is_in(&site).await);
    site.server.post("/logout").await;
    // The same code again is said to be used; a recovery code does instead.
    let asked = type_password(&site, "https://elsewhere.example").await;
    assert_eq!(asked, "/login/code");
    assert_eq!(sent(&site, "/login/code", &[("code", &code)]).await, "/login/code?failed=used");
    let by_recovery = page(&site, "/login/code?with=recovery").await;
    assert!(by_recovery.contains("Recovery code") && by_recovery.contains("name=\"with\""));
    assert_eq!(
        sent(&site, "/login/code", &[("code", "aaaa-aaaa"), ("with", "recovery")]).await,
        "/login/code?failed=wrong&with=recovery"
    );
    assert_eq!(sent(&site, "/login/code", &[("code", &codes[0]), ("with", "recovery")]).await, "/people");
    // Who is in is asked no more, and cannot come in a second time by what was asked.
    assert!(page(&site, "/login/code").await.contains("Sign in again"));
    assert_eq!(sent(&site, "/login/code", &[("code", &codes[1])]).await, "/login?failed=late");
}

async fn a_sign_in_waits_in_the_browser_where_the_password_was_typed() {
    let site = Site::new().await;
    let (key, _) = with_app(&site).await;
    assert!(page(&site, "/login/code").await.contains("Sign in again"), "nobody has typed a password");
    type_password(&site, "").await;
    let code = shown(&site, &key).await;
    let other = site.server.post("/login/code").clear_cookies().do_not_save_cookies().form(&[("code", &code)]).await;
    assert_eq!(location(&other), "/login?failed=late");
    site.test_db.clock.advance(Duration::from_secs(300));
    let code = shown(&site, &key).await;
    assert_eq!(sent(&site, "/login/code", &[("code", &code)]).await, "/login?failed=late");
    assert!(page(&site, "/login?failed=late").await.contains("Sign in again"));
    // Whoever types the password of another account is nobody until their code is there.
    site.sign_in("manager").await;
    type_password(&site, "").await;
    assert!(!is_in(&site).await);
    // Leaving forgets it.
    site.server.post("/logout").await;
    assert_eq!(sent(&site, "/login/code", &[("code", &code)]).await, "/login?failed=late");
}

/// What the browser of the test sends as its session.
fn session_of(answer: &TestResponse) -> String {
    cookie(&session_set(answer.headers()))
}

async fn a_session_that_was_taken_while_it_waited_is_worth_nothing_afterwards() {
    let site = Site::new().await;
    let planted =
        session_of(&site.server.post("/login").form(&[("username", "manager"), ("password", PASSWORD)]).await);
    let (key, codes) = with_app(&site).await;
    let form = [("username", "coach"), ("password", PASSWORD)];
    let waiting = session_of(&site.server.post("/login").form(&form).await);
    assert_ne!(waiting, planted);
    let as_taken = async |code: &str| {
        let sent = site.server.post("/login/code").clear_cookies().do_not_save_cookies();
        location(&sent.add_header("cookie", &waiting).form(&[("code", code)]).await)
    };
    assert_eq!(as_taken("000000").await, "/login/code?failed=wrong", "it takes a code as well");
    let opened = session_of(&site.server.post("/login/code").form(&[("code", &shown(&site, &key).await)]).await);
    assert_ne!(opened, waiting, "another one begins with the code");
    let me = async |cookie: &str| {
        let asked = site.server.get("/api/1/me").clear_cookies().do_not_save_cookies();
        asked.add_header("cookie", cookie).await.status_code().as_u16()
    };
    assert_eq!([me(&opened).await, me(&waiting).await, me(&planted).await], [200, 401, 401]);
    assert_eq!(as_taken(&codes[0]).await, "/login?failed=late", "nor does another code open it");
}

async fn a_key_that_somebody_was_shown_is_not_offered_to_whoever_signs_in_after_them() {
    let site = Site::new().await;
    site.sign_in("manager").await;
    let seen = secret(&page(&site, "/settings/second-factor").await);
    site.sign_in("coach").await;
    let code = shown(&site, &seen).await;
    assert!(sent(&site, "/settings/second-factor", &[("code", &code)]).await.contains("__err"));
    let offered = secret(&page(&site, "/settings/second-factor").await);
    assert_ne!(offered, seen);
}

/// What a provider asks for it says itself (`acr`); the password of the same account is asked for a code.
async fn whom_a_provider_has_let_in_is_asked_for_no_code_and_sets_nothing_up() {
    let site = Site::with("auth.second_factor = \"everybody\"").await;
    site.sign_in("coach").await;
    assert_eq!(site.server.get("/api/1/me").await.status_code(), 403);
    let opened_by = json!({
        "provider": "north", "issuer": "https://north.example", "subject": "s-1", "provider_session": null, "refresh": null,
        "vouched_until": "2100-01-01T00:00:00Z",
    });
    let opens = "UPDATE session SET data = json_set(data, '$.opened_by', json($1)) WHERE person_id IS NOT NULL";
    site.test_db.db.write(opens, [opened_by.to_string().into()]).await.unwrap();
    assert!(is_in(&site).await);
    assert_eq!(type_password(&site, "").await, "/people");
    assert_eq!(site.server.get("/api/1/me").await.status_code(), 403, "a password is asked for it all the same");
}

async fn whoever_says_so_is_asked_for_no_code_in_that_browser() {
    let site = Site::new().await;
    let (key, _) = with_app(&site).await;
    assert_eq!(type_password(&site, "").await, "/login/code");
    let code = shown(&site, &key).await;
    assert_eq!(sent(&site, "/login/code", &[("code", &code), ("remember", "yes")]).await, "/people");
    site.server.post("/logout").await;
    assert_eq!(type_password(&site, "").await, "/people");
    // Elsewhere they are asked.
    let form = [("username", "coach"), ("password", PASSWORD)];
    let other = site.server.post("/login").clear_cookies().do_not_save_cookies().form(&form).await;
    assert_eq!(location(&other), "/login/code");
    assert_eq!(sent(&site, "/settings/sessions/end", &[("x", "y")]).await, "/settings?done=sessions");
    site.server.post("/logout").await;
    assert_eq!(type_password(&site, "").await, "/login/code");
}

async fn a_program_sends_the_code_with_the_password() {
    let site = Site::new().await;
    let (key, codes) = with_app(&site).await;
    let send = async |code: Option<&str>| {
        let mut body = json!({ "username": "coach", "password": PASSWORD });
        if let Some(code) = code {
            body["code"] = json!(code);
        }
        let answer = site.server.post("/api/1/session").clear_cookies().json(&body).await;
        match answer.status_code().as_u16() {
            204 => "in".to_owned(),
            status => format!("{status} {}", answer.json::<Value>()["code"].as_str().unwrap()),
        }
    };
    assert_eq!(send(None).await, "401 second_factor_required");
    assert!(!is_in(&site).await);
    assert_eq!(send(Some("000000")).await, "401 code_wrong");
    let code = shown(&site, &key).await;
    assert_eq!(send(Some(&code)).await, "in");
    assert!(is_in(&site).await);
    assert_eq!(send(Some(&code)).await, "401 code_used");
    assert_eq!(send(Some(&codes[0])).await, "in");
}

async fn a_token_is_asked_for_no_code() {
    let site = Site::with("auth.second_factor = \"everybody\"").await;
    let token = site.token("coach").await;
    site.server.get("/api/1/me").authorization_bearer(&token).await.assert_status_ok();
    // And no key is drawn for a program.
    let html = site.server.get("/settings/second-factor").authorization_bearer(&token).add_header("accept", HTML).await;
    assert!(html.text().contains("There is no key right now"));
}

async fn whoever_must_have_a_second_factor_and_has_none_reaches_nothing_else(on: On) {
    let site = Site::on(on, "auth.second_factor = \"administrators\"").await;
    site.sign_in("coach").await;
    assert!(is_in(&site).await, "it is not for coaches");
    site.sign_in("admin").await;
    for (method, path) in closed() {
        let deeds = ["/settings/second-factor", "/settings/passkeys", "/settings/passkeys/question"];
        let is_deed = deeds.contains(&path.as_str()) && method == Method::POST;
        if is_deed || path == "/api/1/session" || path.starts_with(actor::DOOR) {
            continue;
        }
        let answer = site.server.method(method.clone(), &path).await;
        assert_eq!(answer.status_code(), 403, "{method} {path}");
        assert_eq!(answer.json::<Value>()["code"], "second_factor_missing", "{method} {path}");
    }
    let away = site.server.get("/admin/users?x=y").add_header("accept", HTML).await;
    assert_eq!(location(&away), "/login?next=%2Fadmin%2Fusers%3Fx%3Dy");
    let next = [("next", "/admin/users?x=y")];
    let html = page(&site, &location(&away)).await;
    assert!(html.contains("Your role needs a second factor") && html.contains("Sign out"));
    let key = secret(&html);
    let back = sent(&site, "/settings/second-factor", &[("code", "123"), next[0]]).await;
    assert!(back.starts_with("/login?next=") && back.contains("__err"), "{back}");
    let html = page(&site, &back).await;
    assert!(html.contains("Enter the six digits") && html.contains("value=\"123\""));
    assert_eq!(secret(&html), key, "the key in the app is still the one that counts");
    let code = shown(&site, &key).await;
    let done = sent(&site, "/settings/second-factor", &[("code", &code), next[0]]).await;
    assert_eq!(done, "/settings/second-factor");
    // What the address says leads nowhere: it may be from somebody else.
    let html = page(&site, &format!("{done}?next=https://elsewhere.example")).await;
    assert!(!html.contains("elsewhere.example"));
    assert_eq!(secret(&html).lines().count(), 8);
    assert!(html.contains("href=\"/admin/users?x=y\""), "and on to where they wanted");
    assert!(is_in(&site).await);
    let settings = page(&site, "/settings").await;
    assert!(settings.contains("the last one cannot be removed") && !settings.contains("Remove the app"));
    assert_eq!(site.server.post("/settings/second-factor/remove").form(&[("x", "y")]).await.status_code(), 303);
    assert!(page(&site, "/settings").await.contains("Recovery codes: 8 of 8 left"), "it is still there");
}

/// How many fields of a page say this of what was entered.
fn fields_that_say(html: &str, says: &str) -> usize {
    let problems = html.split("class=\"problem\"").skip(1).filter_map(|rest| rest.split("</span>").next());
    problems.filter(|problem| problem.contains(says)).count()
}

async fn a_session_left_open_changes_no_second_factor() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let (_, codes) = set_up(&site).await;
    site.test_db.clock.advance(LATER);
    let settings = page(&site, "/settings").await;
    assert!(settings.contains("Recovery codes: 8 of 8 left") && settings.contains("Remove the app"));
    let key = secret(&page(&site, "/settings/second-factor").await);
    for path in ["/settings/second-factor", "/settings/second-factor/codes", "/settings/second-factor/remove"] {
        for (password, says) in [("", "Enter your password."), ("wrong-guess-77", "That is not your password")] {
            let code = shown(&site, &key).await;
            let back = sent(&site, path, &[("code", &code), ("own_password", password)]).await;
            assert!(back.contains("__err") && !back.contains("wrong-guess"), "{back}");
            let html = page(&site, &back).await;
            assert_eq!(fields_that_say(&html, says), 1, "{path}: it is said in the form that was sent");
        }
    }
    let own = ("own_password", PASSWORD);
    assert_eq!(sent(&site, "/settings/second-factor/codes", &[own]).await, "/settings/second-factor");
    let fresh = secret(&page(&site, "/settings/second-factor").await);
    assert!(fresh.lines().count() == 8 && !fresh.contains(&codes[0]));
    assert_eq!(sent(&site, "/settings/second-factor/remove", &[own]).await, "/settings?done=app-removed");
    assert!(page(&site, "/settings").await.contains("Set up an authenticator app"));
    assert!(is_in(&site).await, "this session goes on");
    site.server.post("/logout").await;
    assert_eq!(type_password(&site, "").await, "/people", "no code is asked any more");
}

/// Everything that the tables of the second factor and of sessions hold, as one text.
async fn kept(site: &Site) -> String {
    let db = &site.test_db.db;
    let all = "SELECT data AS kept FROM session UNION ALL SELECT sealed_key FROM authenticator_app
               UNION ALL SELECT code_hash FROM recovery_code UNION ALL SELECT detail FROM audit";
    let rows = db.reader().query_all_raw(db.statement(all, [])).await.unwrap();
    rows.iter().map(|row| row.try_get::<String>("", "kept").unwrap()).collect()
}

async fn the_key_and_the_codes_are_shown_once_and_are_kept_so_that_nobody_can_read_them() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let html = page(&site, "/settings/second-factor").await;
    let key = secret(&html);
    assert!(html.contains("<svg") && html.contains("h1v1h-1z"), "a phone reads it from the page");
    assert_eq!(
        secret(&page(&site, "/settings/second-factor").await),
        key,
        "a page that is loaded again shows the same"
    );
    let typed = key.replace(' ', "");
    assert!(!kept(&site).await.contains(&typed));
    let (_, codes) = set_up(&site).await;
    let kept = kept(&site).await;
    assert!(!kept.contains(&typed) && kept.contains("argon2"));
    assert!(codes.iter().all(|code| !kept.contains(code) && !kept.contains(&code.replace('-', ""))));
    let html = page(&site, "/settings/second-factor").await;
    assert!(html.contains("Replace your authenticator app") && !html.contains(&codes[0]), "once");
    assert_ne!(secret(&html), key);
}

async fn an_administrator_resets_what_somebody_has_lost() {
    let site = Site::new().await;
    with_app(&site).await;
    site.sign_in("admin").await;
    let account = format!("/admin/users/{}", site.coach_id);
    let reset = format!("{account}/second-factor");
    assert!(page(&site, &account).await.contains("Recovery codes left: 8"));
    site.test_db.clock.advance(LATER);
    let back = sent(&site, &reset, &[("reason", "Lost the phone")]).await;
    let html = page(&site, &back).await;
    assert!(back.starts_with(&account) && html.contains("value=\"Lost the phone\""));
    assert_eq!(fields_that_say(&html, "Enter your password."), 1, "in the form that was sent");
    let form = [("reason", "Lost the phone"), ("own_password", PASSWORD)];
    assert_eq!(sent(&site, &reset, &form).await, format!("{account}?done=factor-reset"));
    let html = page(&site, &format!("{account}?done=factor-reset")).await;
    assert!(html.contains("The second factor is reset") && !html.contains("Recovery codes left"));
    assert!(html.contains("reset a second factor"), "the trail says so");
    site.server.post("/logout").await;
    assert_eq!(type_password(&site, "").await, "/people");
    // Nobody else may.
    site.sign_in("manager").await;
    assert_eq!(site.server.post(&reset).form(&form).await.status_code(), 403);
}
