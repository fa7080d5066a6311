//! What can be done about somebody who was found, and with the people who are selected: each line leads to the form of its action.

use leptos::server_fn::ServerFn;
use model::{Permission, PersonRow, SelectionToken, TaskKind, Total, kind::label_of};

use super::{
    destination::{Destination, DestinationGroup, WayOn},
    ranking::rank,
};
use crate::{
    components::{
        offered_actions::{compose, offered_to},
        values::{name::said, numbers::grouped},
    },
    pages::person::{
        ACTS,
        api::{SelectPerson, WatchPerson},
    },
};

/// A whole line, which names whom it is about.
fn words(kind: TaskKind, whom: &str) -> String {
    match kind {
        TaskKind::Email => format!("Email {whom}…"),
        TaskKind::ProgramStatus => format!("Set program status of {whom}…"),
        TaskKind::Watch => format!("Watch or stop watching {whom}…"),
        TaskKind::Export => format!("Export {whom}…"),
        TaskKind::EarlyAlert => format!("Raise an early alert on {whom}…"),
        TaskKind::ReassignCoach => format!("Reassign the coach of {whom}…"),
        other => format!("{}: {whom}…", label_of(other.name())),
    }
}

/// What is most often done about one person, as their own page offers it; nothing about whom the reader does not reach.
fn acts(row: &PersonRow, permissions: &[Permission]) -> Vec<(&'static str, String, WayOn)> {
    if !row.reached {
        return Vec::new();
    }
    let (whom, id) = (said(&row.name), row.id.to_string());
    let offered = offered_to(permissions);
    let offered = ACTS.iter().filter_map(|kind| offered.iter().find(|offered| offered.kind == *kind));
    let act = |kind: TaskKind| WayOn::Form {
        action: SelectPerson::url(),
        fields: vec![("id", id.clone()), ("kind", kind.name().to_owned())],
    };
    let mut all: Vec<_> =
        offered.map(|offered| (offered.icon, words(offered.kind, &whom), act(offered.kind))).collect();
    let (watch, watched) = if row.watched { ("Stop watching", "") } else { ("Watch", "yes") };
    let fields = vec![("id", id.clone()), ("watched", watched.to_owned())];
    all.push(("watch", format!("{watch} {whom}"), WayOn::Form { action: WatchPerson::url(), fields }));
    all
}

/// The one person who is meant: the only one found, or the only one who has this school ID or this very name. Of namesakes
/// nobody is.
pub fn meant<'a>(rows: &'a [PersonRow], total: Total, asked: &str) -> Option<&'a PersonRow> {
    let asked = asked.to_lowercase();
    let only = |is: &dyn Fn(&PersonRow) -> bool| match rows.iter().filter(|row| is(row)).collect::<Vec<_>>()[..] {
        [row] => Some(row),
        _ => None,
    };
    let is_all = total == Total::exactly(rows.len() as u64);
    only(&|_| is_all)
        .or_else(|| only(&|row| row.school_id.as_ref().is_some_and(|id| id.to_lowercase() == asked)))
        .or_else(|| only(&|row| is_all && [row.name.to_lowercase(), said(&row.name).to_lowercase()].contains(&asked)))
}

/// What can be done about the one person who is meant; their lines stand right behind the people.
pub fn about(row: &PersonRow, permissions: &[Permission], their_rank: u8) -> Option<DestinationGroup> {
    let found = acts(row, permissions).into_iter();
    let found = found.map(|(icon, name, way)| Destination {
        icon,
        name,
        note: String::new(),
        way,
        keys: None,
        rank: their_rank,
    });
    DestinationGroup::beside(format!("With {}", said(&row.name)), found.collect())
}

/// What was asked for by its own name and that of a person: `email noor`.
pub fn named(rows: &[PersonRow], permissions: &[Permission], asked: &str) -> Option<DestinationGroup> {
    let found = rows.iter().flat_map(|row| {
        let note = row.school_id.clone().unwrap_or_default();
        acts(row, permissions).into_iter().filter_map(move |(icon, name, way)| {
            let rank = rank(&name, asked)?;
            Some(Destination { icon, name, note: note.clone(), way, keys: None, rank })
        })
    });
    DestinationGroup::of("Actions on people", found.collect())
}

