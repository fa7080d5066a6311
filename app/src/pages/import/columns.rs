//! The columns of a file: a row for each, with a few of its values, the field that it is matched to, and how sure that is.

use leptos::prelude::*;
use model::{
    ChangeReason,
    import::{ColumnValue, DateForm, LEFT_OUT, MatchedColumn, PreparedImport, Sure},
};

use crate::components::values::numbers;
use crate::components::{icon::Icon, type_erasure::Erase};

/// Whether something that is wrong is so of a column: `f3` is the field of the fourth.
pub fn is_of_column(field: &str) -> bool {
    field.strip_prefix('f').is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The table, and what new people get that no column says.
pub fn view(import: &PreparedImport) -> AnyView {
    let rows = import.columns.iter().enumerate().map(|(place, column)| row(import, place, column)).collect_view();
    let status = import.new_status.as_deref().map(|chosen| new_status(&import.statuses, chosen));
    view! {
        <div class="tableframe">
            <table class="table still tall cards match">
                <caption class="hidden">"Columns of the file and the Docket field each is imported into"</caption>
                <thead>
                    <tr><th scope="col">"Column in your file"</th><th scope="col">"Docket field"</th><th scope="col">"How sure"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {status}
        {several(import)}
    }
    .erase()
}

/// Which line counts of somebody who has several.
fn several(import: &PreparedImport) -> AnyView {
    let choices = [
        ("", "Use the first; the others are skipped"),
        ("latest", "Use the one with the latest"),
        ("most", "Use the one with the highest"),
    ]
    .map(|(value, label)| (value.to_owned(), label.to_owned()));
    let columns = import.columns.iter().enumerate().filter(|(_, column)| column.field.is_some());
    let none = (String::new(), "Choose a column".to_owned());
    let columns: Vec<_> = columns.map(|(place, column)| (place.to_string(), column.name.clone())).collect();
    let by = import.keep_by.map(|place| place.to_string()).unwrap_or_default();
    let how = "Which line to use if a person has several".to_owned();
    let is_open = !import.keep.is_empty();
    view! {
        <details class="disclosure" open=is_open>
            <summary><Icon name="right"/>"If a person has several lines"</summary>
            <div class="line">
                {select("keep", how, choices.iter(), &import.keep, None)}
                {select("keepBy", "Column to compare".to_owned(), [&none].into_iter().chain(&columns), &by, None)}
            </div>
        </details>
    }
    .erase()
}

fn row(import: &PreparedImport, place: usize, column: &MatchedColumn) -> AnyView {
    let key = format!("f{place}");
    let wrong = import.wrong.iter().find(|wrong| wrong.field == key).map(|wrong| wrong.message.clone());
    let name = if column.name.is_empty() { format!("Column {}", place + 1) } else { column.name.clone() };
    let class = match (&column.field, column.sure) {
        (Some(_), Sure::Check) => "ask",
        (Some(field), _) if field != LEFT_OUT => "",
        _ => "left",
    };
    let label = format!("Docket field for {name}");
    let field = column.field.as_ref().map(|chosen| {
        let left_out = (LEFT_OUT.to_owned(), "Do not import".to_owned());
        let choices = import.fields.iter().chain([&left_out]);
        let problem = format!("{key}-problem");
        view! {
            <span class="field">
                {select(&key, label, choices, chosen, wrong.is_some().then(|| problem.clone()))}
                <span class="problem" id=problem>{wrong.clone()}</span>
            </span>
        }
    });
    let dates = column.dates.map(|chosen| {
        let forms: Vec<_> =
            DateForm::ALL.iter().map(|form| (form.name().to_owned(), form.label().to_owned())).collect();
        select(&format!("d{place}"), format!("How the dates of {name} are written"), forms.iter(), chosen.name(), None)
    });
    let values = (!column.values.is_empty()).then(|| values(place, column));
    view! {
        <tr data-key=place.to_string() class=class>
            <th scope="row">{name}<span class="sub">{column.samples.join(" · ")}</span></th>
            <td>{field}{dates}{values}</td>
            <td class="first">{sure(column.sure)}<span class="why">{column.why.clone()}</span></td>
        </tr>
    }
    .erase()
}

/// What the values of a column mean. Those that nobody has said yet are seen at once.
fn values(place: usize, column: &MatchedColumn) -> AnyView {
    let is_known = |value: &&ColumnValue| !value.means.is_empty() && value.reason.as_deref() != Some("");
    let known = column.values.iter().filter(is_known).count();
    let all = column.values.len();
    let is_open = known < all;
    let summary = format!("{known} of {} matched", numbers::counted(all as u64, "value", "values"));
    let unreadable = (String::new(), "Unreadable".to_owned());
    let lines = column
        .values
        .iter()
        .enumerate()
        .map(|(number, value)| {
            let choices = [&unreadable].into_iter().chain(&column.meanings);
            let label = format!("What {} means", value.text);
            view! {
                <dt class="id">{value.text.clone()}</dt>
                <dd class="stack tight">
                    {select(&format!("m{place}.{number}"), label, choices, &value.means, None)}
                    {value.reason.as_deref().map(|chosen| reason(&format!("r{place}.{number}"), &value.text, chosen))}
                </dd>
            }
        })
        .collect_view();
    view! {
        <details class="disclosure" open=is_open>
            <summary><Icon name="right"/>{summary}</summary>
            <dl class="defs meta">{lines}</dl>
        </details>
    }
    .erase()
}

/// The reason that goes with what a value means.
fn reason(name: &str, value: &str, chosen: &str) -> AnyView {
    let none = (String::new(), "Choose a reason".to_owned());
    let known = ChangeReason::ALL.iter().map(|reason| (reason.name().to_owned(), reason.label().to_owned()));
    let choices: Vec<_> = std::iter::once(none).chain(known).collect();
    let problem = chosen.is_empty().then(|| format!("{name}-problem"));
    let said =
        problem.clone().map(|id| view! { <span class="problem" id=id>"Choose the reason of this status."</span> });
    let select = select(name, format!("Reason for {value}"), choices.iter(), chosen, problem);
    view! { <span class="field">{select}{said}</span> }.erase()
}

/// Of a file in which no column says it.
fn new_status(statuses: &[(String, String)], chosen: &str) -> AnyView {
    let label = "Program status of new people".to_owned();
    view! {
        <div class="line">
            <span class="meta soft">"No column has the program status. New people become"</span>
            {select("newStatus", label, statuses.iter(), chosen, None)}
            <span class="meta soft">"and people already in Docket keep theirs."</span>
        </div>
    }
    .erase()
}

fn select<'a>(
    name: &str,
    label: String,
    choices: impl IntoIterator<Item = &'a (String, String)>,
    chosen: &str,
    problem: Option<String>,
) -> AnyView {
    let options = choices
        .into_iter()
        .map(|(value, label)| view! { <option value=value.clone() selected=value == chosen>{label.clone()}</option> })
        .collect_view();
    view! {
        <span class="select">
            <select
                name=name.to_owned()
                aria-label=label
                aria-invalid=problem.is_some().then_some("true")
                aria-describedby=problem
            >
                {options}
            </select>
            <Icon name="down"/>
        </span>
    }
    .erase()
}

/// How sure a guess is: three bars and a word.
fn sure(sure: Sure) -> AnyView {
    let (bars, word, class) = match sure {
        Sure::Sure => (3, "Sure", "sure"),
        Sure::Likely => (2, "Likely", "sure"),
        Sure::Check => (1, "Check", "sure check"),
        Sure::No => return view! { <span class="soft">"No match"</span> }.erase(),
        Sure::Chosen => return view! { <span class="soft">"Your choice"</span> }.erase(),
    };
    let on = |bar: u8| if bar <= bars { "on" } else { "" };
    view! {
        <span class=class>
            <svg viewBox="0 0 14 12" aria-hidden="true">
                <rect class=on(1) x="0" y="8" width="3" height="4" rx="1"></rect>
                <rect class=on(2) x="5" y="4" width="3" height="8" rx="1"></rect>
                <rect class=on(3) x="10" y="0" width="3" height="12" rx="1"></rect>
            </svg>
            {word}
        </span>
    }
    .erase()
}
