//! Parts that the server renders and the browser only shows. New markup is grafted onto what is there: whatever stays the
//! same stays in place, with its focus, and only what differs is touched.

use leptos::{
    attr::IntoAttributeValue,
    tachys::{html::element::InnerHtmlValue, renderer::types::Element},
};
use wasm_bindgen::JsCast;
use web_sys::Node;

use super::time::localize;
use crate::answer::Html;

impl IntoAttributeValue for Html {
    type Output = Self;

    fn into_attribute_value(self) -> Self {
        self
    }
}

impl InnerHtmlValue for Html {
    type AsyncOutput = Self;
    type State = (Element, Html);
    type Cloneable = Self;
    type CloneableOwned = Self;

    fn html_len(&self) -> usize {
        self.0.len()
    }

    fn to_html(self, buf: &mut String) {
        buf.push_str(&self.0);
    }

    fn to_template(_: &mut String) {}

    fn hydrate<const FROM_SERVER: bool>(self, el: &Element) -> Self::State {
        (el.clone(), self)
    }

    fn build(self, el: &Element) -> Self::State {
        el.set_inner_html(&self.0);
        localize(el);
        (el.clone(), self)
    }

    fn rebuild(self, state: &mut Self::State) {
        if self == state.1 {
            return;
        }
        if let Ok(fresh) = state.0.clone_node_with_deep(false) {
            graft(&state.0, &fresh, &self);
            localize(&state.0);
        }
        state.1 = self;
    }

    fn into_cloneable(self) -> Self::Cloneable {
        self
    }

    fn into_cloneable_owned(self) -> Self::CloneableOwned {
        self
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self::AsyncOutput {
        self
    }
}

/// Makes the children of `old` those of `html`; `fresh` is an empty element of the same kind to read it with.
fn graft(old: &Element, fresh: &Node, html: &Html) {
    if let Some(fresh) = fresh.dyn_ref::<web_sys::Element>() {
        fresh.set_inner_html(&html.0);
        children(old, fresh);
    }
}

fn children(old: &Node, fresh: &Node) {
    let (mut here, mut next) = (old.first_child(), fresh.first_child());
    while let Some(wanted) = next {
        next = wanted.next_sibling();
        // Adding and replacing fail only for nodes that cannot stand there, and these come from a parser.
        let _ = match here {
            Some(known) => {
                here = known.next_sibling();
                if known.node_type() == wanted.node_type() && known.node_name() == wanted.node_name() {
                    node(&known, &wanted);
                    continue;
                }
                old.replace_child(&wanted, &known)
            }
            None => old.append_child(&wanted),
        };
    }
    while let Some(surplus) = here {
        here = surplus.next_sibling();
        let _ = old.remove_child(&surplus);
    }
}

fn node(known: &Node, wanted: &Node) {
    let (Some(old), Some(new)) = (known.dyn_ref::<web_sys::Element>(), wanted.dyn_ref::<web_sys::Element>()) else {
        if known.node_value() != wanted.node_value() {
            known.set_node_value(wanted.node_value().as_deref());
        }
        return;
    };
    let same_moment = old.get_attribute("datetime").is_some_and(|at| new.get_attribute("datetime") == Some(at));
    if same_moment {
        // The reader's own time is written there already.
        return;
    }
    for name in old.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        if !new.has_attribute(&name) {
            let _ = old.remove_attribute(&name);
        }
    }
    for name in new.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        let value = new.get_attribute(&name);
        if value != old.get_attribute(&name) {
            let _ = old.set_attribute(&name, &value.unwrap_or_default());
        }
    }
    children(known, wanted);
}
