//! Passkeys as browsers meet them: asked for where they are used, kept to the browser that asked, and offered nowhere else.

use std::time::Duration;

use axum_test::TestResponse;
use serde_json::{Value, json};
use testkit::{On, PasskeyDevice};

use crate::site::{PASSWORD, Site};

testkit::on_both!(
    a_passkey_signs_in_alone_and_after_the_password,
    whoever_must_have_a_second_factor_adds_a_passkey_at_the_door,
);

testkit::tests!(
    an_answer_is_for_the_browser_that_was_asked,
    a_session_left_open_changes_no_passkeys,
    a_refusal_says_what_is_wrong_and_loses_nothing,
    without_a_name_in_the_address_pages_say_so,
    what_asks_a_device_is_loaded_where_it_is_needed_alone,
);

const AT: &str = "http.public_url = 'http://localhost:3000'\n";
const ORIGIN: &str = "http://localhost:3000";
const HTML: &str = "text/html";

fn device() -> PasskeyDevice {
    PasskeyDevice::new(ORIGIN, "localhost")
}

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

/// What the device of this browser is asked.
async fn asked(site: &Site, path: &str) -> Value {
    let answer = site.server.post(&format!("{path}/question")).await;
    assert_eq!(answer.status_code(), 200, "{}", answer.text());
    answer.json()
}

async fn add(site: &Site, name: &str) -> PasskeyDevice {
    let mut device = device();
    let answer = device.create(&asked(site, "/settings/passkeys").await);
    let to = sent(site, "/settings/passkeys", &[("name", name), ("answer", &answer)]).await;
    assert!(to.starts_with("/settings"), "{to}");
    device
}

async fn is_in(site: &Site) -> bool {
    site.server.get("/api/1/me").await.status_code() == 200
}

async fn a_passkey_signs_in_alone_and_after_the_password(on: On) {
    let site = Site::on(on, AT).await;
    site.sign_in("coach").await;
    let mut phone = add(&site, "My <b>phone</b>").await;
    let codes = page(&site, "/settings/second-factor").await;
    assert!(codes.contains("Your recovery codes") && codes.contains("id=\"secret\""));
    let html = page(&site, "/settings").await;
    assert!(html.contains("My &lt;b&gt;phone&lt;/b&gt;") && html.contains("Signs in without a password"));
    site.server.post("/logout").await;

    let answer = phone.sign(&asked(&site, "/login/passkey").await);
    assert_eq!(
        sent(&site, "/login/passkey", &[("answer", &answer), ("next", "/tasks?limit=5")]).await,
        "/tasks?limit=5"
    );
    assert!(is_in(&site).await);
    // Its device has made sure of them, so that nothing more is asked for a while.
    assert!(!page(&site, "/settings/passkeys").await.contains("own_password"));
    site.server.post("/logout").await;
    assert_eq!(sent(&site, "/login/passkey", &[("answer", &answer)]).await, "/login?failed=passkey", "replayed");
    assert!(page(&site, "/login?failed=passkey").await.contains("That passkey could not be used"));

    let form = [("username", "coach"), ("password", PASSWORD), ("next", "/tasks")];
    assert_eq!(sent(&site, "/login", &form).await, "/login/code?next=%2Ftasks");
    let html = page(&site, "/login/code?next=%2Ftasks").await;
    assert!(html.contains("Use a passkey") && html.contains("Recovery code") && !html.contains("authenticator app"));
    assert_eq!(sent(&site, "/login/code/passkey", &[("answer", "{}")]).await, "/login/code?failed=passkey");
    let answer = phone.sign(&asked(&site, "/login/code/passkey").await);
    let form = [("answer", answer.as_str()), ("next", "/tasks"), ("remember", "yes")];
    assert_eq!(sent(&site, "/login/code/passkey", &form).await, "/tasks");
    assert!(is_in(&site).await);
    site.server.post("/logout").await;
    assert_eq!(sent(&site, "/login", &[("username", "coach"), ("password", PASSWORD)]).await, "/people", "remembered");

    // It goes, and with it what is asked.
    let id = page(&site, "/settings").await.split("name=\"passkey\" value=\"").nth(1).unwrap()[..36].to_owned();
    assert_eq!(sent(&site, "/settings/passkeys/remove", &[("passkey", &id)]).await, "/settings?done=passkey-removed");
    site.server.post("/logout").await;
    let answer = phone.sign(&asked(&site, "/login/passkey").await);
    assert_eq!(sent(&site, "/login/passkey", &[("answer", &answer)]).await, "/login?failed=passkey");
    assert_eq!(sent(&site, "/login", &[("username", "coach"), ("password", PASSWORD)]).await, "/people");
}

