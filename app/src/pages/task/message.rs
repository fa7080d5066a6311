//! The email that a task sends: as one person will see it while it is held, and later as it was written.

use leptos::prelude::*;
use model::{action::Email, composer::Shown};

use crate::{
    components::type_erasure::Erase,
    pages::new_action::letter_preview::{as_written, paper, to},
};

/// The section. `shown` is made out to one of those who will get it.
pub fn message(email: &Email, shown: Option<Shown>) -> AnyView {
    let (facts, html, whose) = match shown {
        Some(shown) => {
            let to = to(&shown);
            let facts = view! {
                <dt>"To"</dt><dd>{to}</dd>
                <dt>"Subject"</dt><dd><strong>{shown.subject}</strong></dd>
            };
            (facts.erase(), shown.html, format!("as {} will see it", shown.name))
        }
        None => {
            let facts = view! { <dt>"Subject"</dt><dd><strong>{email.subject.clone()}</strong></dd> };
            (facts.erase(), as_written(&email.body), "as it was written".to_owned())
        }
    };
    view! {
        <section aria-labelledby="h-letter" class="stack tight">
            <div class="section"><h2 id="h-letter">"The email"</h2><span>{whose}</span></div>
            {paper(facts, html)}
        </section>
    }
    .erase()
}
