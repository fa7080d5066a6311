//! Recovery codes, as they are shown once.

use leptos::prelude::*;

use crate::components::{icon::Icon, type_erasure::Erase, values::secret::secret};

/// The page; `next`: where somebody was going.
pub fn codes(codes: &[String], next: Option<String>) -> AnyView {
    let next = next.unwrap_or_else(|| "/settings".to_owned());
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/settings">"Settings"</a></li></ol>
                <h1>"Your recovery codes"</h1>
            </div>
        </header>
        <div class="notice ok measure" role="status">
            <Icon name="key"/>
            <div>
                <strong>"Keep them where you find them without your phone"</strong>
                <p>"Each signs you in once, after your password, in place of the app. They are shown this once."</p>
                {secret(codes.join("\n"))}
            </div>
        </div>
        <div class="line"><a class="button primary" href=next>"Continue"</a></div>
    }
    .erase()
}
