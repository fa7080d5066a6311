//! In which order the lines of a ledger are read. Only short ones are sorted otherwise than they were treated: that takes
//! a look at every line of them.

use model::{
    LedgerQuery, Problem, grouped,
    ledger::{LedgerSort, SORTED},
};
use queue::Task;
use sea_orm::sea_query::Expr;

use crate::{Result, statement::sql};

/// Refuses to sort a ledger that is too long for it.
pub(super) fn can_be_asked_for(task: &Task, query: &LedgerQuery) -> Result<()> {
    if query.sort.is_none() || task.total.is_none_or(|total| total.unsigned_abs() <= SORTED) {
        return Ok(());
    }
    let message = format!("Results of more than {} people are listed in the order of the task only.", grouped(SORTED));
    Err(Problem::field("sort", "too_many", message).into())
}

/// The order of the lines `tp` of people `p`: by a column if one is asked for, and always by their position. What somebody may
/// not see of a line (`within`, `is_known`) has no say in where it stands. Of a list, `replaced` has the text of each line that
/// another one replaces; what was given there is no name, so that lines of nobody come last.
pub(super) fn of(sort: Option<LedgerSort>, within: &Expr, is_known: &Expr, is_replaced_known: bool) -> Expr {
    use LedgerSort::*;
    let Some(sort) = sort else { return Expr::cust("tp.position") };
    let or = |other: &'static str| Expr::cust(if is_replaced_known { "replaced.value" } else { other });
    let key = match sort {
        Name | NameDescending => sql("COALESCE(p.sort_key, $1)", [or("tp.given")]),
        SchoolId | SchoolIdDescending => {
            sql("COALESCE(CASE WHEN $1 THEN p.school_key END, $2)", [is_known.clone(), or("CAST(NULL AS text)")])
        }
        Outcome | OutcomeDescending => Expr::cust(
            "CASE tp.outcome WHEN 'FAILED' THEN '1' WHEN 'UNCERTAIN' THEN '2' WHEN 'SKIPPED' THEN '3' WHEN 'DONE' THEN '4' END
             || COALESCE(tp.reason, '')",
        ),
        Details | DetailsDescending => {
            sql("COALESCE(tp.after_value, CASE WHEN $1 THEN tp.before_value END)", [within.clone()])
        }
        Time | TimeDescending => Expr::cust("tp.outcome_date"),
    };
    match sort {
        Name | SchoolId | Outcome | Details | Time => sql("($1) IS NULL, $1, tp.position", [key]),
        NameDescending | SchoolIdDescending | OutcomeDescending | DetailsDescending | TimeDescending => {
            sql("($1) IS NULL, $1 DESC, tp.position", [key])
        }
    }
}
