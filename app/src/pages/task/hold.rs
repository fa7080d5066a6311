//! An email that is held: when it is sent, and both ways out of the hold. The server renders it; a script counts down.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::{grouped, people};
use leptos::{prelude::*, server_fn::ServerFn};
use model::{Sending, TaskRow};

use crate::{
    components::{
        tip::Tip,
        values::time::{RenderedAt, Time, iso, span},
    },
    help::hint::Hint,
    pages::tasks::api::{CancelTask, SendNow},
};

/// The panel. Whoever acts on the email of somebody else says why.
pub fn panel(row: &TaskRow, own: bool, sending: Sending) -> AnyView {
    let (at, id) = (row.trigger_date, row.id.to_string());
    let now = use_context::<RenderedAt>().map_or(row.created_date, |rendered| rendered.now);
    // As a script counts down: the second that has begun is a whole one.
    let left = (at - now).num_milliseconds().max(0).unsigned_abs().div_ceil(1_000);
    let whole = (at - row.created_date).num_seconds().max(1).unsigned_abs();
    let until = iso(at);
    let reached = row.expected.or(row.total);
    let who = reached.map(people).unwrap_or_default();
    let reason = (!own).then(|| {
        view! {
            <label class="field">
                "Reason"
                <input class="input" name="reason" maxlength="500" required/>
            </label>
        }
    });
    let ways_out = row.can_abandon.then(|| {
        view! {
            <form class="line" method="post" action=CancelTask::url() data-still>
                <input type="hidden" name="id" value=id/>
                {reason}
                <button class="button large">"Cancel email"</button>
                // Nobody wants to wait less for what fails.
                {sending.is_ready().then(|| view! {
                    <button class="button primary large" formaction=SendNow::url()>"Send now"</button>
                })}
            </form>
        }
    });
    let ending = match sending {
        Sending::NotSetUp => view! {
            " will be listed as failed at "<Time at exact=true/>
            ". Nothing can be sent, because email is not set up on this server. If you cancel now, you can open the text again with “Repeat…”."
        }
        .into_any(),
        Sending::Ready => {
            view! { " will get it at "<Time at exact=true/>". If you cancel now, nobody is emailed." }
                .into_any()
        }
    };
    let (says, over) = sending.countdown();
    let drawn = format!("{left} {whole}");
    view! {
        <section class=if sending.is_ready() { "hold" } else { "hold stopped" } aria-labelledby="h-hold">
            <svg viewBox="0 0 64 64" aria-hidden="true">
                <circle class="track" cx="32" cy="32" r="28"></circle>
                <circle
                    class="left"
                    cx="32"
                    cy="32"
                    r="28"
                    pathLength=whole.to_string()
                    stroke-dasharray=drawn
                    transform="rotate(-90 32 32)"
                    data-until=until.clone()
                    data-whole=whole.to_string()
                ></circle>
            </svg>
            <div>
                <div class="line">
                    <h2 id="h-hold" data-until=until data-says=says data-ended=over>{format!("{says} {}", span(left))}</h2>
                    <Tip on=Hint::Hold/>
                </div>
                <p class="soft">{who}{ending}</p>
            </div>
            {ways_out}
        </section>
    }
    .erase()
}

/// Who gets it and who does not, as numbers that add up; nothing where it goes to everybody.
pub fn who(row: &TaskRow, sending: Sending) -> Option<AnyView> {
    let (total, reached) = (row.total?, row.expected?);
    let skipped = total.checked_sub(reached).filter(|skipped| *skipped > 0)?;
    let will = if sending.is_ready() { "will get the email" } else { "will be listed as failed" };
    Some(
        view! {
            <section aria-labelledby="h-who">
                <div class="section"><h2 id="h-who">{if sending.is_ready() { "Who gets it" } else { "Who it is for" }}</h2></div>
                <div class="tableframe">
                    <table class="table still sum">
                        <caption class="hidden">"People by whether they get the email; the lines add up to the total"</caption>
                        <thead>
                            <tr><th scope="col" class="num">"People"</th><th scope="col">"What happens"</th></tr>
                        </thead>
                        <tbody>
                            <tr data-key="CHANGE" class="lead"><td class="num">{grouped(reached)}</td><th scope="row">{will}</th></tr>
                            <tr data-key="SKIPPED">
                                <td class="num">{grouped(skipped)}</td>
                                <td>"skipped: no address or opted out"</td>
                            </tr>
                        </tbody>
                        <tfoot>
                            <tr><td class="num">{grouped(total)}</td><th scope="row">"people"</th></tr>
                        </tfoot>
                    </table>
                </div>
            </section>
        }
        .erase(),
    )
}
