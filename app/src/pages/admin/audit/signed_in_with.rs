//! By what somebody was known, and from where.

use leptos::prelude::*;
use model::admin::AuditEntry;

use crate::{components::type_erasure::Erase, url};

/// Where the page is.
pub const PAGE: &str = "/admin/audit";

/// By what they were known and from where, each with a link to all that was done so.
pub fn by(entry: &AuditEntry) -> AnyView {
    // Docket is who it was already.
    let credential = entry.credential.clone().filter(|credential| credential != "docket").map(|credential| {
        let id = credential.split_once(':').map_or("", |(_, id)| id);
        let words = credential_words(&credential);
        // All that was done with any password is nobody's trail.
        match id {
            "" => view! { <span>{words}</span> }.erase(),
            id => view! { <a href=url::with(PAGE, &[("credential", credential.as_str())]) title=id.to_owned()>{words}</a> }
                .erase(),
        }
    });
    let source = entry.source.clone().map(|source| {
        view! { <a class="sub" href=url::with(PAGE, &[("source", source.as_str())])>{source.clone()}</a> }
    });
    view! { {credential}{source} }.erase()
}

/// `Session …01ab2c`.
pub fn credential_words(credential: &str) -> String {
    let (kind, id) = credential.split_once(':').unwrap_or((credential, ""));
    let short: String = id.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
    match kind {
        "session" => format!("Session …{short}"),
        "token" => format!("Token …{short}"),
        "task" => format!("Task …{short}"),
        "password" => "Password".to_owned(),
        "passkey" => "Passkey".to_owned(),
        "provider" => format!("Provider {id}"),
        "directory" => format!("Directory …{short}"),
        "command" => "Command".to_owned(),
        other => other.to_owned(),
    }
}
