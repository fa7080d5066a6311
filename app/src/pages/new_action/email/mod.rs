//! Writing an email: the text on one side, on the other how one person will see it and who gets it. The server renders it,
//! and keeps what was typed whatever button is pressed; scripts keep it while somebody types.

mod recipients;
mod text;

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Problem, Role, SelectionView,
    composer::{ComposeContext, Saved},
};

use super::{
    api::ComposeEmail,
    choose::{ReasonField, StartField},
    draft::{Draft, KEPT, crumb},
    mistakes::{mistakes, needs_address},
};
use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        optional::Optional,
        trusted_html,
        type_erasure::Erase,
        values::{numbers::people, time::Time},
    },
    pages::done::{self, Done},
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
    /// What is wrong with the start, where it was to be checked.
    late: Option<Problem>,
) -> impl IntoView {
    let refusal = url::refusal(&search).map(|refusal| refusal.0);
    let tried = url::value(&search, "step").is_some().then(|| draft.action().err()).flatten();
    let problem = refusal.or_else(|| Problem::both(tried, late));
    let at = |field: &str| problem.as_ref().and_then(|problem| problem.message_for(field)).map(str::to_owned);
    let count = selected.count;
    let notice = problem.as_ref().map(mistakes);
    let ready = context.sending.is_ready();
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
        {done::notice(&search).filter(|_| context.saved.is_none() || !Done::DraftDiscarded.is_said(&search))}
        {warnings(&context, count, role, problem.as_ref().is_some_and(needs_address))}
        <form id="compose" class="columns even" method="post" action=ComposeEmail::url() aria-label="Email" data-draft="">
            <div>
                <div class="stack">
                    <input type="hidden" name="sel" value=draft.sel.clone()/>
                    <input type="hidden" name="from" value=draft.from.clone()/>
                    <input type="hidden" name="revision" value=context.saved.map(|saved| saved.revision.to_string())/>
                    <input type="hidden" name="next" value=context.next.to_string()/>
                    // What Enter in a field presses.
                    <button class="hidden" name="do" value="check" tabindex="-1" aria-hidden="true">"Check"</button>
                    {context.saved.filter(|_| is_restored(&search)).map(restored)}
                    {text::fields(&context, begins, &at)}
                    <div class="halves small">
                        {recipients::choice(&context, at("toPrimary"))}
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
                    {context.addresses.as_ref().map(|addresses| recipients::who(addresses, count, context.sending))}
                    {text::as_one_sees_it(&context)}
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
                    // It is asked first, because what is discarded is gone.
                    <details class="menu">
                        <summary class="button quiet large">"Discard draft…"</summary>
                        <div class="panel">
                            <button name="do" value="discard" formnovalidate>"Discard and leave"</button>
                        </div>
                    </details>
                </div>
            </div>
        </form>
    }
    .erase()
}

/// Whether the draft comes from an earlier visit: every way on from this page and back to it says so in the address.
fn is_restored(search: &str) -> bool {
    url::refusal(search).is_none()
        && ["done", "step", "person", KEPT.0].iter().all(|key| url::value(search, key).is_none())
}

/// A draft belongs to its writer, so that it may have been written for other people.
fn restored(saved: Saved) -> AnyView {
    view! {
        <div class="notice info">
            <Icon name="info"/>
            <div>
                <strong>"Your draft from " <Time at=saved.date exact=true/> " was restored"</strong>
                <p>"Check that it is meant for these people. Its start and reason are not kept."</p>
            </div>
            <div class="line"><button class="button" name="do" value="begin-anew" formnovalidate>"Discard it"</button></div>
        </div>
    }
    .erase()
}

/// Scripts save by themselves. As a value: a literal within other markup would be written as an attribute.
const SAVE: &str = "<button class=\"button large\" name=\"do\" value=\"save\" formnovalidate>Save draft</button>";

/// What stands in the way of this email, or makes it another one than it seems; `is_told`: that one’s own address is missing.
fn warnings(context: &ComposeContext, count: u64, role: Role, is_told: bool) -> AnyView {
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
    let unanswerable = context.reply_to.as_ref().filter(|_| !context.has_own_address && !is_told).map(|to| {
        let text = format!("Replies go to {to}. Add your own address to receive them.");
        view! {
            <Notice tone="info" title="Add your email address" text link=("/settings".to_owned(), "Go to your settings")/>
        }
    });
    view! { {silent}{rerouted}{many}{unanswerable} }.erase()
}