/// What can be done with the people who are selected on the page that one comes from.
pub fn selected(
    token: SelectionToken,
    total: Total,
    permissions: &[Permission],
    asked: &str,
) -> Option<DestinationGroup> {
    let whom = match total {
        Total { value: 0, .. } => return None,
        Total { value: 1, exact: true } => "the selected person".to_owned(),
        Total { value, exact: true } => format!("the {} selected people", grouped(value)),
        _ => "all selected people".to_owned(),
    };
    let found = offered_to(permissions).into_iter().filter_map(|offered| {
        let name = words(offered.kind, &whom);
        let (way, rank) = (WayOn::Link(compose(offered.kind, token)), rank(&name, asked)?);
        Some(Destination { icon: offered.icon, name, note: String::new(), way, keys: None, rank })
    });
    DestinationGroup::beside(format!("With {whom}"), found.collect())
}

#[cfg(test)]
mod tests {
    use model::{PersonId, Role};

    use super::*;

    fn noor() -> PersonRow {
        let id: PersonId = "01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap();
        PersonRow { reached: true, watched: false, ..PersonRow::beyond_reach(id, "Noor, Samira Anna".to_owned()) }
    }

    fn names(group: Option<DestinationGroup>) -> Vec<String> {
        group.into_iter().flat_map(|group| group.found).map(|destination| destination.name).collect()
    }

    #[test]
    fn one_is_offered_what_the_page_of_the_person_offers() {
        let manager = Permission::default_for(Role::Manager);
        let all = [
            "Email Samira Anna Noor…",
            "Set program status of Samira Anna Noor…",
            "Raise an early alert on Samira Anna Noor…",
            "Watch Samira Anna Noor",
        ];
        assert_eq!(names(about(&noor(), &manager, 0)), all);
        assert_eq!(names(about(&noor(), &[Permission::Email], 0)), [all[0], all[3]]);
        let beyond = PersonRow { reached: false, watched: true, ..noor() };
        assert!(about(&beyond, &manager, 0).is_none(), "nothing about whom one does not reach");
        let watched = PersonRow { watched: true, ..noor() };
        assert_eq!(names(about(&watched, &[], 0)), ["Stop watching Samira Anna Noor"]);
    }

    /// Of nineteen people called Maria the first one was offered.
    #[test]
    fn of_namesakes_nobody_is_meant() {
        let called = |name: &str, school_id: &str| PersonRow {
            name: name.to_owned(),
            school_id: Some(school_id.to_owned()),
            ..noor()
        };
        let rows = [called("Berger, Maria", "G1-1"), called("Berger, Maria", "G1-12"), called("Alp, Maria", "G1-3")];
        let whom = |some: usize, total: u64, asked: &str| {
            meant(&rows[..some], Total::exactly(total), asked).and_then(|row| row.school_id.clone())
        };
        assert_eq!(whom(3, 3, "maria"), None);
        assert_eq!(whom(3, 3, "maria berger"), None, "two are called so");
        assert_eq!(whom(3, 3, "maria alp").as_deref(), Some("G1-3"));
        assert_eq!(whom(3, 19, "maria alp"), None, "of those who are not here another one may be called so");
        assert_eq!(whom(3, 19, "g1-1").as_deref(), Some("G1-1"));
        assert_eq!(whom(1, 1, "mar").as_deref(), Some("G1-1"));
    }

    #[test]
    fn an_action_is_found_by_its_name_and_that_of_a_person() {
        let manager = Permission::default_for(Role::Manager);
        assert_eq!(names(named(&[noor()], &manager, "email noor")), ["Email Samira Anna Noor…"]);
        assert_eq!(names(named(&[noor()], &manager, "samira status")), ["Set program status of Samira Anna Noor…"]);
        assert!(named(&[noor()], &[], "email noor").is_none());
    }

    #[test]
    fn the_selection_is_offered_by_its_number() {
        let (token, manager) = (SelectionToken::NOT_YET, Permission::default_for(Role::Manager));
        let some = selected(token, Total::exactly(1_204), &manager, "email");
        assert_eq!(names(some), ["Email the 1,204 selected people…"]);
        let one = selected(token, Total::exactly(1), &[Permission::Email], "").unwrap();
        assert_eq!((one.title.as_str(), one.found.len()), ("With the selected person", 1));
        let many = selected(token, Total { value: 10_000, exact: false }, &[Permission::Email], "");
        assert_eq!(names(many), ["Email all selected people…"]);
        assert!(selected(token, Total::exactly(0), &manager, "").is_none());
    }
}
