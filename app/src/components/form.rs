//! Forms without a component of their own: all of them are plain HTML. Where scripts run, a GET form becomes a navigation
//! inside the page, without empty values in the address and with the focus where it was; a POST form is posted once only;
//! and a choice marked with `data-sends` sends the form it names.

use leptos::{
    ev::{self, SubmitEvent},
    form::form_data_from_event,
    prelude::*,
};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, HtmlInputElement, UrlSearchParams};

use super::values::reader_clock;
use crate::url;

/// On a form that has been posted.
const SENT: &str = "data-sent";

/// Looks after all forms of the application; called once, within the router.
pub fn look_after() {
    let navigate = use_navigate();
    let _ = window_event_listener(ev::submit, move |event| {
        let Some(form) = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok()) else { return };
        if event.default_prevented() {
            return;
        }
        fill_offsets(&form);
        let method =
            event.submitter().and_then(|button| button.get_attribute("formmethod")).unwrap_or_else(|| form.method());
        if method == "post" {
            if form.has_attribute(SENT) {
                event.prevent_default();
            }
            let _ = form.set_attribute(SENT, "");
        } else if let Some(to) = target(&form, &event) {
            event.prevent_default();
            let scroll = !form.has_attribute("data-noscroll");
            // The form's own address is whole already.
            navigate(&to, NavigateOptions { scroll, resolve: false, ..NavigateOptions::default() });
        }
    });
    // A page that comes back from the browser's cache may be sent again.
    let _ = window_event_listener(ev::pageshow, |_| {
        if let Ok(sent) = document().query_selector_all("form[data-sent]") {
            for form in (0..sent.length()).filter_map(|i| sent.item(i)?.dyn_into::<HtmlFormElement>().ok()) {
                let _ = form.remove_attribute(SENT);
            }
        }
    });
    let _ = window_event_listener(ev::change, |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let named = target.and_then(|target| target.get_attribute("data-sends"));
        let form = named.and_then(|id| document().get_element_by_id(&id)?.dyn_into::<HtmlFormElement>().ok());
        if let Some(form) = form {
            let _ = form.request_submit();
        }
    });
}

/// Says of each local time in a form by how many minutes its clock is behind UTC on that day.
fn fill_offsets(form: &HtmlFormElement) {
    let Ok(Some(time)) = form.query_selector("input[data-local]") else { return };
    let Ok(Some(offset)) = form.query_selector("input[name=offset]") else { return };
    let (time, offset) = (time.unchecked_into::<HtmlInputElement>(), offset.unchecked_into::<HtmlInputElement>());
    offset.set_value(&reader_clock::behind(&time.value()).map(|behind| behind.to_string()).unwrap_or_default());
}

/// Where a GET form leads.
fn target(form: &HtmlFormElement, event: &SubmitEvent) -> Option<String> {
    let fields = form_data_from_event(event).ok()?;
    let query = UrlSearchParams::new_with_str_sequence_sequence(&fields).ok()?;
    let path = form.get_attribute("action")?;
    Some(url::with(&path, &url::pairs(&String::from(query.to_string()))))
}
