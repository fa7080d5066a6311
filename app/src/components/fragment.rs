//! Parts that the server renders and the browser only shows. New markup is grafted onto what is there: whatever stays the
//! same stays in place, with its focus, and only what differs is touched. Nothing is made into something else that could have
//! been ticked or opened: a row of another task is another row.

use leptos::{
    attr::{Attribute, any_attribute::AnyAttribute},
    prelude::*,
    tachys::{
        hydration::Cursor,
        renderer::{CastFrom, types::Element},
        view::{Position, PositionState, add_attr::AddAnyAttr},
    },
};
use wasm_bindgen::JsCast;
use web_sys::Node;

use super::values::time::localize;
use crate::answer::Html;

/// What is shown of the markup, and the element that it became.
pub struct ShownFragment {
    /// Nothing where something was left as it was.
    html: Option<Html>,
    element: Element,
}

impl Render for Html {
    type State = ShownFragment;

    fn build(self) -> ShownFragment {
        let element = self.parse();
        localize(&element);
        ShownFragment { html: Some(self), element }
    }

    fn rebuild(self, shown: &mut ShownFragment) {
        if shown.html.as_ref() == Some(&self) {
            return;
        }
        let focused = document().active_element();
        node(&shown.element, &self.parse());
        refocus(focused);
        localize(&shown.element);
        let is_left = shown.element.query_selector(IN_USE).is_ok_and(|form| form.is_some());
        shown.html = (!is_left).then_some(self);
    }
}

impl Html {
    /// The element of this markup, not yet on the page.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place, and its markup is what the renderer of the server made"
    )]
    fn parse(&self) -> Element {
        let around = document().create_element("div").unwrap_or_else(|_| unreachable!("a div can be made"));
        around.set_inner_html(self.as_str());
        around.first_element_child().unwrap_or(around)
    }
}

impl Mountable for ShownFragment {
    fn unmount(&mut self) {
        self.element.unmount();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        self.element.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.element.insert_before_this(child)
    }

    fn elements(&self) -> Vec<Element> {
        vec![self.element.clone()]
    }
}

/// Markup has its attributes already: any that a parent would add stay away.
impl AddAnyAttr for Html {
    type Output<A: Attribute> = Html;

    fn add_any_attr<A: Attribute>(self, _: A) -> Html {
        self
    }
}

impl RenderHtml for Html {
    type AsyncOutput = Html;
    type Owned = Html;

    const MIN_LENGTH: usize = 0;

