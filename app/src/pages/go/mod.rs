//! Going to whatever one can name: a person, a task, a saved view, a page, an action, a page of help. The server renders the list;
//! with scripts it is shown in a dialog over any page.

pub mod destination;
pub mod places;
pub mod ranking;

use leptos::prelude::*;

use destination::{Destination, DestinationGroup};
use places::SEARCH;
use ranking::marked;

use crate::components::{
    frame::go_dialog::{GO_TO, LETTERS},
    icon::Icon,
    search_field::SearchField,
    type_erasure::Erase,
};

/// The page; `asked` is what was typed.
pub fn view(asked: &str, groups: Vec<DestinationGroup>) -> AnyView {
    let found = groups.iter().filter(|group| group.title != SEARCH);
    let count: usize = found.map(|group| group.found.len()).sum();
    let said = match (asked.trim().is_empty(), count) {
        (true, _) => "Type a name, a school ID, the title of a task, or what you want to do.".to_owned(),
        (false, 0) => {
            "Nothing has this name. Try fewer letters, a school ID, or one word of a task’s title.".to_owned()
        }
        (false, 1) => "1 result".to_owned(),
        (false, n) => format!("{n} results, best first"),
    };
    let groups = groups.into_iter().map(|group| one_group(group, asked)).collect_view();
    view! {
        <header class="head"><div><h1>"Go to"</h1></div></header>
        <form class="line measure" method="get" action="/go" role="search">
            <SearchField label=GO_TO placeholder=GO_TO value=asked longest=LETTERS grows=true/>
            <button class="button">"Find"</button>
        </form>
        <p class="meta soft" id="said" role="status">{said}</p>
        <div id="found" class="destinations measure">{groups}</div>
    }
    .erase()
}

fn one_group(group: DestinationGroup, asked: &str) -> AnyView {
    let id = format!("go-{}", group.title.to_lowercase());
    let lines = group.found.into_iter().map(|found| one(found, asked)).collect_view();
    view! {
        <section aria-labelledby=id.clone()>
            <h2 id=id.clone()>{group.title}</h2>
            <ul>{lines}</ul>
        </section>
    }
    .erase()
}

fn one(found: Destination, asked: &str) -> AnyView {
    let name = marked(&found.name, asked)
        .into_iter()
        .map(|(text, hit)| match hit {
            true => view! { <mark>{text}</mark> }.erase(),
            false => text.erase(),
        })
        .collect_view();
    let note = (!found.note.is_empty()).then(|| view! { <small>{found.note}</small> });
    view! {
        <li>
            <a href=found.href data-hint=found.keys>
                <Icon name=found.icon/>
                <span><bdi>{name}</bdi>{note}</span>
            </a>
        </li>
    }
    .erase()
}
