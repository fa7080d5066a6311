//! The page of a file that is being prepared: its columns with what they are matched to, its first lines as Docket reads them, and the
//! sum of what would happen.

use leptos::{prelude::*, server_fn::ServerFn};
use model::import::{LineOutcome, PreparedFile, PreparedImport, Separator, Sure};

use super::{api::PrepareImport, columns, import_panel, lines, lines_of, size, steps, sum};
use crate::components::values::numbers;
use crate::{
    components::{blank::Notice, icon::Icon, trusted_html, type_erasure::Erase},
    refusal::{Refusal, wrong},
    url,
};

/// The form beside the page's own, in which a matching to begin with is chosen.
pub const START: &str = "start-from";

/// Where a choice does not send the form by itself.
const COUNT_AGAIN: &str = "<button class=\"button\" name=\"do\" value=\"count\">Count again</button> \
     <span class=\"meta soft\">Change a match, then count again.</span>";

/// The key in the address of the page that somebody has gone on from what was guessed.
pub const GONE_ON: &str = "counted";

/// The page; its address may ask for the lines of one sort.
pub fn view(import: PreparedImport, search: &str, refusal: Option<Refusal>) -> AnyView {
    let (id, page) = (import.file.id.to_string(), format!("/admin/import/{}", import.file.id));
    let refused = refusal.as_ref().map(|refusal| {
        // What is wrong with a field of this page is said beside it, and once.
        let text = match wrong(Some(refusal), "matchingName") {
            Some(_) => "Check the name of this matching.".to_owned(),
            None => refusal.0.detail.clone(),
        };
        view! { <Notice title=refusal.0.title.clone() text/> }
    });
    let whole: Vec<String> = import
        .wrong
        .iter()
        .filter(|wrong| !columns::is_of_column(&wrong.field))
        .map(|wrong| wrong.message.clone())
        .collect();
    let incomplete = (!whole.is_empty())
        .then(|| view! { <Notice title="The matching is not complete" text=whole.join(" ") tone="warn"/> });
    let asked =
        url::value(search, "show").and_then(|asked| LineOutcome::ALL.into_iter().find(|what| what.name() == asked));
    let first = import.counted.as_ref().map(|counted| lines::view(counted, asked, turned(search)));
    let summed = import.counted.as_ref().map(|counted| sum::view(counted, import.file.rows));
    let emptied = import.counted.as_ref().and_then(sum::emptied);
    let causes = import.counted.as_ref().and_then(|counted| sum::causes(counted, &page));
    let unread = import.counted.as_ref().and_then(|counted| counted.unread).map(sum::unread);
    let has_gone_on = refusal.is_some() || url::value(search, GONE_ON).is_some();
    let panel = import_panel::view(&import, search, refusal.as_ref());
    let (card, matched) = (card(&import), matched(&import));
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/admin/import">"Import people"</a></li><li>{import.file.file.clone()}</li></ol>
                <h1>"Import people"</h1>
            </div>
            {steps(2)}
        </header>
        {refused}
        {unread}
        {incomplete}
        <form class="hidden" id=START method="post" action=PrepareImport::url()>
            <input type="hidden" name="id" value=id.clone()/>
        </form>
        <form id=columns::MATCHING method="post" action=PrepareImport::url() class="columns" aria-label="Match columns and import" data-stays>
            <input type="hidden" name="id" value=id/>
            <div>
                <div class="stack">
                    {card}
                    <section aria-labelledby="h-match" class="stack tight">
                        <div class="section"><h2 id="h-match">"Match columns"</h2>{matched}</div>
                        {start(&import)}
                        {columns::view(&import, has_gone_on)}
                        <noscript inner_html=trusted_html::fixed(COUNT_AGAIN)></noscript>
                    </section>
                    {first}
                </div>
                <aside class="stack" aria-label="What will happen, and import">
                    {summed}
                    {emptied}
                    {causes}
                    {panel}
                </aside>
            </div>
        </form>
    }
    .erase()
}

