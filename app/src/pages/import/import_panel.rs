//! The end of the page: keeping the matching under a name, and the button that imports, which says how many people it is about.

use leptos::prelude::*;
use model::import::{ImportCount, PreparedImport};

use super::lines_of;
use crate::components::values::numbers::people;
use crate::{
    components::type_erasure::Erase,
    refusal::{Refusal, wrong},
    url,
};

/// The panel.
pub fn view(import: &PreparedImport, search: &str, refusal: Option<&Refusal>) -> AnyView {
    let counted = import.counted.as_ref().filter(|_| import.is_current);
    let button = match counted.map(|counted| (label(counted, import.file.rows), counted)) {
        Some((Some(label), counted)) => {
            // Of a file that was not read to its end, the corrected one comes first.
            let class = if counted.unread.is_some() { "button large wide" } else { "button primary large wide" };
            view! { <button class=class name="do" value="import">{label}</button> }.erase()
        }
        Some((None, counted)) => view! { <p>{nothing(counted)}</p> }.erase(),
        None => view! { <p>"Match the columns first."</p> }.erase(),
    };
    let save = counted.map(|_| save(import, search, refusal));
    view! {
        <section class="panel sunken" aria-labelledby="h-go">
            <h2 id="h-go">"Import"</h2>
            {save}
            <p class="meta soft">"People who are not in the file stay as they are. Nobody is deleted."</p>
            {button}
            <button class="button quiet wide" name="do" value="cancel">"Cancel and delete the file"</button>
        </section>
    }
    .erase()
}

/// What the button says; nothing if there is nothing to import.
fn label(counted: &ImportCount, rows: u64) -> Option<String> {
    match counted.people() {
        _ if counted.lines < rows => Some(format!("Import {}", lines_of(rows))),
        0 => None,
        count => Some(format!("Import {}", people(count))),
    }
}

/// Why there is nothing to import.
fn nothing(counted: &ImportCount) -> String {
    match (counted.unreadable, counted.lines.saturating_sub(counted.unreadable)) {
        (0, _) => "Nothing would change, so there is nothing to import.".to_owned(),
        (_, 0) => "No line can be imported.".to_owned(),
        (_, 1) => "The other line changes nothing.".to_owned(),
        (_, others) => format!("The other {} change nothing.", lines_of(others)),
    }
}

/// Keeping the matching for the next file.
fn save(import: &PreparedImport, search: &str, refusal: Option<&Refusal>) -> AnyView {
    let began = import.saved.iter().find(|saved| import.start == Some(saved.id)).map(|saved| saved.name.clone());
    let kept = |name| refusal.and_then(|refusal| refusal.given(name)).or_else(|| url::value(search, name));
    let typed = kept("matchingName");
    let problem = wrong(refusal, "matchingName");
    let is_saved = kept("save").is_some();
    view! {
        <label class="choice">
            <input type="checkbox" name="save" value="yes" checked=is_saved/>
            <span>"Save this matching"<small>"Used automatically for files with the same columns"</small></span>
        </label>
        <div class="field named">
            <label for="matching-name">"Name of this matching"</label>
            <input
                class="input"
                id="matching-name"
                name="matchingName"
                maxlength="60"
                value=typed.or(began)
                aria-invalid=problem.is_some().then_some("true")
                aria-describedby="matching-name-problem"
            />
            <span class="problem" id="matching-name-problem">{problem}</span>
        </div>
    }
    .erase()
}
