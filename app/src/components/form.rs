//! A GET form: without scripts an ordinary one, with scripts a navigation inside the page, without empty values in the
//! address and with the focus where it was.

use leptos::{ev::SubmitEvent, form::form_data_from_event, html, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use web_sys::UrlSearchParams;

use crate::url;

/// A form whose fields become the query of a page.
#[component]
pub fn QueryForm(
    #[prop(into)] id: String,
    #[prop(into)] action: String,
    #[prop(optional, into)] class: Option<&'static str>,
    /// `search` for the filters of a list.
    #[prop(optional, into)]
    role: Option<&'static str>,
    #[prop(optional)] node_ref: Option<NodeRef<html::Form>>,
    /// Called when the form is sent by a button that posts it elsewhere.
    #[prop(optional, into)]
    on_post: Option<UnsyncCallback<SubmitEvent>>,
    /// Whether to stay where the page is scrolled to.
    #[prop(optional)]
    stay: bool,
    children: Children,
) -> impl IntoView {
    let navigate = use_navigate();
    let target = action.clone();
    let on_submit = move |event: SubmitEvent| {
        let posts = event.submitter().and_then(|button| button.get_attribute("formmethod")).is_some();
        if event.default_prevented() {
            return;
        }
        if posts {
            if let Some(on_post) = &on_post {
                on_post.run(event);
            }
            return;
        }
        let Some(fields) = form_data_from_event(&event).ok().and_then(|data| {
            UrlSearchParams::new_with_str_sequence_sequence(&data).ok()
        }) else {
            return;
        };
        event.prevent_default();
        let query = String::from(fields.to_string());
        let to = url::with(&target, &url::pairs(&query));
        navigate(&to, NavigateOptions { scroll: !stay, ..NavigateOptions::default() });
    };
    view! {
        <form id=id class=class role=role method="get" action=action on:submit=on_submit node_ref=node_ref.unwrap_or_default()>
            {children()}
        </form>
    }
    .into_any()
}
