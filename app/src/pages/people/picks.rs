//! The selection while the page is alive. It is kept on the server; ticks show at once and are sent as the state of the
//! whole page, one request at a time, so that the last one always wins and a new selection begins only once.

use leptos::prelude::*;
use model::{PersonId, SelectionToken, SelectionView, TaskKind};

use web_sys::Element;

use super::{
    api,
    boxes::{boxes, form},
    list::row::BOX,
    page_address,
};
use crate::{components::offered_actions::compose, live::Live, refusal::Refusal, url};

/// The selection of the page.
#[derive(Clone, Copy)]
pub struct Picks {
    /// The people on the page, in their order.
    pub shown: RwSignal<Vec<PersonId>>,
    pub now: RwSignal<Option<SelectionView>>,
    /// Why the last change was not kept.
    pub refusal: RwSignal<Option<Refusal>>,
    /// The address that `shown` came from, and the row that was ticked last.
    source: StoredValue<Option<String>>,
    last: StoredValue<Option<usize>>,
    /// The token that the server gave last. A selection that is begun anew has not got it.
    kept: StoredValue<Option<SelectionToken>>,
    /// Changed again, and perhaps cleared before that, while a request was on its way.
    behind: StoredValue<bool>,
    cleared: StoredValue<bool>,
    /// The kind of action to go on to as soon as the server has got every tick.
    next: StoredValue<Option<TaskKind>>,
    /// Goes up with each arrival of the list.
    pub arrivals: RwSignal<u32>,
    change: Action<PickChange, Changed>,
}

/// What is asked of the server.
#[derive(Clone)]
enum PickChange {
    Shown {
        token: String,
        shown: String,
        ticked: Vec<String>,
    },
    /// The people shown, who are all ticked then.
    Matching {
        search: String,
        shown: Vec<PersonId>,
    },
    Drop {
        token: String,
    },
}

type Changed = Result<Option<SelectionView>, Refusal>;

async fn send(change: PickChange) -> Changed {
    match change {
        PickChange::Shown { token, shown, ticked } => {
            api::select_shown(token, shown, ticked, String::new(), String::new()).await.map(Some)
        }
        PickChange::Matching { search, shown } => {
            let view = api::select_matching(search).await?;
            Ok(Some(SelectionView { ticked: shown, ..view }))
        }
        PickChange::Drop { token } => {
            // What could not be forgotten now is forgotten when its time is up.
            let _ = api::drop_selection(token, String::new()).await;
            Ok(None)
        }
    }
}

impl Picks {
    /// With this selection, and why the last change of it was refused.
    pub fn new(view: Option<SelectionView>, refusal: Option<Refusal>) -> Picks {
        let picks = Picks {
            shown: RwSignal::default(),
            now: RwSignal::new(view),
            refusal: RwSignal::new(refusal),
            source: StoredValue::new(None),
            last: StoredValue::new(None),
            kept: StoredValue::new(None),
            behind: StoredValue::new(false),
            cleared: StoredValue::new(false),
            next: StoredValue::new(None),
            arrivals: RwSignal::new(0),
            change: Action::new(|change: &PickChange| send(change.clone())),
        };
        picks.listen();
        picks
    }

    /// The token, once the server has given one.
    pub fn token(self) -> Option<SelectionToken> {
        self.now
            .with_untracked(|now| now.as_ref().map(|view| view.token).filter(|token| *token != SelectionToken::NOT_YET))
    }

    /// How many people are selected.
    pub fn count(self) -> u64 {
        self.now.with(|now| now.as_ref().map_or(0, |view| view.count))
    }

    /// Takes over the list that is there: another page brings what is ticked on it; the same page again does not undo fresh ticks.
    pub fn arrive(self, list: &Element) {
        let ids = boxes(list).filter(|input| input.name() == BOX).filter_map(|input| input.value().parse().ok());
        self.shown.set(ids.collect());
        let form = form(list);
        let said = |name| form.as_ref().and_then(|form| form.get_attribute(name)).unwrap_or_default();
        let source = said("data-search");
        let same = self
            .source
            .with_value(|before| before.as_ref().is_some_and(|before| page_address::same_list(before, &source)));
        let unanswered = self.change.pending().get_untracked()
            || self.now.with_untracked(|now| now.as_ref().is_some_and(|view| view.token == SelectionToken::NOT_YET));
        if !same || (!unanswered && page_address::selection(&source) == self.token()) {
            let picks: Option<SelectionView> = serde_json::from_str(&said("data-picks")).unwrap_or_default();
            self.kept.set_value(picks.as_ref().map(|picks| picks.token));
            self.now.set(picks);
        }
        let is_first = self.source.with_value(Option::is_none);
        if !same {
            self.last.set_value(None);
        }
        // What was refused was so on the page before.
        if !same && !is_first {
            self.refusal.set(None);
        }
        self.source.set_value(Some(source));
        if is_first {
            self.catch_up(list);
        }
        self.arrivals.update(|n| *n += 1);
    }

    /// Takes over what somebody has ticked before there were scripts.
    fn catch_up(self, list: &Element) {
        let known = self.now.with_untracked(|now| now.as_ref().map(|view| view.ticked.clone())).unwrap_or_default();
        for on in [true, false] {
            let changed = boxes(list).filter(|input| input.name() == BOX && input.checked() == on);
            let changed: Vec<PersonId> = changed.filter_map(|input| input.value().parse().ok()).collect();
            let changed: Vec<PersonId> = changed.into_iter().filter(|id| known.contains(id) != on).collect();
            if !changed.is_empty() {
                self.mark(&changed, on);
            }
        }
    }

