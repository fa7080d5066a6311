//! The address of the people page: the query with its filters, and the selection.

use std::collections::BTreeSet;

use model::{
    ListLook, PeopleQuery, PersonColumn, PersonId, Problem, SelectionRequest, SelectionToken, Sort, ViewId,
    enum_words::Reader,
    extra_fields,
    parameters::{self, MAX_LIMIT},
    person::SavedView,
};

use crate::url;

/// The key of the selection token.
pub const SEL: &str = "sel";

/// What the key of a field begins with in which values of a filter are looked for.
pub const FIND: &str = "find-";

/// The key of the saved view that the page is.
pub const VIEW: &str = "view";

/// Whether a key of the address is none of the search: what is selected, how the list looks, which view it is.
fn is_beside(key: &str) -> bool {
    key == SEL || key == VIEW || key.starts_with(FIND) || ListLook::KEYS.contains(&key)
}

/// The query in a query string; what is unknown is refused by name.
pub fn query(search: &str) -> Result<PeopleQuery, Problem> {
    let pairs = url::pairs(search);
    parameters::once(pairs.iter().map(|(key, _)| key.as_str()))?;
    let asked = pairs.iter().filter(|(key, _)| !is_beside(key));
    PeopleQuery::from_pairs(asked.map(|(k, v)| (k.as_str(), v.as_str())), Reader::Person)
}

/// The selection token in a query string.
pub fn selection(search: &str) -> Option<SelectionToken> {
    url::value(search, SEL)?.parse().ok()
}

/// Whether two query strings ask for the same page of the same list, whatever is selected.
pub fn same_list(a: &str, b: &str) -> bool {
    without_selection(a) == without_selection(b)
}

/// The query string without the selection.
pub fn without_selection(search: &str) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| key != SEL);
    url::query(&pairs)
}

/// What of an address a saved view keeps: neither the selection nor the place in the list.
pub fn kept(search: &str) -> String {
    let query = query(search).map(|query| PeopleQuery { after: None, ..query }.to_query()).unwrap_or_default();
    look(search).after(&query)
}

/// The days of the filter, which are typed: what is wrong with them is said beside them.
pub const DAYS: [&str; 2] = ["sinceFrom", "sinceTo"];

/// The query string without days that are none or the wrong way round, and what is wrong with them. The others narrow the list all
/// the same.
pub fn sound_days(search: &str) -> (String, Option<Problem>) {
    match query(search) {
        Err(wrong) if wrong.errors.first().is_some_and(|error| DAYS.contains(&error.field.as_str())) => {
            let mut pairs = url::pairs_as_they_are(search);
            pairs.retain(|(key, _)| !DAYS.contains(&key.as_str()));
            (url::query(&pairs), Some(wrong))
        }
        _ => (search.to_owned(), None),
    }
}

/// How the list is to look.
pub fn look(search: &str) -> ListLook {
    let pairs = url::pairs(search);
    ListLook::from_pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
}

/// The same page with such a look.
pub fn with_look(search: &str, look: &ListLook) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| !ListLook::KEYS.contains(&key.as_str()));
    look.after(&url::query(&pairs))
}

/// The saved view that the page is.
pub fn view(search: &str) -> Option<ViewId> {
    url::value(search, VIEW)?.parse().ok()
}

/// The query string of a saved view.
pub fn of_view(view: &SavedView) -> String {
    let own = url::query(&[(VIEW, view.id.to_string())]);
    if view.query.is_empty() { own } else { format!("{}&{own}", view.query) }
}

/// The page with a selection, or without one, where it stands.
pub fn selected(search: &str, token: Option<SelectionToken>) -> String {
    selected_at("/people", search, token)
}

/// The same with its path as a link has it.
pub fn selected_at(path: &str, search: &str, token: Option<SelectionToken>) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| key != SEL);
    pairs.extend(token.map(|token| (SEL.to_owned(), token.to_string())));
    url::with(path, &pairs)
}

/// A selection token.
pub fn token(text: &str) -> Result<SelectionToken, Problem> {
    text.parse().map_err(|_| Problem::not_found("selection"))
}

/// The query string of the list alone, for the links of its parts.
pub fn listed(search: &str) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| !key.starts_with(FIND));
    url::query(&pairs)
}

/// Ids from a comma-separated list, as many as a page has; what is none is left out, as nobody has it.
pub fn ids(list: &str) -> Vec<PersonId> {
    list.split(',').take(MAX_LIMIT as usize).filter_map(|id| id.parse().ok()).collect()
}

/// Ids as a comma-separated list.
pub fn list(ids: &[PersonId]) -> String {
    ids.iter().map(PersonId::to_string).collect::<Vec<_>>().join(",")
}

/// The request to take over what is ticked; the box for the whole page stands for every box on it.
pub fn selection_request(
    token_text: &str,
    shown: String,
    ticked: &[String],
    whole_page: bool,
) -> Result<SelectionRequest, Problem> {
    let token = if token_text.is_empty() { None } else { Some(token(token_text)?) };
    let ticked = if whole_page { shown.clone() } else { ticked.join(",") };
    Ok(SelectionRequest { token, shown, ticked })
}

/// The page sorted by a column, and the other way round when it is already.
pub fn sorted(search: &str, now: Sort, by: PersonColumn) -> String {
    let next = if now == Sort::by(by) { now.reversed() } else { Sort::by(by) };
    url::join("/people", &url::set(search, "sort", Some(&next.to_string())))
}

