//! Lines of a file as Docket reads them, each with what the import would do.

use leptos::prelude::*;
use model::import::{FieldChange, ImportCount, LineOutcome, ReadLine};

use super::broken::broken;
use crate::components::values::numbers::{counted, grouped};
use crate::components::{
    table::{
        Head::{Number, Text},
        table,
    },
    type_erasure::Erase,
    values::badge::Badge,
};

/// What a button is called that turns the lines over so many times, and one that shows those of a sort: what follows says how many
/// times, and which sort, with how many times behind it.
pub const TURN: &str = "turn-";
pub const SHOW: &str = "show-";

/// So many of the first lines are shown at a time, and of those of a sort.
const SHOWN: usize = 5;
const OF_SORT: usize = 20;

/// The first lines, or those of a sort, turned over so many times. What leads to others is pressed in the page’s own form, so
/// that nothing that was chosen there is lost.
pub fn view(count: &ImportCount, asked: Option<LineOutcome>, turned: usize) -> AnyView {
    let (kept, at_once): (Vec<&ReadLine>, _) = match asked {
        Some(what) => (count.examples.iter().filter(|line| line.what == what).collect(), OF_SORT),
        None => (count.first.iter().collect(), SHOWN),
    };
    let turned = turned.min(kept.len().saturating_sub(1) / at_once);
    let before = turned * at_once;
    let mut shown: Vec<&ReadLine> = kept.iter().copied().skip(before).take(at_once).collect();
    // The line that nothing was read behind is looked for here.
    let broken = count.unread.and_then(|unread| count.examples.iter().find(|line| line.line == unread.line));
    let broken = broken.filter(|broken| asked.is_none() && shown.iter().all(|line| line.line != broken.line));
    let with_broken = if broken.is_some() { ", and the one whose quote is never closed" } else { "" };
    shown.extend(broken);
    let title = match (asked, turned) {
        (Some(what), _) => title(what, before as u64, shown.len() as u64, of(count, what)),
        (None, 0) => format!("First lines, as Docket reads them{with_broken}"),
        (None, _) => format!("Lines as Docket reads them{with_broken}"),
    };
    let back = (asked.is_some() || turned > 0).then(|| button(format!("{TURN}0"), "Show the first lines"));
    let is_last = before + at_once >= kept.len();
    let next = (!is_last).then(|| match asked {
        Some(what) => button(format!("{SHOW}{}-{}", what.name(), turned + 1), "Next lines"),
        None => button(format!("{TURN}{}", turned + 1), "Next lines"),
    });
    let end = asked.filter(|what| is_last && turned > 0 && (kept.len() as u64) < of(count, *what)).map(|_| {
        view! { <p class="meta soft">{format!("Only the first {} can be shown.", grouped(kept.len() as u64))}</p> }
    });
    let lines = shown.into_iter().map(|read| line(read, count.facts.len())).collect_view();
    let facts = count.facts.iter().map(|fact| Text(fact.label()));
    let heads = [Number("Line"), Text("Name"), Text("School ID")].into_iter().chain(facts);
    let heads: Vec<_> = heads.chain([Text("What would happen")]).collect();
    view! {
        <section aria-labelledby="h-first" class="stack tight">
            <div class="section"><h2 id="h-first">{title}</h2><span class="line">{back}{next}</span></div>
            {table("Lines of the file with what the import would do", &heads, lines)}
            {end}
        </section>
    }
    .erase()
}

fn button(value: String, words: &'static str) -> AnyView {
    view! { <button class="textbutton" name="do" value=value>{words}</button> }.erase()
}

/// How many lines of a sort there are.
pub fn of(count: &ImportCount, what: LineOutcome) -> u64 {
    match what {
        LineOutcome::New => count.new,
        LineOutcome::Changed => count.changed,
        LineOutcome::Unchanged => count.unchanged,
        LineOutcome::Outranked => count.outranked,
        LineOutcome::Repeated => count.repeated,
        LineOutcome::Unreadable => count.unreadable,
    }
}

/// What the lines of a sort are called, of which so many stand before those that are shown.
fn title(what: LineOutcome, before: u64, shown: u64, all: u64) -> String {
    let what = match what {
        LineOutcome::New => "New people",
        LineOutcome::Changed => "People changed",
        LineOutcome::Unchanged => "Lines that change nothing",
        LineOutcome::Outranked => "Repeated lines of people for whom another line is used",
        LineOutcome::Repeated => "Repeated lines of people for whom the first line is used",
        LineOutcome::Unreadable => "Unreadable lines",
    };
    match before {
        0 if shown < all => format!("{what}: the first {} of {}", grouped(shown), grouped(all)),
        0 => what.to_owned(),
        before => format!("{what}: {} to {} of {}", grouped(before + 1), grouped(before + shown), grouped(all)),
    }
}

