//! Importing people. First a file is chosen; then its columns are matched to fields, and what would happen is counted, before anything
//! does. The server renders both pages.

pub mod api;
mod broken;
mod columns;
mod import_panel;
pub mod lines;
pub mod prepared;
mod sum;

use leptos::prelude::*;
use model::import::PreparedFile;

use crate::components::values::numbers::{counted, grouped};
use crate::{
    components::{
        blank::Notice,
        table::{
            Head::{Number, Text},
            table,
        },
        type_erasure::Erase,
        values::time::Time,
    },
    pages::new_action::choose::summary,
    refusal::{Refusal, wrong},
};

/// The page on which a file is chosen, with those that were and are not imported yet.
#[component]
pub fn Import(prepared: Vec<PreparedFile>, refusal: Option<Refusal>) -> impl IntoView {
    let file = wrong(refusal.as_ref(), "file");
    // What is wrong with the file is said beside it.
    let refused = refusal.map(|refusal| {
        let text = summary(&refusal.0);
        view! { <Notice title=refusal.0.title text/> }
    });
    let prepared = (!prepared.is_empty()).then(|| waiting(prepared));
    view! {
        <header class="head">
            <div><h1>"Import people"</h1></div>
            {steps(1)}
        </header>
        {refused}
        <form class="stack measure" method="post" action="/admin/import" enctype="multipart/form-data">
            <div class="field">
                <label for="file">"CSV file"</label>
                <input
                    class="input"
                    type="file"
                    id="file"
                    name="file"
                    accept=".csv,.tsv,.txt,text/csv"
                    required
                    aria-invalid=file.is_some().then_some("true")
                    aria-describedby="file-hint file-problem"
                />
                <span class="hint" id="file-hint">
                    "Separated by commas, semicolons or tabs, in UTF-8, with column names in the first line. At most 64 MB. You see what will happen before anything is imported."
                </span>
                <span class="problem" id="file-problem">{file}</span>
            </div>
            <p class="soft">"People already in Docket are updated, by school ID. Nobody is deleted."</p>
            <div class="line">
                <button class="button primary large">"Continue"</button>
                <a class="button quiet large" href="/people">"Back to people"</a>
            </div>
        </form>
        {prepared}
    }
}

/// Files that wait for somebody to go on with them.
fn waiting(prepared: Vec<PreparedFile>) -> AnyView {
    let lines = prepared
        .into_iter()
        .map(|file| {
            let rows = grouped(file.rows);
            let unit = if file.rows == 1 { "line" } else { "lines" };
            view! {
                <tr data-key=file.id.to_string()>
                    <th scope="row"><a href=format!("/admin/import/{}", file.id)>{file.file}</a></th>
                    <td class="brief num" data-suffix=unit>{rows}</td>
                    <td class="brief nowrap" data-prefix="uploaded"><Time at=file.uploaded/></td>
                    <td class="brief nowrap" data-prefix="kept until"><Time at=file.expires ahead=true/></td>
                </tr>
            }
        })
        .collect_view();
    let heads = [Text("File"), Number("Lines"), Text("Uploaded"), Text("Kept until")];
    view! {
        <section class="measure" aria-labelledby="h-waiting">
            <div class="section"><h2 id="h-waiting">"Not imported yet"</h2></div>
            {table("Files that were uploaded and are not imported yet", &heads, lines)}
        </section>
    }
    .erase()
}

/// The two steps, of which this is one.
fn steps(current: u8) -> AnyView {
    let here = |step: u8| (step == current).then_some("step");
    view! {
        <ol class="steps" aria-label="Steps">
            <li aria-current=here(1)>"Choose a file"</li>
            <li aria-current=here(2)>"Match and check"</li>
        </ol>
    }
    .erase()
}

/// A number of bytes.
fn size(bytes: u64) -> String {
    match bytes {
        ..1_000 => counted(bytes, "byte", "bytes"),
        1_000..1_000_000 => format!("{} kB", grouped(bytes.div_ceil(1_000))),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// A number of lines.
fn lines_of(count: u64) -> String {
    counted(count, "line", "lines")
}
