//! What is served under `/pkg`. Whether there is a bundle depends on what was built; that nothing else is served does not.

use std::{collections::BTreeSet, fs, path::Path};

use server::assets::NEEDED;

use crate::site::Site;

testkit::tests!(nothing_but_the_bundle_is_served, pages_load_what_the_bundle_has_and_nothing_else);

async fn nothing_but_the_bundle_is_served() {
    let site = Site::new().await;
    for path in ["/pkg/", "/pkg/nothing.js", "/pkg/../Cargo.toml", "/pkg/%2e%2e/%2e%2e/Cargo.toml", "/pkg//etc/passwd"]
    {
        let answer = site.server.get(path).await;
        assert!([401, 404].contains(&answer.status_code().as_u16()), "{path} {}", answer.status_code());
    }
}

async fn pages_load_what_the_bundle_has_and_nothing_else() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let mut loaded = BTreeSet::new();
    for path in ["/login", "/people", "/tasks", "/admin", "/settings"] {
        let html = site.server.get(path).add_header("accept", "text/html").await.text();
        let names =
            html.split("/pkg/").skip(1).map(|rest| rest.split(['"', '\'', '`', '?']).next().unwrap().to_owned());
        loaded.extend(names);
    }
    // And what their script brings in.
    let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/page.js")).unwrap();
    loaded.extend(script.split("\"./").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
    assert_eq!(loaded, NEEDED.iter().map(|name| (*name).to_owned()).collect());
}
