//! Where an email is written: the draft of whoever writes it, their templates, how one person will see it, and a test to
//! oneself. A draft belongs to its writer and not to a selection, so that it outlives a search that has changed.

use std::collections::BTreeMap;

use model::{
    Action, Instant, Problem, Selection, SkipReason, Target,
    action::{Email, Recipients},
    desk::{Addresses, Desk, Shown, Template, Typed},
    filter::MAX_LIMIT,
    letter::Addressee,
    submission::FROZEN_AT_PREVIEW,
};
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{Wording, address};
use crate::{
    Actor, Caseload, Error, Result,
    actions::Rules,
    audit::{self, Entry},
    binds::Binds,
    erase::Erased,
    mail::{Envelope, Handed, Sender},
    members, people,
};

/// The longest name of a template, in characters, and the most templates of one writer.
const LONGEST: usize = 60;
const MOST: i64 = 50;
/// The longest draft that is kept, in bytes: anything that could become an email, and what is a little too long for one.
const DRAFT: usize = 200_000;

#[derive(FromQueryResult)]
struct Person {
    id: Uuid,
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
    address: Option<String>,
}

impl Caseload {
    /// What is to be known for writing to the people of a selection. `person`: whose letter is shown, or the first one's.
    pub async fn email_desk(&self, actor: &Actor, selection: Uuid, person: Option<Uuid>) -> Result<Desk> {
        actor.require(model::Permission::Email)?;
        let (draft, saved_date) = self.email_draft(actor).await?.unzip();
        let typed = draft.unwrap_or_else(|| blank(actor));
        let selected = self.load_selection(actor, selection).await?;
        let people = self.addressees(actor, &selected, typed.recipients(), person).await?;
        let letter = people.iter().find(|found| Some(found.id) == person).or(people.first());
        let members = self.members(actor, Target::Selection(selection)).await?;
        let own = self.own_address(actor).await?;
        let mail = self.mail().settings();
        Ok(Desk {
            is_configured: self.mail().is_configured(),
            hold: mail.hold.as_secs(),
            limit: mail.limit,
            reroute: mail.reroute.as_ref().map(ToString::to_string),
            letter: letter.and_then(|person| shown(&typed, person)),
            addresses: self.addresses(actor, &members, typed.recipients()).await?,
            templates: self.email_templates(actor).await?,
            people: people.into_iter().map(|person| (person.id, name(&person))).collect(),
            from: self.shown_sender(actor),
            reply_to: own.clone().unwrap_or_else(|| self.mail().settings().from.email.to_string()),
            has_own_address: own.is_some(),
            saved_date,
            typed,
        })
    }

    /// The letter to one person of what has been typed; `None` when it cannot be read, or there is no such person.
    pub async fn email_letter(&self, actor: &Actor, typed: &Typed, person: Uuid) -> Result<Option<Shown>> {
        self.reached(actor, person).await?;
        let picked = Selection::Picked { ids: vec![person] };
        let found = self.addressees(actor, &picked, typed.recipients(), None).await?;
        Ok(found.first().and_then(|person| shown(typed, person)))
    }

