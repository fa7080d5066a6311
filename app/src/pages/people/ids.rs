//! Choosing people by their school ids, pasted or from a file. The server renders it.

use leptos::prelude::*;
use model::{Permission, SelectionView};

use crate::components::values::numbers::{grouped, people};
use crate::{
    components::{
        blank::Notice,
        offered_actions::{compose, offered_to},
        optional::Optional,
        textarea::TextArea,
    },
    refusal::{Refusal, wrong},
};

/// The page: the form, and what came of it.
#[component]
pub fn Ids(
    selected: Option<SelectionView>,
    unknown: Vec<String>,
    more: u64,
    permissions: Vec<Permission>,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let count = unknown.len() as u64 + more;
    let missing = (count > 0).then(|| {
        let list = unknown.join(", ") + &if more > 0 { format!(", and {} more", grouped(more)) } else { String::new() };
        let title = if count == 1 {
            "1 school ID is unknown".to_owned()
        } else {
            format!("{} school IDs are unknown", grouped(count))
        };
        view! { <Notice tone="warn" title text=list/> }
    });
    let found = selected.filter(|selected| selected.count > 0).map(|selected| {
        let token = selected.token;
        view! {
            <section class="panel sunken stack tight" aria-labelledby="h-found">
                <h2 id="h-found">{format!("{} found and selected", people(selected.count))}</h2>
                <div class="line">
                    <a class="button primary" href=format!("/people?sel={token}")>"Continue with these people"</a>
                    {offered_to(&permissions)
                        .into_iter()
                        .map(|offered| view! { <a class="button" href=compose(offered.kind, token)>{offered.words}</a> })
                        .collect_view()}
                </div>
            </section>
        }
    });
    let problem = wrong(refusal.as_ref(), "schoolIds");
    let refused = refusal.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/people">"People"</a></li></ol>
                <h1>"Select people by school ID"</h1>
            </div>
        </header>
        {refused}
        {missing}
        {found}
        <form class="stack measure" method="post" action="/people/ids" enctype="multipart/form-data">
            <div class="roomy">
                <TextArea label="School IDs" name="schoolIds" value="" hint="One on each line, or separated by commas or spaces." problem/>
            </div>
            <div class="field">
                <label for="file">"Or a file"<Optional/></label>
                <input class="input" type="file" id="file" name="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"/>
                <span class="hint" id="file-hint">"Text or CSV. In a table, the first column is used."</span>
            </div>
            <div class="line">
                <button class="button primary large">"Find people"</button>
                <a class="button quiet large" href="/people">"Back to people"</a>
            </div>
        </form>
    }
}
