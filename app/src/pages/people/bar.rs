//! The selection's form, which also works without scripts, and the bar with what can be done with the people in it.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::grouped;
use leptos::{ev::MouseEvent, prelude::*, server_fn::ServerFn};
use model::{Permission, PersonId, SelectionToken, SelectionView, Total};

use super::{
    api::{DropSelection, SelectMatching, SelectShown},
    boxes::FORM,
    page_address,
    picks::Picks,
};
use crate::components::{
    icon::Icon,
    offered_actions::{IN_SIGHT, Offered, compose, offered_to},
    trusted_html,
};

/// The form that boxes and buttons belong to by its id, and the controls above the table. It says for scripts what of the page is
/// selected.
#[component]
pub fn SelectionForm(
    picks: Option<SelectionView>,
    search: String,
    /// Who on the page can be selected.
    shown: Vec<PersonId>,
    total: Total,
) -> impl IntoView {
    let token = picks.as_ref().map(|picks| picks.token.to_string());
    // Once all are selected there is nobody more to select, and the button for it is not shown.
    let all = picks.as_ref().is_some_and(|picks| total.exact && picks.count == total.value && picks.matching);
    let narrowed = !page_address::filters_set(&search).is_empty();
    let controls = (total.value > 0).then(|| {
        view! {
            <noscript inner_html=trusted_html::fixed("<button class=\"button small\">Update selection</button>")></noscript>
            <button class="textbutton" name=EVERYBODY formaction=SelectMatching::url()>{select_all(total, narrowed)}</button>
        }
    });
    view! {
        <form
            id=FORM
            class="line"
            method="post"
            action=SelectShown::url()
            aria-label="Selection"
            data-all=all
            data-total=total.exact.then(|| total.value.to_string())
            data-picks=serde_json::to_string(&picks).unwrap_or_default()
            data-search=search.clone()
        >
            <input type="hidden" name="token" value=token.unwrap_or_default()/>
            <input type="hidden" name="shown" value=page_address::list(&shown)/>
            <input type="hidden" name="back" value=page_address::without_selection(&search)/>
            {controls}
        </form>
    }
    .erase()
}

/// The name of the button for everybody who matches.
pub const EVERYBODY: &str = "everybody";

/// `Select all 214 people who match`, or without any filter `Select all 214 people`.
fn select_all(total: Total, narrowed: bool) -> String {
    match (total, narrowed) {
        (Total { value: 1, exact: true }, true) => "Select the one person who matches".to_owned(),
        (Total { value: 1, exact: true }, false) => "Select the one person".to_owned(),
        (Total { value, exact: true }, true) => format!("Select all {} people who match", grouped(value)),
        (Total { value, exact: true }, false) => format!("Select all {} people", grouped(value)),
        (_, true) => "Select everyone who matches".to_owned(),
        (_, false) => "Select everyone".to_owned(),
    }
}

/// Says on the form of the list whether all of it are selected: then its button for that goes.
#[cfg(target_arch = "wasm32")]
fn tell_whether_all(view: Option<&SelectionView>) {
    if let Some(form) = document().get_element_by_id(FORM) {
        let count = view.filter(|view| view.matching).map(|view| view.count.to_string());
        let all = count.is_some() && form.get_attribute("data-total") == count;
        let _ = form.toggle_attribute_with_force("data-all", all);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn tell_whether_all(_: Option<&SelectionView>) {}

/// The bar at the bottom, while anybody is selected.
#[component]
pub fn SelectionBar(picks: Picks, permissions: Vec<Permission>) -> impl IntoView {
    let offered = offered_to(&permissions);
    let clear = move |event: MouseEvent| {
        event.prevent_default();
        picks.clear();
    };
    move || {
        let view = picks.now.get().filter(|view| view.count > 0);
        tell_whether_all(view.as_ref());
        let view = view?;
        let words =
            format!("{} selected{}", grouped(view.count), if view.matching { ", everyone who matches" } else { "" });
        // A new selection has no token until the server has answered.
        let href = |kind| (view.token != SelectionToken::NOT_YET).then(|| compose(kind, view.token));
        let link = |class, offered: &Offered| {
            let kind = offered.kind;
            let wait = move |event: MouseEvent| {
                let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
                if !elsewhere && picks.wait_to_compose(kind) {
                    event.prevent_default();
                }
            };
            view! { <a class=class href=href(kind) on:click=wait><Icon name=offered.icon/>{offered.words}</a> }
        };
        // A menu of one would hide it for nothing.
        let in_sight = if offered.len() <= IN_SIGHT + 1 { offered.len() } else { IN_SIGHT };
        let (first, others) = offered.split_at(in_sight);
        let first = first.iter().map(|offered| link("button", offered)).collect_view();
        let others = others.iter().map(|offered| link("", offered)).collect::<Vec<_>>();
        let more = (!others.is_empty()).then(|| {
            view! {
                <details class="menu up">
                    <summary class="button">"More"<Icon name="down"/></summary>
                    <div class="panel">{others}</div>
                </details>
            }
        });
        Some(view! {
            <div class="selectionbar" id="actions" role="group" aria-label="Actions for the selected people" tabindex="-1">
                <div class="what">
                    <strong role="status">{words}</strong>
                    <button class="textbutton" form="selection" formaction=DropSelection::url() on:click=clear>"Clear"</button>
                </div>
                <div class="line">
                    {first}
                    {more}
                </div>
            </div>
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_control_says_whom_it_means() {
        assert_eq!(select_all(Total::exactly(1_204), true), "Select all 1,204 people who match");
        assert_eq!(select_all(Total::exactly(1_204), false), "Select all 1,204 people");
        assert_eq!(select_all(Total { value: 10_000, exact: false }, true), "Select everyone who matches");
    }
}
