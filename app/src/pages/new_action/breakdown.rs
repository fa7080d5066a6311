//! What would happen, as a sum that adds up; each number leads to its people.

use leptos::prelude::*;
use model::{
    Action, Preview, Role, Sending, SkipReason,
    action::wrong_in_list,
    preview::{WrongLine, WrongLines},
};

use super::draft::Draft;
use crate::components::{
    type_erasure::Erase,
    values::numbers::{self, grouped},
};

/// The table.
#[component]
pub fn Sum(
    preview: Preview,
    draft: Draft,
    sending: Sending,
    role: Role,
    /// Of a list, what is to be corrected in it.
    wrong: WrongLines,
) -> impl IntoView {
    let wrong = (!wrong.told.is_empty()).then(|| wrong_lines(wrong, preview.will_change > 0));
    let (whole, counted) = (draft.source().whole(preview.total), draft.source().counted_in());
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
            <div class="stack tight"><div class="tableframe">
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
                            <th scope="row">{will.clone()}</th>
                            <td class="num">{show("CHANGE", change, format!(" the {} who {will}", grouped(change)))}</td>
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
            {wrong}
            </div>
        </section>
    }
}

/// What is to be put right in the file.
fn wrong_lines(wrong: WrongLines, can_be_submitted: bool) -> AnyView {
    let what = match can_be_submitted {
        true => "Correct these in the file, or submit without them:",
        false => "Correct these in the file:",
    };
    let lines = wrong.told.iter().map(|line| view! { <li>{in_words(line)}</li> }).collect_view();
    let more = (wrong.more > 0).then(|| view! { <li class="soft">{format!("and {}", more_lines(wrong.more))}</li> });
    view! {
        <div class="stack tight" data-names="">
            <p class="meta soft">{what}</p>
            <ul class="bullets">{lines}{more}</ul>
        </div>
    }
    .erase()
}

fn more_lines(count: u64) -> String {
    numbers::counted(count, "more line", "more lines")
}

/// `Line 12 and 3 more: no active account goes by “A. Nobody”`.
fn in_words(line: &WrongLine) -> String {
    let more = match line.lines - 1 {
        0 => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    let place = line.line.map(|line| format!("Line {}{more}: ", grouped(line))).unwrap_or_default();
    let said = wrong_in_list(line.reason, &line.written);
    format!("{place}{}{}", said.as_deref().unwrap_or(line.reason.label()), whom(&line.could_be))
}

/// So many coaches are named who could be meant.
const COULD_BE: usize = 4;

/// Who could be meant by a coach who is not told from others.
fn whom(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [_] => ". A username or school ID tells them apart".to_owned(),
        [named @ .., last] if named.len() <= COULD_BE => format!(": {} and {last}", named.join(", ")),
        _ => format!(": {} and {} more", names[..COULD_BE].join(", "), grouped((names.len() - COULD_BE) as u64)),
    }
}

/// Whether a status is put back, which is a new period of it.
fn counts_from_now(action: &Action) -> bool {
    matches!(action, Action::Undo(undo) if matches!(*undo.of, Action::ProgramStatus(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(reason: SkipReason, written: &str, line: Option<u64>, lines: u64) -> WrongLine {
        WrongLine { reason, written: written.to_owned(), line, lines, could_be: Vec::new() }
    }

    #[test]
    fn a_coach_who_is_not_found_is_told_with_the_line_that_names_them() {
        let said = |reason, place, lines| in_words(&line(reason, "A. Nobody", place, lines));
        assert_eq!(said(SkipReason::UnknownCoach, Some(12), 1), "Line 12: no active account goes by “A. Nobody”");
        let several = said(SkipReason::AmbiguousCoach, Some(12), 4);
        assert_eq!(several, "Line 12 and 3 more: several accounts go by “A. Nobody”");
        assert_eq!(said(SkipReason::UnknownCoach, None, 1), "no active account goes by “A. Nobody”");
    }

    /// It was said that several have the name, and not who.
    #[test]
    fn coaches_who_share_an_initial_and_last_name_are_told_by_their_whole_names() {
        let said = |names: &[&str]| {
            let could_be = names.iter().map(|name| (*name).to_owned()).collect();
            in_words(&WrongLine { could_be, ..line(SkipReason::AmbiguousCoach, "R. Vásquez", Some(2), 1) })
        };
        let several = "Line 2: several accounts go by “R. Vásquez”";
        assert_eq!(said(&["Ramón Vásquez", "Rosa Vásquez"]), format!("{several}: Ramón Vásquez and Rosa Vásquez"));
        assert_eq!(said(&["Rosa Vásquez"]), format!("{several}. A username or school ID tells them apart"));
        assert_eq!(said(&["A", "B", "C", "D", "E"]), format!("{several}: A, B, C, D and E"));
        assert_eq!(said(&["A", "B", "C", "D", "E", "F"]), format!("{several}: A, B, C, D and 2 more"));
    }

    /// Only coaches were told, of lines with an unknown student as well, and nothing of the school IDs.
    #[test]
    fn a_school_id_of_nobody_is_told_and_how_many_lines_more_are_wrong() {
        let told = vec![line(SkipReason::NotFound, "G1-999", Some(12), 1)];
        let html = |more| wrong_lines(WrongLines { told: told.clone(), more }, false).to_html();
        let all = html(1_204);
        assert!(all.contains("Line 12: no person with the school ID “G1-999”") && all.contains("and 1,204 more lines"));
        assert!(html(1).contains("and 1 more line<") && !html(0).contains("more line"), "{}", html(1));
    }
}
