//! Views whose type is forgotten, so that a page is not one type that holds the types of all its parts. The framework's own
//! way also keeps for each of them the code that hydrates a page piece by piece, which Docket never does: its pages arrive
//! whole. Here that code is left out, which halves what the browser downloads.

use leptos::{
    attr::{Attribute, any_attribute::AnyAttribute},
    prelude::*,
    tachys::{
        hydration::Cursor,
        ssr::StreamBuilder,
        view::{Position, PositionState, add_attr::AddAnyAttr},
    },
};

/// Forgetting the type of a view.
pub trait Erase {
    /// The view, without its type.
    fn erase(self) -> AnyView;
}

impl<V: IntoView + 'static> Erase for V {
    fn erase(self) -> AnyView {
        Whole(self.into_view()).into_any()
    }
}

/// A view that is hydrated in one go.
struct Whole<V>(V);

impl<V: Render> Render for Whole<V> {
    type State = V::State;

    fn build(self) -> Self::State {
        self.0.build()
    }

    fn rebuild(self, state: &mut Self::State) {
        self.0.rebuild(state);
    }
}

impl<V: RenderHtml> AddAnyAttr for Whole<V> {
    type Output<A: Attribute> = Whole<V::Output<A>>;

    fn add_any_attr<A: Attribute>(self, attr: A) -> Self::Output<A>
    where
        Self::Output<A>: RenderHtml,
    {
        Whole(self.0.add_any_attr(attr))
    }
}

impl<V: RenderHtml> RenderHtml for Whole<V> {
    type AsyncOutput = V::AsyncOutput;
    type Owned = Whole<V::Owned>;

    const MIN_LENGTH: usize = V::MIN_LENGTH;
    const EXISTS: bool = V::EXISTS;

    fn dry_resolve(&mut self) {
        self.0.dry_resolve();
    }

    async fn resolve(self) -> Self::AsyncOutput {
        self.0.resolve().await
    }

    fn html_len(&self) -> usize {
        self.0.html_len()
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        self.0.to_html_with_buf(buf, position, escape, mark_branches, extra_attrs);
    }

    fn to_html_async_with_buf<const OUT_OF_ORDER: bool>(
        self,
        buf: &mut StreamBuilder,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        self.0.to_html_async_with_buf::<OUT_OF_ORDER>(buf, position, escape, mark_branches, extra_attrs);
    }

    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Self::State {
        self.0.hydrate::<FROM_SERVER>(cursor, position)
    }

    async fn hydrate_async(self, cursor: &Cursor, position: &PositionState) -> Self::State {
        self.0.hydrate::<true>(cursor, position)
    }

    fn into_owned(self) -> Self::Owned {
        Whole(self.0.into_owned())
    }
}