    /// The actor's draft, and when it was saved.
    pub async fn email_draft(&self, actor: &Actor) -> Result<Option<(Typed, Instant)>> {
        let sql = "SELECT content, saved_date FROM email_draft WHERE owner_id = $1";
        let row = self.db().reader().query_one_raw(self.db().statement(sql, [actor.person_id.into()])).await?;
        let Some(row) = row else { return Ok(None) };
        let content: String = row.try_get("", "content")?;
        let typed = serde_json::from_str(&content).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Some((typed, row.try_get("", "saved_date")?)))
    }

    /// Keeps what has been typed, right or wrong.
    pub async fn save_email_draft(&self, actor: &Actor, typed: &Typed) -> Result<Instant> {
        actor.require(model::Permission::Email)?;
        let content = serde_json::to_string(typed).map_err(|error| Error::Internal(error.to_string()))?;
        if content.len() > DRAFT {
            return Err(Problem::field("body", "too_long", "This is too long to be kept.").into());
        }
        let sql = "INSERT INTO email_draft (owner_id, content, saved_date) VALUES ($1, $2, {now})
                   ON CONFLICT (owner_id) DO UPDATE SET content = excluded.content, saved_date = excluded.saved_date";
        self.db().write(sql, [actor.person_id.into(), content.into()]).await?;
        Ok(self.db().now().await?)
    }

    /// Makes the text of an email the actor's draft. The former one is kept as a template.
    pub async fn take_up_email(&self, actor: &Actor, email: &Email) -> Result<()> {
        if let Some((former, saved_date)) = self.email_draft(actor).await? {
            let name = format!("Draft of {}", saved_date.format("%-d %b %Y, %H:%M:%S"));
            self.save_email_template(actor, &name, &former).await?;
        }
        let typed = Typed {
            subject: email.subject.clone(),
            body: email.body.clone(),
            to: email.recipients.name().to_owned(),
            cc: email.cc.join(", "),
            journal: if email.create_journal_entry { "yes".to_owned() } else { String::new() },
        };
        self.save_email_draft(actor, &typed).await.map(drop)
    }

    /// Forgets the actor's draft.
    pub async fn discard_email_draft(&self, actor: &Actor) -> Result<()> {
        self.db().write("DELETE FROM email_draft WHERE owner_id = $1", [actor.person_id.into()]).await?;
        Ok(())
    }

    /// The actor's templates, by name.
    pub async fn email_templates(&self, actor: &Actor) -> Result<Vec<Template>> {
        let sql = "SELECT id, name FROM email_template WHERE owner_id = $1 ORDER BY name";
        let rows = self.db().reader().query_all_raw(self.db().statement(sql, [actor.person_id.into()])).await?;
        rows.iter().map(|row| Ok(Template { id: row.try_get("", "id")?, name: row.try_get("", "name")? })).collect()
    }

    /// Keeps a text under a name; the name's former text is forgotten.
    pub async fn save_email_template(&self, actor: &Actor, name: &str, typed: &Typed) -> Result<()> {
        actor.require(model::Permission::Email)?;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > LONGEST || model::text::has_control(&name) {
            let message = format!("Give the template a name of at most {LONGEST} characters.");
            return Err(Problem::field("templateName", "invalid", message).into());
        }
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        txn.execute_raw(db.statement(
            "INSERT INTO email_template (id, owner_id, name, subject, body, created_date) VALUES ($1, $2, $3, $4, $5, {now})
             ON CONFLICT (owner_id, name) DO UPDATE SET subject = excluded.subject, body = excluded.body",
            [
                queue::new_id().into(),
                actor.person_id.into(),
                name.into(),
                typed.subject.as_str().into(),
                typed.body.as_str().into(),
            ],
        ))
        .await?;
        let sql = "SELECT COUNT(*) AS count FROM email_template WHERE owner_id = $1";
        let row = txn.query_one_raw(db.statement(sql, [actor.person_id.into()])).await?;
        let count: i64 = row.map_or(Ok(0), |row| row.try_get("", "count"))?;
        if count > MOST {
            let message = format!("You have {MOST} templates; delete one of them first.");
            return Err(Problem::field("templateName", "too_many", message).into());
        }
        Ok(db.commit(txn).await?)
    }

    /// A template's subject and body in place of what was typed.
    pub async fn use_email_template(&self, actor: &Actor, id: Uuid, typed: Typed) -> Result<Typed> {
        let sql = "SELECT subject, body FROM email_template WHERE id = $1 AND owner_id = $2";
        let values = [id.into(), actor.person_id.into()];
        let row = self.db().reader().query_one_raw(self.db().statement(sql, values)).await?;
        let row = row.ok_or_else(|| Problem::not_found("template"))?;
        Ok(Typed { subject: row.try_get("", "subject")?, body: row.try_get("", "body")?, ..typed })
    }

    /// Deletes a template.
    pub async fn delete_email_template(&self, actor: &Actor, id: Uuid) -> Result<()> {
        let sql = "DELETE FROM email_template WHERE id = $1 AND owner_id = $2";
        match self.db().write(sql, [id.into(), actor.person_id.into()]).await? {
            0 => Err(Problem::not_found("template").into()),
            _ => Ok(()),
        }
    }

    /// Sends the letter to one person to the actor instead, and gives the address it went to.
    pub async fn test_email(&self, actor: &Actor, typed: &Typed, person: Option<Uuid>) -> Result<String> {
        actor.require(model::Permission::Email)?;
        let Action::Email(email) = typed.action()? else { return Err(Problem::internal().into()) };
        let own = self.own_address(actor).await?.ok_or_else(|| {
            let message = "Docket does not know your address. Give it in your settings, then send the test again.";
            Problem::refused("no_own_address", "No address to send it to", message)
        })?;
        let person = match person {
            Some(id) => {
                self.reached(actor, id).await?;
                let picked = Selection::Picked { ids: vec![id] };
                self.addressees(actor, &picked, email.recipients, None).await?.into_iter().next()
            }
            None => None,
        };
        let wording = wording(&email)?;
        let rendered = wording.to(&person.as_ref().map(addressee).unwrap_or_default());
        let envelope = Envelope {
            to: vec![own.clone()],
            copy: None,
            message_id: format!("test.{}@{}", queue::new_id().simple(), self.mail().settings().from.email.domain()),
            sender: Some(Sender { name: actor.name.clone(), address: Some(own.clone()) }),
            date: self.db().now().await?,
        };
        let rendered = crate::mail::Rendered { subject: format!("Test: {}", rendered.subject), ..rendered };
        let handed = self.mail().send(&envelope, &rendered).await;
        let entry = Entry {
            actor_id: Some(actor.person_id),
            action: "email.test",
            object_kind: "account",
            object_id: Some(actor.person_id.to_string()),
            detail: serde_json::json!({ "sent": handed == Handed::Accepted }),
        };
        let txn = self.db().begin_write().await?;
        audit::record(self.db(), &txn, entry).await?;
        self.db().commit(txn).await?;
        let refused = |title: &str, why: String| Err(Problem::refused("test_not_sent", title, why).into());
        match handed {
            Handed::Accepted | Handed::Partly(_) => Ok(own),
            Handed::NotConfigured => refused("The test was not sent", "Email is not set up on this server.".to_owned()),
            Handed::BadAddress => refused("The test was not sent", format!("{own} is no email address.")),
            Handed::Unknown(_) => refused(
                "The test may not have left",
                "The mail server did not say whether it took the message. Look into your mailbox before you try again."
                    .to_owned(),
            ),
            Handed::Deferred(_) | Handed::Rejected(_) | Handed::NotBegun(_) => refused(
                "The test was not sent",
                "The mail server could not be reached, or refused the message.".to_owned(),
            ),
        }
    }

    /// The address of the actor, for answers and notices.
    pub async fn own_address(&self, actor: &Actor) -> Result<Option<String>> {
        let sql = "SELECT primary_email FROM person WHERE id = $1";
        let row = self.db().reader().query_one_raw(self.db().statement(sql, [actor.person_id.into()])).await?;
        let address: Option<String> = row.map_or(Ok(None), |row| row.try_get("", "primary_email"))?;
        Ok(address.filter(|address| !address.trim().is_empty()))
    }

    fn shown_sender(&self, actor: &Actor) -> String {
        match &self.mail().settings().from.name {
            Some(college) => format!("{} via {college}", actor.name),
            None => actor.name.clone(),
        }
    }

    /// Some people of a selection, by name, and among them `person`.
    async fn addressees(
        &self,
        actor: &Actor,
        selection: &Selection,
        recipients: Recipients,
        person: Option<Uuid>,
    ) -> Result<Vec<Person>> {
        let target = match selection {
            Selection::Picked { ids } => Target::People(ids.clone()),
            Selection::Matching { filter, exclude } => {
                Target::Query { filter: filter.clone(), exclude: exclude.clone() }
            }
        };
        let members = self.members(actor, target).await?;
        let mut binds = Binds::default();
        let matching = members::walk_condition(&members, actor, &mut binds);
        let reach = crate::access::reach(actor, &mut binds);
        let first = person.map_or("0".to_owned(), |id| format!("CASE WHEN p.id = {} THEN 0 ELSE 1 END", binds.add(id)));
        let order = if person.is_some() { format!("{first}, p.sort_key") } else { "p.sort_key".to_owned() };
        let sql = format!(
            "SELECT p.id, p.first_name, p.middle_name, p.last_name, {} AS address FROM person p
             WHERE {matching} AND {reach} ORDER BY {order} LIMIT {SHOWN}",
            address(recipients)
        );
        let mut found =
            Person::find_by_statement(self.db().statement(&sql, binds.values())).all(self.db().reader()).await?;
        found.sort_by_cached_key(name);
        Ok(found)
    }

    async fn addresses(
        &self,
        actor: &Actor,
        members: &members::Members,
        recipients: Recipients,
    ) -> Result<Option<Addresses>> {
        let mut binds = Binds::default();
        let bound = FROZEN_AT_PREVIEW + 1;
        let matching = members::condition(members, actor, &mut binds);
        let email = Email {
            subject: String::new(),
            body: String::new(),
            recipients,
            cc: Vec::new(),
            create_journal_entry: false,
        };
        let verdict = email.verdict(actor, &mut binds);
        let sql = format!(
            "SELECT COALESCE(verdict, '') AS verdict, COUNT(*) AS count, COUNT(first) AS first, COUNT(second) AS second FROM (
                SELECT {verdict} AS verdict, {} AS first, {} AS second FROM person p WHERE {matching} LIMIT {bound}
             ) AS few GROUP BY 1",
            address(Recipients::Primary),
            address(Recipients::Secondary)
        );
        let mut found = Addresses::default();
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        for row in self.db().reader().query_all_raw(self.db().statement(&sql, binds.values())).await? {
            let number = |column: &str| row.try_get::<i64>("", column).map(i64::unsigned_abs);
            found.primary += number("first")?;
            found.secondary += number("second")?;
            match row.try_get::<String>("", "verdict")?.as_str() {
                "" => found.reached = number("count")?,
                reason => drop(skipped.insert(reason.to_owned(), number("count")?)),
            }
        }
        let total = found.reached + skipped.values().sum::<u64>();
        let label =
            |reason: &str| reason.parse::<SkipReason>().map_or(String::new(), |reason| email.skip_label(reason));
        found.skipped = skipped.iter().map(|(reason, count)| (label(reason), *count)).collect();
        Ok((total < bound).then_some(found))
    }
}

