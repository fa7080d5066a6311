//! The people behind a number of the check.

use leptos::prelude::*;
use model::{PersonRow, preview::PreviewPeople};

use super::{api::preview_people, draft::Draft};
use crate::components::{
    badge::StatusBadge,
    blank::{Blank, Loading, Refused},
};

/// The list.
#[component]
pub fn Shown(draft: Draft, preview: String, which: String, after: String) -> impl IntoView {
    let asked = (preview.clone(), if which == "ALL" { String::new() } else { which.clone() }, after);
    let found = Resource::new(move || asked.clone(), |(preview, which, after)| preview_people(preview, which, after));
    view! {
        <Suspense fallback=|| view! { <Loading what="people"/> }>
            {move || {
                let (draft, preview, which) = (draft.clone(), preview.clone(), which.clone());
                Suspend::new(async move {
                    match found.await {
                        Ok(people) => list(draft, preview, which, people).into_any(),
                        Err(refusal) => view! { <Refused refusal retry=draft.check_link()/> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

fn list(draft: Draft, preview: String, which: String, people: PreviewPeople) -> impl IntoView {
    let PreviewPeople { title, page } = people;
    let next = page.next.map(|next| draft.link(&[("preview", &preview), ("show", &which), ("after", &next)]));
    let shown = page.items.len();
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=format!("/people?sel={}", draft.sel)>"People"</a></li>
                    <li><a href=draft.check_link()>"Check"</a></li>
                </ol>
                <h1>{title.clone()}</h1>
            </div>
            <a class="button" href=draft.check_link()>"Back to the check"</a>
        </header>
        {if shown == 0 {
            view! { <Blank icon="people" title="Nobody" text="There is nobody behind this number any more."/> }.into_any()
        } else {
            table(title, page.items).into_any()
        }}
        <div class="pager">
            <div>{format!("{shown} of {}", page.total.label())}</div>
            <div>{next.map(|next| view! { <a class="button" href=next>"Next"</a> })}</div>
        </div>
    }
}

fn table(caption: String, rows: Vec<PersonRow>) -> impl IntoView {
    let lines = rows
        .into_iter()
        .map(|row| view! {
            <tr>
                <th scope="row">{row.name}</th>
                <td class="brief id soft">{row.school_id}</td>
                <td class="first"><span class="line"><StatusBadge status=row.program_status/></span></td>
                <td class="brief" data-prefix="coach">{row.coach_name}</td>
            </tr>
        })
        .collect_view();
    view! {
        <div class="tableframe">
            <table class="table cards">
                <caption class="hidden">{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"School id"</th>
                        <th scope="col">"Status now"</th>
                        <th scope="col">"Coach"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}
