//! What the page of a prepared import shows and does.

use model::{
    MatchingId, Problem, ProgramStatus, Submitted, TaskId,
    import::{ColumnValue, DateForm, EXTRA, MatchedColumn, PreparedImport, Sure, UnknownValue, UnreadableCause},
};

use crate::{
    Actor, Result,
    caseload::Imports,
    import::{
        prepare::{
            content,
            kept::{self, Kept},
            matching::{Matching, form, saved},
            profile::{FileColumn, Profile},
        },
        rows::{checked_row::lacks_reason, field::Field, header_plan::is_of_unknown_value, line_cause},
        spec::ImportSpec,
    },
    submit::send::submitted,
    tasks::visible,
};

impl Imports<'_> {
    /// One that is being prepared.
    pub async fn prepared(self, actor: &Actor, id: TaskId) -> Result<PreparedImport> {
        let kept = self.kept(actor, id).await?;
        let saved = saved::of(self.0.db(), actor.person_id).await?;
        let fields = Field::ALL.into_iter().map(|field| (field.name().to_owned(), field.label().to_owned()));
        let statuses = ProgramStatus::ALL.iter().filter(|status| !status.needs_reason());
        let has_status = kept.matching.columns_of(Field::ProgramStatus).next().is_some();
        let new_status = kept.matching.new_status.unwrap_or(ProgramStatus::Active);
        Ok(PreparedImport {
            is_utf8: kept.profile.is_utf8,
            separator: kept.profile.separator,
            is_separator_chosen: kept.profile.is_separator_chosen,
            columns: kept.profile.columns.iter().map(|column| matched(column, &kept.matching)).collect(),
            fields: fields.chain([(EXTRA.to_owned(), "Extra field".to_owned())]).collect(),
            new_status: (!has_status).then(|| new_status.name().to_owned()),
            statuses: statuses.map(|status| (status.name().to_owned(), status.label().to_owned())).collect(),
            keep: kept.matching.keep.as_ref().map(|kept| kept.keep.name().to_owned()).unwrap_or_default(),
            keep_by: keep_by(&kept),
            wrong: kept.matching.wrong(&kept.profile),
            start: kept.begun_with.filter(|id| saved.iter().any(|saved| saved.id == *id)),
            saved,
            is_current: kept.is_current(),
            counted: kept.counted.map(|counted| {
                let mut count = counted.count;
                for cause in &mut count.causes {
                    say_where(cause, &kept.profile, &kept.matching);
                }
                count
            }),
            file: kept.file,
        })
    }

    /// The task that a file has become, for whoever may see it.
    pub async fn became_task(self, actor: &Actor, id: TaskId) -> Result<Option<TaskId>> {
        self.may_import(actor)?;
        let task = visible::visible_tasks(self.0, actor, [id]).await?.remove(&id);
        Ok(task.filter(|task| ImportSpec::of(task).is_some()).map(|task| task.id))
    }

    /// Takes over what was chosen, and counts anew what importing would do. What is wrong is said by the page.
    pub async fn choose(self, actor: &Actor, id: TaskId, pairs: &[(String, String)]) -> Result<()> {
        let mut kept = self.kept(actor, id).await?;
        self.take(actor, &mut kept, pairs).await?;
        self.count_again(actor, &mut kept).await
    }

    /// The same for whoever only looks at other lines: what was counted stays, if it is of what is chosen now.
    pub async fn look(self, actor: &Actor, id: TaskId, pairs: &[(String, String)]) -> Result<()> {
        let mut kept = self.kept(actor, id).await?;
        self.take(actor, &mut kept, pairs).await?;
        if kept.is_current() { Ok(()) } else { self.count_again(actor, &mut kept).await }
    }

    /// What the form says: of another separator alone, since the columns are others then.
    async fn take(self, actor: &Actor, kept: &mut Kept, pairs: &[(String, String)]) -> Result<()> {
        match form::separator(pairs)?.filter(|separator| *separator != kept.profile.separator) {
            Some(separator) => {
                let _turn = self.0.inner.turns.wait(actor.person_id).await;
                self.read_again(actor, kept, separator).await
            }
            None => Ok(form::take(&mut kept.matching, &kept.profile, pairs)?),
        }
    }

    async fn count_again(self, actor: &Actor, kept: &mut Kept) -> Result<()> {
        let _turn = self.0.inner.turns.wait(actor.person_id).await;
        kept.counted = self.counted(actor, &kept.uploaded, &kept.profile, &kept.matching).await?;
        self.keep(kept).await
    }

    /// Begins anew with a saved matching, or with what is guessed.
    pub async fn start_from(self, actor: &Actor, id: TaskId, saved: Option<MatchingId>) -> Result<()> {
        let mut kept = self.kept(actor, id).await?;
        kept.matching = match saved {
            Some(saved) => self.saved_matching(actor, saved).await?.for_file(&kept.profile),
            None => Matching::guessed(&kept.profile),
        };
        kept.begun_with = saved;
        self.count_again(actor, &mut kept).await
    }

    /// Submits the import of a file whose numbers were seen, and keeps its matching under a name. A matching that has changed since
    /// is counted first. A second click is the same task.
    pub async fn import_prepared(
        self,
        actor: &Actor,
        id: TaskId,
        pairs: &[(String, String)],
        name: Option<&str>,
    ) -> Result<Submitted> {
        let mut kept = match self.kept(actor, id).await {
            Ok(kept) => kept,
            Err(error) => return self.imported_already(actor, id).await.ok_or(error),
        };
        self.take(actor, &mut kept, pairs).await?;
        if !kept.is_current() {
            self.count_again(actor, &mut kept).await?;
            let why = "You changed the matching after it was counted. Check the new numbers, then import.";
            let changed =
                Problem { title: "The numbers have changed".into(), ..Problem::field("matching", "changed", why) };
            return Err(changed.into());
        }
        let name = name.map(saved::named).transpose()?;
        let unfit = |error: crate::import::ImportError| Problem::field("matching", "invalid", error.beside_its_field());
        let mapping = kept.matching.toml(&kept.profile).map_err(unfit)?;
        let (db, owner) = (self.0.db(), actor.person_id);
        let txn = db.begin_write().await?;
        if !kept::take(db, &txn, actor, id).await? {
            drop(txn);
            let error = self.no_import(actor, id).await;
            return self.imported_already(actor, id).await.ok_or(error);
        }
        match (name, kept.begun_with) {
            (Some(name), _) => saved::save(self.0, &txn, owner, &name, &kept.matching).await?,
            (None, Some(begun_with)) => saved::used(db, &txn, owner, begun_with).await?,
            (None, None) => {}
        }
        let task = self.enqueue(&txn, actor, &kept.file.file, &mapping, &kept.uploaded, kept.file.rows).await?;
        db.commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(submitted(&task))
    }

    /// The actor's task that an import has become.
    async fn imported_already(self, actor: &Actor, id: TaskId) -> Option<Submitted> {
        let task = self.0.queue().task(id).await.ok()??;
        (task.owner_id == actor.person_id).then(|| submitted(&task))
    }
}

