//! The address of a task's page: which lines of its ledger, and whether its dialog is open.

use model::{
    LedgerQuery, Problem, TaskRow,
    enum_words::{self, Reader},
    filter,
    ledger::LedgerFilter,
};

use super::head::DIALOG;
use crate::url;

/// The ledger's query in a query string; what is unknown is refused by name.
pub fn query(search: &str) -> Result<LedgerQuery, Problem> {
    let pairs = url::pairs(search);
    filter::once(pairs.iter().map(|(key, _)| key.as_str()))?;
    let known = ["outcome", "reason", url::AFTER, "limit"];
    if let Some((key, _)) = pairs.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(Problem::field(key, "unknown", format!("There is no filter called {}.", enum_words::quoted(key))));
    }
    Ok(LedgerQuery {
        outcome: outcome(search).map(|name| filter::parse("outcome", &name, Reader::Person)).transpose()?,
        reason: url::value(search, "reason"),
        after: url::after(search)?,
        limit: url::value(search, "limit").map(|text| filter::limit(&text)).transpose()?,
    })
}

/// Whether the list of everybody is one of those treated so far, which the others join as the task goes on.
pub fn so_far(row: &TaskRow) -> bool {
    row.status.is_running() || (!row.status.is_finished() && row.treated() > 0)
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

/// What the ledger depends on; opening the dialog loads nothing.
pub fn ledger_part(search: &str) -> String {
    let mut pairs = url::pairs(search);
    pairs.retain(|(key, _)| key != DIALOG);
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
    }

    #[test]
    fn an_unknown_outcome_is_refused_by_name() {
        assert_eq!(query("outcome=LOST").unwrap_err().errors[0].field, "outcome");
        assert_eq!(query("outcome=OPEN").unwrap().outcome, Some(LedgerFilter::Open));
        assert_eq!(ledger_part("cancel=1&outcome=DONE"), "outcome=DONE");
    }

    #[test]
    fn an_unknown_filter_is_refused_by_name() {
        assert_eq!(query(&ledger_part("cancel=1&foo=1")).unwrap_err().errors[0].field, "foo");
        assert_eq!(query("outcome=DONE&outcome=FAILED").unwrap_err().errors[0].field, "outcome");
    }
}
