//! What is asked for a timeline, and of whom.

use model::{
    AccountId, Instant, Outcome, PersonId, ProgramStatus, TaskId, TaskKind, action::AlertReason, person::MessageState,
    timeline::TimelineKind,
};
use queue::TaskTable;
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Statement,
    sea_query::{Expr, ExprTrait},
};

use super::place::{Place, TimelineSource, Until};
use crate::{
    Actor, Caseload, Result, access,
    entity::people::{coach_change, early_alert, journal_entry, person, program_status_history, watch},
    people::emails_to_person::FoundMessage,
    statement::{at_most, composed, sql},
};

/// An entry, and who did it in which task; of a task's own the owner did.
pub struct Found {
    pub place: Place,
    pub what: What,
    pub by: Option<AccountId>,
    pub task: Option<TaskId>,
}

/// What is kept of it.
pub enum What {
    Status { before: Option<ProgramStatus>, after: ProgramStatus, why: Vec<String> },
    Email { state: MessageState, address: Option<String>, reply: Option<String> },
    Bounced(Option<String>),
    Alert { reason: AlertReason, comment: Option<String> },
    Journal(String),
    Coach { former: Option<PersonId>, now: Option<PersonId> },
    Watched,
    Task { outcome: Outcome, reason: Option<String>, before: Option<String>, after: Option<String> },
    Added,
}

/// Of each source the next ones, one more than fill a page.
pub async fn all(
    caseload: &Caseload,
    actor: &Actor,
    person: PersonId,
    only: Option<TimelineKind>,
    until: &Until,
    page: usize,
) -> Result<Vec<Found>> {
    let asked = EntriesAsked { caseload, actor, person, until, most: page as u64 + 1 };
    let mut found = Vec::new();
    for source in [
        TimelineSource::Status,
        TimelineSource::Alert,
        TimelineSource::Journal,
        TimelineSource::Bounce,
        TimelineSource::Email,
        TimelineSource::Coach,
        TimelineSource::Watch,
        TimelineSource::Task,
        TimelineSource::Added,
    ] {
        if source.is_of(only) {
            found.extend(match source {
                TimelineSource::Status => asked.periods().await?,
                TimelineSource::Alert => asked.alerts().await?,
                TimelineSource::Journal => asked.journal().await?,
                TimelineSource::Bounce => asked.bounces().await?,
                TimelineSource::Email => asked.emails().await?,
                TimelineSource::Coach => asked.coaches().await?,
                TimelineSource::Watch => asked.watchers().await?,
                TimelineSource::Task => asked.tasks().await?,
                TimelineSource::Added => asked.added().await?,
            });
        }
    }
    Ok(found)
}

struct EntriesAsked<'a> {
    caseload: &'a Caseload,
    actor: &'a Actor,
    person: PersonId,
    until: &'a Until,
    most: u64,
}

#[derive(FromQueryResult)]
struct TimelineTask {
    task_id: TaskId,
    outcome: Outcome,
    reason: Option<String>,
    before_value: Option<String>,
    after_value: Option<String>,
    outcome_date: Instant,
}

#[derive(FromQueryResult)]
struct WatchTask {
    watcher_id: AccountId,
    task_id: TaskId,
}

