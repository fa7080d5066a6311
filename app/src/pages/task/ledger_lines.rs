//! The lines of a ledger as the server renders them. Nothing here runs in the browser.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{
    LedgerQuery, LedgerRow, Outcome, Page, TaskRow, Total,
    ledger::{LedgerSort, PAGE_OF_LINES},
};

use super::{ledger::begins, page_address};
use crate::{
    components::{
        blank::Blank,
        icon::Icon,
        table::{
            Head::{self, Number, Text},
            table,
        },
        values::{
            badge::{NowThen, OutcomeBadge},
            numbers::{grouped, in_words},
            pager,
            time::Time,
        },
    },
    url,
};

/// How many of those treated last are shown.
pub const LATEST: u32 = 25;

/// Which people of a task are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// Everybody, of a task that has not begun. Many people are listed only when it does.
    Ahead,
    /// Those treated last, of so many treated so far.
    SoFar(u64),
    /// Those with one outcome, of a task that goes on.
    Growing,
    /// Everybody, or those with one outcome, of a task at its end.
    Whole,
}

impl LinePart {
    pub fn of(row: &TaskRow, query: &LedgerQuery) -> LinePart {
        match (query.outcome, &query.reason) {
            (None, None) if query.sort.is_some() && !row.status.is_finished() && row.started_date.is_some() => {
                LinePart::Growing
            }
            (None, None) if page_address::so_far(row, "") => LinePart::SoFar(row.treated()),
            _ if row.status.is_finished() => LinePart::Whole,
            (None, None) => LinePart::Ahead,
            _ => LinePart::Growing,
        }
    }
}