    fn html_len(&self) -> usize {
        self.as_str().len()
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Html {
        self
    }

    fn to_html_with_buf(self, buf: &mut String, position: &mut Position, _: bool, _: bool, _: Vec<AnyAttribute>) {
        buf.push_str(self.as_str());
        *position = Position::NextChild;
    }

    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> ShownFragment {
        match position.get() {
            Position::FirstChild => cursor.child(),
            Position::Current => {}
            _ => cursor.sibling(),
        }
        position.set(Position::NextChild);
        match Element::cast_from(cursor.current()) {
            Some(element) => ShownFragment { html: Some(self), element },
            None => self.build(),
        }
    }

    fn into_owned(self) -> Html {
        self
    }
}

/// What an element stands for, as a row for its person: it is never made into another's, wherever that one stands now.
fn key(node: &Node) -> Option<String> {
    node.dyn_ref::<web_sys::Element>()?.get_attribute("data-key")
}

/// What a box or an option says when it is chosen, and a button when it is pressed: with another name, value or address it is
/// another one.
fn says(node: &Node) -> Option<[Option<String>; 4]> {
    let field = node.dyn_ref::<web_sys::Element>()?;
    let chosen = field.matches("button, option, input:is([type=checkbox], [type=radio])").unwrap_or_default();
    chosen.then(|| ["type", "name", "value", "formaction"].map(|name| field.get_attribute(name)))
}

/// A form whose buttons change with what they are about, as long as somebody points at it or writes in it. It stays as it is: a
/// button that moves under the hand is pressed in the place of another.
const IN_USE: &str = "form[data-still]:is(:hover, :focus-within)";

fn is_in_use(node: &Node) -> bool {
    node.dyn_ref::<web_sys::Element>().is_some_and(|form| form.matches(IN_USE).unwrap_or_default())
}

/// Whether one can be made into the other: else what was ticked on one would be said of the other.
fn alike(known: &Node, wanted: &Node) -> bool {
    known.node_type() == wanted.node_type() && known.node_name() == wanted.node_name() && says(known) == says(wanted)
}

/// Makes the children of `old` those of `fresh`.
fn children(old: &Node, fresh: &Node) {
    let (mut here, mut next) = (old.first_child(), fresh.first_child());
    // What stood before something that is still wanted.
    let mut passed: Vec<Node> = Vec::new();
    while let Some(wanted) = next {
        next = wanted.next_sibling();
        let wants = key(&wanted);
        let mut there = here.clone();
        while there.as_ref().is_some_and(|node| key(node) != wants) {
            there = there.and_then(|node| node.next_sibling());
        }
        // Adding and replacing fail only for nodes that cannot stand there, and these come from a parser.
        let Some(known) = there else {
            // What changes places takes along what is ticked and open in it.
            let moved = passed.iter().position(|node| wants.is_some() && key(node) == wants);
            let moved = moved.map(|at| passed.swap_remove(at)).filter(|moved| alike(moved, &wanted));
            let _ = old.insert_before(moved.as_ref().unwrap_or(&wanted), here.as_ref());
            if let Some(moved) = moved {
                node(&moved, &wanted);
            }
            continue;
        };
        // Whoever stood before has left, or stands further down now.
        while let Some(before) = here.take_if(|node| *node != known) {
            here = before.next_sibling();
            let _ = old.remove_child(&before);
            passed.push(before);
        }
        here = known.next_sibling();
        if is_in_use(&known) {
            continue;
        }
        if alike(&known, &wanted) {
            node(&known, &wanted);
        } else {
            let _ = old.replace_child(&wanted, &known);
        }
    }
    while let Some(surplus) = here {
        here = surplus.next_sibling();
        let _ = old.remove_child(&surplus);
    }
}

/// Gives the focus back to what has lost it by changing places.
fn refocus(focused: Option<web_sys::Element>) {
    if document().active_element() == focused {
        return;
    }
    let there = focused.filter(|focused| focused.is_connected());
    if let Some(field) = there.as_ref().and_then(|there| there.dyn_ref::<web_sys::HtmlElement>()) {
        let _ = field.focus();
    }
}

/// Makes `known` what `wanted` is, which is of the same kind.
fn node(known: &Node, wanted: &Node) {
    let (Some(old), Some(new)) = (known.dyn_ref::<web_sys::Element>(), wanted.dyn_ref::<web_sys::Element>()) else {
        if known.node_value() != wanted.node_value() {
            known.set_node_value(wanted.node_value().as_deref());
        }
        return;
    };
    // Rows that change places stay where they are under the pointer and the focus.
    if old.has_attribute("data-moves") && old.matches(":is(:hover, :focus-within)").unwrap_or_default() {
        return;
    }
    let same_moment = old.get_attribute("datetime").is_some_and(|at| new.get_attribute("datetime") == Some(at));
    if same_moment {
        // The reader's own time is written there already.
        return;
    }
    for name in old.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        // What the reader has opened stays open.
        if !new.has_attribute(&name) && name != "open" {
            let _ = old.remove_attribute(&name);
            hold(old, &name, None);
        }
    }
    for name in new.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        let value = new.get_attribute(&name);
        if value != old.get_attribute(&name) {
            let _ = old.set_attribute(&name, value.as_deref().unwrap_or_default());
            hold(old, &name, value);
        }
    }
    children(known, wanted);
}

/// What was typed into a field stays over its attribute: when that says something new, the field holds it too.
fn hold(field: &web_sys::Element, name: &str, value: Option<String>) {
    let holds = match name {
        "value" if field.node_name() == "INPUT" => value.unwrap_or_default().into(),
        "checked" | "selected" => value.is_some().into(),
        _ => return,
    };
    let _ = js_sys::Reflect::set(field, &name.into(), &holds);
}
