//! The browser's side of Docket: brings the islands to life that stand in the pages of the server. `page.js` loads it.

use std::time::Duration;

use app::{
    components::{frame::keys, values::time},
    live::Live,
};
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// How often moments are written anew, which say how long ago they were.
const TICK: Duration = Duration::from_secs(30);

/// Begins what is there beside the islands, which are brought to life by their names.
#[wasm_bindgen]
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::server_fn::client::set_server_url(app::url::base().leak());
    leptos::mount::hydrate_islands();
    keys::look_after();
    arrive();
    Live::of_page().follow();
    set_interval(localize, TICK);
}

/// Markup has come: the page may follow something else by now, and has moments that are not written in the reader's own time.
#[wasm_bindgen]
pub fn arrive() {
    Live::of_page().arrive();
    localize();
}

fn localize() {
    if let Some(body) = document().body() {
        time::localize(&body);
    }
}

/// So many rows are chosen, and stay as they are.
#[wasm_bindgen]
pub fn hold(chosen: u32) {
    Live::of_page().held.set(chosen.into());
}
