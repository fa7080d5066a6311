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
/// times, and which sort.
pub const TURN: &str = "turn-";
pub const SHOW: &str = "show-";

/// So many of the first lines are shown at a time.
const SHOWN: usize = 5;

/// The first lines, turned over so many times, or the first of a sort. What leads to others is pressed in the page’s own form, so
/// that nothing that was chosen there is lost.
pub fn view(count: &ImportCount, asked: Option<LineOutcome>, turned: usize) -> AnyView {
    let turned = turned.min(count.first.len().saturating_sub(1) / SHOWN);
    let mut shown: Vec<&ReadLine> = match asked {
        Some(what) => count.examples.iter().filter(|line| line.what == what).collect(),
        None => count.first.iter().skip(turned * SHOWN).take(SHOWN).collect(),
    };
    // The line that nothing was read behind is looked for here.
    let broken = count.unread.and_then(|unread| count.examples.iter().find(|line| line.line == unread.line));
    let broken = broken.filter(|broken| asked.is_none() && shown.iter().all(|line| line.line != broken.line));
    let with_broken = if broken.is_some() { ", and the one whose quote is never closed" } else { "" };
    shown.extend(broken);
    let title = match (asked, turned) {
        (Some(what), _) => title(what, shown.len() as u64, of(count, what)),
        (None, 0) => format!("First lines, as Docket reads them{with_broken}"),
        (None, _) => format!("Lines as Docket reads them{with_broken}"),
    };
    let back = (asked.is_some() || turned > 0).then(|| turn_to(0, "Show the first lines"));
    let next = (asked.is_none() && (turned + 1) * SHOWN < count.first.len()).then(|| turn_to(turned + 1, "Next lines"));
    let lines = shown.into_iter().map(|read| line(read, count.facts.len())).collect_view();
    let facts = count.facts.iter().map(|fact| Text(fact.label()));
    let heads = [Number("Line"), Text("Name"), Text("School ID")].into_iter().chain(facts);
    let heads: Vec<_> = heads.chain([Text("What would happen")]).collect();
    view! {
        <section aria-labelledby="h-first" class="stack tight">
            <div class="section"><h2 id="h-first">{title}</h2><span class="line">{back}{next}</span></div>
            {table("Lines of the file with what the import would do", &heads, lines)}
        </section>
    }
    .erase()
}

fn turn_to(turned: usize, words: &'static str) -> AnyView {
    view! { <button class="textbutton" name="do" value=format!("{TURN}{turned}")>{words}</button> }.erase()
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

fn title(what: LineOutcome, shown: u64, all: u64) -> String {
    let what = match what {
        LineOutcome::New => "New people",
        LineOutcome::Changed => "People changed",
        LineOutcome::Unchanged => "Lines that change nothing",
        LineOutcome::Outranked => "Repeated lines of people for whom another line is used",
        LineOutcome::Repeated => "Repeated lines of people for whom the first line is used",
        LineOutcome::Unreadable => "Unreadable lines",
    };
    match shown < all {
        true => format!("{what}: the first {} of {}", grouped(shown), grouped(all)),
        false => what.to_owned(),
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
