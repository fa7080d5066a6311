//! Uploading people: the file, and which of its columns is what. The server renders it.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, textarea::TextArea},
    refusal::{Refusal, wrong},
};

/// The page; `mapping` is what stands in the field at first.
#[component]
pub fn Import(mapping: String, refusal: Option<Refusal>) -> impl IntoView {
    let at = |field: &str| wrong(refusal.as_ref(), field);
    let (file, wrong) = (at("file"), at("mapping"));
    let refused = refusal.map(|refusal| {
        // What is wrong with a field is said beside it.
        let text = if refusal.0.errors.is_empty() { refusal.0.detail } else { "Please see below.".to_owned() };
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
                    "People who are there already are updated by their school ID; nobody is deleted. Up to 64 MB."
                </span>
                <span class="problem" id="file-problem">{file}</span>
            </div>
            <TextArea
                label="Mapping"
                name="mapping"
                value=mapping
                hint="Which column is what, as TOML: the field of Docket on the left, the name of the column on the right."
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
