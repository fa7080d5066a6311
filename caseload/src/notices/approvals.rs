//! What those hear who can decide on a task that waits for a second person, and what its owner hears of the decision.

use std::time::Duration;

use model::{AccountId, TaskId};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};

use super::rows::{About, Words, put};
use crate::{
    entity::{mail::notice::State, primary_address},
    mail::Mail,
};

/// As many are written to of one task.
const TOLD: usize = 20;

/// What somebody asks for.
pub(crate) struct ApprovalWish<'a> {
    pub by: &'a str,
    pub title: &'a str,
    pub total: u64,
    /// For how long it can be decided.
    pub lasts: Duration,
}

/// What was decided, or that nobody decided.
pub(crate) enum ApprovalOutcome<'a> {
    Approved { by: &'a str, note: Option<&'a str> },
    Declined { by: &'a str, note: &'a str },
    Expired,
}

/// Puts down a notice for each of these addresses, up to a bound: any one of them is enough.
pub(crate) async fn of_approval_asked(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    task: TaskId,
    addresses: impl Iterator<Item = &str>,
    asked: &ApprovalWish<'_>,
) -> Result<(), DbErr> {
    if !mail.is_configured() {
        return Ok(());
    }
    let ApprovalWish { by, title, total, lasts } = asked;
    let lasts = model::lasting(lasts.as_secs());
    for address in addresses.take(TOLD) {
        let words = Words {
            subject: format!("Docket: {by} asks for your approval"),
            body: format!(
                "{by} wants to run “{title}” for {}. Somebody else has to approve it first, and you can.\n\n\
                 See what will happen, and approve or decline:\n{}/approvals/{task}\n\n\
                 If nobody does within {lasts}, it does not run.",
                model::people(*total),
                mail.settings().public_url
            ),
        };
        put(db, txn, About::ApprovalAsked(queue::new_id()), address, words, State::Waiting).await?;
    }
    Ok(())
}

/// Puts down the notice for the owner of the task, if they have an address.
pub(crate) async fn of_approval_decided(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    (task, owner): (TaskId, AccountId),
    title: &str,
    decided: ApprovalOutcome<'_>,
) -> Result<(), DbErr> {
    let Some(address) = primary_address(txn, owner.person()).await?.filter(|_| mail.is_configured()) else {
        return Ok(());
    };
    let (became, told) = match decided {
        ApprovalOutcome::Approved { by, note: Some(note) } => ("approved", format!("{by} approved it: “{note}”")),
        ApprovalOutcome::Approved { by, note: None } => ("approved", format!("{by} approved it.")),
        ApprovalOutcome::Declined { by, note } => (
            "declined",
            format!("{by} declined it: “{note}”\n\nNobody was changed. You can start again from the same people."),
        ),
        ApprovalOutcome::Expired => (
            "not approved",
            "Nobody decided in time, so it did not run. Nobody was changed. You can start again from the same people."
                .to_owned(),
        ),
    };
    let words = Words {
        subject: format!("Docket: “{title}” was {became}"),
        body: format!("{title} ({})\n\n{told}\n\n{}", model::short_id(task), mail.settings().link(task)),
    };
    put(db, txn, About::ApprovalDecided(task), &address, words, State::Waiting).await
}
