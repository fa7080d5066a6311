//! How a page becomes markup.

use leptos::prelude::*;

use crate::{pages::served::sheet::Sheet, refusal::Refusal, server::html};

/// The page with this title.
pub fn rendered(title: impl Into<String>, view: impl RenderHtml) -> Result<Sheet, Refusal> {
    Ok(Sheet { title: title.into(), html: html("stack", view), of: String::new(), pulse: None })
}
