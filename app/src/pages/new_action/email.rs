//! Writing an email: the text on one side, on the other how one person will see it and who gets it. The server renders it,
//! and keeps what was typed whatever button is pressed; scripts keep it while somebody types.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Markup, Role, SelectionView, Sending,
    action::{
        Recipients,
        email::{BODY, SUBJECT},
    },
    composer::{Addresses, ComposeContext, Saved},
    letter::NamePart,
};

use super::{
    api::ComposeEmail,
    choose::{ReasonField, StartField},
    draft::{Draft, KEPT, crumb},
    letter_preview::{paper, replies, to},
    mistakes::mistakes,
};
use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        optional::Optional,
        textarea::{TextArea, Writing},
        trusted_html,
        type_erasure::Erase,
        values::{
            numbers::{grouped, people},
            time::Time,
        },
    },
    pages::done,
    url,
};

/// The page, with what is wrong in it and what has just been done.
#[component]
pub fn Compose(
    draft: Draft,
    context: ComposeContext,
    selected: SelectionView,
    role: Role,
    search: String,
) -> impl IntoView {
    let refusal = url::refusal(&search).map(|refusal| refusal.0);
    let tried = url::value(&search, "step").is_some().then(|| draft.action().err()).flatten();
    let problem = refusal.or(tried);
    let at = |field: &str| problem.as_ref().and_then(|problem| problem.message_for(field)).map(str::to_owned);
    let count = selected.count;
    let notice = problem.as_ref().map(mistakes);
    let saved = match context.saved {
        Some(saved) => view! { "Draft saved " <Time at=saved.date exact=true/> }.erase(),
        None => view! { <span class="scripted">"Saved as a draft while you write"</span> }.erase(),
    };
    let ready = context.sending.is_ready();
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
    let tools = view! {
        <div class="line between">
            <span class="line scripted" role="group" aria-label="Insert a merge field">
                <span class="meta soft" aria-hidden="true">"Insert"</span>
                {inserts}
            </span>
            <span class="meta soft" role="status" data-draft-state="">{saved}</span>
        </div>
    };
    let typed = context.typed.clone();
    // Where somebody begins to write: not where something is to be mended first.
    let begins = problem.is_none() && typed.subject.is_empty();
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href=draft.origin()>{crumb(&draft)}</a></li></ol>
                <h1>{format!("Email {}", people(count))}</h1>
                <p class="facts">
                    <span>"One email each; recipients cannot see each other"</span>
                    {context.limit.map(|limit| view! { <span>{format!("at most {} for one email", people(limit))}</span> })}
                </p>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Write"</li><li>{context.sending.last_step()}</li></ol>
        </header>
        {notice}
        {done::notice(&search)}
        {warnings(&context, count, role)}
        <form id="compose" class="columns even" method="post" action=ComposeEmail::url() aria-label="Email" data-draft="">
            <div>
                <div class="stack">
                    <input type="hidden" name="sel" value=draft.sel.clone()/>
                    <input type="hidden" name="from" value=draft.from.clone()/>
                    <input type="hidden" name="revision" value=context.saved.map(|saved| saved.revision.to_string())/>
                    <input type="hidden" name="next" value=context.next.to_string()/>
                    // What Enter in a field presses.
                    <button class="hidden" name="do" value="check" tabindex="-1" aria-hidden="true">"Check"</button>
                    {context.saved.filter(|_| is_put_back(&search)).map(put_back)}
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
                            tools=tools.erase()
                        />
                        <span class="meta soft" data-count-of="body" data-most=BODY></span>
                        {templates(&context, at("templateName").or_else(|| at("template")))}
                    </div>
                    <div class="halves small">
                        {recipients(&context, at("toPrimary"))}
                        <div class="stack">
                            <StartField
                                start=draft.start.clone()
                                offset=draft.offset.clone()
                                empty="Leave empty to send after the hold. "
                                problem=at("start").or_else(|| at("triggerDate"))
                            />
                            <label class="choice">
                                <input type="checkbox" name="journal" value="yes" checked=!typed.journal.is_empty()/>
                                <span>"Write a journal entry for each person"<small>"The entry says “Emailed: ” and the subject"</small></span>
                            </label>
                        </div>
                    </div>
                    <div class="halves small">
                        <div class="field">
                            <label for="cc">"Copy to"<Optional/></label>
                            <input
                                class="input"
                                id="cc"
                                name="cc"
                                value=typed.cc.clone()
                                aria-describedby="cc-hint cc-problem"
                                aria-invalid=at("cc").is_some().then_some("true")
                            />
                            <span class="hint" id="cc-hint">"One copy for the whole action, not one per person."</span>
                            <span class="problem" id="cc-problem">{at("cc")}</span>
                        </div>
                        <ReasonField value=draft.reason.clone() problem=at("reason")/>
                    </div>
                </div>
                <div class="stack">
                    {context.addresses.as_ref().map(|addresses| who(addresses, count, context.sending))}
                    {letter(&context)}
                </div>
            </div>
            <div class="sendbar stack tight">
                <div class="line">
                    {(!ready).then(|| view! {
                        <button class="button primary large" name="do" value="save" formnovalidate>"Keep as draft"</button>
                    })}
                    <button class=if ready { "button primary large" } else { "button large" } name="do" value="check">
                        {format!("Check {}", people(count))}
                    </button>
                    {ready.then(|| view! {
                        <button class="button large" name="do" value="test" formnovalidate>
                            <Icon name="mail"/>
                            "Send a test to me"
                        </button>
                        <noscript inner_html=trusted_html::fixed(SAVE)></noscript>
                    })}
                    <button class="button quiet large" name="do" value="discard" formnovalidate>"Discard draft"</button>
                </div>
            </div>
        </form>
    }
    .erase()
}

