//! What stands beside a page of help: the search, and all pages.

use leptos::prelude::*;

use crate::{
    components::{icon::Icon, type_erasure::Erase},
    help::{
        search::LONGEST,
        topic::{HelpGroup, Topic},
    },
};

/// The search, which is a form of its own, and all pages.
pub fn contents(here: Option<Topic>, asked: &str, administrator: bool) -> AnyView {
    let groups = HelpGroup::shown(administrator).map(|group| {
        let id = format!("help-{group:?}").to_lowercase();
        let topics = group.topics().map(|topic| {
            let current = (here == Some(topic)).then_some("page");
            view! { <li><a href=topic.path() aria-current=current>{topic.title()}</a></li> }
        });
        view! {
            <div>
                <h2 id=id.clone()>{group.title()}</h2>
                <ul aria-labelledby=id>{topics.collect_view()}</ul>
            </div>
        }
    });
    view! {
        <nav aria-label="Help">
            {search_form(asked)}
            <a class="all" href="/help">"All help pages"</a>
            {groups.collect_view()}
        </nav>
    }
    .erase()
}

pub fn search_form(asked: &str) -> AnyView {
    view! {
        <form class="search" method="get" action="/help" role="search" aria-label="Help">
            <Icon name="search"/>
            <input
                class="input"
                type="search"
                name="q"
                data-keys="/"
                maxlength=LONGEST.to_string()
                aria-label="Search help"
                placeholder="Search help"
                value=asked.to_owned()
            />
        </form>
    }
    .erase()
}
