//! The columns of the list of tasks: which there are, which are shown, and the cell of each.

use leptos::prelude::*;
use model::admin::{AdminTaskRow, TaskOrder};

use crate::components::values::numbers::grouped;
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{outcome_bar::counts, time::Time},
    },
    pages::{admin::words, tasks::words::took},
};

/// The key in the address: the names of the columns, with commas between.
pub const KEY: &str = "columns";

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListColumn {
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

/// Those that are shown unless others are asked for: as many as a laptop has room for.
const DEFAULT: [ListColumn; 4] = [ListColumn::Owner, ListColumn::Outcome, ListColumn::Submitted, ListColumn::Took];

impl ListColumn {
    pub const ALL: [ListColumn; 12] = [
        ListColumn::Kind,
        ListColumn::Owner,
        ListColumn::Attempt,
        ListColumn::People,
        ListColumn::Outcome,
        ListColumn::Process,
        ListColumn::Submitted,
        ListColumn::Due,
        ListColumn::Started,
        ListColumn::Ended,
        ListColumn::Took,
        ListColumn::Id,
    ];

    /// The columns that an address asks for.
    pub fn asked(names: Option<&str>) -> Vec<ListColumn> {
        let Some(names) = names else { return DEFAULT.to_vec() };
        let named = |column: &ListColumn| names.split(',').any(|name| name == column.name());
        ListColumn::ALL.into_iter().filter(named).collect()
    }

    /// What an address says to ask for these; nothing for the defaults.
    pub fn names(columns: &[ListColumn]) -> Option<String> {
        (columns != DEFAULT).then(|| columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(","))
    }

    pub fn name(self) -> &'static str {
        match self {
            ListColumn::Kind => "kind",
            ListColumn::Owner => "owner",
            ListColumn::Attempt => "attempt",
            ListColumn::People => "people",
            ListColumn::Outcome => "outcome",
            ListColumn::Process => "process",
            ListColumn::Submitted => "submitted",
            ListColumn::Due => "due",
            ListColumn::Started => "started",
            ListColumn::Ended => "ended",
            ListColumn::Took => "took",
            ListColumn::Id => "id",
        }
    }

    fn label(self) -> &'static str {
        match self {
            ListColumn::Kind => "Kind",
            ListColumn::Owner => "Owner",
            ListColumn::Attempt => "Attempt",
            ListColumn::People => "People",
            ListColumn::Outcome => "Outcome",
            ListColumn::Process => "Process",
            ListColumn::Submitted => "Submitted",
            ListColumn::Due => "Due",
            ListColumn::Started => "Started",
            ListColumn::Ended => "Ended",
            ListColumn::Took => "Took",
            ListColumn::Id => "Task ID",
        }
    }

    fn is_number(self) -> bool {
        matches!(self, ListColumn::Attempt | ListColumn::People | ListColumn::Took)
    }

    /// Whether its cells are best kept in one line.
    fn is_short(self) -> bool {
        use ListColumn::*;
        matches!(self, Submitted | Due | Started | Ended | Process)
    }

    /// Its heading. The list is in the order of when tasks were submitted; `turned` is the address of the other way round.
    pub fn head(self, order: TaskOrder, turned: &str) -> AnyView {
        if self == ListColumn::Submitted {
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
        let class = match self {
            ListColumn::Took => Some("num took"),
            _ => self.is_number().then_some("num"),
        };
        view! { <th scope="col" class=class>{self.label()}</th> }.erase()
    }

    /// Its cell.
    pub fn cell(self, task: &AdminTaskRow) -> AnyView {
        let row = &task.row;
        let time = |at: Option<model::Instant>| at.map(|at| view! { <Time at/> }.erase());
        let text = |text: String| Some(text).filter(|text| !text.is_empty()).map(|text| text.erase());
        let content = match self {
            ListColumn::Kind => text(words::kind(&row.kind)),
            ListColumn::Owner => text(row.owner_name.clone()),
            ListColumn::Attempt => text(row.attempt.to_string()),
            ListColumn::People => text(row.people().map(grouped).unwrap_or_default()),
            ListColumn::Outcome if row.treated() == 0 => text(words::people(row).replace(' ', "\u{a0}")),
            ListColumn::Outcome => text(counts(row)),
            ListColumn::Process => task.process.as_deref().map(words::process),
            ListColumn::Submitted => time(Some(row.created_date)),
            ListColumn::Due => time(Some(row.trigger_date)),
            ListColumn::Started => time(row.started_date),
            ListColumn::Ended => time(row.stopped_date),
            ListColumn::Took => text(took(row)),
            ListColumn::Id => Some(view! { <span class="id">{row.id.to_string()}</span> }.erase()),
        };
        let said = matches!(self, ListColumn::Owner | ListColumn::Outcome | ListColumn::Process | ListColumn::Kind);
        let prefix = (!said && content.is_some()).then(|| self.label().to_lowercase());
        let class = match (self.is_number(), content.is_some()) {
            (true, true) if self == ListColumn::Took => "brief num took",
            (true, true) => "brief num",
            (false, true) if self.is_short() => "brief nowrap",
            (false, true) => "brief",
            (_, false) if self == ListColumn::Took => "wide-only took",
            // On a small screen an empty fact would still part its neighbours.
            (_, false) => "wide-only",
        };
        view! { <td class=class data-prefix=prefix>{content}</td> }.erase()
    }
}

/// The menu in which they are chosen; it belongs to the form of the filters.
pub fn menu(shown: &[ListColumn]) -> AnyView {
    let boxes = ListColumn::ALL.into_iter().map(|column| {
        let checked = shown.contains(&column);
        view! {
            <label class="choice">
                <input type="checkbox" name=KEY value=column.name() checked=checked/>
                <span>{column.label()}</span>
            </label>
        }
    });
    let aside = (shown == DEFAULT).then(|| {
        view! { <p class="meta wide-only">"In a narrow window, “Took” is left out. If you change the columns, all of them are shown."</p> }
    });
    view! {
        <details class="menu start">
            <summary class="button">"Columns"<Icon name="down"/></summary>
            <div class="panel stack tight">
                <fieldset class="choices beside"><legend class="hidden">"Columns"</legend>{boxes.collect_view()}</fieldset>
                {aside}
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
        assert_eq!(ListColumn::names(&ListColumn::asked(None)), None);
        let some = ListColumn::asked(Some("id,owner,nonsense"));
        assert_eq!(some, [ListColumn::Owner, ListColumn::Id]);
        assert_eq!(ListColumn::names(&some).as_deref(), Some("owner,id"));
    }
}
