//! A letter as one person will see it, and what else is to be known of an email before it is sent.

use leptos::prelude::*;
use model::{Markup, action::Email, composer::Shown};

use crate::{
    components::{blank::Notice, tip::Tip, trusted_html, type_erasure::Erase},
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

/// To which address a letter goes.
pub fn to(shown: &Shown) -> String {
    shown.to.clone().unwrap_or_else(|| "no address".to_owned())
}

/// An email that is checked, made out to the first of those who get it.
#[component]
pub fn CheckedLetter(email: Email, shown: Shown) -> impl IntoView {
    let copy = (!email.cc.is_empty())
        .then(|| view! { <dt>"Copy"</dt><dd>{email.cc.join(", ")} " (one for the whole action)"</dd> });
    let journal = if email.create_journal_entry { "one entry for each person" } else { "no entries" };
    let facts = view! {
        <dt>"To"</dt><dd>{to(&shown)}</dd>
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

/// What holds for an email that is checked: nothing leaves at once.
#[component]
pub fn Hold(seconds: u64) -> impl IntoView {
    let text = format!(
        "After you send, the email is held for {seconds} seconds, and Cancel stops all of it. After that, Cancel stops only what \
         has not been sent."
    );
    view! {
        <div>
            <Notice tone="info" title=format!("Held for {seconds} seconds") text/>
            <div class="line meta soft">"Hold"<Tip on=Hint::Hold/></div>
        </div>
    }
}
