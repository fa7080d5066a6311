//! The people of a task: how they were chosen, and what became of each, by outcome.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::{counted, grouped, people};
use leptos::prelude::*;
use model::{
    Scope, TaskDetail, TaskKind, TaskRow, TaskState, WorkflowStatus, kind::Effect, ledger::LedgerFilter,
    person::CoachChoice, task::PeopleChosen,
};

use super::page_address;
use crate::{
    components::tip::Tip,
    help::hint::Hint,
    pages::people::{
        chips::word,
        page_address::{filter_name, filters_set},
    },
    url,
};

/// The section, with how its people were chosen and these lines.
pub fn ledger(row: &TaskRow, chosen: Option<AnyView>, lines: AnyView, search: &str) -> AnyView {
    if !row.description().has_ledger() {
        let text = match (row.description().effect, row.status) {
            (Effect::Reads, WorkflowStatus::Completed) => "The audit trail keeps what was exported, by whom and when.",
            (Effect::Reads, status) if status.is_finished() => "This export has no file.",
            (Effect::Reads, _) => "The file appears here when the export is done.",
            _ => "A self-test changes nobody. Its steps are counted above.",
        };
        return view! { <div id="people" class="soft stack tight" tabindex="-1"><p>{text}</p>{chosen}</div> }.erase();
    }
    let unreadable = (row.kind == TaskKind::Import.name() && row.failed > 0).then(|| {
        let file = format!("/tasks/{}/unreadable.csv", row.id);
        view! { <a class="textbutton" href=file rel="external" download>"Download the unreadable lines"</a> }
    });
    view! {
        <section id="people" aria-labelledby="h-people" class="stack tight" tabindex="-1">
            <div class="section">
                <h2 id="h-people">{heading(row, search)}</h2>
                <div class="line">{unreadable}<Tip on=Hint::Outcome/></div>
            </div>
            {chosen}
            // Of what is held nothing has come to anybody.
            {(row.state != TaskState::Held).then(|| view! {
                <nav aria-label="Outcome"><ul class="tabs segmented">{tabs(row, search)}</ul></nav>
            })}
            {lines}
        </section>
    }
    .erase()
}

/// What is listed: `People`, or the lines of a file.
fn heading(row: &TaskRow, search: &str) -> String {
    let so_far = if page_address::so_far(row, search) { " processed so far" } else { "" };
    format!("{}{so_far}", begins(row.description().unit.1))
}

