//! A letter as one person will see it, and what else is to be known of an email before it is sent.

use leptos::prelude::*;
use model::{Markup, action::Email, composer::Shown, letter::Letter};

use crate::{
    components::{blank::Notice, icon::Icon, tip::Tip, trusted_html, type_erasure::Erase},
    help::hint::Hint,
};

/// The sheet of paper: facts in a list of definitions, and below them the text.
pub fn paper(facts: AnyView, html: Markup) -> AnyView {
    view! {
        <article class="letter" aria-label="Email" data-letter="" tabindex="0">
            <dl class="defs meta">{facts}</dl>
            <div data-letter-body="" inner_html=trusted_html::made(html)></div>
        </article>
    }
    .erase()
}

/// A text with its merge fields, before it is made out to anybody.
pub fn as_written(text: &str) -> Markup {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.fold(Markup::default(), |html, paragraph| html.ours("<p>").lines(paragraph).ours("</p>"))
}

/// To which address a letter goes.
pub fn to(shown: &Shown) -> String {
    shown.to.clone().unwrap_or_else(|| "no address".to_owned())
}

/// Where answers go, in words.
pub fn replies(to: Option<String>) -> AnyView {
    match to {
        Some(to) => to.erase(),
        None => view! { "nobody. "<a href="/settings">"Add your email address"</a> }.into_any(),
    }
}

/// An email that is checked, made out to the first of those who get it.
#[component]
pub fn CheckedLetter(
    email: Email,
    shown: Shown,
    /// In whose name it goes.
    from: String,
    /// Where answers go.
    reply_to: Option<String>,
) -> impl IntoView {
    let copy = (!email.cc.is_empty())
        .then(|| view! { <dt>"Copy"</dt><dd>{email.cc.join(", ")} " (one for the whole action)"</dd> });
    let journal = if email.create_journal_entry { "one entry for each email sent" } else { "no entries" };
    let facts = view! {
        <dt>"To"</dt><dd>{to(&shown)}</dd>
        <dt>"From"</dt><dd>{from}</dd>
        <dt>"Replies go to"</dt><dd>{replies(reply_to)}</dd>
        {copy}
        <dt>"Journal"</dt><dd>{journal}</dd>
        <dt>"Subject"</dt><dd><strong>{shown.subject.clone()}</strong></dd>
    };
    view! {
        <section aria-labelledby="h-letter" class="stack tight">
            <div class="section"><h2 id="h-letter">"The message"</h2><span>{format!("as {} will see it", shown.name)}</span></div>
            {paper(facts.erase(), shown.html)}
        </section>
    }
    .erase()
}

/// The email that a task sends: as one person will see it while it is held, and later as it was written. `shown` is made out to one of those who will get it.
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

/// Braces that are sent as they are, by their own words: whoever meant a name has mistyped it.
pub fn stray_braces(email: &Email, change: String) -> Option<AnyView> {
    let read = [&email.subject, &email.body].map(|text| Letter::read(text).map(|letter| letter.braces()));
    let found: Vec<String> = read.into_iter().filter_map(Result::ok).flatten().map(|own| format!("“{own}”")).collect();
    if found.is_empty() {
        return None;
    }
    let text = format!(
        "{} will be sent exactly as written. A name is put in only for {{first name}}, {{middle name}} or {{last name}}.",
        found.join(", ")
    );
    Some(view! { <Notice tone="warn" title="Check the braces" text link=(change, "Edit the message")/> }.erase())
}

/// What holds for an email that is checked: nothing leaves at once.
#[component]
pub fn Hold(seconds: u64) -> impl IntoView {
    view! {
        <div class="notice">
            <Icon name="held"/>
            <div>
                <div class="line"><strong>{format!("Held for {seconds} seconds")}</strong><Tip on=Hint::Hold/></div>
                <p>"Until then, you can cancel the whole email. After that, Cancel stops only what has not been sent."</p>
            </div>
        </div>
    }
}
