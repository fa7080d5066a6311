//! One cause of failures, looked at.

use leptos::prelude::*;
use model::{
    admin::{FailureGroup, Window},
    kind::Description,
};

use super::group::{counted_by, state, verbs};
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{
            numbers::{grouped, tasks, units},
            time::Time,
        },
    },
    pages::admin::{
        remedy::remedy,
        tasks::check::{AskedOn, FAILURES},
        words,
    },
    url,
};

/// What became of the tasks of a cause.
fn consequence(group: &FailureGroup) -> String {
    let (stopped, again) = (tasks(group.dead), tasks(group.retrying));
    let told = match (group.dead, group.retrying) {
        (0, 0) => "All were retried or closed.".to_owned(),
        (0, _) => format!("{again} will be retried automatically."),
        (1, 0) => format!("{stopped} failed for good. Docket does not retry it automatically."),
        (_, 0) => format!("{stopped} failed for good. Docket does not retry them automatically."),
        _ => format!("{stopped} failed for good. {again} will be retried automatically."),
    };
    match group.open {
        0 => told,
        open => format!("{told} Not processed: {}.", units(&Description::of(&group.kind), open)),
    }
}

/// One cause: what happened, what to do, and behind that what a machine said of it.
pub fn one(group: &FailureGroup, window: Window) -> AnyView {
    let n = group.dead;
    let one_state = |dead, retrying| {
        let these = FailureGroup { dead, retrying, ..group.clone() };
        url::with("/admin/tasks", &counted_by(&these, window))
    };
    let (retried, closed) = match n {
        0 => ("Retry all now…".to_owned(), "Close all…".to_owned()),
        n => (format!("Retry {}…", tasks(n)), format!("Close {}…", tasks(n))),
    };
    let to_do = (n + group.retrying > 0).then(|| {
        view! {
            <div>
                <h3>"What to do"</h3>
                <p>{remedy(&group.code)}</p>
            </div>
            <div class="line">
                {verbs(group, window, AskedOn::Cause, [retried, closed], ["button primary", "button"])}
            </div>
        }
    });
    let of_state = |name: &'static str, count: u64, href: String| {
        (count > 0).then(|| view! { <dt>{name}</dt><dd><a href=href>{tasks(count)}</a></dd> })
    };
    let text = format!("{}\n{}", group.code, group.detail);
    view! {
        <section aria-labelledby="h-one" class="panel sunken">
            <div class="section">
                <div class="line"><h2 id="h-one">{group.title.clone()}</h2>{state(group)}</div>
                <a href=url::with(FAILURES, &[("window", window.name())])>"Back to all failures"</a>
            </div>
            <div class="halves">
                <div class="stack tight">
                    <p>{consequence(group)}</p>
                    {to_do}
                </div>
                <dl class="defs">
                    <dt>"Kind"</dt>
                    <dd>{words::kind(&group.kind)}</dd>
                    {of_state("Failed", n, one_state(n, 0))}
                    {of_state("Waiting to retry", group.retrying, one_state(0, group.retrying))}
                    <dt>"Attempts"</dt>
                    <dd>{format!("{} failed, of {}", grouped(group.failures), tasks(group.tasks))}</dd>
                    <dt>"First seen"</dt>
                    <dd><Time at=group.first_date exact=true/></dd>
                    <dt>"Last seen"</dt>
                    <dd><Time at=group.last_date exact=true/></dd>
                </dl>
            </div>
            <details class="disclosure">
                <summary><Icon name="right"/>"Error text, for support"</summary>
                <pre class="trace" role="group" tabindex="0" aria-label="Error text">{text}</pre>
            </details>
        </section>
    }
    .erase()
}
