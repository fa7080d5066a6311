//! The text of an email, with what helps to write it, and how one person will see it.

use leptos::prelude::*;
use model::{
    Markup,
    action::email::{BODY, SUBJECT},
    composer::ComposeContext,
    letter::NamePart,
};

use crate::{
    components::{
        icon::Icon,
        optional::Optional,
        textarea::{TextArea, Writing},
        type_erasure::Erase,
        values::{numbers::grouped, time::Time},
    },
    pages::new_action::letter_preview::{paper, replies, to},
};

/// The subject and the message, with what helps to write them; `begins` where somebody begins to write, and `at` says what is wrong
/// with a field.
pub fn fields(context: &ComposeContext, begins: bool, at: &dyn Fn(&str) -> Option<String>) -> AnyView {
    let typed = &context.typed;
    let tools = tools(context);
    view! {
        <div class="field">
            <p class="line between">
                <label for="subject">"Subject"</label>
                <span data-count-of="subject" data-most=SUBJECT></span>
            </p>
            <input
                class="input"
                id="subject"
                name="subject"
                value=typed.subject.clone()
                autocomplete="off"
                required
                data-begins=begins.then_some("")
                aria-describedby="subject-problem"
                aria-invalid=at("subject").is_some().then_some("true")
            />
            <span class="problem" id="subject-problem">{at("subject")}</span>
        </div>
        <div class="stack tight">
            <TextArea
                label="Message"
                name="body"
                value=typed.body.clone()
                hint=HINT
                problem=at("body")
                writing=Writing::Letter
                tools
            />
            <span class="meta soft" data-count-of="body" data-most=BODY></span>
            {templates(context, at("templateName").or_else(|| at("template")))}
        </div>
    }
    .erase()
}

const HINT: &str = "{first name | there} becomes each person’s first name, or “there” where it is missing. Start lines with “-\u{2060}\u{a0}” \
                    for a list; put *stars* around words for emphasis. Web addresses become links. The draft keeps all but the start, the reason and the people selected.";

/// What stands above the message: merge fields to be put in, and when the draft was saved.
fn tools(context: &ComposeContext) -> AnyView {
    let saved = match context.saved {
        Some(saved) => view! { "Draft saved " <Time at=saved.date exact=true/> }.erase(),
        None => view! { <span class="scripted">"Saved as a draft while you write"</span> }.erase(),
    };
    let inserts = NamePart::ALL
        .map(|part| {
            let field = if part == NamePart::First {
                "{first name | there}".to_owned()
            } else {
                format!("{{{}}}", part.label())
            };
            let mut words = part.label().to_owned();
            words.replace_range(..1, &words[..1].to_uppercase());
            view! {
                <button type="button" class="button small" data-insert=field><Icon name="plus"/>{words}</button>
            }
        })
        .into_iter()
        .collect_view();
    view! {
        <div class="line between">
            <span class="line scripted" role="group" aria-label="Insert a merge field">
                <span class="meta soft" aria-hidden="true">"Insert"</span>
                {inserts}
            </span>
            <span class="meta soft" role="status" data-draft-state="">{saved}</span>
        </div>
    }
    .erase()
}

/// Texts of one's own for the next time.
fn templates(context: &ComposeContext, problem: Option<String>) -> AnyView {
    let options = context
        .templates
        .iter()
        .map(|template| view! { <option value=template.id.to_string()>{template.name.clone()}</option> })
        .collect_view();
    let some = !context.templates.is_empty();
    let open = problem.is_some();
    view! {
        <details class="disclosure" open=open>
            <summary>{format!("Templates ({})", grouped(context.templates.len() as u64))}</summary>
            {some.then(|| view! {
                <div class="line nowrap">
                    <span class="select grow">
                        <select name="template" aria-label="Template">{options}</select>
                        <Icon name="down"/>
                    </span>
                    <button class="button" name="do" value="template-use" formnovalidate>"Use"</button>
                    <button class="button quiet" name="do" value="template-delete" formnovalidate>"Delete"</button>
                </div>
            })}
            <div class="field">
                <label for="templateName">"Save this text as"<Optional/></label>
                <div class="line nowrap">
                    <input
                        class="input grow"
                        id="templateName"
                        name="templateName"
                        maxlength="60"
                        autocomplete="off"
                        aria-describedby="template-problem"
                        aria-invalid=open.then_some("true")
                    />
                    <button class="button" name="do" value="template-save" formnovalidate>"Save"</button>
                </div>
                <span class="problem" id="template-problem">{problem}</span>
            </div>
        </details>
    }
    .erase()
}

/// The letter as one person will see it.
pub fn as_one_sees_it(context: &ComposeContext) -> AnyView {
    let shown = context.letter.as_ref();
    let options = context
        .people
        .iter()
        .map(|(id, name)| {
            let selected = shown.is_some_and(|shown| shown.person_id == *id);
            view! { <option value=id.to_string() selected=selected>{name.clone()}</option> }
        })
        .collect_view();
    let (to, subject, html) = match shown {
        Some(shown) => (to(shown), shown.subject.clone(), shown.html.clone()),
        None => (String::new(), String::new(), Markup::default().ours("<p>Nobody is selected.</p>")),
    };
    let facts = view! {
        <dt>"To"</dt><dd data-letter-to="">{to}</dd>
        <dt>"From"</dt><dd>{context.from.clone()}</dd>
        <dt>"Replies go to"</dt><dd>{replies(context.reply_to.clone())}</dd>
        <dt>"Subject"</dt><dd><strong data-letter-subject="">{subject}</strong></dd>
    };
    view! {
        <section aria-labelledby="h-see" class="stack tight">
            <div class="section"><h2 id="h-see">"As one person will see it"</h2></div>
            <div class="line nowrap">
                <span class="select grow">
                    <select name="person" aria-label="Person whose email is shown">{options}</select>
                    <Icon name="down"/>
                </span>
                <button class="button" name="do" value="show" formnovalidate>"Show"</button>
            </div>
            {paper(facts.erase(), html)}
        </section>
    }
    .erase()
}
