//! Whom a number of the check counts: people, and after them the ids that nobody can be named for.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{
    Action, TaskKind,
    action::changes_as,
    preview::{Counted, CountedLine, PreviewPeople},
};

use super::draft::{Draft, crumb};
use crate::{
    components::{
        blank::Blank,
        table::{
            Head::{self, Text},
            table,
        },
        values::{badge::NowThen, pager},
    },
    pages::task::ledger::begins,
    url,
};

/// The list.
#[component]
pub fn Shown(draft: Draft, search: String, people: PreviewPeople) -> impl IntoView {
    let PreviewPeople { title, action, page } = people;
    let next = page.next.map(|next| url::join(&draft.path(), &url::following(&search, &next)));
    let (shown, total, first) = (page.items.len(), page.total, url::begins(&search));
    let list = if shown == 0 {
        let text = "This group is now empty.";
        let back = draft.check_link();
        view! { <Blank icon="people" title="Nobody" text><a class="button" href=back>"Check again"</a></Blank> }.erase()
    } else {
        listed(title.clone(), &action, page.items)
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=draft.origin()>{crumb(&draft)}</a></li>
                    <li><a href=draft.check_link()>"Check"</a></li>
                </ol>
                <h1>{title}</h1>
            </div>
            <a class="button" href=draft.check_link()>"Back to the check"</a>
        </header>
        {list}
        <div class="pager">
            <div>{pager::place(shown, total, first)}</div>
            <div>{next.map(|next| view! { <a class="button" href=next>"Next"</a> })}</div>
        </div>
    }
}

/// Which columns there are beside who it is.
#[derive(Clone, Copy)]
struct Columns {
    /// What the action is about: as it is now, and as it will be.
    about: Option<&'static str>,
    /// Where it stands in an uploaded list.
    in_list: bool,
    /// Who looks after them, where that is not what it is about.
    coach: bool,
}

impl Columns {
    fn of(action: &Action, rows: &[CountedLine]) -> Columns {
        let some = rows.iter().any(|row| row.now.is_some() || row.then.is_some());
        let changes = rows.iter().any(|row| row.now.is_some() && row.then.is_some());
        let changed = changes_as(action);
        let about = match changed {
            TaskKind::Email => "Goes to",
            TaskKind::ProgramStatus if !changes => "Status now",
            TaskKind::ReassignCoach if !changes => "Coach now",
            _ if !changes => "Now",
            _ => "Current → new",
        };
        Columns {
            about: some.then_some(about),
            in_list: rows.iter().any(|row| row.in_list.is_some()),
            coach: changed != TaskKind::ReassignCoach,
        }
    }

    fn heads(self) -> Vec<Head> {
        let about = self.about.map(Text);
        let rest = [self.in_list.then_some(Text("In the list")), self.coach.then_some(Text("Coach"))];
        [Text("Name"), Text("School ID")].into_iter().chain(about).chain(rest.into_iter().flatten()).collect()
    }
}

fn listed(caption: String, action: &Action, rows: Vec<CountedLine>) -> AnyView {
    let columns = Columns::of(action, &rows);
    let lines = rows.into_iter().map(|row| line(row, columns)).collect_view();
    table(caption, &columns.heads(), lines)
}

fn line(counted: CountedLine, columns: Columns) -> AnyView {
    let CountedLine { who, name, now, then, in_list } = counted;
    let in_list = columns.in_list.then(|| view! { <td class="brief">{in_list.as_deref().map(begins)}</td> });
    let row = match who {
        Counted::Person(row) => *row,
        Counted::Given(given) => {
            // Nobody has a name here but whom another line of a list names: of the others the school ID is all that there is.
            let key = given.clone();
            let about = columns.about.map(|_| view! { <td class="wide-only"></td> });
            let coach = columns.coach.then(|| view! { <td class="wide-only"></td> });
            let class = name.is_none().then_some("wide-only soft");
            return match given {
                Some(given) => view! {
                    <tr data-key=key>
                        <th scope="row" class=class>{name.unwrap_or_else(|| "—".to_owned())}</th>
                        <td class="brief id soft nowrap">{given}</td>
                        {about}
                        {in_list}
                        {coach}
                    </tr>
                }
                .erase(),
                None => view! {
                    <tr data-key="gone">
                        <th scope="row" class="soft">"No longer in Docket"</th>
                        <td class="wide-only"></td>
                        {about}
                        {in_list}
                        {coach}
                    </tr>
                }
                .erase(),
            };
        }
    };
    view! {
        <tr data-key=row.id.to_string()>
            <th scope="row">{row.name}</th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            {columns.about.map(|_| view! { <td class="first"><NowThen now then verb="becomes"/></td> })}
            {in_list}
            {columns.coach.then(|| view! { <td class="brief" data-prefix="coach">{row.coach_name}</td> })}
        </tr>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use model::PersonId;

    use super::*;

    fn heads(action: &Action, now: Option<&str>, then: Option<&str>) -> Vec<&'static str> {
        let [now, then] = [now, then].map(|word| word.map(str::to_owned));
        let rows = [CountedLine { who: Counted::Given(None), name: None, now, then, in_list: None }];
        let heads = Columns::of(action, &rows).heads();
        heads.into_iter().filter_map(|head| if let Text(name) = head { Some(name) } else { None }).collect()
    }

    #[test]
    fn a_school_id_looks_the_same_whether_or_not_somebody_has_it() {
        let columns = Columns { about: None, in_list: true, coach: false };
        let html = |name: Option<&str>| {
            let name = name.map(str::to_owned);
            let who = Counted::Given(Some("G9-9".to_owned()));
            line(CountedLine { who, name, now: None, then: None, in_list: None }, columns).to_html()
        };
        let id = "<td class=\"brief id soft nowrap\">G9-9<";
        assert!(html(None).contains(id) && html(None).contains("—"), "{}", html(None));
        let named = html(Some("Moss, Ada"));
        assert!(named.contains(id) && named.contains(">Moss, Ada<"), "{named}");
    }

    #[test]
    fn the_people_of_an_action_have_the_columns_that_it_is_about() {
        let status = Action::program_status("INACTIVE", "", "").unwrap();
        assert_eq!(heads(&status, Some("Active"), Some("Inactive")), ["Name", "School ID", "Current → new", "Coach"]);
        assert_eq!(heads(&status, Some("Inactive"), None), ["Name", "School ID", "Status now", "Coach"]);
        let coach = Action::reassign_coach(&PersonId::from_u128(7).to_string()).unwrap();
        assert_eq!(heads(&coach, Some("Lund, Katrin"), None), ["Name", "School ID", "Coach now"]);
        let watch = Action::watch("WATCH").unwrap();
        assert_eq!(heads(&watch, None, None), ["Name", "School ID", "Coach"], "without what nothing is known of");
    }
}
