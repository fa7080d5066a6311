//! To which addresses an email goes, and who gets it and who does not.

use leptos::prelude::*;
use model::{
    Sending,
    action::Recipients,
    composer::{Addresses, ComposeContext},
};

use crate::components::{type_erasure::Erase, values::numbers::grouped};

/// The choice of addresses.
pub fn choice(context: &ComposeContext, problem: Option<String>) -> AnyView {
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

/// Who gets a message and who does not, by the addresses that are chosen; the check says it to the last one.
pub fn who(addresses: &[(Recipients, Addresses)], count: u64, sending: Sending) -> AnyView {
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
