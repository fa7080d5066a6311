//! Tables that are only read; on a small screen each row is a card.

use leptos::prelude::*;

use super::type_erasure::Erase;

/// The head of a column.
#[derive(Clone, Copy)]
pub enum Head {
    Text(&'static str),
    Number(&'static str),
    /// For those who hear the page: what its cells hold speaks for itself.
    Unseen(&'static str),
}

/// A table with these columns; `lines` are its rows.
pub fn table(caption: impl Into<String>, heads: &[Head], lines: impl IntoView + 'static) -> AnyView {
    framed(caption.into(), heads, lines.into_view().erase())
}

fn framed(caption: String, heads: &[Head], lines: AnyView) -> AnyView {
    let heads = heads
        .iter()
        .map(|head| match *head {
            Head::Text(name) => view! { <th scope="col">{name}</th> }.erase(),
            Head::Number(name) => view! { <th scope="col" class="num">{name}</th> }.erase(),
            Head::Unseen(name) => view! { <th scope="col"><span class="hidden">{name}</span></th> }.erase(),
        })
        .collect_view();
    view! {
        <div class="tableframe">
            <table class="table still cards">
                <caption class="hidden">{caption}</caption>
                <thead><tr>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}