/// People whose letters can be chosen.
const SHOWN: u32 = MAX_LIMIT;

/// What a new email begins with.
fn blank(actor: &Actor) -> Typed {
    Typed {
        body: format!("Hello {{first name | there}},\n\n\n\n{}", actor.name),
        to: Recipients::Primary.name().to_owned(),
        journal: "yes".to_owned(),
        ..Typed::default()
    }
}

fn wording(email: &Email) -> Result<Wording> {
    Wording::of(email).map_err(|field| Problem::field("body", "unknown_field", field).into())
}

fn name(person: &Person) -> String {
    people::list_name(&person.last_name, &person.first_name, person.middle_name.as_deref())
}

fn addressee(person: &Person) -> Addressee<'_> {
    Addressee {
        first: &person.first_name,
        middle: person.middle_name.as_deref().unwrap_or_default(),
        last: &person.last_name,
    }
}

/// Of a text that cannot be read there is nothing to show.
fn shown(typed: &Typed, person: &Person) -> Option<Shown> {
    let (subject, html) =
        Wording::read(&typed.subject, &typed.body.replace("\r\n", "\n")).ok()?.shown(&addressee(person));
    Some(Shown { person_id: person.id, name: name(person), to: person.address.clone(), subject, html })
}

/// Drops the drafts and templates that name somebody who is erased.
pub async fn forget_texts(db: &queue::Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    for (table, id, text) in
        [("email_draft", "owner_id", "content"), ("email_template", "id", "name || ' ' || subject || ' ' || body")]
    {
        let sql = format!("SELECT {id}, {text} FROM {table}");
        for (found, _) in crate::erase::naming(db, txn, erased, &sql, vec![]).await? {
            let sql = format!("DELETE FROM {table} WHERE {id} = $1");
            txn.execute_raw(db.statement(&sql, [found.into()])).await?;
        }
    }
    Ok(())
}
