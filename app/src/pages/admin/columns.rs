//! The columns of the list of tasks: which there are, which are shown, and the cell of each.

use leptos::prelude::*;
use model::{
    admin::{AdminTaskRow, TaskOrder},
    grouped,
};

use super::words;
use crate::{
    components::{bar::counts, erase::Erase, icon::Icon, time::Time},
    pages::tasks::took,
};

/// The key in the address: the names of the columns, with commas between.
pub const KEY: &str = "columns";

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Kind,
    Owner,
    Attempt,
    People,
    Outcome,
    Process,
    Submitted,
    Due,
    Started,
    Ended,
    Took,
    Id,
}

/// Those that are shown unless others are asked for.
const USUAL: [Column; 6] =
    [Column::Owner, Column::Attempt, Column::Outcome, Column::Process, Column::Submitted, Column::Took];

impl Column {
    pub const ALL: [Column; 12] = [
        Column::Kind,
        Column::Owner,
        Column::Attempt,
        Column::People,
        Column::Outcome,
        Column::Process,
        Column::Submitted,
        Column::Due,
        Column::Started,
        Column::Ended,
        Column::Took,
        Column::Id,
    ];

    /// The columns that an address asks for.
    pub fn asked(names: Option<&str>) -> Vec<Column> {
        let Some(names) = names else { return USUAL.to_vec() };
        let named = |column: &Column| names.split(',').any(|name| name == column.name());
        Column::ALL.into_iter().filter(named).collect()
    }

    /// What an address says to ask for these; nothing for the usual ones.
    pub fn names(columns: &[Column]) -> Option<String> {
        (columns != USUAL).then(|| columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(","))
    }

    pub fn name(self) -> &'static str {
        match self {
            Column::Kind => "kind",
            Column::Owner => "owner",
            Column::Attempt => "attempt",
            Column::People => "people",
            Column::Outcome => "outcome",
            Column::Process => "process",
            Column::Submitted => "submitted",
            Column::Due => "due",
            Column::Started => "started",
            Column::Ended => "ended",
            Column::Took => "took",
            Column::Id => "id",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Column::Kind => "Kind",
            Column::Owner => "Owner",
            Column::Attempt => "Attempt",
            Column::People => "People",
            Column::Outcome => "Outcome",
            Column::Process => "Process",
            Column::Submitted => "Submitted",
            Column::Due => "Due",
            Column::Started => "Started",
            Column::Ended => "Ended",
            Column::Took => "Took",
            Column::Id => "Task id",
        }
    }

    fn is_number(self) -> bool {
        matches!(self, Column::Attempt | Column::People | Column::Took)
    }

    /// Whether its cells are best kept in one line.
    fn is_short(self) -> bool {
        use Column::*;
        matches!(self, Submitted | Due | Started | Ended | Process)
    }

    /// Its heading. The list is in the order of when tasks were submitted; `turned` is the address of the other way round.
    pub fn head(self, order: TaskOrder, turned: &str) -> AnyView {
        if self == Column::Submitted {
            let (sort, icon) = match order {
                TaskOrder::Newest => ("descending", "down-arrow"),
                TaskOrder::Oldest => ("ascending", "up-arrow"),
            };
            return view! {
                <th scope="col" aria-sort=sort>
                    <a href=turned.to_owned() data-noscroll>{self.label()}<Icon name=icon/></a>
                </th>
            }
            .erase();
        }
        let class = self.is_number().then_some("num");
        view! { <th scope="col" class=class>{self.label()}</th> }.erase()
    }

    /// Its cell.
    pub fn cell(self, task: &AdminTaskRow) -> AnyView {
        let row = &task.row;
        let time = |at: Option<model::Instant>| at.map(|at| view! { <Time at/> }.erase());
        let text = |text: String| Some(text).filter(|text| !text.is_empty()).map(|text| text.erase());
        let content = match self {
            Column::Kind => text(words::kind(&row.kind)),
            Column::Owner => text(row.owner_name.clone()),
            Column::Attempt => text(row.attempt.to_string()),
            Column::People => text(row.total.map(grouped).unwrap_or_default()),
            Column::Outcome if row.treated() == 0 => text(words::people(row)),
            Column::Outcome => text(counts(row)),
            Column::Process => task.process.as_deref().map(words::process),
            Column::Submitted => time(Some(row.created_date)),
            Column::Due => time(Some(row.trigger_date)),
            Column::Started => time(row.started_date),
            Column::Ended => time(row.stopped_date),
            Column::Took => text(took(row)),
            Column::Id => Some(view! { <span class="id">{row.id.to_string()}</span> }.erase()),
        };
        let said = matches!(self, Column::Owner | Column::Outcome | Column::Process | Column::Kind);
        let prefix = (!said && content.is_some()).then(|| self.label().to_lowercase());
        let class = match (self.is_number(), content.is_some()) {
            (true, true) => "brief num",
            (false, true) if self.is_short() => "brief nowrap",
            (false, true) => "brief",
            // On a small screen an empty fact would still part its neighbours.
            (_, false) => "wide-only",
        };
        view! { <td class=class data-prefix=prefix>{content}</td> }.erase()
    }
}

/// The menu in which they are chosen; it belongs to the form of the filters.
pub fn menu(shown: &[Column]) -> AnyView {
    let boxes = Column::ALL.into_iter().map(|column| {
        let checked = shown.contains(&column);
        view! {
            <label class="choice">
                <input type="checkbox" name=KEY value=column.name() checked=checked/>
                <span>{column.label()}</span>
            </label>
        }
    });
    view! {
        <details class="menu start">
            <summary class="button">"Columns"<Icon name="down"/></summary>
            <div class="panel">
                <fieldset class="choices scroll"><legend class="hidden">"Columns"</legend>{boxes.collect_view()}</fieldset>
            </div>
        </details>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_columns_leave_no_trace_in_the_address() {
        assert_eq!(Column::names(&Column::asked(None)), None);
        let some = Column::asked(Some("id,owner,nonsense"));
        assert_eq!(some, [Column::Owner, Column::Id]);
        assert_eq!(Column::names(&some).as_deref(), Some("owner,id"));
    }
}