    /// Ticks or unticks the row at `index`; with `extend` everything from the row ticked last.
    pub fn tick(self, index: usize, on: bool, extend: bool) {
        let from = self.last.get_value().filter(|_| extend).unwrap_or(index);
        self.last.set_value(Some(index));
        let range = from.min(index)..=from.max(index);
        let ids = self.shown.with_untracked(|shown| shown.get(range).map(<[PersonId]>::to_vec).unwrap_or_default());
        self.mark(&ids, on);
    }

    /// Ticks or unticks the whole page.
    pub fn tick_page(self, on: bool) {
        self.mark(&self.shown.get_untracked(), on);
    }

    /// Selects everybody who matches.
    pub fn take_matching(self) {
        self.next.set_value(None);
        let search = page_address::without_selection(&url::shown_search());
        self.change.dispatch(PickChange::Matching { search, shown: self.shown.get_untracked() });
    }

    /// Forgets the selection.
    pub fn clear(self) {
        self.refusal.set(None);
        self.next.set_value(None);
        self.now.set(None);
        self.cleared.set_value(true);
        self.send();
    }

    /// Whether the server has yet to hear of a tick. What goes on to an action then waits for it, so that the action is
    /// aimed at the people that are ticked.
    pub fn wait_to_compose(self, kind: TaskKind) -> bool {
        let waits = self.change.pending().get_untracked();
        if waits {
            self.next.set_value(Some(kind));
        }
        waits
    }

    fn mark(self, ids: &[PersonId], on: bool) {
        self.refusal.set(None);
        self.next.set_value(None);
        self.now.update(|now| *now = Some(marked(now.take(), ids, on)));
        self.send();
    }

    fn send(self) {
        if self.change.pending().get_untracked() {
            self.behind.set_value(true);
            return;
        }
        self.behind.set_value(false);
        let ticked = self.now.with_untracked(|now| now.as_ref().map(|view| view.ticked.clone()));
        let cleared = self.cleared.try_update_value(std::mem::take).unwrap_or_default();
        if let Some(token) = self.kept.get_value().filter(|_| cleared) {
            self.kept.set_value(None);
            self.behind.set_value(ticked.is_some());
            self.change.dispatch(PickChange::Drop { token: token.to_string() });
        } else if let Some(ticked) = ticked {
            self.change.dispatch(PickChange::Shown {
                token: self.kept.get_value().map(|token| token.to_string()).unwrap_or_default(),
                shown: self.shown.with_untracked(|shown| page_address::list(shown)),
                ticked: ticked.iter().map(PersonId::to_string).collect(),
            });
        }
    }

    /// The server has no such selection any more: what is ticked here begins another. The people of other pages are lost,
    /// and that is said.
    fn begin_anew(self, gone: Refusal) {
        let before = self.now.get_untracked();
        let now = before.as_ref().map(|before| marked(None, &before.ticked, true)).filter(|now| now.count > 0);
        let lost = before.map(|before| before.count) > now.as_ref().map(|now| now.count);
        self.refusal.set(lost.then_some(gone));
        self.now.set(now);
        self.send();
    }

    fn listen(self) {
        let held = Live::of_page().held;
        Effect::new(move |_| held.set(self.count()));
        // The address carries the selection on to other pages, and back.
        let show = move |token: Option<SelectionToken>| {
            url::tell("docket:address", &page_address::selected(&url::shown_search(), token));
            let next = self.next.try_update_value(Option::take).flatten();
            if let (Some(kind), Some(token)) = (next, token) {
                url::tell("docket:go", &compose(kind, token));
            }
        };
        Effect::new(move |_| match self.change.value().get() {
            Some(Ok(Some(view))) => {
                let token = view.token;
                self.kept.set_value(Some(token));
                if self.behind.get_value() {
                    self.send();
                } else {
                    self.now.set(Some(view));
                    show(Some(token));
                }
            }
            Some(Ok(None)) if self.behind.get_value() => self.send(),
            Some(Ok(None)) => show(self.token()),
            Some(Err(_)) if self.cleared.get_value() => self.send(),
            Some(Err(refusal)) if refusal.0.code == "selection_gone" && self.kept.get_value().is_some() => {
                self.kept.set_value(None);
                self.next.set_value(None);
                self.begin_anew(refusal);
                show(None);
            }
            Some(Err(refusal)) => {
                self.behind.set_value(false);
                self.next.set_value(None);
                self.refusal.set(Some(refusal));
            }
            None => {}
        });
    }
}

/// A selection after ticking or unticking people on the page. A new one has no token until the server answers.
fn marked(now: Option<SelectionView>, ids: &[PersonId], on: bool) -> SelectionView {
    let mut view = now.unwrap_or(SelectionView {
        token: SelectionToken::NOT_YET,
        count: 0,
        matching: false,
        ticked: Vec::new(),
        filter_query: None,
        everyone: false,
    });
    for id in ids {
        match (on, view.ticked.iter().position(|ticked| ticked == id)) {
            (true, None) => {
                view.ticked.push(*id);
                view.count += 1;
            }
            (false, Some(at)) => {
                view.ticked.remove(at);
                view.count = view.count.saturating_sub(1);
            }
            _ => {}
        }
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticking_twice_counts_once() {
        let [a, b] = [1, 2].map(PersonId::from_u128);
        let view = marked(None, &[a, b], true);
        let view = marked(Some(view), &[b], true);
        assert_eq!((view.count, view.ticked.len()), (2, 2));
        let view = marked(Some(SelectionView { count: 100, ..view }), &[a], false);
        assert_eq!((view.count, view.ticked), (99, vec![b]));
    }
}
