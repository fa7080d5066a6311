//! Why people failed in a task that is done, or cannot be told about: the reasons by how many they are, each with a link to
//! those people, and what can be done.

use leptos::prelude::*;
use model::{TaskKind, TaskRow, admin::AdminTask, ledger::FailReason, task::ReasonCount};

use super::panel::panel;
use crate::pages::admin::remedy::for_people;
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::numbers::{counted, grouped, units},
    },
    url,
};

/// The panel of a task that is done with problems.
pub fn problems(task: &AdminTask) -> AnyView {
    let row = &task.task.row;
    let of = row.description();
    let (failed, uncertain) = (units(&row.description(), row.failed), units(&row.description(), row.uncertain));
    let title = match (row.failed, row.uncertain) {
        (0, 1) => format!("Why is {uncertain} uncertain?"),
        (0, _) => format!("Why are {uncertain} uncertain?"),
        (1, _) if of.failed != "failed" => format!("Why is {failed} {}?", of.failed),
        _ if of.failed != "failed" => format!("Why are {failed} {}?", of.failed),
        _ => format!("Why did {failed} fail?"),
    };
    let told: u64 = task.reasons.iter().map(|why| why.count).sum();
    let reasons = task.reasons.iter().map(|why| reason(row, why)).collect_view();
    let rest = row.failed.saturating_sub(told);
    let rest = (rest > 0).then(|| {
        let words = match told {
            0 => format!("The results say why for each of {failed}"),
            _ => format!("{} more, for other reasons", counted(rest, "is", "are")),
        };
        item("rest", "failed", view! { <a href=ledger(row, "FAILED")>{words}</a> }.into_view().erase())
    });
    let unsure = (row.uncertain > 0).then(|| {
        let words = format!("{uncertain}: Docket cannot tell whether it reached them, and does not repeat it.");
        let these = view! { {words}" "<a href=ledger(row, "UNCERTAIN")>"Show them"</a> };
        item("uncertain", "problems", these.into_view().erase())
    });
    let all = (row.failed > 0 && task.reasons.len() > 1).then(|| {
        let words = match of.failed {
            "failed" => format!("Show all {failed} who failed"),
            word => format!("Show all {} {word} {}", grouped(row.failed), of.unit.1),
        };
        let all = view! { <a href=ledger(row, "FAILED")>{words}</a> };
        item("all", "info", all.into_view().erase())
    });
    let lines = view! { {reasons}{rest}{unsure}{all} }.into_view().erase();
    let to_do = (row.failed > 0)
        .then(|| view! { <div data-key="remedy"><h3>"What to do"</h3><p>{remedy(task)}</p></div> }.erase());
    panel(title, None, to_do, lines)
}

/// One reason, which leads to those whom it concerns.
fn reason(row: &TaskRow, why: &ReasonCount) -> AnyView {
    let people = units(&row.description(), why.count);
    let id = row.id.to_string();
    let href = url::with(&url::below("/tasks", &id), &[("outcome", "FAILED"), ("reason", why.reason.as_str())]);
    let line = view! { <a href=href>{people}</a>": "{why.label.clone()} };
    item(&why.reason, "failed", line.into_view().erase())
}

fn ledger(row: &TaskRow, outcome: &str) -> String {
    format!("/tasks/{}?outcome={outcome}", row.id)
}

fn item(key: &str, icon: &'static str, text: AnyView) -> AnyView {
    let class = (icon != "info").then_some("blocks");
    view! { <li data-key=key.to_owned() class=class><Icon name=icon/><div>{text}</div></li> }.erase()
}

/// What an administrator can do: of an import about each reason, of others about the most common one.
fn remedy(task: &AdminTask) -> AnyView {
    if task.task.row.kind == TaskKind::Import.name() {
        // Whoever follows one of them alone has the others still.
        let mut remedies: Vec<&str> = Vec::new();
        for why in &task.reasons {
            let remedy = for_people(&task.task.row.kind, &why.reason);
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
        return remedies.join(" ").erase();
    }
    let first = task.reasons.first().and_then(|why| why.reason.parse::<FailReason>().ok());
    let cause = match first {
        Some(FailReason::NotConfigured) => "Set up a mail server first:",
        Some(FailReason::Rejected | FailReason::BadAddress | FailReason::PartlyRefused | FailReason::Bounced) => {
            "Their addresses may be wrong. Correct them first."
        }
        Some(FailReason::Deferred) => "The mail server asked for it later. Check that it accepts email from Docket.",
        Some(FailReason::Refused) => {
            "The database refused what was to be saved. Check whether their records are complete."
        }
        Some(FailReason::Unconfirmed | FailReason::Erased) => {
            return "Nothing can be repeated for them.".to_owned().erase();
        }
        None => "Correct what was wrong first.",
    };
    let setting = (first == Some(FailReason::NotConfigured))
        .then(|| view! { <a href="/admin/settings#mail.smtp_url">"see the setting"</a>". " });
    let row = &task.task.row;
    let next = match (task.can_retry, row.kind == TaskKind::Email.name()) {
        (true, _) => "Then retry: only those who failed are processed again.",
        (false, true) => "Then its owner can resend it to those who failed.",
        (false, false) => "Then its owner can submit it again for those who failed.",
    };
    view! { {cause}" "{setting}{next} }.into_view().erase()
}
