//! Going to whatever one can name: a person, a task, a saved view, a page, an action, a page of help. The server renders the list;
//! with scripts it is shown in a dialog over any page.

pub mod acts;
pub mod destination;
pub mod places;
pub mod ranking;

use leptos::prelude::*;
use model::SelectionToken;

use destination::{Destination, DestinationGroup, WayOn};
use ranking::marked;

use crate::{
    components::{
        frame::go_dialog::{GO_TO, LETTERS},
        icon::Icon,
        search_field::SearchField,
        type_erasure::Erase,
    },
    pages::people::page_address::SEL,
};

/// The page; `asked` is what was typed, and `selection` who is selected on the page that one comes from.
pub fn view(asked: &str, selection: Option<SelectionToken>, groups: Vec<DestinationGroup>) -> AnyView {
    let found = || groups.iter().filter(|group| !group.is_beside);
    let count: usize = found().map(|group| group.found.len()).sum();
    let said = match (asked.trim().is_empty(), count) {
        (true, _) => "Type a name, a school ID, the title of a task, or what you want to do.".to_owned(),
        (false, 0) => {
            "Nothing has this name. Try fewer letters, a school ID, or one word of a task’s title.".to_owned()
        }
        (false, _) if found().any(|group| group.is_cut) => "Best matches first".to_owned(),
        (false, 1) => "1 result".to_owned(),
        (false, n) => format!("{n} results, best first"),
    };
    let groups = groups.into_iter().enumerate().map(|(place, group)| one_group(group, place, asked)).collect_view();
    let selection = selection.map(|token| view! { <input type="hidden" name=SEL value=token.to_string()/> });
    view! {
        <header class="head"><div><h1>"Go to"</h1></div></header>
        <form class="line measure" method="get" action="/go" role="search">
            <SearchField label=GO_TO placeholder=GO_TO value=asked longest=LETTERS grows=true/>
            {selection}
            <button class="button">"Find"</button>
        </form>
        <p class="meta soft" id="said" role="status">{said}</p>
        <div id="found" class="destinations measure">{groups}</div>
    }
    .erase()
}

fn one_group(group: DestinationGroup, place: usize, asked: &str) -> AnyView {
    let id = format!("go-{place}");
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
    let line = view! { <Icon name=found.icon/><span><bdi>{name}</bdi>{note}</span> };
    match found.way {
        WayOn::Link(href) => view! { <li><a href=href data-hint=found.keys>{line}</a></li> }.erase(),
        WayOn::Form { action, fields } => {
            let fields = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
            view! { <li><form method="post" action=action>{fields.collect_view()}<button>{line}</button></form></li> }
                .erase()
        }
    }
}
