//! Whom a number of the check counts: people, and after them the ids that nobody can be named for.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::preview::{Counted, PreviewPeople};

use super::draft::{Draft, crumb};
use crate::{
    components::{
        blank::Blank,
        table::{Head::Text, table},
        values::{badge::StatusBadge, pager},
    },
    url,
};

/// The list.
#[component]
pub fn Shown(draft: Draft, search: String, people: PreviewPeople) -> impl IntoView {
    let PreviewPeople { title, page } = people;
    let next = page.next.map(|next| url::join(&draft.path(), &url::following(&search, &next)));
    let (shown, total, first) = (page.items.len(), page.total, url::begins(&search));
    let list = if shown == 0 {
        let text = "This group is now empty.";
        let back = draft.check_link();
        view! { <Blank icon="people" title="Nobody" text><a class="button" href=back>"Check again"</a></Blank> }.erase()
    } else {
        listed(title.clone(), page.items)
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=draft.origin()>{crumb(&draft)}</a></li>
                    <li><a href=draft.check_link()>"Check"</a></li>
                </ol>
                <h1>{title}</h1>
            </div>
            <a class="button" href=draft.check_link()>"Back to the check"</a>
        </header>
        {list}
        <div class="pager">
            <div>{pager::place(shown, total, first)}</div>
            <div>{next.map(|next| view! { <a class="button" href=next>"Next"</a> })}</div>
        </div>
    }
}

fn listed(caption: String, rows: Vec<Counted>) -> AnyView {
    let lines = rows.into_iter().map(line).collect_view();
    table(caption, &[Text("Name"), Text("School ID"), Text("Status now"), Text("Coach")], lines)
}

fn line(counted: Counted) -> AnyView {
    let row = match counted {
        Counted::Person(row) => *row,
        Counted::Given(given) => {
            // Nobody has a name here: the school ID that was given is what the line is called.
            let key = given.clone();
            return match given {
                Some(given) => view! {
                    <tr data-key=key>
                        <td class="wide-only soft">"—"</td>
                        <th scope="row" class="id">{given}</th>
                        <td class="wide-only" colspan="2"></td>
                    </tr>
                }
                .erase(),
                None => view! {
                    <tr data-key="gone">
                        <th scope="row" class="soft">"No longer in Docket"</th>
                        <td class="wide-only" colspan="3"></td>
                    </tr>
                }
                .erase(),
            };
        }
    };
    let status = row.program_status.map(|status| view! { <StatusBadge status/> });
    view! {
        <tr data-key=row.id.to_string()>
            <th scope="row">{row.name}</th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            <td class="first"><span class="line">{status}</span></td>
            <td class="brief" data-prefix="coach">{row.coach_name}</td>
        </tr>
    }
    .erase()
}
