//! What would happen, as a sum that adds up; each number leads to its people.

use leptos::prelude::*;
use model::{Action, Preview, Role, Sending, SkipReason};

use super::draft::Draft;
use crate::components::values::numbers::grouped;

/// The table.
#[component]
pub fn Sum(preview: Preview, draft: Draft, sending: Sending, role: Role) -> impl IntoView {
    let (whole, counted) = (draft.source().whole(), draft.source().counted_in());
    let token = preview.preview_token.to_string();
    let show = move |which: &str, count: u64, who: String| {
        (count > 0).then(|| view! {
            <a href=draft.link(&[("preview", token.as_str()), ("show", which)])>"Show"<span class="hidden">{who}</span></a>
        })
    };
    let will = sending.will(&preview.action);
    // What skips nobody is one line together.
    let (skipped, empty): (Vec<_>, Vec<_>) = preview.skipped.iter().partition(|line| line.count > 0);
    // Whoever reaches everyone has nobody out of reach.
    let empty: Vec<_> =
        empty.into_iter().filter(|line| line.reason != SkipReason::OutOfReach || !role.reaches_everyone()).collect();
    let nobody = (!empty.is_empty()).then(|| {
        let labels = empty.iter().map(|line| line.label.as_str()).collect::<Vec<_>>().join("; ");
        view! {
            <tr data-key="NOBODY" class="none">
                <td class="num">"0"</td>
                <td>{format!("skipped: {labels}")}</td>
                <td></td>
            </tr>
        }
    });
    let skipped = skipped
        .into_iter()
        .map(|line| {
            let link = show(line.reason.name(), line.count, format!(" the {}: {}", grouped(line.count), line.label));
            view! {
                <tr data-key=line.reason.name()>
                    <td class="num">{grouped(line.count)}</td>
                    <td>{format!("skipped: {}", line.label)}</td>
                    <td class="num">{link}</td>
                </tr>
            }
        })
        .collect_view();
    let change = preview.will_change;
    view! {
        <section aria-labelledby="h-sum">
            <div class="section"><h2 id="h-sum">"What will happen"</h2></div>
            <div class="tableframe">
                <table class="table still sum">
                    <caption class="hidden">"People by what will happen to them; the lines add up to the total"</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="num">{counted}</th>
                            <th scope="col">"What happens"</th>
                            <th scope="col"><span class="hidden">"Show"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        <tr data-key="CHANGE" class="lead">
                            <td class="num">{grouped(change)}</td>
                            <th scope="row">{will}</th>
                            <td class="num">{show("CHANGE", change, format!(" the {} who will change", grouped(change)))}</td>
                        </tr>
                        {skipped}
                        {nobody}
                    </tbody>
                    <tfoot>
                        <tr>
                            <td class="num">{grouped(preview.total)}</td>
                            <th scope="row">{whole}</th>
                            <td class="num">{show(super::EVERYBODY, preview.total, format!(" all {}", grouped(preview.total)))}</td>
                        </tr>
                    </tfoot>
                </table>
            </div>
            {counts_from_now(&preview.action).then(|| view! {
                <p class="meta soft">"Their status counts from today, not from when they had it before."</p>
            })}
        </section>
    }
}

/// Whether a status is put back, which is a new period of it.
fn counts_from_now(action: &Action) -> bool {
    matches!(action, Action::Undo(undo) if matches!(*undo.of, Action::ProgramStatus(_)))
}
