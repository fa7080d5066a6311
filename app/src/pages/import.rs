//! Uploading people: the file, and which of its columns is what. The server renders it.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, textarea::TextArea},
    pages::new_action::choose::summary,
    refusal::{Refusal, wrong},
};

/// The page; `mapping` is what stands in the field at first.
#[component]
pub fn Import(mapping: String, refusal: Option<Refusal>) -> impl IntoView {
    let at = |field: &str| wrong(refusal.as_ref(), field);
    let (file, wrong) = (at("file"), at("mapping"));
    // What is wrong with a field is said beside it.
    let refused = refusal.map(|refusal| {
        let text = summary(&refusal.0);
        view! { <Notice title=refusal.0.title text/> }
    });
    view! {
        <header class="head"><div><h1>"Import people"</h1></div></header>
        {refused}
        <form class="stack measure" method="post" action="/admin/import" enctype="multipart/form-data">
            <div class="field">
                <label for="file">"CSV file"</label>
                <input
                    class="input"
                    type="file"
                    id="file"
                    name="file"
                    accept=".csv,text/csv"
                    required
                    aria-describedby="file-hint file-problem"
                />
                <span class="hint" id="file-hint">
                    "People already in Docket are updated, by school ID. Nobody is deleted. Up to 64 MB."
                </span>
                <span class="problem" id="file-problem">{file}</span>
            </div>
            <TextArea
                label="Mapping"
                name="mapping"
                value=mapping
                hint="One line per field (TOML): the Docket field on the left, the column name in quotes on the right."
                problem=wrong
                long=true
            />
            <div class="line">
                <button class="button primary large">"Import"</button>
                <a class="button quiet large" href="/people">"Back to people"</a>
            </div>
        </form>
    }
}