/// A word as it begins a line.
pub fn begins(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn tabs(row: &TaskRow, search: &str) -> AnyView {
    let path = format!("/tasks/{}", row.id);
    let asked = page_address::outcome(search);
    std::iter::once(None)
        .chain(LedgerFilter::ALL.iter().copied().map(Some))
        // At the end nobody comes to an outcome any more that nobody has.
        .filter(|filter| {
            let is_asked = asked.as_deref() == filter.map(LedgerFilter::name);
            let stays = matches!(filter, None | Some(LedgerFilter::Done));
            stays || is_asked || !row.status.is_finished() || tab(row, search, *filter).1 > 0
        })
        .map(|filter| {
            let href = page_address::with_outcome(&path, search, filter);
            let current = (asked.as_deref() == filter.map(LedgerFilter::name)).then_some("page");
            let (label, n) = tab(row, search, filter);
            view! {
                <li>
                    <a href=href aria-current=current data-noscroll>{label}<span class="count">{grouped(n)}</span></a>
                </li>
            }
        })
        .collect_view()
        .erase()
}

/// What a tab is called, and how many people it has.
fn tab(row: &TaskRow, search: &str, filter: Option<LedgerFilter>) -> (String, u64) {
    let (word, count) = match filter {
        None if page_address::so_far(row, search) => ("Processed", row.treated()),
        None => ("All", row.total.unwrap_or_else(|| row.treated())),
        Some(LedgerFilter::Done) => ("Done", row.succeeded),
        Some(LedgerFilter::Skipped) => ("Skipped", row.skipped),
        Some(LedgerFilter::Failed) => return (begins(row.description().failed), row.failed),
        Some(LedgerFilter::Uncertain) => ("Uncertain", row.uncertain),
        Some(LedgerFilter::Open) if row.status.is_finished() => ("Not processed", row.open()),
        Some(LedgerFilter::Open) => ("Not processed yet", row.open()),
    };
    (word.to_owned(), count)
}

/// How its people were chosen, with the way to those who match today; nothing where a file says who they are.
pub fn chosen(task: &TaskDetail, coaches: &[CoachChoice]) -> Option<AnyView> {
    let how = task.chosen.as_ref()?;
    let words = words(how, task.filter_query.as_deref().unwrap_or_default(), &task.row.kind, coaches);
    let today = task.filter_query.as_ref().map(|query| {
        view! { " "<a class="textbutton" href=format!("/people?{query}")>"Show who matches today"</a> }
    });
    Some(view! { <p class="meta soft"><bdi>{words}</bdi>{today}</p> }.erase())
}

fn words(chosen: &PeopleChosen, filter: &str, kind: &str, coaches: &[CoachChoice]) -> String {
    match chosen {
        PeopleChosen::ByHand(n) => format!("{} selected by hand", people(*n)),
        PeopleChosen::BySchoolId(n) => format!("{} named by school ID", people(*n)),
        PeopleChosen::ByFilter { without: 0 } => in_words(filter, coaches),
        PeopleChosen::ByFilter { without } => {
            format!(
                "{}; without {} taken out by hand",
                in_words(filter, coaches),
                counted(*without, "person", "people")
            )
        }
        PeopleChosen::OfTask(_) if kind == TaskKind::Undo.name() => "Those whom the original task changed".to_owned(),
        PeopleChosen::OfTask(outcomes) => {
            let which: Vec<_> = outcomes.iter().map(|outcome| of_outcome(*outcome)).collect();
            format!("Those who {} in the original task", which.join(" or "))
        }
    }
}

fn of_outcome(outcome: LedgerFilter) -> &'static str {
    match outcome {
        LedgerFilter::Done => "were done",
        LedgerFilter::Skipped => "were skipped",
        LedgerFilter::Failed => "failed",
        LedgerFilter::Uncertain => "were uncertain",
        LedgerFilter::Open => "were not processed",
    }
}

/// A filter as the chips of the people page say it.
fn in_words(query: &str, coaches: &[CoachChoice]) -> String {
    let scope = url::value(query, "scope").and_then(|scope| scope.parse().ok());
    let whose = match scope {
        Some(Scope::Caseload) => Some("the caseload"),
        Some(Scope::Watchlist) => Some("the watch list"),
        Some(Scope::All) | None => None,
    };
    let set: Vec<String> = filters_set(query)
        .iter()
        .map(|(key, values)| {
            let values: Vec<_> = values.iter().map(|value| word(key, value, coaches)).collect();
            format!("{}: {}", filter_name(key), values.join(" or "))
        })
        .collect();
    match (set.is_empty(), whose) {
        (true, None) => "Everyone, without a filter".to_owned(),
        (true, Some(whose)) => format!("Everyone in {whose}"),
        (false, None) => format!("Selected by filter: {}", set.join("; ")),
        (false, Some(whose)) => format!("Selected in {whose} by filter: {}", set.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(chosen: PeopleChosen, filter: &str) -> String {
        words(&chosen, filter, "program-status", &[])
    }

    #[test]
    fn which_people_were_meant_is_said_in_words() {
        assert_eq!(said(PeopleChosen::ByHand(4), ""), "4 people selected by hand");
        assert_eq!(said(PeopleChosen::BySchoolId(1), ""), "1 person named by school ID");
        let filter = "scope=all&programStatus=NO_SHOW&programStatus=ACTIVE&homeCampus=Riverside";
        let words = "Selected by filter: Status: No-show or Active; Campus: Riverside";
        assert_eq!(said(PeopleChosen::ByFilter { without: 0 }, filter), words);
        assert_eq!(
            said(PeopleChosen::ByFilter { without: 2 }, "scope=caseload"),
            "Everyone in the caseload; without 2 people taken out by hand"
        );
    }

    #[test]
    fn people_of_another_task_are_those_it_left() {
        let failed = PeopleChosen::OfTask(vec![LedgerFilter::Failed]);
        assert_eq!(said(failed, ""), "Those who failed in the original task");
        let done = PeopleChosen::OfTask(vec![LedgerFilter::Done]);
        assert_eq!(words(&done, "", TaskKind::Undo.name(), &[]), "Those whom the original task changed");
    }
}