/// Whether the draft comes from an earlier visit: every way on from this page and back to it says so in the address.
fn is_put_back(search: &str) -> bool {
    url::refusal(search).is_none()
        && ["done", "step", "person", KEPT.0].iter().all(|key| url::value(search, key).is_none())
}

/// A draft belongs to its writer, so that it may have been written for other people.
fn put_back(saved: Saved) -> AnyView {
    view! {
        <div class="notice info">
            <Icon name="info"/>
            <div>
                <strong>"Your draft from " <Time at=saved.date exact=true/> " was put back"</strong>
                <p>"Check that it is meant for these people."</p>
            </div>
            <div class="line"><button class="button" name="do" value="discard" formnovalidate>"Discard it"</button></div>
        </div>
    }
    .erase()
}

/// Scripts save by themselves. As a value: a literal within other markup would be written as an attribute.
const SAVE: &str = "<button class=\"button large\" name=\"do\" value=\"save\" formnovalidate>Save draft</button>";

const HINT: &str = "{first name | there} becomes each person’s first name, or “there” where it is missing. Start lines with “-\u{2060}\u{a0}” \
                    for a list; put *stars* around words for emphasis. Web addresses become links. The draft keeps the text, not the people selected.";

/// What stands in the way of this email, or makes it another one than it seems.
fn warnings(context: &ComposeContext, count: u64, role: Role) -> AnyView {
    let silent = context.sending.warning(role).map(|(title, text)| view! { <Notice tone="warn" title text/> });
    let rerouted = context.reroute.as_ref().map(|address| {
        let text = format!("This server sends every email to {address}, so nobody you select receives one.");
        view! { <Notice tone="warn" title="Emails are redirected" text/> }
    });
    let chosen = context.typed.recipients();
    let found = context.addresses.as_ref().and_then(|found| found.iter().find(|(recipients, _)| *recipients == chosen));
    let reached = found.map_or(count, |(_, found)| found.reached);
    let many = context.limit.filter(|limit| reached > *limit).map(|limit| {
        let text = format!(
            "One email can go to at most {}. Select fewer people, or export them and use a newsletter program.",
            people(limit)
        );
        view! { <Notice tone="warn" title="Too many people for one email" text/> }
    });
    let unanswerable = context.reply_to.as_ref().filter(|_| !context.has_own_address).map(|to| {
        let text = format!("Replies go to {to}. Add your own address to receive them.");
        view! {
            <Notice tone="info" title="Add your email address" text link=("/settings".to_owned(), "Go to your settings")/>
        }
    });
    view! { {silent}{rerouted}{many}{unanswerable} }.erase()
}