/// The table with its pager.
#[component]
pub fn Lines(
    page: Page<LedgerRow>,
    part: LinePart,
    /// What those are called who failed.
    failed: String,
    /// What the task counts: people, or lines of a file.
    unit: &'static str,
    /// Whether it is about who looks after them.
    about_coach: bool,
    path: String,
    search: String,
    /// Of a ledger that can be sorted: by what it is.
    sort: Option<Option<LedgerSort>>,
) -> impl IntoView {
    let head = sort.map(|now| Heads { path: path.clone(), search: search.clone(), now });
    let shown = page.items.len();
    if shown == 0 {
        let (title, text) = match part {
            LinePart::Ahead => {
                (format!("Preparing the list of {unit}…"), "It is ready when the task starts.".to_owned())
            }
            LinePart::SoFar(_) => {
                let none = if unit == "people" { "Nobody yet".to_owned() } else { format!("No {unit} yet") };
                (none, format!("Results appear as {unit} are processed."))
            }
            LinePart::Growing | LinePart::Whole => (format!("No {unit}"), format!("No {unit} match.")),
        };
        let all = matches!(part, LinePart::Growing | LinePart::Whole)
            .then(|| view! { <a class="button" href=path data-noscroll>{format!("All {unit}")}</a> });
        let icon = if unit == "people" { "people" } else { "file" };
        return view! { <Blank icon title text>{all}</Blank> }.erase();
    }
    let caption = match part {
        LinePart::SoFar(_) => "People processed so far, latest first",
        _ => "People of this task, with what became of them",
    };
    // The tabs above count on between two times that the list is loaded, so that a number here would soon contradict them.
    let place = match part {
        LinePart::SoFar(_) => format!("The latest {shown}, updated every few seconds"),
        LinePart::Growing => format!("{shown} on this page"),
        LinePart::Ahead | LinePart::Whole => pager::place(shown, page.total, url::begins(&search)),
    };
    let ahead = part == LinePart::Ahead;
    // Of what changes nobody, such as an email, there is nothing to say there; whoever sorts by it keeps it in sight.
    let details = sort.flatten().is_some_and(|sort| [COLUMNS[DETAILS].1.0, COLUMNS[DETAILS].1.1].contains(&sort))
        || page.items.iter().any(|row| row.before.is_some() || row.after.is_some());
    // The reasons of lines are long, and such a line has nothing else to tell. Of a list it says with whom somebody stays.
    let told_in_details = details && unit == "lines" && !about_coach;
    let columns: Vec<_> =
        COLUMNS.into_iter().enumerate().filter(|(n, _)| *n != DETAILS || details).map(|(_, column)| column).collect();
    let lines = page
        .items
        .into_iter()
        .map(|row| view! { <Line row failed=failed.clone() ahead details about_coach told_in_details/> })
        .collect_view();
    let kept = ["outcome", "reason"].map(|key| (key, url::value(&search, key).unwrap_or_default()));
    let file = url::with(&format!("{path}/people.csv"), &kept);
    let is_longest = url::value(&search, "limit") == Some(PAGE_OF_LINES.to_string());
    let rest =
        matches!(part, LinePart::Ahead | LinePart::Whole).then(|| Rest::of(shown, page.total, is_longest)).flatten();
    let on_paper = rest.map(|rest| view! { <p class="paper">{rest.on_paper(shown, page.total)}</p> });
    let longer = rest.and_then(|rest| rest.longer(page.total)).map(|words| {
        let href = url::join(&path, &url::set(&search, "limit", Some(&PAGE_OF_LINES.to_string())));
        view! { <a class="textbutton" href=href data-noscroll>{words}</a> }
    });
    let first = (!url::begins(&search)).then(|| url::join(&path, &url::from_first(&search)));
    let next = page.next.map(|next| url::join(&path, &url::following(&search, &next)));
    let body = match head {
        // Nothing but who they are is known yet.
        _ if ahead => table(caption, &COLUMNS[..2].iter().map(|(name, _)| plain(name)).collect::<Vec<_>>(), lines),
        Some(head) => sorted_table(caption, head, columns, lines),
        None => table(caption, &columns.iter().map(|(name, _)| plain(name)).collect::<Vec<_>>(), lines),
    };
    view! {
        {on_paper}
        <div class="ledger">{body}</div>
        <div class="pager">
            <div class="line">
                <span>{place}</span>
                {longer}
                <a class="textbutton" href=file rel="external" download>"Download as CSV"</a>
            </div>
            <div>
                {first.map(|first| view! { <a class="button" href=first data-noscroll>"First page"</a> })}
                {next.map(|next| view! { <a class="button" href=next data-noscroll>"Next"</a> })}
            </div>
        </div>
    }
    .erase()
}

/// Where those are of whom a page shows only some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// All of them fit on one page.
    OnePage,
    /// They fit on a few that are longer than this one.
    LongerPages,
    /// This is one of the longest pages.
    OtherPages,
}

impl Rest {
    fn of(shown: usize, total: Total, is_longest: bool) -> Option<Rest> {
        match total {
            Total { value, exact: true } if value == shown as u64 => None,
            _ if is_longest => Some(Rest::OtherPages),
            Total { value, exact: true } if value <= PAGE_OF_LINES.into() => Some(Rest::OnePage),
            _ => Some(Rest::LongerPages),
        }
    }

    /// The word of what leads to more of them on one page.
    fn longer(self, total: Total) -> Option<String> {
        match self {
            Rest::OnePage => Some(format!("Show all {}", in_words(total))),
            Rest::LongerPages => Some(format!("Show {} on a page", grouped(PAGE_OF_LINES.into()))),
            Rest::OtherPages => None,
        }
    }

    /// What is said where nobody can turn the page.
    fn on_paper(self, shown: usize, total: Total) -> String {
        let some = format!("{} of {} people are printed here.", grouped(shown as u64), in_words(total));
        let way = match (self, self.longer(total)) {
            (Rest::OnePage, Some(words)) => format!("“{words}” on the page puts all of them on paper."),
            (_, Some(words)) => format!("“{words}” puts more of them on paper, and “Download as CSV” has all of them."),
            (_, None) => "Print the other pages as well, or use “Download as CSV”, which has all of them.".to_owned(),
        };
        format!("{some} {way}")
    }
}

