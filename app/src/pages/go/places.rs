//! Where one can go that is always there: pages, actions that need nobody selected, pages of help.

use model::{Permission, Role, Total};

use super::{
    destination::{Destination, DestinationGroup, WayOn},
    ranking::rank,
};
use crate::{
    components::{frame::rail::PLACES, values::numbers::grouped},
    help::topic::{HelpGroup, Topic},
    url,
};

/// Pages of everybody: address, icon and name.
const PAGES: [(&str, &str, &str); 4] = [
    ("/people", "people", "People"),
    ("/tasks", "tasks", "My tasks"),
    ("/settings", "settings", "Settings"),
    ("/help", "help", "Help and shortcuts"),
];

/// The keys that lead to a page from any other.
fn keys(href: &str) -> Option<&'static str> {
    match href {
        "/people" => Some("G P"),
        "/tasks" => Some("G T"),
        "/admin" => Some("G A"),
        "/help" => Some("?"),
        _ => None,
    }
}

/// The pages that this role has; `shortcuts` says whether the reader uses keys.
pub fn pages(role: Role, shortcuts: bool, asked: &str) -> Option<DestinationGroup> {
    let own = (role == Role::Administrator).then_some(PLACES).into_iter().flatten();
    let found = PAGES.into_iter().chain(own).filter_map(|(href, icon, name)| {
        Some(Destination {
            icon,
            name: name.to_owned(),
            note: String::new(),
            way: WayOn::Link(href.to_owned()),
            keys: keys(href).filter(|_| shortcuts),
            rank: rank(name, asked)?,
        })
    });
    match asked.trim() {
        "" => DestinationGroup::all("Pages", found.collect()),
        _ => DestinationGroup::of("Pages", found.collect()),
    }
}

/// What one can do without selecting anybody.
pub fn actions(role: Role, permissions: &[Permission], asked: &str) -> Option<DestinationGroup> {
    let administers = role == Role::Administrator;
    let all = [
        (true, "/people/ids", "people", "Select people by school ID…"),
        (permissions.contains(&Permission::ReassignCoach), "/people/reassign", "swap", "Reassign coaches by list…"),
        (administers, "/admin/users/new", "user", "Add a user…"),
    ];
    let found = all.into_iter().filter(|(may, ..)| *may).filter_map(|(_, href, icon, name)| {
        Some(Destination {
            icon,
            name: name.to_owned(),
            note: String::new(),
            way: WayOn::Link(href.to_owned()),
            keys: None,
            rank: rank(name, asked)?,
        })
    });
    DestinationGroup::of("Actions", found.collect())
}

/// Pages of help by their titles, once something has been typed.
pub fn help(role: Role, asked: &str) -> Option<DestinationGroup> {
    let topics = HelpGroup::shown(role == Role::Administrator).flat_map(HelpGroup::topics);
    let found = topics.filter(|_| !asked.trim().is_empty()).filter_map(|topic: Topic| {
        let (name, rank) = (topic.title().to_owned(), rank(topic.title(), asked)?);
        Some(Destination { icon: "help", name, note: String::new(), way: WayOn::Link(topic.path()), keys: None, rank })
    });
    DestinationGroup::of("Help", found.collect())
}

/// Looking for it elsewhere, once something has been typed; `leads_to_people` says whether the people who were found lead there.
pub fn searches(asked: &str, leads_to_people: bool) -> Option<DestinationGroup> {
    let asked = asked.trim();
    if asked.is_empty() {
        return None;
    }
    let search = |page: &str, what: &str| sought(page, format!("Search {what} for “{}”", cut(asked)), asked);
    let people = (!leads_to_people).then(|| search("/people", "people"));
    DestinationGroup::beside("Search", people.into_iter().chain([search("/help", "help")]).collect())
}

/// All people who match, of whom only the first are listed.
pub fn all_people(total: Total, asked: &str) -> Destination {
    let all = if total.exact { format!("All {} people", grouped(total.value)) } else { "All people".to_owned() };
    sought("/people", format!("{all} for “{}”", cut(asked)), asked)
}

fn sought(page: &str, name: String, asked: &str) -> Destination {
    let way = WayOn::Link(url::with(page, &[("q", asked)]));
    Destination { icon: "search", name, note: String::new(), way, keys: None, rank: u8::MAX }
}

/// How many letters of a question are said again; whoever has typed it knows the rest.
const SAID: usize = 60;

/// The question as one line has room for it: whole words, and an ellipsis for the others.
fn cut(asked: &str) -> String {
    let Some((end, _)) = asked.char_indices().nth(SAID) else { return asked.to_owned() };
    let (begin, rest) = asked.split_at(end);
    let words = match begin.rfind(char::is_whitespace) {
        Some(last) if !rest.starts_with(char::is_whitespace) => begin.split_at(last).0,
        _ => begin,
    };
    format!("{}…", words.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(group: Option<DestinationGroup>) -> Vec<String> {
        group.into_iter().flat_map(|group| group.found).map(|destination| destination.name).collect()
    }

    #[test]
    fn nobody_is_shown_a_page_that_is_not_theirs() {
        assert_eq!(names(pages(Role::Administrator, true, "audit")), ["Audit trail"]);
        assert!(names(pages(Role::Manager, true, "audit")).is_empty());
        assert_eq!(names(actions(Role::Coach, &[], "")), ["Select people by school ID…"]);
        assert_eq!(names(actions(Role::Administrator, &Permission::default_for(Role::Administrator), "")).len(), 3);
    }

    #[test]
    fn a_long_question_is_said_again_in_a_few_of_its_words() {
        let long = "which of the students of the spring term have not been written to since the exams";
        assert_eq!(cut(long), "which of the students of the spring term have not been…");
        assert_eq!(cut(&"ж".repeat(61)), format!("{}…", "ж".repeat(60)));
        assert_eq!(cut("noor"), "noor");
        let sought = searches(long, false).unwrap().found.remove(0);
        assert!(sought.name.ends_with("…”"), "{}", sought.name);
        assert!(matches!(sought.way, WayOn::Link(href) if href.ends_with("since+the+exams")));
    }

    #[test]
    fn help_and_searches_come_with_the_first_letter() {
        assert!(help(Role::Coach, " ").is_none() && searches("", false).is_none());
        assert_eq!(names(help(Role::Coach, "undo")), ["Undo a task"]);
        assert_eq!(names(searches("noor", false)), ["Search people for “noor”", "Search help for “noor”"]);
        assert_eq!(names(searches("noor", true)), ["Search help for “noor”"]);
        assert_eq!(all_people(Total::exactly(1_019), "noor").name, "All 1,019 people for “noor”");
    }
}