impl EntriesAsked<'_> {
    /// The next rows of a table that are about the person and have numbers.
    async fn latest<E: EntityTrait>(
        &self,
        source: TimelineSource,
        person: E::Column,
        at: E::Column,
        id: E::Column,
    ) -> Result<Vec<E::Model>> {
        let latest = E::find()
            .filter(person.eq(self.person))
            .filter(self.until.numbered(source, at.into_expr(), id.into_expr())?)
            .order_by_desc(at)
            .order_by_desc(id)
            .limit(self.most);
        Ok(latest.all(self.caseload.db().reader()).await?)
    }

    /// The index is `program_status_history_person`.
    async fn periods(&self) -> Result<Vec<Found>> {
        use program_status_history::{Column, Entity};
        // The one before the last that is shown says from what it changed.
        let latest =
            self.latest::<Entity>(TimelineSource::Status, Column::PersonId, Column::EffectiveDate, Column::Id).await?;
        let before = latest.iter().skip(1).map(|period| Some(period.program_status)).chain([None]).collect::<Vec<_>>();
        let found = latest.into_iter().zip(before).map(|(period, before)| {
            let why = [period.change_reason.map(|reason| reason.label().to_owned()), period.comment];
            Found {
                place: Place::numbered(period.effective_date, TimelineSource::Status, period.id),
                what: What::Status { before, after: period.program_status, why: why.into_iter().flatten().collect() },
                by: Some(period.created_by),
                task: period.task_id,
            }
        });
        Ok(found.collect())
    }

    /// The index is `early_alert_moment`.
    async fn alerts(&self) -> Result<Vec<Found>> {
        use early_alert::{Column, Entity};
        let latest =
            self.latest::<Entity>(TimelineSource::Alert, Column::PersonId, Column::CreatedDate, Column::Id).await?;
        let found = latest.into_iter().map(|alert| Found {
            place: Place::numbered(alert.created_date, TimelineSource::Alert, alert.id),
            what: What::Alert { reason: alert.alert_reason, comment: alert.comment },
            by: Some(alert.created_by),
            task: Some(alert.task_id),
        });
        Ok(found.collect())
    }

    /// The index is `journal_entry_moment`.
    async fn journal(&self) -> Result<Vec<Found>> {
        use journal_entry::{Column, Entity};
        let latest =
            self.latest::<Entity>(TimelineSource::Journal, Column::PersonId, Column::CreatedDate, Column::Id).await?;
        let found = latest.into_iter().map(|entry| Found {
            place: Place::numbered(entry.created_date, TimelineSource::Journal, entry.id),
            what: What::Journal(entry.entry),
            by: Some(entry.created_by),
            task: Some(entry.task_id),
        });
        Ok(found.collect())
    }

    /// The index is `coach_change_moment`.
    async fn coaches(&self) -> Result<Vec<Found>> {
        use coach_change::{Column, Entity};
        let latest =
            self.latest::<Entity>(TimelineSource::Coach, Column::PersonId, Column::ChangedDate, Column::Id).await?;
        let found = latest.into_iter().map(|change| Found {
            place: Place::numbered(change.changed_date, TimelineSource::Coach, change.id),
            what: What::Coach { former: change.former_coach_id, now: change.coach_id },
            by: Some(change.changed_by),
            task: Some(change.task_id),
        });
        Ok(found.collect())
    }

    /// Who watches them now; who has stopped is not kept. There are no more of them than accounts.
    async fn watchers(&self) -> Result<Vec<Found>> {
        use watch::{Column, Entity};
        let (at, id) = (Column::WatchedDate.into_expr(), Column::WatcherId.into_expr());
        let latest = Entity::find()
            .filter(Column::PersonId.eq(self.person))
            .filter(self.until.of::<AccountId>(TimelineSource::Watch, at, id)?)
            .order_by_desc(Column::WatchedDate)
            .order_by_desc(Column::WatcherId)
            .limit(self.most);
        let (watches, tasks) = (latest.all(self.caseload.db().reader()).await?, self.watch_tasks().await?);
        let found = watches.into_iter().map(|watch| Found {
            place: Place::new(watch.watched_date, TimelineSource::Watch, watch.watcher_id),
            what: What::Watched,
            by: Some(watch.watcher_id),
            task: tasks.iter().find(|task| task.watcher_id == watch.watcher_id).map(|task| task.task_id),
        });
        Ok(found.collect())
    }

    /// The tasks that put them on the lists where they are; whoever pressed the star has none. The index is `task_person_person`.
    async fn watch_tasks(&self) -> Result<Vec<WatchTask>> {
        let t = TaskTable("t");
        let sql = "SELECT w.watcher_id, tp.task_id
             FROM watch w JOIN task_person tp ON tp.person_id = w.person_id AND tp.outcome_date = w.watched_date
             CROSS JOIN $1 WHERE $2 = tp.task_id AND $3 = w.watcher_id AND w.person_id = $4 AND tp.outcome = 'DONE' AND ($5)";
        let is_watch = t.is_of_kind(TaskKind::Watch.name());
        self.read(composed(self.caseload.db(), sql, [t.table(), t.id(), t.owner(), self.person.into(), is_watch])).await
    }

    async fn emails(&self) -> Result<Vec<Found>> {
        let found = self.outbox(TimelineSource::Email, "state_date").await?.into_iter().map(|sent| Found {
            place: Place::new(sent.state_date, TimelineSource::Email, sent.task_id),
            what: What::Email { state: sent.state, address: sent.address, reply: sent.reply },
            by: None,
            task: Some(sent.task_id),
        });
        Ok(found.collect())
    }

    async fn bounces(&self) -> Result<Vec<Found>> {
        let found = self.outbox(TimelineSource::Bounce, "bounce_date").await?.into_iter().filter_map(|sent| {
            Some(Found {
                place: Place::new(sent.bounce_date?, TimelineSource::Bounce, sent.task_id),
                what: What::Bounced(sent.bounce_note),
                by: sent.bounce_by,
                task: Some(sent.task_id),
            })
        });
        Ok(found.collect())
    }

    /// The messages of tasks that the actor may see, by one of their moments.
    async fn outbox(&self, source: TimelineSource, moment: &'static str) -> Result<Vec<FoundMessage>> {
        let after = self.until.of::<TaskId>(source, Expr::col(("o", moment)), Expr::col(("o", "task_id")))?;
        FoundMessage::latest(self.caseload, self.actor, self.person, moment, after, self.most()).await
    }

    /// Tasks that came to them, but for those that left an entry of another sort. All of a person's lines are looked through, as
    /// for the list of their tasks: an index of moments would cost every line of every task. The index is `task_person_person`.
    async fn tasks(&self) -> Result<Vec<Found>> {
        let t = TaskTable("t");
        let (at, id) = (Expr::col(("tp", "outcome_date")), Expr::col(("tp", "task_id")));
        let after = self.until.of::<TaskId>(TimelineSource::Task, at, id)?;
        let sql = "SELECT tp.task_id, tp.outcome, tp.reason, tp.before_value, tp.after_value, tp.outcome_date
             FROM task_person tp CROSS JOIN $1 WHERE $2 = tp.task_id AND tp.person_id = $3 AND tp.outcome_date IS NOT NULL
                AND tp.outcome IS NOT NULL AND ($4) AND NOT ($5) AND ($6)
             ORDER BY tp.outcome_date DESC, tp.task_id DESC LIMIT $7";
        let parts =
            [t.table(), t.id(), self.person.into(), access::may_see(self.actor, t), told(t), after, self.most()];
        let treated: Vec<TimelineTask> = self.read(composed(self.caseload.db(), sql, parts)).await?;
        let found = treated.into_iter().map(|line| Found {
            place: Place::new(line.outcome_date, TimelineSource::Task, line.task_id),
            what: What::Task {
                outcome: line.outcome,
                reason: line.reason,
                before: line.before_value,
                after: line.after_value,
            },
            by: None,
            task: Some(line.task_id),
        });
        Ok(found.collect())
    }

    async fn added(&self) -> Result<Vec<Found>> {
        let came = person::Entity::find_by_id(self.person).select_only().column(person::Column::CreatedDate);
        let came: Option<Instant> = came.into_tuple().one(self.caseload.db().reader()).await?;
        let found = came.map(|came| Found {
            place: Place::new(came, TimelineSource::Added, ""),
            what: What::Added,
            by: None,
            task: None,
        });
        Ok(found.into_iter().filter(|found| self.until.has(&found.place)).collect())
    }

    fn most(&self) -> Expr {
        at_most(self.most.cast_signed())
    }

    async fn read<T: FromQueryResult>(&self, statement: Statement) -> Result<Vec<T>> {
        Ok(T::find_by_statement(statement).all(self.caseload.db().reader()).await?)
    }
}

/// The condition that a line `tp` of the ledger of a task is told by what the task left.
fn told(t: TaskTable) -> Expr {
    let kinds = [TaskKind::ProgramStatus, TaskKind::EarlyAlert, TaskKind::ReassignCoach, TaskKind::ReassignByList]
        .map(|kind| t.is_of_kind(kind.name()));
    let leaves = kinds.into_iter().reduce(|all, kind| all.or(kind)).unwrap_or_else(|| Expr::cust("FALSE"));
    // What puts something back leaves what it has put back.
    let told = "tp.outcome = 'DONE' AND ($1)
        OR EXISTS (SELECT 1 FROM program_status_history h WHERE h.person_id = tp.person_id AND h.task_id = tp.task_id)
        OR EXISTS (SELECT 1 FROM coach_change c WHERE c.person_id = tp.person_id AND c.task_id = tp.task_id)
        OR EXISTS (SELECT 1 FROM outbox o WHERE o.task_id = tp.task_id AND o.position = tp.position)
        OR EXISTS (SELECT 1 FROM watch w WHERE w.watcher_id = $2 AND w.person_id = tp.person_id
            AND w.watched_date = tp.outcome_date)";
    sql(told, [leaves, t.owner()])
}
