//! Uploading a list of people and coaches. The server renders it.

use leptos::prelude::*;

use crate::{
    pages::new_action::{LAST_STEP, mistakes::mistakes},
    refusal::{Refusal, wrong},
};

/// The coach in each of the ways that they can be named in.
const SAMPLE: &str = "School ID,Coach\nG1-0001926,kroth\nG1-0000036,E-0042\nG1-0001908,Katrin Roth";

/// The page.
#[component]
pub fn Reassign(refusal: Option<Refusal>) -> impl IntoView {
    let wrong = wrong(refusal.as_ref(), "file");
    let refused = refusal.map(|refusal| mistakes(&refusal.0));
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/people">"People"</a></li></ol>
                <h1>"Reassign coaches by list"</h1>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Choose"</li><li>{LAST_STEP}</li></ol>
        </header>
        {refused}
        <form class="stack measure" method="post" action="/people/reassign" enctype="multipart/form-data">
            <div class="field">
                <label for="file">"CSV file"</label>
                <input
                    class="input"
                    type="file"
                    id="file"
                    name="file"
                    accept=".csv,.tsv,.txt,text/csv"
                    required
                    aria-describedby="file-hint file-problem"
                />
                <span class="hint" id="file-hint">
                    "Two columns, with commas, semicolons or tabs between them: a school ID, and the new coach by username, school ID or name. You see what will happen before anything is changed."
                </span>
                <span class="problem" id="file-problem">{wrong}</span>
            </div>
            <figure class="stack tight">
                <figcaption class="meta soft">"For example. The line with the titles can be left out; with it, the second title is “Coach”."</figcaption>
                <pre class="trace" role="group" tabindex="0" aria-label="Example of a list">{SAMPLE}</pre>
            </figure>
            <div class="line">
                <button class="button primary large">"Check what will happen"</button>
                <a class="button quiet large" href="/people">"Cancel"</a>
            </div>
        </form>
    }
}