/// The page without any filter, but in its scope and order.
pub fn unfiltered(search: &str) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| matches!(key.as_str(), "scope" | "sort" | "limit") || is_beside(key));
    url::with("/people", &pairs)
}

/// The filters, by their keys, and what they are called.
const FILTERS: [(&str, &str); 11] = [
    ("q", "Search"),
    ("programStatus", "Status"),
    ("coach", "Coach"),
    ("homeCampus", "Campus"),
    ("major", "Major"),
    ("startTerm", "Start term"),
    ("studentType", "Student type"),
    ("activated", "Activated"),
    ("email", "Email"),
    ("sinceFrom", "Status set on or after"),
    ("sinceTo", "Status set on or before"),
];

/// What a filter is called.
pub fn filter_name(key: &str) -> &str {
    let known = FILTERS.iter().find(|(known, _)| *known == key).map(|(_, name)| *name);
    known.or_else(|| extra_fields::named(key)).unwrap_or("Filter")
}

/// The filters that are set, each with its values.
pub fn filters_set(search: &str) -> Vec<(String, Vec<String>)> {
    let pairs = url::pairs(search);
    let extra: BTreeSet<&str> =
        pairs.iter().map(|(key, _)| key.as_str()).filter(|key| extra_fields::named(key).is_some()).collect();
    FILTERS
        .iter()
        .map(|(key, _)| *key)
        .chain(extra)
        .map(|key| {
            let values = pairs.iter().filter(|(name, _)| name == key).map(|(_, value)| value.clone()).collect();
            (key.to_owned(), values)
        })
        .filter(|(_, values): &(String, Vec<String>)| !values.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "00000000-0000-0000-0000-000000000007";

    #[test]
    fn a_selection_stays_on_the_page_it_was_made_on() {
        let token = Some(SelectionToken::from_u128(7));
        assert_eq!(selected("q=ann&after=xyz&sel=old", token), format!("/people?q=ann&after=xyz&sel={TOKEN}"));
        assert_eq!(selected("q=ann&sel=old", None), "/people?q=ann");
        assert_eq!(without_selection(&format!("sel={TOKEN}&q=ann")), "q=ann");
    }

    #[test]
    fn looking_for_a_value_is_no_filter() {
        let search = "q=ann&find-major=phys";
        assert_eq!(query(search).unwrap().to_query(), "q=ann");
        assert_eq!(listed(search), "q=ann");
    }

    #[test]
    fn days_the_wrong_way_round_narrow_nothing_and_leave_the_others_alone() {
        let (search, wrong) = sound_days("q=ann&sinceFrom=2026-08-31&sinceTo=2026-08-01&sort=-name");
        assert_eq!((search.as_str(), wrong.unwrap().errors[0].field.as_str()), ("q=ann&sort=-name", "sinceTo"));
        let (search, wrong) = sound_days("q=ann&sinceFrom=soon");
        assert_eq!((search.as_str(), wrong.unwrap().errors[0].field.as_str()), ("q=ann", "sinceFrom"));
        for other in ["q=ann&sinceFrom=2026-08-01&sinceTo=2026-08-01", "major=AAA&colour=red"] {
            assert_eq!(sound_days(other), (other.to_owned(), None));
        }
    }

    #[test]
    fn the_selection_is_no_filter() {
        assert_eq!(query(&format!("?q=ann&sel={TOKEN}")).unwrap().filter.q, "ann");
        assert_eq!(query("campus=Main").unwrap_err().status, 400);
        assert_eq!(query("q=ann&q=bob").unwrap_err().errors[0].field, "q");
        assert_eq!(query("major=AAA&major=BBB").unwrap().filter.major.len(), 2);
    }

    #[test]
    fn the_box_above_stands_for_all_below() {
        let request = selection_request("", "a,b".into(), &["a".into()], true).unwrap();
        assert_eq!((request.token, request.ticked.as_str()), (None, "a,b"));
        let request = selection_request(TOKEN, "a,b".into(), &["a".into()], false).unwrap();
        assert_eq!((request.token, request.ticked.as_str()), (Some(SelectionToken::from_u128(7)), "a"));
    }

    #[test]
    fn sorting_turns_around_and_starts_over() {
        let link = |now| sorted("after=x", now, PersonColumn::Name);
        let by_campus = Sort::by(PersonColumn::HomeCampus);
        assert_eq!((link(Sort::NAME), link(by_campus)), ("/people?sort=-name".into(), "/people?sort=name".into()));
        assert_eq!(link(Sort::NAME.reversed()), "/people?sort=name");
    }

    #[test]
    fn a_filter_is_set_with_all_its_values() {
        let set = filters_set("programStatus=ACTIVE&q=ann&programStatus=NO_SHOW&scope=all");
        assert_eq!(
            set,
            [
                ("q".to_owned(), vec!["ann".to_owned()]),
                ("programStatus".to_owned(), vec!["ACTIVE".to_owned(), "NO_SHOW".to_owned()]),
            ]
        );
        assert_eq!(filter_name("homeCampus"), "Campus");
        let search = "extra.IMD+band=10-20&q=ann&extra.IMD+band=20-30";
        assert_eq!(filters_set(search)[1], ("extra.IMD band".to_owned(), vec!["10-20".to_owned(), "20-30".to_owned()]));
        assert_eq!((filter_name("extra.IMD band"), unfiltered(search).as_str()), ("IMD band", "/people"));
    }
}
