//! What an email has to say about itself.

use async_trait::async_trait;
use model::{
    Action, SkipReason, TaskId,
    action::{Email, Recipients},
};
use queue::Transaction;
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Expr, ExprTrait},
};

use super::{addresses::address, outbox};
use crate::{
    Actor, Caseload, Result, access,
    actions::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, skipped},
    entity::{
        mail::email_draft,
        people::person::{Column, P},
    },
    statement::sql,
    tasks::locked_people::Part,
};

#[async_trait]
impl Definition for Email {
    fn reasons(&self) -> &'static [SkipReason] {
        use SkipReason::{NoAddress, NotFound, OptedOut, OutOfReach, SameAddress};
        &[NotFound, OutOfReach, OptedOut, NoAddress, SameAddress]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        let address = Expr::cust(address(self.recipients));
        skipped(
            gone_or_beyond(access::reach(actor)).into_iter().chain([
                (P.col(Column::EmailOptOut), SkipReason::OptedOut),
                (address.is_null(), SkipReason::NoAddress),
            ]),
        )
    }

    /// The run finds the same people, as it comes to them one after the other.
    fn verdict_among(&self, task: TaskId, actor: &Actor) -> Expr {
        let address = Expr::cust(address(self.recipients));
        sql(
            "COALESCE($1, CASE WHEN tp.position IN (
                SELECT position FROM (
                    SELECT tp.position, row_number() OVER (PARTITION BY LOWER($2) ORDER BY tp.position) AS nth
                    FROM task_person tp JOIN person p ON p.id = tp.person_id AND p.student
                    WHERE tp.task_id = $3 AND ($4) AND NOT p.email_opt_out AND $2 IS NOT NULL
                ) AS numbered WHERE nth > 1) THEN 'SAME_ADDRESS' END)",
            [self.verdict(actor), address, task.into(), access::reach(actor)],
        )
    }

    fn line(&self, _: &Actor) -> LineWords {
        let address = Expr::cust(address(self.recipients));
        LineWords { after: sql("CASE WHEN p.id IS NOT NULL THEN $1 END", [address]), ..LineWords::of_nothing() }
    }

    /// It has a run of its own.
    async fn apply(&self, _: &Part<'_>, _: &Actor) -> Result<(), DbErr> {
        Ok(())
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![fact("Subject", self.subject.as_str()), fact("Address", self.recipients.label())];
        if !self.cc.is_empty() {
            facts.push(fact("Copy to", self.cc.join(", ")));
        }
        facts.push(fact(
            "Journal",
            if self.create_journal_entry { "One entry for each email sent" } else { "No entries" },
        ));
        facts.push(fact("Message", self.body.as_str()));
        facts
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        None
    }

    async fn details(&self, caseload: &Caseload, task: TaskId) -> Result<Vec<(String, String)>> {
        Ok(outbox::copy(caseload.db(), task).await?.into_iter().collect())
    }

    fn skip_label(&self, reason: SkipReason) -> String {
        match (reason, self.recipients) {
            (SkipReason::NoAddress, Recipients::Primary) => "no primary email".to_owned(),
            (SkipReason::NoAddress, Recipients::Secondary) => "no secondary email".to_owned(),
            (reason, _) => reason.label().to_owned(),
        }
    }

    fn most(&self, caseload: &Caseload) -> Option<(u64, &'static str)> {
        let advice = "Select fewer people, or export them and use a newsletter program.";
        caseload.mail().settings().limit.map(|most| (most, advice))
    }

    async fn submitted(&self, caseload: &Caseload, txn: &Transaction, actor: &Actor) -> Result<()> {
        // Another text than the one that was submitted stays.
        let draft = caseload.emails().draft(actor).await?;
        let sent = draft.filter(|(typed, _)| typed.action().is_ok_and(|action| action == Action::Email(self.clone())));
        if let Some((_, saved)) = sent {
            txn.execute_raw(caseload.db().build(&email_draft::discarded(actor.person_id, saved.revision))).await?;
        }
        Ok(())
    }

    fn treats_again(&self) -> bool {
        true
    }
}
