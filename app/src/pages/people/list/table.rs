//! The table of people as the server renders it: a native one, with a sort link in the head of each column and a box in each row.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{PeopleQuery, PersonColumn, PersonId, PersonRow, Sort};

use super::{
    display::is_usual,
    row::{self, WATCH},
};
use crate::components::values::numbers::people;
use crate::{
    components::{icon::Icon, tip::Tip, type_erasure::Erase},
    help::hint::Hint,
    pages::{people::page_address, person::api::StarPerson},
};

/// The name of the box for the whole page.
pub const WHOLE_PAGE: &str = "whole_page";

/// The table with these columns.
#[component]
pub fn PeopleTable(
    lines: Vec<(PersonId, Option<PersonRow>)>,
    query: PeopleQuery,
    columns: Vec<PersonColumn>,
    ticked: Vec<PersonId>,
    search: String,
) -> impl IntoView {
    let sort = query.sort.unwrap_or(Sort::NAME);
    let count = people(lines.len() as u64);
    let caption = format!("{count} on this page, sorted by: {}", sort.label().to_lowercase());
    let many = columns.len() > PersonColumn::USUAL.len();
    let usual = is_usual(&columns);
    let keeps =
        columns.iter().position(|column| *column == sort.by && SET_ASIDE.contains(column)).map(|at| at + AFTER_BOX);
    // What the style asks of the table as a whole is said once: asked of its cells it costs half of a press.
    let rows = || lines.iter().filter_map(|(_, row)| row.as_ref());
    let pending = rows().any(|row| row::pending(row).is_some());
    let aside = rows().any(|row| row::aside(row, &columns).is_some());
    let coach = columns.contains(&PersonColumn::Coach);
    let heads = columns.iter().map(|column| head(*column, sort, &search)).collect_view();
    let lines = lines.into_iter().map(|(id, row)| row::line(id, row, &columns, ticked.contains(&id))).collect_view();
    view! {
        <div class="tableframe">
            // The stars of all rows belong to it.
            <form id=WATCH method="post" action=StarPerson::url() data-stays>
                <input type="hidden" name="back" value=search/>
            </form>
            <div class="sideways" data-many=many data-usual=usual data-keeps=keeps data-coach=coach data-pending=pending data-aside=aside>
                <table class="table wide cards">
                    <caption class="hidden">{caption}</caption>
                    <thead>
                        <tr>
                            <td class="check">
                                <label>
                                    <input
                                        type="checkbox"
                                        name=WHOLE_PAGE
                                        value="all"
                                        form="selection"
                                        aria-label=format!("Select all {count} on this page")
                                    />
                                </label>
                            </td>
                            {heads}
                            <td class="menu-cell"><span class="hidden">"Watch"</span></td>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
        </div>
    }
}

/// The first cell of a row is the box, so that a column’s place among the cells is two more than its index.
const AFTER_BOX: usize = 2;

/// Which of the usual columns stand aside in a narrow window, the first one first (`table-columns.css`). Columns that were
/// chosen stay, and so does the one that the list is sorted by.
pub const SET_ASIDE: [PersonColumn; 5] = [
    PersonColumn::StudentType,
    PersonColumn::Major,
    PersonColumn::StartTerm,
    PersonColumn::HomeCampus,
    PersonColumn::StatusSince,
];

/// The head of a column: another press sorts the other way round.
fn head(column: PersonColumn, now: Sort, search: &str) -> AnyView {
    let order = (now.by == column).then_some(if now.descending { "descending" } else { "ascending" });
    let icon = if now.by == column && now.descending { "down-arrow" } else { "up-arrow" };
    let class = (column == PersonColumn::Name).then_some("name");
    let tip = (column == PersonColumn::ProgramStatus).then(|| view! { <Tip on=Hint::Status/> });
    view! {
        <th scope="col" class=class aria-sort=order abbr=column.label()>
            <a href=page_address::sorted(search, now, column) data-noscroll>{column.label()}<Icon name=icon/></a>
            {tip}
        </th>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::{super::display::on_own_caseload, *};

    #[test]
    fn the_columns_that_stand_aside_are_where_the_style_looks_for_them() {
        let places =
            SET_ASIDE.map(|aside| PersonColumn::USUAL.iter().position(|column| *column == aside).unwrap() + AFTER_BOX);
        assert_eq!(places, [6, 7, 9, 8, 5]);
        let style = include_str!("../../../../../style/components/table-columns.css");
        for place in places {
            let beside = if place == 5 { "[data-pending]" } else { "" };
            let rule = format!("&:not([data-keeps=\"{place}\"]){beside} tr > :nth-child({place})");
            assert!(style.contains(&rule), "{rule}");
        }
    }

    #[test]
    fn columns_that_somebody_chose_never_stand_aside() {
        assert!(is_usual(PersonColumn::USUAL) && is_usual(&on_own_caseload(PersonColumn::USUAL)));
        assert!(!is_usual(&[PersonColumn::Name, PersonColumn::Major]) && !is_usual(PersonColumn::ALL));
    }
}
