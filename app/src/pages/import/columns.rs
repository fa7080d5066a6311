//! The columns of a file: a row for each, with a few of its values, the field that it is matched to, and how sure that is.

use leptos::prelude::*;
use model::{
    ChangeReason,
    import::{ColumnValue, DateForm, LEFT_OUT, MatchedColumn, PreparedImport, Sure},
};

use super::broken::followed;
use crate::components::values::numbers;
use crate::components::{icon::Icon, type_erasure::Erase};

/// The page's own form, which is sent with each choice.
pub const MATCHING: &str = "matching";

/// Whether something that is wrong is so of a column: `f3` is the field of the fourth.
pub fn is_of_column(field: &str) -> bool {
    field.strip_prefix('f').is_some_and(|number| number.parse::<usize>().is_ok())
}

/// Whether a value means a status that needs a reason, and nobody has chosen it.
fn lacks_reason(value: &ColumnValue) -> bool {
    value.needs_reason && value.reason.as_deref() == Some("")
}

/// How many values of a column lack their reason.
fn lacking(column: &MatchedColumn) -> usize {
    column.values.iter().filter(|value| lacks_reason(value)).count()
}

/// Whether somebody has said of every value what it means.
fn is_said(column: &MatchedColumn) -> bool {
    !column.values.is_empty() && column.values.iter().all(|value| !value.means.is_empty())
}

/// How sure a column is: one that lacks a reason is to be looked at, however sure its field is.
pub fn how_sure(column: &MatchedColumn) -> Sure {
    match column.sure {
        _ if lacking(column) > 0 => Sure::Check,
        Sure::Check if is_said(column) => Sure::Chosen,
        sure => sure,
    }
}

/// The table, and what new people get that no column says. What is missing is wrong once somebody has gone on without it.
pub fn view(import: &PreparedImport, has_gone_on: bool) -> AnyView {
    let rows = import.columns.iter().enumerate();
    let rows = rows.map(|(place, column)| row(import, place, column, has_gone_on)).collect_view();
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
    let is_open = !import.keep.is_empty();
    let how = named("keep", "Which line to use", choices.iter(), &import.keep);
    let by = named("keepBy", "Column to compare", [&none].into_iter().chain(&columns), &by);
    view! {
        <details class="disclosure" open=is_open>
            <summary><Icon name="right"/>"If a person has several lines"</summary>
            <div class="fields">{how}{by}</div>
        </details>
    }
    .erase()
}

/// A choice with its name above it.
fn named<'a>(
    name: &'static str,
    label: &'static str,
    choices: impl IntoIterator<Item = &'a (String, String)>,
    chosen: &str,
) -> AnyView {
    let options = options(choices, chosen);
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <span class="select"><select id=name name=name data-sends=MATCHING>{options}</select><Icon name="down"/></span>
        </div>
    }
    .erase()
}

fn row(import: &PreparedImport, place: usize, column: &MatchedColumn, has_gone_on: bool) -> AnyView {
    let key = format!("f{place}");
    let wrong = import.wrong.iter().find(|wrong| wrong.field == key).map(|wrong| wrong.message.clone());
    let name = if column.name.is_empty() { format!("Column {}", place + 1) } else { column.name.clone() };
    let how_sure = how_sure(column);
    let class = match (&column.field, how_sure) {
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
        let label = format!("Date order of {name}");
        let select = select(&format!("d{place}"), label, forms.iter(), chosen.name(), None);
        view! { <span class="field"><span class="meta soft" aria-hidden="true">"Date order"</span>{select}</span> }
    });
    let values = (!column.values.is_empty()).then(|| values(place, column, has_gone_on));
    let why = match (lacking(column), column.why.as_str()) {
        // What it was guessed by is of no interest once every value has its meaning.
        (0, _) if how_sure == Sure::Chosen => String::new(),
        (0, why) => why.to_owned(),
        (some, "") => needing(some),
        (some, why) => format!("{why}; {}", needing(some)),
    };
    view! {
        <tr data-key=place.to_string() class=class>
            <th scope="row">{name}<span class="sub">{samples(&column.samples)}</span></th>
            <td>{field}{dates}{values}</td>
            <td class="first">{sure(how_sure)}<span class="why">{why}</span></td>
        </tr>
    }
    .erase()
}

/// A few values, each whole where there is room.
fn samples(samples: &[String]) -> AnyView {
    let last = samples.len().saturating_sub(1);
    let each = samples.iter().enumerate().map(|(place, sample)| {
        let (sign, gap) = if place < last { (" ·", " ") } else { ("", "") };
        view! { {followed(sample, sign)}{gap} }
    });
    each.collect_view().erase()
}

/// So many values lack their reason.
fn needing(values: usize) -> String {
    numbers::counted(values as u64, "value needs a reason", "values need a reason")
}

/// How many values of a column are matched, and how many of them lack their reason.
fn summary(column: &MatchedColumn) -> String {
    let known = column.values.iter().filter(|value| !value.means.is_empty()).count();
    let all = numbers::counted(column.values.len() as u64, "value", "values");
    let lacking = match lacking(column) {
        0 => String::new(),
        1 => ", 1 needs a reason".to_owned(),
        some => format!(", {some} need a reason"),
    };
    format!("{known} of {all} matched{lacking}")
}