/// How often the first lines have been turned over.
fn turned(search: &str) -> usize {
    url::value(search, "turn").and_then(|turn| turn.parse().ok()).unwrap_or(0)
}

/// The file, and what it is.
fn card(import: &PreparedImport) -> AnyView {
    let PreparedFile { file, rows, size: bytes, .. } = &import.file;
    let columns = numbers::counted(import.columns.len() as u64, "column", "columns");
    let is_cut = import.counted.as_ref().is_some_and(|counted| counted.unread.is_some());
    // The last row is the one whose quote is never closed.
    let lines = if is_cut { lines_of(rows.saturating_sub(1)) + " read" } else { lines_of(*rows) };
    let separated = match import.separator {
        Separator::Comma => "Separated by commas",
        Separator::Semicolon => "Separated by semicolons",
        Separator::Tab => "Separated by tabs",
    };
    let said = if import.is_separator_chosen { " (your choice)" } else { "" };
    let letters = if import.is_utf8 { "UTF-8" } else { "not all of it UTF-8" };
    let facts =
        format!("{lines}, {columns}, {}. {separated}{said}, {letters}, column names in the first line.", size(*bytes));
    // What came out as one column was read by another separator than it has.
    let is_open = import.is_separator_chosen || import.columns.len() == 1;
    let separators = Separator::ALL
        .iter()
        .map(|of| {
            let selected = *of == import.separator;
            view! { <option value=of.name() selected=selected>{of.label()}</option> }
        })
        .collect_view();
    view! {
        <div class="filecard">
            <span class="tile"><Icon name="file"/></span>
            <div>
                <strong>{file.clone()}</strong>
                <small>{facts}</small>
                <details class="disclosure" open=is_open>
                    <summary><Icon name="right"/>"Read it differently"</summary>
                    <div class="line">
                        <label for="separator" class="meta soft">"Separator"</label>
                        <span class="select">
                            <select id="separator" name="separator">{separators}</select>
                            <Icon name="down"/>
                        </span>
                        <button class="button" name="do" value="count">"Read again"</button>
                    </div>
                </details>
            </div>
            <a class="button" href="/admin/import">"Choose another file"</a>
        </div>
    }
    .erase()
}

/// How many columns are matched.
fn matched(import: &PreparedImport) -> AnyView {
    let of = |wanted: fn(&Option<String>) -> bool| import.columns.iter().filter(|column| wanted(&column.field)).count();
    let matched = of(|field| field.as_deref().is_some_and(|key| !key.is_empty()));
    let left = of(|field| field.as_deref().is_none_or(str::is_empty));
    let checks = import.columns.iter().filter(|column| columns::how_sure(column) == Sure::Check).count();
    let checks = (checks > 0).then(|| view! { " ("<strong>{format!("{checks} to check")}</strong>")" });
    let left = (left > 0).then(|| format!(", {left} not imported"));
    view! { <span>{format!("{matched} matched")}{checks}{left}</span> }.erase()
}

/// What the matching begins with. It is a form of its own, so that Enter in another field counts again.
fn start(import: &PreparedImport) -> AnyView {
    let options = import
        .saved
        .iter()
        .map(|saved| {
            let (value, selected) = (saved.id.to_string(), import.start == Some(saved.id));
            view! { <option value=value selected=selected>{saved.name.clone()}</option> }
        })
        .collect_view();
    // It is pressed in the page's own form, so that what was chosen there is kept.
    let begun = import.start.filter(|id| import.saved.iter().any(|saved| saved.id == *id));
    let forget = begun.map(|id| {
        view! {
            <input type="hidden" name="begunWith" value=id.to_string()/>
            <button class="button quiet" name="do" value="forget">"Delete this matching"</button>
        }
    });
    view! {
        <div class="line">
            <label for="start" class="meta soft">"Start from"</label>
            <span class="select">
                <select id="start" name="start" form=START>
                    <option value="">"Guesses from names and values"</option>
                    {options}
                </select>
                <Icon name="down"/>
            </span>
            <button class="button" form=START name="do" value="use">"Use"</button>
            {forget}
        </div>
    }
    .erase()
}
