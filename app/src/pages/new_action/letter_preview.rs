//! A letter as one person will see it, and what else is to be known of an email before it is sent.

use leptos::prelude::*;
use model::{Instant, Markup, action::Email, composer::Shown, letter::Letter};

use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        tip::Tip,
        trusted_html,
        type_erasure::Erase,
        values::{name::said, time::Time},
    },
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
            <div class="section"><h2 id="h-letter">"The message"</h2><span>{format!("as {} will see it", said(&shown.name))}</span></div>
            {paper(facts.erase(), shown.html)}
        </section>
    }
    .erase()
}

/// The email of a task.
pub struct TaskEmail {
    /// As one person sees it; nobody can be shown where it went to nobody.
    pub shown: Option<Shown>,
    /// Whether that person has got it.
    pub is_sent: bool,
    /// Whether the task has ended.
    pub is_over: bool,
    /// In whose name it goes, and where replies go.
    pub from: String,
    pub reply_to: Option<String>,
}

/// The email that a task sends: as one person sees it, or as it was written.
pub fn message(email: &Email, task: TaskEmail) -> AnyView {
    let TaskEmail { shown, is_sent, is_over, from, reply_to } = task;
    let to = shown.as_ref().map(|shown| view! { <dt>"To"</dt><dd>{to(shown)}</dd> });
    let whose = match &shown {
        Some(shown) if is_sent => format!("as {} received it", said(&shown.name)),
        Some(shown) if is_over => format!("not sent; as {} would have seen it", said(&shown.name)),
        Some(shown) => format!("as {} will see it", said(&shown.name)),
        None => "as it was written".to_owned(),
    };
    let (subject, html) = match shown {
        Some(shown) => (shown.subject, shown.html),
        None => (email.subject.clone(), as_written(&email.body)),
    };
    let facts = view! {
        {to}
        <dt>"From"</dt><dd>{from}</dd>
        <dt>"Replies go to"</dt><dd>{reply_to.unwrap_or_else(|| "nobody".to_owned())}</dd>
        <dt>"Subject"</dt><dd><strong>{subject}</strong></dd>
    };
    view! {
        <section aria-labelledby="h-letter" class="stack tight">
            <div class="section"><h2 id="h-letter">"The email"</h2><span>{whose}</span></div>
            {paper(facts.erase(), html)}
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
pub fn Hold(
    seconds: u64,
    /// When it starts, if not at once.
    start: Option<Instant>,
) -> impl IntoView {
    if let Some(at) = start {
        return view! {
            <div class="notice">
                <Icon name="scheduled"/>
                <div>
                    <strong>"Scheduled"</strong>
                    <p>
                        "Until "<Time at ahead=true/>
                        ", you can cancel the whole email. After that, Cancel stops only what has not been sent."
                    </p>
                </div>
            </div>
        }
        .erase();
    }
    view! {
        <div class="notice">
            <Icon name="held"/>
            <div>
                <div class="line"><strong>{format!("Held for {seconds} seconds")}</strong><Tip on=Hint::Hold/></div>
                <p>"Until then, you can cancel the whole email. After that, Cancel stops only what has not been sent."</p>
            </div>
        </div>
    }
    .erase()
}
