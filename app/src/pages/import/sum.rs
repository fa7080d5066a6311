//! What an import would do, as a sum that adds up to the lines of the file, and why lines are unreadable.

use leptos::prelude::*;
use model::import::{EmptiedField, ImportCount, LineOutcome, UnknownValue, UnreadLines, UnreadableCause};

use super::{
    lines::{SHOW, of},
    lines_of,
};
use crate::components::values::numbers::{counted, grouped, people};
use crate::components::{icon::Icon, type_erasure::Erase, values::time::Time};

/// The table; `rows` is how many lines the whole file has.
pub fn view(count: &ImportCount, rows: u64) -> AnyView {
    // Of most files nobody has several.
    let is_rare = |what| matches!(what, LineOutcome::Outranked | LineOutcome::Repeated);
    let shown = LineOutcome::ALL.into_iter().filter(|what| !is_rare(*what) || of(count, *what) > 0);
    let lines = shown.map(|what| line(count, what)).collect_view();
    let read = count.lines.saturating_sub(broken(count));
    let (partial, whole) = match count.lines < rows {
        true => {
            let text = format!(
                "The first {} of {} are counted. The rest are read during the import.",
                grouped(count.lines),
                lines_of(rows)
            );
            (Some(view! { <p class="meta soft">{text}</p> }), "lines counted")
        }
        false => match (count.unread.is_some(), read) {
            (true, 1) => (None, "line read"),
            (true, _) => (None, "lines read"),
            (false, 1) => (None, "line"),
            (false, _) => (None, "lines"),
        },
    };
    view! {
        <section aria-labelledby="h-sum" class="stack tight">
            <div class="section"><h2 id="h-sum">"What will happen"</h2><span>"counted "<Time at=count.at/></span></div>
            <div class="tableframe">
                <table class="table still sum">
                    <caption class="hidden">"Lines by what the import does with them; the lines add up"</caption>
                    <thead class="hidden">
                        <tr><th scope="col">"Lines"</th><th scope="col">"What happens"</th><th scope="col">"Show"</th></tr>
                    </thead>
                    <tbody>{lines}</tbody>
                    <tfoot>
                        <tr><td class="num">{grouped(read)}</td><th scope="row">{whole}</th><td></td></tr>
                    </tfoot>
                </table>
            </div>
            {partial}
        </section>
    }
    .erase()
}

/// The line whose quote is never closed is unreadable to the import, and here one of those that were not read.
fn broken(count: &ImportCount) -> u64 {
    u64::from(count.unread.is_some())
}

/// Why the sum has fewer lines than the file: said before anything else, since all that follows lacks them.
pub fn unread(UnreadLines { line, rest }: UnreadLines) -> AnyView {
    let (line, next) = (grouped(line), grouped(line + 1));
    let lacks = match rest {
        0 => format!("Line {line} was not read, and an import now would leave it out."),
        1 => format!("Lines {line} and {next} were not read, and an import now would leave them out."),
        rest => format!(
            "Line {line} and the {} after it were not read, and an import now would leave them out.",
            lines_of(rest)
        ),
    };
    view! {
        <div class="notice danger">
            <Icon name="problems"/>
            <div>
                <h2>{format!("A quote opens in line {line} and is never closed")}</h2>
                <p>{lacks}" Close the quote in the file and upload it again."</p>
            </div>
            <div class="line"><a class="button primary" href="/admin/import">"Upload the corrected file"</a></div>
        </div>
    }
    .erase()
}

fn line(count: &ImportCount, what: LineOutcome) -> AnyView {
    let number = match what {
        LineOutcome::Unreadable => of(count, what).saturating_sub(broken(count)),
        what => of(count, what),
    };
    let words = match (what, number) {
        (LineOutcome::New, 1) => "new person",
        (LineOutcome::New, _) => "new people",
        (LineOutcome::Changed, 1) => "person changed",
        (LineOutcome::Changed, _) => "people changed",
        (LineOutcome::Unchanged, _) => "unchanged",
        (LineOutcome::Outranked, _) => "repeated, another line of the person is used",
        (LineOutcome::Repeated, _) => "repeated, the first line of the person is used",
        (LineOutcome::Unreadable, _) => "unreadable",
    };
    let class = match (number, what) {
        (0, _) => "none",
        (_, LineOutcome::New | LineOutcome::Changed) => "lead",
        _ => "",
    };
    let show = (number > 0).then(|| {
        view! {
            <button class="textbutton" name="do" value=format!("{SHOW}{}", what.name())>
                "Show"<span class="hidden">{format!(" lines: {} {words}", grouped(number))}</span>
            </button>
        }
    });
    view! {
        <tr data-key=what.name() class=class>
            <td class="num">{grouped(number)}</td>
            <th scope="row">{words}</th>
            <td class="num">{show}</td>
        </tr>
    }
    .erase()
}

/// So many emptied fields are told one by one.
const EMPTIED: usize = 6;

