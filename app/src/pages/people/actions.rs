//! The selection's form, which also works without scripts, and the bar with what can be done with the people in it.

use leptos::{ev::MouseEvent, prelude::*};
use model::{Total, grouped};

use super::{
    address,
    api::{DropSelection, SelectMatching, SelectShown},
    picks::Picks,
};
use crate::components::icon::Icon;
use leptos::server_fn::ServerFn;

/// The form that boxes and buttons belong to by its id, and the controls above the table.
#[component]
pub fn SelectionForm(picks: Picks, search: Memo<String>, total: Total) -> impl IntoView {
    let token = move || {
        picks.now.with(|now| now.as_ref().map(|view| view.token).filter(|token| !token.is_nil())).map(|token| token.to_string())
    };
    let everyone = move |event: MouseEvent| {
        event.prevent_default();
        picks.take_matching();
    };
    view! {
        <form id="selection" class="line" method="post" action=SelectShown::url() aria-label="Selection">
            <input type="hidden" name="token" value=move || token().unwrap_or_default()/>
            <input type="hidden" name="shown" value=move || picks.shown.with(|shown| address::list(shown))/>
            <input type="hidden" name="back" value=move || address::without_selection(&search.get())/>
            {(total.value > 0).then(|| view! {
                <noscript inner_html="<button class=\"button small\">Update selection</button>"></noscript>
                <button class="textbutton" formaction=SelectMatching::url() on:click=everyone>{select_all(total)}</button>
            })}
        </form>
    }
    .into_any()
}

/// `Select all 214 people who match`.
fn select_all(total: Total) -> String {
    match total {
        Total { value: 1, exact: true } => "Select the one person who matches".to_owned(),
        Total { value, exact: true } => format!("Select all {} people who match", grouped(value)),
        _ => "Select everyone who matches".to_owned(),
    }
}

/// The bar at the bottom, while anybody is selected.
#[component]
pub fn SelectionBar(picks: Picks) -> impl IntoView {
    let matching = move || picks.now.with(|now| now.as_ref().is_some_and(|view| view.matching));
    let clear = move |event: MouseEvent| {
        event.prevent_default();
        picks.clear();
    };
    let href = move || {
        picks.now.with(|now| now.as_ref().map(|view| view.token)).filter(|token| !token.is_nil()).map(|token| {
            format!("/actions/new/program-status?sel={token}")
        })
    };
    move || {
        (picks.count() > 0).then(|| view! {
            <div class="selectionbar" id="actions" role="group" aria-label="Actions for the selected people" tabindex="-1">
                <div class="what">
                    <strong role="status">
                        {move || format!("{} selected", grouped(picks.count()))}
                        {move || matching().then_some(", everyone who matches")}
                    </strong>
                    <button class="textbutton" form="selection" formaction=DropSelection::url() on:click=clear>"Clear"</button>
                </div>
                <a class="button" href=href aria-disabled=move || href().is_none().then_some("true")>
                    <Icon name="swap"/>
                    "Set program status…"
                </a>
            </div>
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_control_says_whom_it_means() {
        assert_eq!(select_all(Total::exactly(1_204)), "Select all 1,204 people who match");
        assert_eq!(select_all(Total { value: 10_000, exact: false }), "Select everyone who matches");
    }
}
