//! The question before many tasks are retried or given up: how many, which are left alone, and why it is done.

use leptos::prelude::*;
use model::{
    admin::{AdminTaskQuery, BulkPreview, BulkVerb},
    grouped,
};

use super::{
    act::{self, Verb},
    tasks::PAGE,
    words,
};
use crate::{
    components::{
        blank::Blank,
        erase::Erase,
        table::{
            Head::{Number, Text},
            table,
        },
        time::Time,
    },
    refusal::Refusal,
    url,
};

/// Where it was asked, where one came from, and where to go on to: query strings, the last two of the list.
pub struct Way {
    pub asked: String,
    pub back: String,
    pub then: String,
}

/// The page.
pub fn view(query: &AdminTaskQuery, preview: BulkPreview, way: Way, refusal: Option<Refusal>) -> AnyView {
    let back = url::join(PAGE, &way.back);
    let n = preview.will_change;
    let tasks = model::tasks(n);
    let (title, consequence) = match preview.verb {
        BulkVerb::Retry => (
            format!("Retry {tasks}?"),
            "They go on with what is not done, and their failures are counted from zero. Those that wait for their next try skip the wait.",
        ),
        BulkVerb::Abandon => (
            format!("Abandon {tasks} for good?"),
            "They never run again. What they have done stays done. Their owners see your name and the reason.",
        ),
    };
    let left = preview.left.iter().map(|left| {
        view! {
            <li>{format!("{} {}: left as they are", left.count.short(), left.state.label().to_lowercase())}</li>
        }
    });
    let left = (!preview.left.is_empty()).then(|| view! { <ul class="plain soft">{left.collect_view()}</ul> });
    let crumbs = view! {
        <ol class="crumbs" aria-label="You are here">
            <li><a href="/admin">"Queue"</a></li>
            <li><a href=back.clone()>"Tasks"</a></li>
        </ol>
    };
    if n == 0 {
        return view! {
            <header class="head"><div>{crumbs}<h1>{title}</h1></div></header>
            <Blank icon="tasks" title="There is nothing to do" text="None of these tasks is in a state for it.">
                <a class="button" href=back>"Back to the tasks"</a>
            </Blank>
            {left}
        }
        .erase();
    }
    let more = preview.more.then(|| {
        view! { <p>{format!("More match than one operation takes: these are the {} oldest. Come back for the rest.", grouped(n))}</p> }
    });
    let open = (preview.open > 0).then(|| {
        view! { <p class="soft">{format!("{} people or steps of theirs are without an outcome.", grouped(preview.open))}</p> }
    });
    let lines = preview
        .sample
        .iter()
        .map(|row| {
            view! {
                <tr>
                    <th scope="row"><a href=format!("/admin/tasks/{}", row.id)>{row.title.clone()}</a></th>
                    <td class="first">{words::state(row, false)}</td>
                    <td class="brief">{row.owner_name.clone()}</td>
                    <td class=if row.total.is_some() { "brief num" } else { "wide-only" }>{words::people(row)}</td>
                    <td class="brief nowrap" data-prefix="submitted"><Time at=row.created_date/></td>
                </tr>
            }
        })
        .collect_view();
    let sampled = preview.sample.len() as u64;
    let heads = [Text("Task"), Text("State"), Text("Owner"), Number("People"), Text("Submitted")];
    let hidden = vec![
        ("verb", preview.verb.name().to_owned()),
        ("preview", preview.preview_token.to_string()),
        ("asked", way.asked),
        ("then", way.then),
    ];
    let (label, icon, tone) = match preview.verb {
        BulkVerb::Retry => (format!("Retry {tasks}"), "retrying", "primary"),
        BulkVerb::Abandon => (format!("Abandon {tasks}"), "abandoned", "danger"),
    };
    let verb = Verb::new("/admin/tasks/apply", label, icon, tone);
    let everything = query.is_everything().then(|| {
        view! {
            <label class="choice">
                <input type="checkbox" name="everything" value="yes" required/>
                <span>"I mean all tasks there are"<small>"Asked because no filter is set"</small></span>
            </label>
        }
        .erase()
    });
    view! {
        <header class="head"><div>{crumbs}<h1>{title}</h1></div></header>
        {act::refused(refusal.as_ref())}
        <div class="columns">
            <div>
                <section aria-labelledby="h-sample">
                    <div class="section">
                        <h2 id="h-sample">{if sampled < n { format!("{sampled} of them") } else { "These".to_owned() }}</h2>
                    </div>
                    {table("The tasks that this reaches", &heads, lines)}
                </section>
                <section class="panel sunken" aria-label="Confirm">
                    <p>{consequence}</p>
                    {more}
                    {open}
                    {left}
                    {act::form_with("bulk", vec![verb], hidden, everything, refusal.as_ref())}
                    <a class="button quiet" href=back>"Back without changing anything"</a>
                </section>
            </div>
        </div>
    }
    .erase()
}
