//! What is served under `/pkg`. Whether there is a bundle depends on what was built; that nothing else is served does not.

use crate::site::Site;

#[tokio::test]
async fn nothing_but_the_bundle_is_served() {
    let site = Site::new().await;
    for path in ["/pkg/", "/pkg/nothing.js", "/pkg/../Cargo.toml", "/pkg/%2e%2e/%2e%2e/Cargo.toml", "/pkg//etc/passwd"]
    {
        let answer = site.server.get(path).await;
        assert!([401, 404].contains(&answer.status_code().as_u16()), "{path} {}", answer.status_code());
    }
}