async fn whoever_must_have_a_second_factor_adds_a_passkey_at_the_door(on: On) {
    let site = Site::on(on, &format!("{AT}auth.second_factor = 'everybody'")).await;
    site.server.post("/login").form(&[("username", "coach"), ("password", PASSWORD)]).await;
    assert_eq!(site.server.get("/api/1/me").await.status_code(), 403);
    let html = page(&site, "/login?next=%2Ftasks").await;
    assert!(html.contains("/settings/passkeys") && html.contains("Add a passkey"));
    let mut phone = device();
    let answer = phone.create(&asked(&site, "/settings/passkeys").await);
    // A mistake leads back to the door.
    let back = sent(&site, "/settings/passkeys", &[("name", ""), ("answer", &answer), ("next", "/tasks")]).await;
    assert!(back.starts_with("/login?"), "{back}");
    let answer = phone.create(&asked(&site, "/settings/passkeys").await);
    let to = sent(&site, "/settings/passkeys", &[("name", "Phone"), ("answer", &answer), ("next", "/tasks")]).await;
    assert_eq!(to, "/settings/second-factor");
    assert!(page(&site, &to).await.contains("href=\"/tasks\""), "from the codes on to where they wanted");
    assert!(is_in(&site).await);
}

async fn an_answer_is_for_the_browser_that_was_asked() {
    let site = Site::with(AT).await;
    site.sign_in("coach").await;
    let mut phone = add(&site, "Phone").await;
    site.server.post("/logout").await;
    let mine = asked(&site, "/login/passkey").await;
    let answer = phone.sign(&mine);
    let elsewhere = site.server.post("/login/passkey").clear_cookies().do_not_save_cookies();
    assert_eq!(location(&elsewhere.form(&[("answer", &answer)]).await), "/login?failed=passkey");
    assert_eq!(sent(&site, "/login/passkey", &[("answer", &answer)]).await, "/people");
    // Nobody is asked for one of theirs who has not typed a password, nor for a new one who is not signed in.
    site.server.post("/logout").await;
    for path in ["/login/code/passkey/question", "/settings/passkeys/question"] {
        assert_eq!(site.server.post(path).await.status_code(), 401, "{path}");
    }
    assert_eq!(sent(&site, "/login/code/passkey", &[("answer", &answer)]).await, "/login?failed=late");
}

async fn a_session_left_open_changes_no_passkeys() {
    let site = Site::with(AT).await;
    site.sign_in("coach").await;
    add(&site, "Phone").await;
    site.test_db.clock.advance(Duration::from_secs(6 * 60));
    let mut other = device();
    let answer = other.create(&asked(&site, "/settings/passkeys").await);
    let back = sent(&site, "/settings/passkeys", &[("name", "Other"), ("answer", &answer)]).await;
    let html = page(&site, &back).await;
    assert!(html.contains("Enter your password") && html.contains("value=\"Other\""));
    let id = page(&site, "/settings").await.split("name=\"passkey\" value=\"").nth(1).unwrap()[..36].to_owned();
    let back = sent(&site, "/settings/passkeys/remove", &[("passkey", &id)]).await;
    assert!(!back.contains("done="), "{back}");
    let form = [("passkey", id.as_str()), ("own_password", PASSWORD)];
    assert_eq!(sent(&site, "/settings/passkeys/remove", &form).await, "/settings?done=passkey-removed");
}

async fn a_refusal_says_what_is_wrong_and_loses_nothing() {
    let site = Site::with(&format!("{AT}limits.passkeys = 1")).await;
    site.sign_in("coach").await;
    let back = sent(&site, "/settings/passkeys", &[("name", "Phone"), ("answer", "{}")]).await;
    let html = page(&site, &back).await;
    assert!(html.contains("The passkey was not added") && html.contains("value=\"Phone\""));
    add(&site, "Phone").await;
    let answer = site.server.post("/settings/passkeys/question").await;
    assert_eq!(answer.status_code(), 429);
    assert_eq!(answer.json::<Value>()["limit"], json!("limits.passkeys"));
}

async fn without_a_name_in_the_address_pages_say_so() {
    let site = Site::new().await;
    assert!(!page(&site, "/login").await.contains("passkey<"));
    assert_eq!(site.server.post("/login/passkey/question").await.status_code(), 409);
    site.sign_in("coach").await;
    for path in ["/settings", "/settings/passkeys"] {
        assert!(page(&site, path).await.contains("Passkeys cannot be used here"), "{path}");
    }
    assert!(!page(&site, "/settings/passkeys").await.contains("data-passkey"));
}

async fn what_asks_a_device_is_loaded_where_it_is_needed_alone() {
    let site = Site::with(AT).await;
    let html = page(&site, "/login").await;
    assert!(html.contains("passkey.js") && html.contains("Sign in with a passkey") && html.contains("needs scripts"));
    site.sign_in("coach").await;
    for (path, is_there) in [("/settings/passkeys", true), ("/settings", false), ("/people", false), ("/help", false)] {
        assert_eq!(page(&site, path).await.contains("passkey.js"), is_there, "{path}");
    }
}
