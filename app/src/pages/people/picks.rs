//! The selection while the page is alive. It is kept on the server; ticks show at once and are sent as the state of the
//! whole page, one request at a time, so that the last one always wins and a new selection begins only once.

use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};
use model::{PersonRow, SelectionView};
use uuid::Uuid;

use super::{
    Listing, address,
    api::{DropSelection, SelectMatching, SelectShown},
};
use crate::{live::Live, refusal::Refusal};

/// The selection of the page.
#[derive(Clone, Copy)]
pub struct Picks {
    /// The people on the page, in their order.
    pub shown: RwSignal<Vec<Uuid>>,
    pub now: RwSignal<Option<SelectionView>>,
    /// Why the last change was not kept.
    pub refusal: RwSignal<Option<Refusal>>,
    /// The listing that `shown` came from, and the row that was ticked last.
    query: StoredValue<Option<String>>,
    last: StoredValue<Option<usize>>,
    /// Ticked again while a request was on its way.
    behind: StoredValue<bool>,
    search: Memo<String>,
    select: ServerAction<SelectShown>,
    select_all: ServerAction<SelectMatching>,
    drop: ServerAction<DropSelection>,
}

impl Picks {
    /// For the page with this address.
    pub fn new(search: Memo<String>) -> Picks {
        let select = ServerAction::<SelectShown>::new();
        let select_all = ServerAction::<SelectMatching>::new();
        let drop = ServerAction::<DropSelection>::new();
        let refused = [
            select.value().get_untracked().and_then(Result::err),
            select_all.value().get_untracked().and_then(Result::err),
            drop.value().get_untracked().and_then(Result::err),
        ];
        let picks = Picks {
            shown: RwSignal::default(),
            now: RwSignal::new(None),
            refusal: RwSignal::new(refused.into_iter().flatten().next()),
            query: StoredValue::new(None),
            last: StoredValue::new(None),
            behind: StoredValue::new(false),
            search,
            select,
            select_all,
            drop,
        };
        picks.listen();
        picks
    }

    /// The token, once the server has given one.
    pub fn token(self) -> Option<Uuid> {
        self.now.with_untracked(|now| now.as_ref().map(|view| view.token).filter(|token| !token.is_nil()))
    }

    /// How many people are selected.
    pub fn count(self) -> u64 {
        self.now.with(|now| now.as_ref().map_or(0, |view| view.count))
    }

    pub fn is_ticked(self, id: Uuid) -> bool {
        self.now.with(|now| now.as_ref().is_some_and(|view| view.ticked.contains(&id)))
    }

    /// How many of those shown are ticked.
    pub fn ticked_here(self) -> usize {
        self.now.with(|now| now.as_ref().map_or(0, |view| view.ticked.len()))
    }

    /// Takes over a listing: a new page brings what is ticked on it; the same page again does not undo fresh ticks.
    pub fn arrive(self, listing: &Listing) {
        let rows: &[PersonRow] = listing.page.as_ref().map_or(&[], |page| &page.items);
        self.shown.set(rows.iter().map(|row| row.id).collect());
        let same = self.query.with_value(|query| query.as_ref() == Some(&listing.query));
        if !same || listing.sel == self.token() {
            self.now.set(listing.picks.clone());
            self.last.set_value(None);
        }
        self.query.set_value(Some(listing.query.clone()));
    }

    /// Ticks or unticks the row at `index`; with `extend` everything from the row ticked last.
    pub fn tick(self, index: usize, on: bool, extend: bool) {
        let from = self.last.get_value().filter(|_| extend).unwrap_or(index);
        self.last.set_value(Some(index));
        let range = from.min(index)..=from.max(index);
        let ids = self.shown.with_untracked(|shown| shown.get(range).map(<[Uuid]>::to_vec).unwrap_or_default());
        self.change(&ids, on);
    }

    /// Ticks or unticks the whole page.
    pub fn tick_page(self, on: bool) {
        self.change(&self.shown.get_untracked(), on);
    }

    /// Selects everybody who matches.
    pub fn take_matching(self) {
        self.select_all.dispatch(SelectMatching { back: self.search.get_untracked() });
    }

    /// Forgets the selection.
    pub fn clear(self) {
        if let Some(token) = self.token() {
            self.drop.dispatch(DropSelection { token: token.to_string(), back: String::new() });
        }
        self.now.set(None);
    }

    fn change(self, ids: &[Uuid], on: bool) {
        self.refusal.set(None);
        self.now.update(|now| *now = Some(changed(now.take(), ids, on)));
        self.send();
    }

    fn send(self) {
        if self.select.pending().get_untracked() {
            self.behind.set_value(true);
            return;
        }
        let ticked = self.now.with_untracked(|now| now.as_ref().map(|view| view.ticked.clone()).unwrap_or_default());
        self.select.dispatch(SelectShown {
            token: self.token().map(|token| token.to_string()).unwrap_or_default(),
            shown: self.shown.with_untracked(|shown| address::list(shown)),
            ticked: ticked.iter().map(Uuid::to_string).collect(),
            whole_page: String::new(),
            back: String::new(),
        });
    }

    fn listen(self) {
        let live = Live::expect();
        Effect::new(move |_| live.held.set(self.count()));
        let navigate = use_navigate();
        let show = move |token: Option<Uuid>| {
            let to = address::selected(&self.search.get_untracked(), token);
            navigate(&to, NavigateOptions { scroll: false, replace: true, ..NavigateOptions::default() });
        };
        let (shown, all, dropped) = (show.clone(), show.clone(), show);
        Effect::new(move |_| match self.select.value().get() {
            Some(Ok(view)) if self.behind.get_value() => {
                self.behind.set_value(false);
                self.now.update(|now| {
                    if let Some(now) = now {
                        now.token = view.token;
                    }
                });
                self.send();
            }
            Some(Ok(view)) => {
                let token = view.token;
                self.now.set(Some(view));
                shown(Some(token));
            }
            Some(Err(refusal)) => {
                self.behind.set_value(false);
                self.refusal.set(Some(refusal));
            }
            None => {}
        });
        Effect::new(move |_| match self.select_all.value().get() {
            Some(Ok(view)) => {
                let token = view.token;
                self.now.set(Some(SelectionView { ticked: self.shown.get_untracked(), ..view }));
                all(Some(token));
            }
            Some(Err(refusal)) => self.refusal.set(Some(refusal)),
            None => {}
        });
        Effect::new(move |_| {
            if self.drop.value().get().is_some() {
                dropped(None);
            }
        });
    }
}

/// A selection after ticking or unticking people on the page. A new one has no token until the server answers.
fn changed(now: Option<SelectionView>, ids: &[Uuid], on: bool) -> SelectionView {
    let mut view = now.unwrap_or(SelectionView {
        token: Uuid::nil(),
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
        let [a, b] = [1, 2].map(Uuid::from_u128);
        let view = changed(None, &[a, b], true);
        let view = changed(Some(view), &[b], true);
        assert_eq!((view.count, view.ticked.len()), (2, 2));
        let view = changed(Some(SelectionView { count: 100, ..view }), &[a], false);
        assert_eq!((view.count, view.ticked), (99, vec![b]));
    }
}
