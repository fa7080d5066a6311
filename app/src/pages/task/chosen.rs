//! How the people of a task were chosen, in words, with the way to those who match today.

use leptos::prelude::*;
use model::{Scope, TaskDetail, TaskKind, ledger::LedgerFilter, person::CoachChoice, task::PeopleChosen};

use crate::{
    components::{
        type_erasure::Erase,
        values::numbers::{counted, people},
    },
    pages::people::{
        chips::word,
        page_address::{filter_name, filters_set},
    },
    url,
};

/// The line; nothing where a file says who they are.
pub fn line(task: &TaskDetail, coaches: &[CoachChoice]) -> Option<AnyView> {
    let chosen = task.chosen.as_ref()?;
    let words = words(chosen, task.filter_query.as_deref().unwrap_or_default(), &task.row.kind, coaches);
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
        Some(Scope::Caseload) => "people of the caseload",
        Some(Scope::Watchlist) => "people on the watch list",
        Some(Scope::All) | None => "everyone",
    };
    let set: Vec<String> = filters_set(query)
        .iter()
        .map(|(key, values)| {
            let values: Vec<_> = values.iter().map(|value| word(key, value, coaches)).collect();
            format!("{}: {}", filter_name(key), values.join(" or "))
        })
        .collect();
    match set.is_empty() {
        true => format!("Selected without a filter: {whose}"),
        false => format!("Selected by filter: {whose} with {}", set.join("; ")),
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
        let words = "Selected by filter: everyone with Status: No-show or Active; Campus: Riverside";
        assert_eq!(said(PeopleChosen::ByFilter { without: 0 }, filter), words);
        assert_eq!(
            said(PeopleChosen::ByFilter { without: 2 }, "scope=caseload"),
            "Selected without a filter: people of the caseload; without 2 people taken out by hand"
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
