//! What narrows the trail and has no field, each with a way to drop it.

use std::collections::HashMap;

use leptos::prelude::*;
use model::admin::AuditQuery;

use super::{
    entries::name_of,
    signed_in_with::{PAGE, credential_words},
};
use crate::{
    components::type_erasure::Erase,
    pages::admin::fields::{chip, end_of_span, instants},
    url,
};

pub fn chips(query: &AuditQuery, names: &HashMap<String, String>) -> AnyView {
    let mut chips = Vec::new();
    if let Some(credential) = &query.credential {
        let without = AuditQuery { credential: None, ..query.clone() };
        chips.push(chip(format!("Through: {}", credential_words(credential)), address(&without)));
    }
    let kind = query.object_kind.as_deref().unwrap_or_default();
    let about = match &query.object_id {
        Some(id) => Some(name_of(kind, id, names)),
        None => query.object_kind.clone(),
    };
    chips.extend(about.map(|about| {
        let without = AuditQuery { object_kind: None, object_id: None, ..query.clone() };
        chip(format!("About: {about}"), address(&without))
    }));
    for (key, value) in instants(query.since, query.until) {
        let without = match key {
            "since" => AuditQuery { since: None, ..query.clone() },
            _ => AuditQuery { until: None, ..query.clone() },
        };
        chips.push(chip(end_of_span(key, &value), address(&without)));
    }
    if chips.is_empty() {
        return ().erase();
    }
    view! { <div class="chips">{chips}</div> }.erase()
}

/// The page with these filters, from its beginning.
fn address(query: &AuditQuery) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    // As JSON writes it: the browser has no other way.
    let instant = |at| serde_json::json!(at).as_str().unwrap_or_default().to_owned();
    let pairs = [
        ("actor", text(&query.actor)),
        ("action", text(&query.action)),
        ("objectKind", text(&query.object_kind)),
        ("objectId", text(&query.object_id)),
        ("source", text(&query.source)),
        ("credential", text(&query.credential)),
        ("since", query.since.map(instant).unwrap_or_default()),
        ("until", query.until.map(instant).unwrap_or_default()),
        ("limit", query.limit.map(|limit| limit.to_string()).unwrap_or_default()),
    ];
    let set: Vec<_> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    url::with(PAGE, &set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_was_clicked_can_be_taken_away_and_the_other_filters_stay() {
        let query = AuditQuery {
            actor: Some("admin".to_owned()),
            credential: Some("session:0199aa01ab2c".to_owned()),
            limit: Some(10),
            ..AuditQuery::default()
        };
        let shown = chips(&query, &HashMap::new()).to_html();
        assert!(shown.contains("Through: Session …01ab2c"), "{shown}");
        assert!(shown.contains("/admin/audit?actor=admin&amp;limit=10\""), "{shown}");
        assert!(!chips(&AuditQuery::default(), &HashMap::new()).to_html().contains("chip"));
    }
}
