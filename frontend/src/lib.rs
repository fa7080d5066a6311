//! The browser's side of Docket: takes over the page that the server rendered. Beside it lies
//! `served.js`, for pages that the browser does not take over.

/// Attaches the application to the server-rendered page.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::server_fn::client::set_server_url(app::url::base().leak());
    leptos::mount::hydrate_body(app::App);
}
