//! How the list looks: its columns and the height of its rows. Chosen on a saved view it belongs to that view, and else to the
//! reader.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{PersonColumn, RowHeight};

use crate::{
    components::{icon::Icon, type_erasure::Erase},
    pages::people::api::SetDisplay,
};

/// The menu; `search` is the query string of the page to come back to.
pub fn menu(columns: &[PersonColumn], height: RowHeight, search: &str) -> AnyView {
    let shown = format!("Columns, {} of {} shown", columns.len(), PersonColumn::ALL.len());
    let boxes = PersonColumn::ALL
        .iter()
        .map(|column| {
            let always = *column == PersonColumn::Name;
            let says = always.then(|| view! { <small>"always shown"</small> });
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
                    <legend>{shown}</legend>
                    <div class="choices">{boxes}</div>
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
