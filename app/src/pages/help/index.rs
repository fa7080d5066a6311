//! All pages of help, or those in which something was found.

use leptos::prelude::*;

use super::contents::search_form;
use crate::{
    components::{frame::keys_dialog, icon::Icon, type_erasure::Erase},
    help::{
        figures::HelpFigures,
        search::{Passage, search},
        topic::HelpGroup,
    },
};

/// The page; `asked` is what is searched for.
pub fn index(asked: &str, administrator: bool, figures: &HelpFigures) -> AnyView {
    let content = match asked.trim() {
        "" => all(administrator, figures),
        words => found(words, search(words, administrator), figures),
    };
    view! {
        <header class="head">
            <div><h1>"Help and shortcuts"</h1></div>
            <button type="button" class="button quiet" popovertarget=keys_dialog::ID>
                <Icon name="help"/>
                "Keyboard shortcuts"
            </button>
        </header>
        <div class="measure">{search_form(asked)}</div>
        {content}
    }
    .erase()
}

fn all(administrator: bool, figures: &HelpFigures) -> AnyView {
    let groups = HelpGroup::shown(administrator).map(|group| {
        let id = format!("group-{group:?}").to_lowercase();
        let topics = group.topics().map(|topic| {
            let lead = figures.fill(topic.article().lead);
            view! { <li><a href=topic.path()>{topic.title()}</a><p class="meta soft">{lead}</p></li> }
        });
        view! {
            <section aria-labelledby=id.clone()>
                <div class="section"><h2 id=id.clone()>{group.title()}</h2></div>
                <ul class="choices">{topics.collect_view()}</ul>
            </section>
        }
    });
    view! { <div class="halves roomy">{groups.collect_view()}</div> }.erase()
}

fn found(words: &str, passages: Vec<Passage>, figures: &HelpFigures) -> AnyView {
    let count = match passages.len() {
        0 => "No page has all of these words.".to_owned(),
        1 => "1 page".to_owned(),
        n => format!("{n} pages"),
    };
    let lines = passages.into_iter().map(|Passage { topic, text }| {
        view! { <li><a href=topic.path()>{topic.title()}</a><p class="meta soft">{figures.fill(text)}</p></li> }
    });
    view! {
        <section aria-labelledby="h-found" class="measure">
            <div class="section">
                <h2 id="h-found">"Found for “"<bdi>{words.to_owned()}</bdi>"”"</h2>
                <span role="status">{count}</span>
            </div>
            <ul class="choices">{lines.collect_view()}</ul>
            <p><a href="/help">"All help pages"</a></p>
        </section>
    }
    .erase()
}
