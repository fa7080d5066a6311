//! What is known of a person, and who watches them.

use leptos::prelude::*;
use model::person::PersonDetail;

use crate::components::{
    type_erasure::Erase,
    values::time::{Time, day, since},
};

/// The column.
#[component]
pub fn Facts(person: PersonDetail) -> impl IntoView {
    let row = person.row;
    let mut facts: Vec<(String, AnyView)> = Vec::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            facts.push((name.to_owned(), breakable(value)));
        }
    };
    fact("School ID", row.school_id);
    fact("Primary email", row.primary_email);
    let details = person.details;
    if let Some(details) = &details {
        fact("Secondary email", details.secondary_email.clone());
        fact("Email", details.email_opt_out.then(|| "Opted out".to_owned()));
        fact("Birth date", details.birth_date.map(day));
    }
    fact("Student type", row.student_type);
    fact("Major", row.declared_major);
    fact("Campus", row.home_campus);
    fact("Start term", row.start_term);
    fact("Coach", person.coach);
    if let Some(details) = &details {
        for (name, value) in &details.extra {
            match (name.as_str(), value.as_str()) {
                // The mark of those whom Docket has made up itself.
                ("Invented", "yes") => fact("Origin", Some("Made up, not a real person".to_owned())),
                _ => fact(name, Some(value.clone())),
            }
        }
    }
    let watchers = details.map(|details| details.watchers).unwrap_or_default();
    let watched = (!watchers.is_empty()).then(|| {
        let lines = watchers
            .into_iter()
            .map(|watcher| view! { <dt>{watcher.name}</dt><dd>{since(watcher.date)} " " <Time at=watcher.date date=true/></dd> })
            .collect_view();
        view! {
            <section aria-labelledby="h-watch">
                <div class="section"><h2 id="h-watch">"Watched by"</h2></div>
                <dl class="defs">{lines}</dl>
            </section>
        }
    });
    view! {
        <div class="stack">
            <section aria-labelledby="h-facts">
                <div class="section"><h2 id="h-facts">"Details"</h2></div>
                <dl class="defs">
                    {facts.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> }).collect_view()}
                </dl>
            </section>
            {watched}
        </div>
    }
}

/// A value that may be an address, which is broken before its `@` rather than within a word.
fn breakable(value: String) -> AnyView {
    match value.split_once('@') {
        Some((name, domain)) => view! { {name.to_owned()}<wbr/>"@"{domain.to_owned()} }.erase(),
        None => value.erase(),
    }
}
