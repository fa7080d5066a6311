//! Below the table: how many are shown, the page size, and the way on.

use leptos::prelude::*;
use model::{Total, grouped};
use wasm_bindgen::JsCast;

use crate::{components::icon::Icon, url};

const SIZES: [u32; 4] = [25, 50, 100, 200];

/// The pager. Its page size belongs to the form of the filters.
#[component]
pub fn Pager(shown: usize, total: Total, next: Option<String>, search: Memo<String>) -> impl IntoView {
    let size = move || url::value(&search.get(), "limit").and_then(|limit| limit.parse().ok()).unwrap_or(SIZES[0]);
    let first = move || url::join("/people", &url::set(&search.get(), "after", None));
    let options = SIZES
        .map(|n| view! { <option value=n.to_string() selected=move || size() == n>{n}</option> })
        .into_iter()
        .collect_view();
    let submit = |event: web_sys::Event| {
        if let Some(form) = event_target::<web_sys::Element>(&event).closest("body").ok().flatten().and_then(|body| {
            body.query_selector("#filters").ok().flatten()
        }) {
            let _ = form.unchecked_into::<web_sys::HtmlFormElement>().request_submit();
        }
    };
    view! {
        <div class="pager">
            <div>{format!("{} of {}", grouped(shown as u64), total.label())}</div>
            <div>
                <label for="limit" class="meta">"Rows"</label>
                <span class="select">
                    <select id="limit" name="limit" form="filters" on:change=submit>{options}</select>
                    <Icon name="down"/>
                </span>
                <noscript inner_html="<button class=\"button\" form=\"filters\">Set</button>"></noscript>
                {move || url::value(&search.get(), "after").map(|_| view! { <a class="button" href=first>"First page"</a> })}
                {next.map(|next| view! {
                    <a class="button" href=move || url::join("/people", &url::set(&search.get(), "after", Some(&next)))>
                        "Next"
                    </a>
                })}
            </div>
        </div>
    }
    .into_any()
}