/// What people would lose by empty cells.
pub fn emptied(count: &ImportCount) -> Option<AnyView> {
    if count.emptied.is_empty() {
        return None;
    }
    let told = count.emptied.iter().take(EMPTIED).map(|EmptiedField { field, people: of, first }| {
        let first = if *of == 1 {
            format!("line {}", grouped(*first))
        } else {
            format!("the first in line {}", grouped(*first))
        };
        view! { <li>{format!("{field} of {}, {first}", people(*of))}</li> }
    });
    let untold = count.emptied.len().saturating_sub(EMPTIED) as u64;
    let untold =
        (untold > 0).then(|| view! { <li>{format!("and {}", counted(untold, "more field", "more fields"))}</li> });

    Some(
        view! {
            <section class="notice warn" aria-labelledby="h-emptied">
                <Icon name="problems"/>
                <div>
                    <h3 id="h-emptied">"Empty cells delete what Docket has"</h3>
                    <ul>{told.collect_view()}{untold}</ul>
                    <p>"To keep it, choose “Do not import” for the column, or fill the cells and upload the file again."</p>
                </div>
            </section>
        }
        .erase(),
    )
}

/// Why lines are unreadable, if any are.
pub fn causes(count: &ImportCount, address: &str) -> Option<AnyView> {
    // The line of a quote that is never closed is told above.
    let told = count.unread.map(|unread| unread.line);
    let unreadable = count.unreadable.saturating_sub(broken(count));
    let title = match unreadable {
        0 => return None,
        1 => "1 line is unreadable".to_owned(),
        n => format!("{} lines are unreadable", grouped(n)),
    };
    let causes: Vec<_> = count.causes.iter().filter(|cause| told.is_none_or(|told| cause.first != told)).collect();
    let others = if count.people() > 0 { ", or import the others" } else { "" };
    let mend = match (on_the_page(&causes), causes.iter().all(|cause| cause.is_of_matching), unreadable) {
        (Some(match_them), true, _) => format!("{match_them}{others}."),
        (Some(match_them), false, _) => {
            format!("{match_them}. Correct the other lines in the file and upload it again{others}.")
        }
        (None, _, 1) => format!("Correct it in the file and upload it again{others}."),
        (None, ..) => format!("Correct them in the file and upload it again{others}."),
    };
    let causes = causes.into_iter().map(|cause| view! { <li>{words(cause)}</li> }).collect_view();
    Some(
        view! {
            <section class="notice warn" aria-labelledby="h-bad">
                <Icon name="problems"/>
                <div>
                    <h3 id="h-bad">{title}</h3>
                    <ul>{causes}</ul>
                    <p>{mend}</p>
                    <p><a href=format!("{address}/unreadable.csv") rel="external" download>"Download the unreadable lines"</a></p>
                </div>
            </section>
        }
        .erase(),
    )
}

/// What can be done on this page about some of the causes.
fn on_the_page(causes: &[&UnreadableCause]) -> Option<&'static str> {
    let is_any =
        |is_unknown: bool| causes.iter().any(|cause| cause.is_of_matching && cause.unknown.is_some() == is_unknown);
    match (is_any(true), is_any(false)) {
        (true, true) => Some("Match the unknown values, choose the reasons"),
        (true, false) => Some("Match the unknown values"),
        (false, true) => Some("Choose the reasons"),
        (false, false) => None,
    }
}

fn words(UnreadableCause { lines, first, reason, unknown, .. }: &UnreadableCause) -> String {
    match (lines, unknown) {
        (1, _) => format!("Line {}: {reason}", grouped(*first)),
        (n, Some(UnknownValue { column, field, value })) => format!(
            "{} with unknown values of {field}, the first “{value}” in line {}. Match them under “{column}”",
            lines_of(*n),
            grouped(*first)
        ),
        (n, None) => format!("{}, the first is line {}: {reason}", lines_of(*n), grouped(*first)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_of_several_lines_are_one_sentence() {
        let unknown = UnknownValue {
            column: "Result".to_owned(),
            field: "Program status".to_owned(),
            value: "Enrolled".to_owned(),
        };
        let of_value = UnreadableCause {
            lines: 5,
            first: 3,
            reason: "Result: “Enrolled” is not a known value".to_owned(),
            is_of_matching: true,
            unknown: Some(unknown),
        };
        let said =
            "5 lines with unknown values of Program status, the first “Enrolled” in line 3. Match them under “Result”";
        assert_eq!(words(&of_value), said);
        let of_file = UnreadableCause { is_of_matching: false, unknown: None, ..of_value.clone() };
        let of_reason = UnreadableCause { unknown: None, ..of_value.clone() };
        assert_eq!(on_the_page(&[&of_value, &of_file]), Some("Match the unknown values"));
        assert_eq!(on_the_page(&[&of_reason]), Some("Choose the reasons"));
        assert_eq!(on_the_page(&[&of_file]), None, "the file has to be corrected");
    }
}
