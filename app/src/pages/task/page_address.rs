//! The address of a task's page: which lines of its ledger, and whether its dialog is open.

use model::{
    LedgerQuery, Problem, TaskRow,
    enum_words::{self, Reader},
    ledger::{LedgerFilter, LedgerSort, PAGE_OF_LINES},
    parameters,
};

use super::cancel::DIALOG;
use crate::{pages::done, url};

/// The key of the column that the lines are sorted by.
const SORT: &str = "sort";

/// The ledger's query in a query string; what is unknown is refused by name.
pub fn query(search: &str) -> Result<LedgerQuery, Problem> {
    let pairs = url::pairs(search);
    parameters::once(pairs.iter().map(|(key, _)| key.as_str()))?;
    let known = ["outcome", "reason", SORT, url::AFTER, "limit"];
    if let Some((key, _)) = pairs.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(Problem::field(key, "unknown", format!("There is no filter called {}.", enum_words::quoted(key))));
    }
    Ok(LedgerQuery {
        outcome: outcome(search).map(|name| parameters::parse("outcome", &name, Reader::Person)).transpose()?,
        reason: url::value(search, "reason"),
        sort: url::value(search, SORT).map(|name| parameters::parse(SORT, &name, Reader::Person)).transpose()?,
        after: url::after(search)?,
        limit: url::value(search, "limit").map(|text| parameters::limit_upto::<PAGE_OF_LINES>(&text)).transpose()?,
    })
}

/// Whether the list of everybody is one of those treated so far, which the others join as the task goes on. A list that is sorted
/// is of all.
pub fn so_far(row: &TaskRow, search: &str) -> bool {
    let goes_on = row.status.is_running() || (!row.status.is_finished() && row.treated() > 0);
    goes_on && url::value(search, SORT).is_none()
}

/// The address of lines that are in the order of names.
pub fn by_name(search: &str) -> String {
    url::set(search, SORT, Some(LedgerSort::Name.name()))
}

/// The page with its lines sorted by a column: upwards first, and then the other way.
pub fn sorted(path: &str, search: &str, now: Option<LedgerSort>, (up, down): (LedgerSort, LedgerSort)) -> String {
    let next = if now == Some(up) { down } else { up };
    url::join(path, &url::set(search, SORT, Some(next.name())))
}

/// The outcome asked for, by its name.
pub fn outcome(search: &str) -> Option<String> {
    url::value(search, "outcome")
}

/// The page with one outcome, or with all.
pub fn with_outcome(path: &str, search: &str, outcome: Option<LedgerFilter>) -> String {
    let cleared = url::set(&url::set(search, "reason", None), "cancel", None);
    url::join(path, &url::set(&cleared, "outcome", outcome.map(LedgerFilter::name)))
}

/// What the ledger depends on; opening the dialog loads nothing, and neither does what has just been done.
pub fn ledger_part(search: &str) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| key != DIALOG && key != done::KEY);
    url::query(&pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_outcome_forgets_the_reason_and_the_place() {
        let link = with_outcome("/tasks/7", "outcome=SKIPPED&reason=ALREADY_THERE&after=x", Some(LedgerFilter::Failed));
        assert_eq!(link, "/tasks/7?outcome=FAILED");
        assert_eq!(with_outcome("/tasks/7", "outcome=DONE", None), "/tasks/7");
        let link = with_outcome("/tasks/7", "sort=-name&after=25", Some(LedgerFilter::Failed));
        assert_eq!(link, "/tasks/7?sort=-name&outcome=FAILED", "the order stays");
    }

    #[test]
    fn an_unknown_outcome_is_refused_by_name() {
        assert_eq!(query("outcome=LOST").unwrap_err().errors[0].field, "outcome");
        assert_eq!(query("outcome=OPEN").unwrap().outcome, Some(LedgerFilter::Open));
        assert_eq!(ledger_part("cancel=1&outcome=DONE"), "outcome=DONE");
    }

    #[test]
    fn a_second_click_on_a_head_turns_the_order() {
        let by_name = (LedgerSort::Name, LedgerSort::NameDescending);
        let first = sorted("/tasks/7", "outcome=DONE&after=25", None, by_name);
        assert_eq!(first, "/tasks/7?outcome=DONE&sort=name", "from its beginning");
        assert_eq!(sorted("/tasks/7", "sort=name", Some(LedgerSort::Name), by_name), "/tasks/7?sort=-name");
        assert_eq!(query("sort=-name").unwrap().sort, Some(LedgerSort::NameDescending));
        assert_eq!(query("sort=coach").unwrap_err().errors[0].field, "sort");
    }

    #[test]
    fn a_page_for_paper_is_long() {
        assert_eq!(query("limit=1000").unwrap().limit, Some(1_000));
        assert_eq!(query("limit=1001").unwrap_err().errors[0].field, "limit");
    }

    #[test]
    fn an_unknown_filter_is_refused_by_name() {
        assert_eq!(query(&ledger_part("cancel=1&foo=1")).unwrap_err().errors[0].field, "foo");
        assert_eq!(query("outcome=DONE&outcome=FAILED").unwrap_err().errors[0].field, "outcome");
    }
}
