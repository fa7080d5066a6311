//! What a page of help is made of.

use model::{Outcome, ProgramStatus, TaskState};

use super::topic::Topic;

/// The page of a topic.
pub struct Article {
    /// What the job is good for, in a sentence or two.
    pub lead: &'static str,
    /// As many as there are presses.
    pub steps: &'static [HelpStep],
    pub sections: &'static [HelpSection],
    pub related: &'static [Topic],
}

/// What is pressed, in strong letters, and what there is to know about it.
pub struct HelpStep {
    pub does: &'static str,
    pub more: &'static str,
    pub picture: Option<HelpPicture>,
}

/// A part with a heading of its own, below the steps.
pub struct HelpSection {
    /// The part of an address that leads to it.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: &'static [HelpBlock],
}

pub enum HelpBlock {
    Text(&'static str),
    /// Words as they stand on pages, each with what it means.
    Words(&'static [(HelpWord, &'static str)]),
    List(&'static [&'static str]),
    /// The button that opens the list of keys, which only works with scripts or a recent browser.
    ShowKeys,
}

/// A word as the pages show it.
#[derive(Clone, Copy)]
pub enum HelpWord {
    Plain(&'static str),
    Outcome(Option<Outcome>),
    Status(ProgramStatus),
    State(TaskState),
    Stalled,
    Keys(&'static [&'static str]),
}

/// A picture, made of the parts that pages are made of, with what stands below it.
#[derive(Clone, Copy)]
pub struct HelpPicture {
    pub of: PictureOf,
    pub caption: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureOf {
    SearchAndChips,
    Rows,
    SelectionBar,
    Views,
    /// Numbers that add up: who changes, who is skipped, and all of them.
    Sum {
        will: &'static str,
        skipped: &'static str,
        whole: &'static str,
    },
    Confirm,
    Hold,
    File,
    Progress,
    Outcomes,
    Undo,
    Attention,
    Act,
    Columns,
}

pub(super) const fn step(does: &'static str, more: &'static str) -> HelpStep {
    HelpStep { does, more, picture: None }
}

pub(super) const fn pictured(does: &'static str, more: &'static str, of: PictureOf, caption: &'static str) -> HelpStep {
    HelpStep { does, more, picture: Some(HelpPicture { of, caption }) }
}

pub(super) const fn section(id: &'static str, title: &'static str, blocks: &'static [HelpBlock]) -> HelpSection {
    HelpSection { id, title, blocks }
}

impl Article {
    /// Every text of it, in the order of the page.
    pub fn words(&self) -> Vec<&'static str> {
        let steps = self.steps.iter().flat_map(|step| [step.does, step.more]);
        let captions = self.steps.iter().filter_map(|step| step.picture).map(|picture| picture.caption);
        let sections = self
            .sections
            .iter()
            .flat_map(|section| std::iter::once(section.title).chain(section.blocks.iter().flat_map(HelpBlock::words)));
        std::iter::once(self.lead).chain(steps).chain(captions).chain(sections).collect()
    }
}

impl HelpBlock {
    fn words(&self) -> Vec<&'static str> {
        match self {
            HelpBlock::Text(text) => vec![text],
            HelpBlock::List(lines) => lines.to_vec(),
            HelpBlock::Words(words) => words.iter().flat_map(|(word, text)| [word.text(), text]).collect(),
            HelpBlock::ShowKeys => Vec::new(),
        }
    }
}

impl HelpWord {
    fn text(self) -> &'static str {
        match self {
            HelpWord::Plain(text) => text,
            HelpWord::Outcome(Some(outcome)) => outcome.label(),
            HelpWord::Outcome(None) => "Not processed",
            HelpWord::Status(status) => status.label(),
            HelpWord::State(state) => state.label(),
            HelpWord::Stalled => "Stalled",
            HelpWord::Keys(keys) => keys.first().copied().unwrap_or_default(),
        }
    }
}