/// A cell with nothing in it is no fact of a card.
fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn line(line: &ReadLine, facts: usize) -> AnyView {
    let (icon, tone, word) = match line.what {
        LineOutcome::New => ("plus", "ok", "New"),
        LineOutcome::Changed => ("swap", "info", "Changed"),
        LineOutcome::Unchanged => ("skipped", "", "Unchanged"),
        LineOutcome::Outranked | LineOutcome::Repeated => ("skipped", "", "Repeated"),
        LineOutcome::Unreadable => ("failed", "danger", "Unreadable"),
    };
    let name = match line.name.trim() {
        "" => {
            let words = match line.what {
                LineOutcome::Outranked | LineOutcome::Repeated => "—",
                LineOutcome::Unreadable => "Not read",
                LineOutcome::New | LineOutcome::Changed | LineOutcome::Unchanged => "No name",
            };
            view! { <span class="soft">{words}</span> }.erase()
        }
        name if line.what == LineOutcome::Unreadable => view! { <span class="soft">{name.to_owned()}</span> }.erase(),
        name => name.to_owned().into_any(),
    };
    // What cannot be read stands as it is in the file, whole.
    let is_raw = line.what == LineOutcome::Unreadable && line.school_id.is_empty();
    let wide = is_raw.then(|| (2 + facts).to_string());
    let school_id = (!is_raw).then(|| view! { <td class="brief id soft nowrap">{filled(&line.school_id)}</td> });
    let facts = (0..if is_raw { 0 } else { facts }).map(|place| line.facts.get(place).and_then(|text| filled(text)));
    let facts = facts.map(|fact| view! { <td class="brief">{fact.as_deref().map(broken)}</td> }).collect_view();
    let said = match line.detail.is_empty() {
        true => changes(line),
        false => view! { <span class="sub">{line.detail.clone()}</span> }.erase(),
    };
    view! {
        <tr data-key=line.line.to_string()>
            <td class="brief num soft" data-prefix="line">{grouped(line.line)}</td>
            <th scope="row" colspan=wide>{name}</th>
            {school_id}
            {facts}
            <td class="first"><Badge icon tone text=word/>{said}</td>
        </tr>
    }
    .erase()
}

/// All that changes, a line for each field.
fn changes(line: &ReadLine) -> AnyView {
    if line.changes.is_empty() {
        return ().into_any();
    }
    let changes = line.changes.iter().map(change).collect_view();
    let more = (line.untold > 0)
        .then(|| view! { <li>{format!("and {}", counted(line.untold, "more change", "more changes"))}</li> });
    view! { <ul class="sub changes">{changes}{more}</ul> }.erase()
}

fn change(FieldChange { field, before, after, is_emptied }: &FieldChange) -> AnyView {
    let field = field.clone();
    if *is_emptied {
        return view! { <li class="emptied"><strong>{field}" is emptied"</strong>": it was "{broken(before)}</li> }
            .erase();
    }
    let shown = |value: &str| if value.is_empty() { "none".erase() } else { broken(value) };
    view! { <li>{field}": "{shown(before)}" → "{shown(after)}</li> }.erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(new: u64, kept: u64) -> ImportCount {
        let read = |line| ReadLine {
            line,
            name: format!("Abara, {line}"),
            school_id: format!("N-{line}"),
            facts: Vec::new(),
            what: LineOutcome::New,
            detail: String::new(),
            changes: Vec::new(),
            untold: 0,
        };
        ImportCount { lines: new, new, examples: (1..=kept).map(read).collect(), ..ImportCount::default() }
    }

    fn page(count: &ImportCount, turned: usize) -> String {
        view(count, Some(LineOutcome::New), turned).to_html()
    }

    /// The first of them were all that could be seen.
    #[test]
    fn new_people_are_turned_over_like_the_first_lines() {
        let count = count(1_627, 50);
        let first = page(&count, 0);
        assert!(first.contains("New people: the first 20 of 1,627") && first.contains("show-new-1"), "{first}");
        assert!(first.contains(">N-20<") && !first.contains(">N-21<"), "{first}");
        let second = page(&count, 1);
        assert!(second.contains("New people: 21 to 40 of 1,627") && second.contains("show-new-2"), "{second}");
        assert!(!second.contains(">N-20<") && second.contains(">N-21<"), "{second}");
        let last = page(&count, 2);
        assert!(last.contains("New people: 41 to 50 of 1,627") && !last.contains("Next lines"), "{last}");
        assert!(last.contains("Only the first 50 can be shown."), "{last}");
        assert_eq!(page(&count, 9), last, "there are no more");
    }

    #[test]
    fn of_a_few_new_people_there_is_nothing_to_turn_over() {
        let all = page(&count(20, 20), 0);
        assert!(!all.contains("Next lines") && !all.contains("Only the first") && !all.contains(" of 20"), "{all}");
    }
}