/// What is to be done where no column has the reason of a status.
const CHOOSE_REASON: &str = ". Choose one beside the value, or match a column to “Reason of the status”";

/// Adds to a cause where on the page it can be removed, if it can.
fn say_where(cause: &mut UnreadableCause, profile: &Profile, matching: &Matching) {
    let has_list = |column: &FileColumn| {
        let field = matching.field_of(&column.name);
        !column.values.is_empty() && field.is_some_and(|field| !content::choices(field).is_empty())
    };
    let unknown = profile.columns.iter().find(|column| is_of_unknown_value(&cause.reason, &column.name));
    if let Some(column) = unknown.filter(|column| has_list(column)) {
        let field = matching.field_of(&column.name).map(|field| field.label().to_owned());
        let value = line_cause::of(&cause.reason).value;
        cause.unknown =
            field.zip(value).map(|(field, value)| UnknownValue { column: column.name.clone(), field, value });
        cause.reason += &format!(". Match it under “{}”", column.name);
        cause.is_of_matching = true;
    } else if lacks_reason(&cause.reason) {
        cause.reason += CHOOSE_REASON;
        cause.is_of_matching = true;
    }
}

/// The place of the column that tells which of several lines of a person counts.
fn keep_by(kept: &Kept) -> Option<usize> {
    let by = &kept.matching.keep.as_ref()?.column;
    kept.profile.usable().find(|(_, column)| column.name == *by).map(|(place, _)| place)
}

/// A column with what it is matched to.
fn matched(column: &FileColumn, matching: &Matching) -> MatchedColumn {
    let key = matching.columns.get(&column.name).cloned().unwrap_or_default();
    let field = Field::named(&key);
    let choices = field.map(content::choices).unwrap_or_default();
    let meanings = matching.meanings.get(&column.name);
    let means = |text: &String| meanings.and_then(|meanings| meanings.get(text)).cloned().unwrap_or_default();
    let values = column.values.iter().filter(|_| !choices.is_empty());
    let asks_reason = matching.asks_reason(&column.name);
    let values = values.map(|text| {
        let needed = matching.reason_of(&column.name, text);
        let reason = asks_reason.then(|| needed.unwrap_or_default().to_owned());
        ColumnValue { text: text.clone(), means: means(text), reason, needs_reason: needed.is_some() }
    });
    let values = values.collect();
    let is_guess = column.guess.field.as_deref().unwrap_or_default() == key;
    let dates = matching.dates.get(&column.name).copied().unwrap_or(DateForm::YearFirst);
    MatchedColumn {
        name: column.name.clone(),
        samples: column.samples.clone(),
        field: column.unusable.is_none().then_some(key),
        sure: if is_guess || column.unusable.is_some() { column.guess.sure } else { Sure::Chosen },
        why: if is_guess || column.unusable.is_some() { column.guess.why.clone() } else { String::new() },
        values,
        meanings: choices.into_iter().map(|(name, label)| (name.to_owned(), label.to_owned())).collect(),
        dates: (field == Some(Field::BirthDate)).then_some(dates),
    }
}
