//! How the list looks: its columns and the height of its rows. Chosen on a saved view it belongs to that view, and else to the
//! reader.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{PersonColumn, RowHeight};

use crate::{
    components::{icon::Icon, type_erasure::Erase},
    pages::people::api::SetDisplay,
};

/// The usual columns where everybody has one coach: whoever has chosen columns sees what they chose.
pub fn on_own_caseload(columns: &[PersonColumn]) -> Vec<PersonColumn> {
    let usual = columns == PersonColumn::USUAL;
    columns.iter().copied().filter(|column| !usual || *column != PersonColumn::Coach).collect()
}

/// Whether nobody has chosen them.
pub fn is_usual(columns: &[PersonColumn]) -> bool {
    columns == PersonColumn::USUAL || columns == on_own_caseload(PersonColumn::USUAL)
}

/// The menu; `own` says whether the list is that of the reader's caseload, and `search` is the query string of the page to come
/// back to.
pub fn menu(columns: &[PersonColumn], height: RowHeight, own: bool, search: &str) -> AnyView {
    let without = own && on_own_caseload(columns).len() < columns.len();
    let boxes = PersonColumn::ALL
        .iter()
        .map(|column| {
            let always = *column == PersonColumn::Name;
            let says = match column {
                PersonColumn::Name => Some("always shown"),
                PersonColumn::Coach if without => Some("not on your own caseload"),
                _ => None,
            };
            let says = says.map(|says| view! { <small>{says}</small> });
            view! {
                <label class="choice">
                    <input
                        type="checkbox"
                        name="columns[]"
                        value=column.name()
                        checked=columns.contains(column)
                        disabled=always
                    />
                    <span>{column.label()}{says}</span>
                </label>
            }
        })
        .collect_view();
    let heights = RowHeight::ALL
        .iter()
        .map(|choice| {
            view! {
                <label class="choice">
                    <input type="radio" name="rows" value=choice.name() checked=*choice == height/>
                    <span>{choice.label()}</span>
                </label>
            }
        })
        .collect_view();
    let aside = is_usual(columns).then(|| {
        view! { <span class="hint wide-only">"In a narrow window, student type, major, start term and campus are left out, in that order, and beside what is pending the day of the status. If you change the columns, all of them are shown."</span> }
    });
    view! {
        <details class="menu">
            <summary class="button small">"Display"<Icon name="down"/></summary>
            <form class="panel stack tight" method="post" action=SetDisplay::url() data-stays>
                <input type="hidden" name="back" value=search.to_owned()/>
                <fieldset class="field">
                    <legend>"Row height"</legend>
                    <div class="line">{heights}</div>
                </fieldset>
                <fieldset class="field">
                    <legend>"Columns"</legend>
                    <div class="choices beside">{boxes}</div>
                    {aside}
                </fieldset>
                <div class="line">
                    <button class="button primary small">"Apply"</button>
                    <button class="button quiet small" name="usual" value="yes">"Reset"</button>
                </div>
            </form>
        </details>
    }
    .erase()
}