/// What a column is called, and by what it is sorted.
type Column = (&'static str, (LedgerSort, LedgerSort));

/// The columns.
const COLUMNS: [Column; 5] = [
    ("Name", (LedgerSort::Name, LedgerSort::NameDescending)),
    ("School ID", (LedgerSort::SchoolId, LedgerSort::SchoolIdDescending)),
    ("Outcome", (LedgerSort::Outcome, LedgerSort::OutcomeDescending)),
    ("Details", (LedgerSort::Details, LedgerSort::DetailsDescending)),
    (TIME, (LedgerSort::Time, LedgerSort::TimeDescending)),
];
const TIME: &str = "Time";
/// Where what somebody was and is now stands among them.
const DETAILS: usize = 3;

fn plain(name: &'static str) -> Head {
    if name == TIME { Number(name) } else { Text(name) }
}

/// What the heads of the columns lead to: the page, and by what it is sorted.
#[derive(Clone)]
pub struct Heads {
    pub path: String,
    pub search: String,
    pub now: Option<LedgerSort>,
}

/// The table with a link in the head of each column.
fn sorted_table(caption: &'static str, heads: Heads, columns: Vec<Column>, lines: impl IntoView + 'static) -> AnyView {
    let Heads { path, search, now } = heads;
    let head = |(name, (up, down)): Column| {
        let order = match now {
            Some(now) if now == up => Some("ascending"),
            Some(now) if now == down => Some("descending"),
            _ => None,
        };
        let icon = if now == Some(down) { "down-arrow" } else { "up-arrow" };
        let href = page_address::sorted(&path, &search, now, (up, down));
        let class = (name == TIME).then_some("num");
        view! { <th scope="col" class=class aria-sort=order><a href=href data-noscroll>{name}<Icon name=icon/></a></th> }
    };
    view! {
        <div class="tableframe">
            <table class="table still cards">
                <caption class="hidden">{caption}</caption>
                <thead><tr>{columns.into_iter().map(head).collect_view()}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}

/// Of a reason, so many characters are in sight anyway.
const SHORT: usize = 40;

/// Why somebody was skipped or failed. What is cut is whole in its title, and where it has the focus.
fn why(text: String) -> AnyView {
    let long = text.chars().count() > SHORT;
    let (class, stop) = if long { ("meta soft cut", Some("0")) } else { ("meta soft", None) };
    view! { <span class=class tabindex=stop title=long.then(|| text.clone())>{text.clone()}</span> }.erase()
}

#[component]
fn Line(
    row: LedgerRow,
    failed: String,
    /// Of a task that has not begun.
    ahead: bool,
    /// Whether anybody has details.
    details: bool,
    about_coach: bool,
    /// Whether the reason of a line that has no other details stands among them.
    told_in_details: bool,
) -> impl IntoView {
    let reason = row.reason_label.or(row.reason);
    let in_details = told_in_details && row.before.is_none() && row.after.is_none();
    // One of Docket’s own begins a cell there; another one begins with what the file says.
    let begun = |reason: String| if row.outcome == Some(Outcome::Skipped) { begins(&reason) } else { reason };
    let (detail, reason) = if in_details { (reason.map(begun), None) } else { (None, reason) };
    let is_nobody = row.person_id.is_none() && row.school_id.as_ref() == Some(&row.name);
    // The coach of whoever was skipped is none that was looked for in vain.
    let stays = (about_coach && row.outcome == Some(Outcome::Skipped) && row.before.is_some())
        .then(|| view! { <span class="soft">"Stays with "</span> });
    view! {
        <tr data-key=row.position.to_string()>
            <th scope="row" class=is_nobody.then_some("wide-only")>{match row.person_id {
                Some(id) => view! { <a href=format!("/people/{id}")>{row.name}</a> }.erase(),
                // The school ID that was given stands in its own column.
                None if is_nobody => view! { <span class="soft">"—"</span> }.erase(),
                None => row.name.erase(),
            }}</th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            {(!ahead).then(|| view! {
                <td class="first">
                    <span class="line">
                        <OutcomeBadge outcome=row.outcome failed/>
                        {reason.map(why)}
                    </span>
                </td>
                // A card hides a cell in which nobody was or became anything.
                {details.then(|| match detail {
                    Some(detail) => view! { <td class="first meta soft">{detail}</td> }.erase(),
                    None => view! { <td class="first">{stays}<NowThen now=row.before then=row.after verb="became"/></td> }.erase(),
                })}
                <td class="brief num soft">{row.date.map(|at| view! { <Time at exact=true/> })}</td>
            })}
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, outcome: Outcome, reason: &str) -> LedgerRow {
        LedgerRow {
            position: 5,
            person_id: None,
            school_id: None,
            name: name.to_owned(),
            outcome: Some(outcome),
            reason: None,
            reason_label: Some(reason.to_owned()),
            before: None,
            after: None,
            date: None,
        }
    }

    #[test]
    fn why_a_line_of_a_list_was_skipped_stands_in_one_column() {
        let stays = LedgerRow {
            before: Some("Lund, Katrin".to_owned()),
            ..row("Moss, Ada", Outcome::Skipped, "line 2: already with that coach")
        };
        let items = vec![stays, row("G9-9", Outcome::Skipped, "line 3: not found")];
        let page = Page { items, next: None, total: Total::exactly(2) };
        let (failed, path) = ("failed".to_owned(), "/tasks/x".to_owned());
        let part = LinePart::Whole;
        let lines =
            view! { <Lines page part failed unit="lines" about_coach=true path search=String::new() sort=None/> };
        let html = lines.to_html();
        for reason in ["line 2: already with that coach", "line 3: not found"] {
            assert!(html.contains(&format!("<span class=\"meta soft\">{reason}")), "{html}");
        }
    }

    #[test]
    fn a_reason_that_begins_a_cell_begins_with_a_capital() {
        let line = |outcome, reason: &str| {
            let (row, failed) = (row("Line 5", outcome, reason), "unreadable".to_owned());
            view! { <Line row failed ahead=false details=true about_coach=false told_in_details=true/> }.to_html()
        };
        assert!(line(Outcome::Skipped, "repeated, another").contains("Repeated, another"));
        assert!(line(Outcome::Failed, "status: “?”").contains("status: “?”"), "a column is called as in the file");
    }

    #[test]
    fn the_reason_of_an_unreadable_line_is_in_sight_on_a_phone() {
        let row = row("Line 5", Outcome::Failed, "School ID is missing");
        let failed = "unreadable".to_owned();
        let line = view! { <Line row failed ahead=false details=true about_coach=false told_in_details=true/> };
        let html = line.to_html();
        assert!(html.contains("School ID is missing") && !html.contains("now-then"), "a card hides that cell: {html}");
    }

    #[test]
    fn paper_says_how_many_of_them_it_has() {
        let said = |shown: usize, total| Rest::of(shown, total, shown > 200).map(|rest| rest.on_paper(shown, total));
        assert_eq!(
            said(25, Total::exactly(184)).unwrap(),
            "25 of 184 people are printed here. “Show all 184” on the page puts all of them on paper."
        );
        assert_eq!(
            said(25, Total::exactly(1_204)).unwrap(),
            "25 of 1,204 people are printed here. “Show 1,000 on a page” puts more of them on paper, and “Download as CSV” \
             has all of them."
        );
        assert_eq!(
            said(1_000, Total::exactly(1_204)).unwrap(),
            "1,000 of 1,204 people are printed here. Print the other pages as well, or use “Download as CSV”, which has all \
             of them."
        );
        assert_eq!(said(184, Total::exactly(184)), None);
        assert_eq!(said(1_000, Total::exactly(1_000)), None);
    }
}
