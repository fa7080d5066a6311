//! Texts that are kept for whoever writes them: one draft, and templates. A draft belongs to its writer and not to a selection,
//! so that it outlives a search that has changed.

use model::{
    Conflict, Permission, Problem, Revision, TemplateId,
    action::Email,
    composer::{DraftSeen, Saved, Template, Typed},
    enum_words::is_name,
};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::OnConflict,
};

use crate::{
    Actor, Error, Limited, Result,
    caseload::Emails,
    entity::mail::{email_draft, email_template},
    erase::erased::Erased,
    people::private_to_account::{self, Owned},
};

/// The longest name of a template, in characters.
const LONGEST: usize = 60;
/// Drafts that were put aside and go at once.
const CLEARED_AT_ONCE: i64 = 20;
/// The longest draft that is kept, in bytes: anything that could become an email, and what is a little too long for one.
const DRAFT: usize = 200_000;

impl Emails<'_> {
    /// The actor's draft.
    pub async fn draft(self, actor: &Actor) -> Result<Option<(Typed, Saved)>> {
        let draft = email_draft::Entity::find_by_id(actor.person_id).one(self.0.db().reader()).await?;
        let Some(draft) = draft else { return Ok(None) };
        let typed = serde_json::from_str(&draft.content).map_err(|error| Error::Internal(error.to_string()))?;
        let saved = Saved { date: draft.saved_date, revision: draft.revision };
        Ok(Some((typed, saved)))
    }

    /// Keeps what has been typed, right or wrong, over the draft that its writer has `seen`. Another one meanwhile is kept, and
    /// this text refused.
    pub async fn keep_draft(self, actor: &Actor, typed: &Typed, seen: DraftSeen) -> Result<Saved> {
        self.overwrite(actor, typed, seen).await?.ok_or_else(|| {
            let detail = "The draft was changed in another window, so this text is not saved automatically. If you continue \
                          here, the other draft is kept as a template.";
            Problem::conflict(Conflict::DRAFT_CHANGED, detail).into()
        })
    }

    /// Makes what has been typed the draft. Another one than its writer has `seen` is kept as a template.
    pub async fn put_draft(self, actor: &Actor, typed: &Typed, seen: DraftSeen) -> Result<Saved> {
        if let Some(saved) = self.overwrite(actor, typed, seen).await? {
            return Ok(saved);
        }
        let other = self.draft(actor).await?;
        if let Some((text, saved)) = &other {
            let name = format!("Draft of {}", saved.date.format("%-d %b %Y, %H:%M:%S"));
            self.keep_template(actor, &name, text, true).await?;
        }
        let seen = DraftSeen { revision: other.map(|(_, saved)| saved.revision), ..seen };
        self.keep_draft(actor, typed, seen).await
    }

    /// Keeps what has been typed unless there is another draft than the one that was seen, or none any more.
    async fn overwrite(self, actor: &Actor, typed: &Typed, seen: DraftSeen) -> Result<Option<Saved>> {
        actor.require(Permission::Email)?;
        let content = serde_json::to_string(typed).map_err(|error| Error::Internal(error.to_string()))?;
        if content.len() > DRAFT {
            return Err(Problem::field("body", "too_long", "This is too long to save as a draft.").into());
        }
        let saved = Saved { date: self.0.db().now().await?, revision: seen.next };
        let (db, owner) = (self.0.db(), actor.person_id);
        let kept = match seen.revision {
            Some(seen) => db.write_query(&email_draft::over(owner, content, saved, seen)).await?,
            None => db.write_query(&email_draft::first(owner, content, saved)).await?,
        };
        if kept == 1 {
            return Ok(Some(saved));
        }
        // Typed alike.
        let same = self.draft(actor).await?.filter(|(other, _)| other == typed);
        Ok(same.map(|(_, saved)| saved))
    }

    /// Makes the text of an email the actor's draft. The former one is kept as a template.
    pub async fn take_up(self, actor: &Actor, email: &Email) -> Result<()> {
        self.put_draft(actor, &Typed::of(email), DraftSeen { revision: None, next: queue::new_id() }).await.map(drop)
    }

    /// Forgets the actor's draft, if it is the one that was seen.
    pub async fn discard_draft(self, actor: &Actor, seen: Option<Revision>) -> Result<()> {
        if let Some(seen) = seen {
            self.0.db().write_query(&email_draft::discarded(actor.person_id, seen)).await?;
        }
        Ok(())
    }

    /// The actor's templates, by name.
    pub async fn templates(self, actor: &Actor) -> Result<Vec<Template>> {
        let templates = email_template::Entity::find()
            .select_only()
            .columns([email_template::Column::Id, email_template::Column::Name])
            .filter(email_template::Column::OwnerId.eq(actor.person_id))
            .order_by_asc(email_template::Column::Name);
        let templates: Vec<(TemplateId, String)> = templates.into_tuple().all(self.0.db().reader()).await?;
        Ok(templates.into_iter().map(|(id, name)| Template { id, name }).collect())
    }

    /// Keeps a text under a name; the name's former text is forgotten.
    pub async fn save_template(self, actor: &Actor, name: &str, typed: &Typed) -> Result<()> {
        actor.require(Permission::Email)?;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || !is_name(&name, LONGEST) {
            let message = format!("Enter a template name of at most {LONGEST} visible characters.");
            return Err(Problem::field("templateName", "invalid", message).into());
        }
        self.keep_template(actor, &name, typed, false).await
    }

    /// A draft that is put aside takes the place of the oldest such one; a template beyond the limit is refused.
    async fn keep_template(self, actor: &Actor, name: &str, typed: &Typed, put_aside: bool) -> Result<()> {
        let (db, txn, owner) = (self.0.db(), self.0.db().begin_write().await?, actor.person_id);
        let row = [
            (email_template::Column::Id, queue::new_id::<TemplateId>().into()),
            (email_template::Column::OwnerId, owner.into()),
            (email_template::Column::Name, name.into()),
            (email_template::Column::Subject, typed.subject.as_str().into()),
            (email_template::Column::Body, typed.body.as_str().into()),
            (email_template::Column::CreatedDate, db.instant()),
            (email_template::Column::PutAside, put_aside.into()),
        ];
        let conflict = OnConflict::columns([email_template::Column::OwnerId, email_template::Column::Name])
            .update_columns([
                email_template::Column::Subject,
                email_template::Column::Body,
                email_template::Column::PutAside,
            ])
            .to_owned();
        txn.execute_raw(db.build(row_of(email_template::Entity, row).on_conflict(conflict))).await?;
        let drafts = i64::from(self.0.limits().drafts);
        txn.execute_raw(db.statement(
            "DELETE FROM email_template WHERE id IN (
                SELECT id FROM email_template WHERE owner_id = $1 AND put_aside
                ORDER BY created_date DESC, id DESC LIMIT $2 OFFSET $3)",
            [owner.into(), CLEARED_AT_ONCE.into(), drafts.into()],
        ))
        .await?;
        let count = email_template::Entity::find()
            .filter(email_template::Column::OwnerId.eq(owner))
            .filter(email_template::Column::PutAside.eq(false));
        let count = count.count(&txn).await?;
        if !put_aside && count > u64::from(self.0.limits().templates) {
            return Err(self.0.limits().refusal(Limited::Templates, None).into());
        }
        Ok(db.commit(txn).await?)
    }

    /// A template's subject and body in place of what was typed.
    pub async fn use_template(self, actor: &Actor, id: TemplateId, typed: Typed) -> Result<Typed> {
        let template = email_template::Entity::find_by_id(id)
            .filter(email_template::Column::OwnerId.eq(actor.person_id))
            .one(self.0.db().reader());
        let Some(template) = template.await? else { return Err(self.no_template(actor, id).await) };
        Ok(Typed { subject: template.subject, body: template.body, ..typed })
    }

    /// Deletes a template.
    pub async fn delete_template(self, actor: &Actor, id: TemplateId) -> Result<()> {
        let gone = email_template::Entity::delete_many()
            .filter(email_template::Column::Id.eq(id))
            .filter(email_template::Column::OwnerId.eq(actor.person_id));
        match self.0.db().write_query(&gone.into_query()).await? {
            0 => Err(self.no_template(actor, id).await),
            _ => Ok(()),
        }
    }

    async fn no_template(self, actor: &Actor, id: TemplateId) -> Error {
        private_to_account::not_ones_own(self.0, actor, Owned::Template(id), Problem::not_found("template")).await
    }
}

/// Drops the drafts and templates that name somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    for draft in email_draft::Entity::find().all(txn).await? {
        if erased.is_named_in(&draft.content) {
            let gone = email_draft::Entity::delete_many().filter(email_draft::Column::OwnerId.eq(draft.owner_id));
            txn.execute_raw(db.build(&gone.into_query())).await?;
        }
    }
    for template in email_template::Entity::find().all(txn).await? {
        let texts = [&template.name, &template.subject, &template.body];
        if texts.into_iter().any(|text| erased.is_named_in(text)) {
            let gone = email_template::Entity::delete_many().filter(email_template::Column::Id.eq(template.id));
            txn.execute_raw(db.build(&gone.into_query())).await?;
        }
    }
    Ok(())
}
