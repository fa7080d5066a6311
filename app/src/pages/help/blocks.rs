//! The parts of a page of help: texts, lists, and words with what they mean.

use leptos::prelude::*;

use crate::{
    components::{
        frame::keys_dialog,
        icon::Icon,
        type_erasure::Erase,
        values::badge::{OutcomeBadge, StatusBadge, state_badge},
    },
    help::{
        article::{HelpBlock, HelpWord},
        figures::HelpFigures,
    },
};

pub fn block(block: &'static HelpBlock, figures: &HelpFigures) -> AnyView {
    match block {
        HelpBlock::Text(text) => view! { <p>{figures.fill(text)}</p> }.erase(),
        HelpBlock::List(lines) => {
            let lines = lines.iter().map(|line| view! { <li>{figures.fill(line)}</li> });
            view! { <ul class="bullets">{lines.collect_view()}</ul> }.erase()
        }
        HelpBlock::Words(words) => {
            let lines = words.iter().map(|(said, text)| view! { <dt>{word(*said)}</dt><dd>{figures.fill(text)}</dd> });
            view! { <dl class="defs">{lines.collect_view()}</dl> }.erase()
        }
        HelpBlock::ShowKeys => view! {
            <div>
                <button type="button" class="button" popovertarget=keys_dialog::ID>"Show the list of keys"</button>
            </div>
        }
        .erase(),
    }
}

fn word(word: HelpWord) -> AnyView {
    match word {
        HelpWord::Plain(text) => view! { <span>{text}</span> }.erase(),
        HelpWord::Outcome(outcome) => view! { <OutcomeBadge outcome/> }.erase(),
        HelpWord::Status(status) => view! { <StatusBadge status/> }.erase(),
        HelpWord::State(state) => state_badge(state),
        HelpWord::Stalled => view! { <span class="badge warn flag"><Icon name="stalled"/>"Stalled"</span> }.erase(),
        HelpWord::Keys(keys) => keys.iter().map(|key| view! { <kbd>{*key}</kbd>" " }).collect_view().erase(),
    }
}
