//! Some of the people who would change, now and then.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::grouped;
use leptos::prelude::*;
use model::{Action, Preview, Sending};

use crate::components::{
    table::{Head::Text, table},
    values::badge::NowThen,
};

/// The sample; nothing when nobody would change.
#[component]
pub fn Sample(preview: Preview, sending: Sending) -> impl IntoView {
    let (rows, count) = (preview.sample.clone(), preview.will_change);
    let will = sending.will(&preview.action);
    let changes = preview.action.changes_people();
    // What changes is who their coach is: the present one stands there already.
    let coach = !changes_coach(&preview.action);
    if rows.is_empty() {
        return ().erase();
    }
    let title = match rows.len() as u64 {
        shown if sending.stops(&preview.action) && shown == count => "Who it is for".to_owned(),
        shown if sending.stops(&preview.action) => format!("{shown} of the {} people it is for", grouped(count)),
        shown if shown == count => format!("Who {will}"),
        shown => format!("{shown} of the {} who {will}", grouped(count)),
    };
    let lines = rows
        .into_iter()
        .map(|row| {
            view! {
                <tr data-key=row.person_id.to_string()>
                    <th scope="row">{row.name}</th>
                    <td class="brief id soft nowrap">{row.school_id}</td>
                    {changes.then(|| view! {
                        <td class="first"><NowThen now=Some(row.now) then=Some(row.then) verb="becomes"/></td>
                    })}
                    {coach.then(|| view! { <td class="brief" data-prefix="coach">{row.coach_name}</td> })}
                </tr>
            }
        })
        .collect_view();
    let heads: &[_] = match changes {
        true if preview.action.cannot_be_taken_back() => {
            &[Text("Name"), Text("School ID"), Text("Goes to"), Text("Coach")]
        }
        true if !coach => &[Text("Name"), Text("School ID"), Text("Current → new")],
        true => &[Text("Name"), Text("School ID"), Text("Current → new"), Text("Coach")],
        false => &[Text("Name"), Text("School ID"), Text("Coach")],
    };
    view! {
        <section aria-labelledby="h-sample">
            <div class="section"><h2 id="h-sample">{title}</h2></div>
            {table("Sample of people", heads, lines)}
        </section>
    }
    .erase()
}

fn changes_coach(action: &Action) -> bool {
    match action {
        Action::ReassignCoach(_) | Action::ReassignByList(_) => true,
        Action::Undo(undo) => changes_coach(&undo.of),
        _ => false,
    }
}
