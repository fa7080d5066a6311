//! The saved views in the rail: one's own, and those that colleagues share.

use crate::components::values::numbers::short;
use leptos::prelude::*;
use model::{Total, ViewId, person::SavedView};

use super::page_address;
use crate::{
    components::{icon::Icon, type_erasure::Erase},
    url,
};

/// So many stand open; the others are folded.
pub const OPEN: usize = 12;

/// A view, and how many match it where that is known.
pub struct RailView {
    pub view: SavedView,
    pub count: Option<Total>,
}

/// The views; `here` is the one that is shown.
pub fn saved_views(views: Vec<RailView>, here: Option<ViewId>) -> AnyView {
    let (own, shared): (Vec<_>, Vec<_>) = views.into_iter().partition(|it| it.view.owner_name.is_none());
    view! { {group("nav-views", "Saved views", own, here)}{group("nav-shared", "Shared with you", shared, here)} }
        .erase()
}

fn group(id: &'static str, title: &'static str, mut views: Vec<RailView>, here: Option<ViewId>) -> AnyView {
    if views.is_empty() {
        return ().erase();
    }
    let folded = views.split_off(views.len().min(OPEN));
    let more = (!folded.is_empty()).then(|| {
        let open = folded.iter().any(|it| Some(it.view.id) == here);
        let words = format!("{} more", folded.len());
        view! {
            <details class="more" open=open>
                <summary>{words}</summary>
                <ul aria-labelledby=id>{places(folded, here)}</ul>
            </details>
        }
    });
    view! {
        <div>
            <h2 id=id>{title}</h2>
            <ul aria-labelledby=id>{places(views, here)}</ul>
            {more}
        </div>
    }
    .erase()
}

fn places(views: Vec<RailView>, here: Option<ViewId>) -> AnyView {
    let place = |RailView { view, count }: RailView| {
        let href = url::join("/people", &page_address::of_view(&view));
        let current = (Some(view.id) == here).then_some("page");
        let count = count.map(|count| view! { <span class="count">{short(count)}</span> });
        view! {
            <li>
                <a href=href aria-current=current title=view.name.clone()><Icon name="bookmark"/><span>{view.name.clone()}</span>{count}</a>
            </li>
        }
    };
    views.into_iter().map(place).collect_view().erase()
}