fn recipients(context: &ComposeContext, problem: Option<String>) -> AnyView {
    let chosen = context.typed.recipients();
    let have = |n: u64| if n == 1 { "1 person has one".to_owned() } else { format!("{} people have one", grouped(n)) };
    let addresses = context.addresses.as_ref().and_then(|found| found.first()).map(|(_, found)| found);
    let small = |recipients: Recipients| match recipients {
        Recipients::Primary => addresses.map(|found| have(found.primary)),
        Recipients::Secondary => addresses.map(|found| have(found.secondary)),
        Recipients::Both => Some("Primary as To, secondary as Cc".to_owned()),
    };
    let choices = Recipients::ALL
        .iter()
        .map(|&recipients| {
            view! {
                <label class="choice">
                    <input type="radio" name="to" value=recipients.name() checked=recipients == chosen/>
                    <span>{recipients.label()}<small>{small(recipients)}</small></span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="field" id="to">
            <legend>"Send to"</legend>
            <div class="choices">{choices}</div>
            <span class="problem">{problem}</span>
        </fieldset>
    }
    .erase()
}

/// The letter as one person will see it.
fn letter(context: &ComposeContext) -> AnyView {
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

/// Who gets a message and who does not, by the addresses that are chosen; the check says it to the last one.
fn who(addresses: &[(Recipients, Addresses)], count: u64, sending: Sending) -> AnyView {
    let tables =
        addresses.iter().map(|(recipients, found)| outcomes_of(*recipients, found, count, sending)).collect_view();
    view! {
        <section aria-labelledby="h-who">
            <div class="section"><h2 id="h-who">{if sending.is_ready() { "Who gets it" } else { "Who it is for" }}</h2></div>
            {tables}
        </section>
    }
    .erase()
}

fn outcomes_of(recipients: Recipients, addresses: &Addresses, count: u64, sending: Sending) -> AnyView {
    let reached = match (sending, addresses.reached) {
        (Sending::NotSetUp, _) => Sending::will_fail(),
        (Sending::Ready, 1) => "gets an email".to_owned(),
        (Sending::Ready, _) => "get an email".to_owned(),
    };
    let skipped = addresses
        .skipped
        .iter()
        .map(|(reason, n)| {
            view! { <tr data-key=reason.clone()><td class="num">{grouped(*n)}</td><td>{format!("skipped: {reason}")}</td></tr> }
        })
        .collect_view();
    let gone = count.saturating_sub(addresses.reached + addresses.skipped.iter().map(|(_, n)| n).sum::<u64>());
    view! {
        <table class="table still sum tight" data-who=recipients.name()>
            <caption class="hidden">"People by what would happen to them"</caption>
            <thead class="hidden">
                <tr><th scope="col">"People"</th><th scope="col">"What happens"</th></tr>
            </thead>
            <tbody>
                <tr data-key="REACHED" class="lead">
                    <td class="num">{grouped(addresses.reached)}</td>
                    <th scope="row">{reached}</th>
                </tr>
                {skipped}
                {(gone > 0).then(|| view! {
                    <tr data-key="NOT_FOUND"><td class="num">{grouped(gone)}</td><td>"skipped: not found"</td></tr>
                })}
            </tbody>
            <tfoot>
                <tr>
                    <td class="num">{grouped(count)}</td>
                    <th scope="row">{if count == 1 { "person selected" } else { "people selected" }}</th>
                </tr>
            </tfoot>
        </table>
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
