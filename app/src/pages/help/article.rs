//! The page of a topic.

use leptos::prelude::*;
use model::Sending;

use super::{blocks, contents::contents, pictures};
use crate::{
    components::{blank::Notice, type_erasure::Erase},
    help::{
        article::{HelpSection, HelpStep},
        figures::HelpFigures,
        topic::Topic,
    },
};

/// It, for this reader.
pub fn page(topic: Topic, administrator: bool, sending: Sending, figures: &HelpFigures) -> AnyView {
    // Some of the buttons that it names are others there.
    let not_set_up = (topic == Topic::Email && !sending.is_ready()).then(|| {
        let text = "Some buttons on this page are therefore missing or say something else.";
        let link = ("#not-set-up".to_owned(), "What to press instead");
        view! { <Notice tone="info" title="Email is not set up on this server" text link/> }
    });
    let article = topic.article();
    let steps = article.steps.iter().map(|step| one_step(step, figures)).collect_view();
    let sections = article.sections.iter().map(|section| one_section(section, figures)).collect_view();
    let on_page = article
        .sections
        .iter()
        .map(|section| view! { <li><a href=format!("#{}", section.id)>{section.title}</a></li> })
        .collect_view();
    let related =
        article.related.iter().map(|topic| view! { <li><a href=topic.path()>{topic.title()}</a></li> }).collect_view();
    view! {
        <div class="help">
            {contents(Some(topic), "", administrator)}
            <article class="prose" aria-labelledby="h-help">
                <div>
                    <ol class="crumbs" aria-label="You are here">
                        <li><a href="/help">"Help"</a></li>
                        <li>{topic.group().title()}</li>
                    </ol>
                    <h1 id="h-help">{topic.title()}</h1>
                </div>
                <p class="lead">{figures.fill(article.lead)}</p>
                {not_set_up}
                <ol class="stepwise">{steps}</ol>
                {sections}
            </article>
            <div class="stack">
                <nav aria-labelledby="h-here">
                    <div class="section"><h2 id="h-here">"On this page"</h2></div>
                    <ul class="choices">{on_page}</ul>
                </nav>
                <nav aria-labelledby="h-related">
                    <div class="section"><h2 id="h-related">"Related"</h2></div>
                    <ul class="choices">{related}</ul>
                </nav>
            </div>
        </div>
    }
    .erase()
}

fn one_step(step: &'static HelpStep, figures: &HelpFigures) -> AnyView {
    let picture = step.picture.map(|picture| {
        view! {
            <figure>
                <div class="picture" aria-hidden="true" inert=true>{pictures::draw(picture.of)}</div>
                <figcaption>{figures.fill(picture.caption)}</figcaption>
            </figure>
        }
    });
    view! { <li><div><strong>{step.does}</strong>" "{figures.fill(step.more)}</div>{picture}</li> }.erase()
}

fn one_section(section: &'static HelpSection, figures: &HelpFigures) -> AnyView {
    let content = section.blocks.iter().map(|block| blocks::block(block, figures)).collect_view();
    view! { <h2 id=section.id>{section.title}</h2>{content} }.erase()
}
