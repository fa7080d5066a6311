//! Something that one can go to, and those of one sort.

/// A line of the list.
pub struct Destination {
    pub icon: &'static str,
    pub name: String,
    /// What tells it from others of the same name.
    pub note: String,
    pub way: WayOn,
    /// The keys that lead there from any page; nothing where there are none.
    pub keys: Option<&'static str>,
    /// How well it fits what was typed, the best first.
    pub rank: u8,
}

/// What a line does.
pub enum WayOn {
    /// It leads to a page.
    Link(String),
    /// It sends a form, with these fields.
    Form { action: &'static str, fields: Vec<(&'static str, String)> },
}

/// Those of one sort, best first.
pub struct DestinationGroup {
    pub title: String,
    pub found: Vec<Destination>,
    /// Whether they are ways on, and nothing that was found.
    pub is_beside: bool,
    /// Whether there are, or may be, more than these.
    pub is_cut: bool,
}

/// The most of one sort.
pub const MOST: u8 = 6;

impl DestinationGroup {
    /// The best of these; nothing if there are none.
    pub fn of(title: impl Into<String>, found: Vec<Destination>) -> Option<DestinationGroup> {
        let mut group = DestinationGroup::all(title, found)?;
        // A source that is asked for so many may know of more.
        group.is_cut = group.found.len() >= MOST.into();
        group.found.truncate(MOST.into());
        Some(group)
    }

    /// All of these; nothing if there are none.
    pub fn all(title: impl Into<String>, mut found: Vec<Destination>) -> Option<DestinationGroup> {
        found.sort_by_key(|destination| destination.rank);
        (!found.is_empty()).then_some(DestinationGroup { title: title.into(), found, is_beside: false, is_cut: false })
    }

    /// The best of these, which are ways on and nothing that was found; nothing if there are none.
    pub fn beside(title: impl Into<String>, found: Vec<Destination>) -> Option<DestinationGroup> {
        Some(DestinationGroup { is_beside: true, ..DestinationGroup::of(title, found)? })
    }

    fn best(&self) -> u8 {
        self.found.first().map_or(u8::MAX, |destination| destination.rank)
    }
}

/// Groups with the best line first; of those that are as good, as they came.
pub fn best_first(groups: impl IntoIterator<Item = Option<DestinationGroup>>) -> Vec<DestinationGroup> {
    let mut groups: Vec<_> = groups.into_iter().flatten().collect();
    groups.sort_by_key(DestinationGroup::best);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(title: &'static str, ranks: &[u8]) -> Option<DestinationGroup> {
        let found = ranks.iter().map(|rank| Destination {
            icon: "people",
            name: rank.to_string(),
            note: String::new(),
            way: WayOn::Link(String::new()),
            keys: None,
            rank: *rank,
        });
        DestinationGroup::of(title, found.collect())
    }

    #[test]
    fn the_best_match_is_the_first_line() {
        let groups =
            best_first([group("People", &[2, 1]), group("Tasks", &[]), group("Pages", &[3, 0]), group("Help", &[1])]);
        let titles: Vec<_> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles, ["Pages", "People", "Help"]);
        assert_eq!(groups[0].found[0].rank, 0);
    }

    #[test]
    fn a_group_is_short() {
        assert_eq!(group("People", &[1; 20]).unwrap().found.len(), usize::from(MOST));
    }
}