/// What the values of a column mean. Those that nobody has said yet are seen at once.
fn values(place: usize, column: &MatchedColumn, has_gone_on: bool) -> AnyView {
    let is_open = lacking(column) > 0 || column.values.iter().any(|value| value.means.is_empty());
    let summary = summary(column);
    let unreadable = (String::new(), "Unreadable".to_owned());
    let lines = column
        .values
        .iter()
        .enumerate()
        .map(|(number, value)| {
            let choices = [&unreadable].into_iter().chain(&column.meanings);
            let label = format!("What {} means", value.text);
            let state = match (lacks_reason(value), has_gone_on) {
                (false, _) => ReasonState::Complete,
                (true, false) => ReasonState::Missing,
                (true, true) => ReasonState::Wrong,
            };
            let reason = |chosen: &str| reason(&format!("r{place}.{number}"), &value.text, chosen, state);
            view! {
                <dt class="id">{value.text.clone()}</dt>
                <dd class="stack tight">
                    {select(&format!("m{place}.{number}"), label, choices, &value.means, None)}
                    {value.reason.as_deref().map(reason)}
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

/// How the reason of a value stands.
#[derive(Clone, Copy)]
enum ReasonState {
    Complete,
    /// It is to be chosen.
    Missing,
    /// Somebody has gone on without it.
    Wrong,
}

/// The reason that goes with what a value means. It is always there, and in sight beside a status that needs one.
fn reason(name: &str, value: &str, chosen: &str, state: ReasonState) -> AnyView {
    let none = (String::new(), "Choose a reason".to_owned());
    let known = ChangeReason::ALL.iter().map(|reason| (reason.name().to_owned(), reason.label().to_owned()));
    let choices: Vec<_> = std::iter::once(none).chain(known).collect();
    let (id, words) = (format!("{name}-problem"), "Choose the reason of this status.");
    let (said, problem) = match state {
        ReasonState::Complete => (None, None),
        ReasonState::Missing => (Some(view! { <span class="hint">{words}</span> }.erase()), None),
        ReasonState::Wrong => (Some(view! { <span class="problem" id=id.clone()>{words}</span> }.erase()), Some(id)),
    };
    let select = select(name, format!("Reason for {value}"), choices.iter(), chosen, problem);
    view! { <span class="field needs-reason">{select}{said}</span> }.erase()
}

/// Of a file in which no column says it.
fn new_status(statuses: &[(String, String)], chosen: &str) -> AnyView {
    let options = options(statuses, chosen);
    view! {
        <div class="fields">
            <div class="field">
                <label for="newStatus">"Program status of new people"</label>
                <span class="select">
                    <select id="newStatus" name="newStatus" aria-describedby="newStatus-hint" data-sends=MATCHING>
                        {options}
                    </select>
                    <Icon name="down"/>
                </span>
                <span class="hint" id="newStatus-hint">"No column has the program status. People already in Docket keep theirs."</span>
            </div>
        </div>
    }
    .erase()
}

fn options<'a>(choices: impl IntoIterator<Item = &'a (String, String)>, chosen: &str) -> AnyView {
    choices
        .into_iter()
        .map(|(value, label)| view! { <option value=value.clone() selected=value == chosen>{label.clone()}</option> })
        .collect_view()
        .erase()
}

fn select<'a>(
    name: &str,
    label: String,
    choices: impl IntoIterator<Item = &'a (String, String)>,
    chosen: &str,
    problem: Option<String>,
) -> AnyView {
    let options = options(choices, chosen);
    view! {
        <span class="select">
            <select
                name=name.to_owned()
                aria-label=label
                aria-invalid=problem.is_some().then_some("true")
                aria-describedby=problem
                data-sends=MATCHING
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

#[cfg(test)]
mod tests {
    use leptos::prelude::RenderHtml as _;
    use model::{
        ProgramStatus,
        import::{ColumnValue, MatchedColumn, Sure},
    };

    use super::{MATCHING, how_sure, select, summary};

    /// The numbers beside them were those of the matching before.
    #[test]
    fn a_match_that_is_changed_sends_the_matching() {
        let html = select("f0", "Docket field for ID".to_owned(), std::iter::empty(), "", None).to_html();
        assert!(html.contains(&format!("data-sends=\"{MATCHING}\"")), "{html}");
    }

    fn column(means: &[(&str, Option<&str>)]) -> MatchedColumn {
        let value = |(means, reason): &(&str, Option<&str>)| ColumnValue {
            text: "Fail".to_owned(),
            means: (*means).to_owned(),
            reason: Some(reason.unwrap_or_default().to_owned()),
            needs_reason: *means == "NON_PARTICIPATING",
        };
        MatchedColumn {
            name: "Result".to_owned(),
            samples: Vec::new(),
            field: Some("program_status".to_owned()),
            sure: Sure::Sure,
            why: String::new(),
            values: means.iter().map(value).collect(),
            meanings: Vec::new(),
            dates: None,
        }
    }

    #[test]
    fn a_value_that_needs_a_reason_is_matched_and_its_column_is_to_be_checked() {
        let lacks = column(&[("NON_PARTICIPATING", None)]);
        assert_eq!(
            (summary(&lacks).as_str(), how_sure(&lacks)),
            ("1 of 1 value matched, 1 needs a reason", Sure::Check)
        );
        let has = column(&[("NON_PARTICIPATING", Some("HEALTH")), ("", None)]);
        assert_eq!((summary(&has).as_str(), how_sure(&has)), ("1 of 2 values matched", Sure::Sure));
    }

    #[test]
    fn the_stylesheet_shows_the_reason_of_each_status_that_needs_one() {
        let style = include_str!("../../../../style/components/match.css");
        for status in ProgramStatus::ALL {
            let is_named = style.contains(&format!("option[value=\"{}\"]:checked", status.name()));
            assert_eq!(is_named, status.needs_reason(), "{}", status.name());
        }
    }
}
