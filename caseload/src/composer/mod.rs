//! Where an email is written: how one person will see it, who gets it, and a test to oneself.

mod drafts;
mod test_mail;

use std::collections::BTreeMap;

pub use drafts::forget;
use model::{
    Action, Markup, PersonId, Problem, Selection, SelectionToken, SkipReason, Target, TaskId,
    action::{Email, Recipients},
    composer::{Addresses, ComposeContext, Shown, Typed},
    letter::{Addressee, Letter},
    person::MessageState,
    submission::FROZEN_AT_PREVIEW,
};
use sea_orm::{ConnectionTrait, FromQueryResult, sea_query::Expr};

use crate::{
    Actor, Result, access,
    actions::{
        definition::Definition,
        email::{address, second_address},
    },
    caseload::Emails,
    entity::primary_address,
    people::{
        list::{page, rows},
        person, selection, targeted_people,
    },
    statement::{composed, not_by, sql},
    submit::spec::Spec,
    tasks::visible,
};

#[derive(FromQueryResult)]
struct Person {
    id: PersonId,
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
    address: Option<String>,
    copy_address: Option<String>,
    opted_out: bool,
}

impl Person {
    fn gets_it(&self) -> bool {
        self.address.is_some() && !self.opted_out
    }
}

impl Emails<'_> {
    /// What is to be known for writing to the people of a selection. `person`: whose letter is shown, or the first one's.
    pub async fn context(
        self,
        actor: &Actor,
        selection: SelectionToken,
        person: Option<PersonId>,
    ) -> Result<ComposeContext> {
        actor.require(model::Permission::Email)?;
        let (draft, saved) = self.draft(actor).await?.unzip();
        let typed = draft.unwrap_or_else(|| blank(actor));
        let selected = selection::load_selection(self.0, actor, selection).await?;
        let mut people = self.addressees(actor, &selected, typed.recipients(), person).await?;
        // Nobody who wants no email is shown with one, unless there is nobody else.
        if people.iter().any(|found| !found.opted_out) {
            people.retain(|found| !found.opted_out);
        }
        let chosen = people.iter().find(|found| Some(found.id) == person);
        let letter = chosen.or(people.iter().find(|found| found.gets_it())).or(people.first());
        let targeted = targeted_people::resolve(self.0, actor, Target::Selection(selection)).await?;
        let own = self.0.accounts().own_address(actor).await?;
        let mail = self.0.mail().settings();
        let mut addresses = Some(Vec::new());
        for recipients in Recipients::ALL.iter().copied() {
            let found = self.addresses(actor, &targeted, recipients).await?;
            addresses = addresses.zip(found).map(|(mut all, found)| {
                all.push((recipients, found));
                all
            });
        }
        Ok(ComposeContext {
            sending: self.0.mail().sending(),
            hold: mail.hold.as_secs(),
            limit: mail.limit,
            reroute: mail.reroute.as_ref().map(ToString::to_string),
            letter: letter.map(|person| shown(&typed, person)),
            addresses,
            templates: self.templates(actor).await?,
            people: people.into_iter().map(|person| (person.id, name(&person))).collect(),
            from: self.shown_sender(actor),
            reply_to: self.reply_to(actor).await?,
            has_own_address: own.is_some(),
            saved,
            next: queue::new_id(),
            typed,
        })
    }

    /// Where answers to an email of the actor go. Until email is set up there is no address but their own.
    pub async fn reply_to(self, actor: &Actor) -> Result<Option<String>> {
        Ok(self.replies_to(self.0.accounts().own_address(actor).await?))
    }

    fn replies_to(self, own: Option<String>) -> Option<String> {
        let mail = self.0.mail();
        own.or_else(|| mail.is_configured().then(|| mail.settings().from.email.to_string()))
    }

    /// The email that a task sends; nothing of a task that sends none.
    pub async fn of_task(self, actor: &Actor, id: TaskId) -> Result<Option<Email>> {
        let task = visible::visible_task(self.0, actor, id).await?;
        Ok(Spec::of(&task).and_then(|spec| match spec.action {
            Action::Email(email) => Some(email),
            _ => None,
        }))
    }

    /// The letter to one person of what has been typed.
    pub async fn letter(self, actor: &Actor, typed: &Typed, person: PersonId) -> Result<Shown> {
        actor.require(model::Permission::Email)?;
        person::reached(self.0, actor, person).await?;
        let picked = Selection::Picked { ids: vec![person] };
        let found = self.addressees(actor, &picked, typed.recipients(), None).await?;
        let person = found.first().ok_or_else(|| Problem::not_found("person"))?;
        Ok(shown(typed, person))
    }

    /// The email of a task as one of those sees it whom it went to, at the address that it had then: by the order of the task the
    /// first whom the actor may see. Nothing where there is nobody like that.
    pub async fn as_sent(self, actor: &Actor, id: TaskId) -> Result<Option<Shown>> {
        let Some(email) = self.of_task(actor, id).await? else { return Ok(None) };
        let sent = "SELECT p.id, p.first_name, p.middle_name, p.last_name, o.address, o.copy_address, p.email_opt_out AS opted_out
             FROM outbox o CROSS JOIN person p
             WHERE o.task_id = $1 AND o.state = $2 AND o.address IS NOT NULL AND p.id = o.person_id AND ($3)
             ORDER BY o.position LIMIT 1";
        let parts = [id.into(), MessageState::Sent.name().into(), access::reach(actor)];
        let sent = Person::find_by_statement(composed(self.0.db(), sent, parts));
        let found = sent.one(self.0.db().reader()).await?;
        Ok(found.map(|person| shown(&Typed::of(&email), &person)))
    }

    /// In whose name the email of a task goes, and where replies go.
    pub async fn sender_of(self, actor: &Actor, id: TaskId) -> Result<(String, Option<String>)> {
        let owner = visible::visible_task(self.0, actor, id).await?.owner_id;
        let own = primary_address(self.0.db().reader(), owner.person()).await?;
        Ok((self.in_name_of(&self.0.staff_name(owner).await?), self.replies_to(own)))
    }

    pub fn shown_sender(self, actor: &Actor) -> String {
        self.in_name_of(&actor.name)
    }

    fn in_name_of(self, name: &str) -> String {
        match &self.0.mail().settings().from.name {
            Some(college) => format!("{name} via {college}"),
            None => name.to_owned(),
        }
    }

    /// Some people of a selection, by name, and among them `person`.
    async fn addressees(
        self,
        actor: &Actor,
        selection: &Selection,
        recipients: Recipients,
        person: Option<PersonId>,
    ) -> Result<Vec<Person>> {
        let target = match selection {
            Selection::Picked { ids } => Target::People(ids.clone()),
            Selection::Matching { filter, exclude } => {
                Target::Query { filter: filter.clone(), exclude: exclude.clone() }
            }
        };
        let targeted = targeted_people::resolve(self.0, actor, target).await?;
        let few = match targeted.filter() {
            Some(filter) => page::people_total(self.0, actor, filter).await?.exact,
            None => true,
        };
        let (matching, sorted_by) = match few {
            true => (targeted_people::condition(&targeted, actor), not_by(Expr::cust("p.sort_key"))),
            false => (targeted_people::walk_condition(&targeted, actor), Expr::cust("p.sort_key")),
        };
        let order = match person {
            Some(id) => sql("CASE WHEN p.id = $1 THEN 0 ELSE 1 END, p.sort_key", [id.into()]),
            None => sorted_by,
        };
        let people = "SELECT p.id, p.first_name, p.middle_name, p.last_name, $1 AS address, $2 AS copy_address,
                p.email_opt_out AS opted_out FROM person p
             WHERE ($3) AND ($4) ORDER BY $5 LIMIT $6";
        let [first, second] = [address(recipients), second_address(recipients)].map(Expr::cust);
        let parts = [first, second, matching, access::reach(actor), order, Expr::Constant(SHOWN.into())];
        let people = composed(self.0.db(), people, parts);
        let mut found = Person::find_by_statement(people).all(self.0.db().reader()).await?;
        found.sort_by_cached_key(name);
        Ok(found)
    }

    async fn addresses(
        self,
        actor: &Actor,
        targeted: &targeted_people::TargetedPeople,
        recipients: Recipients,
    ) -> Result<Option<Addresses>> {
        let bound = FROZEN_AT_PREVIEW + 1;
        let email = Email {
            subject: String::new(),
            body: String::new(),
            recipients,
            cc: Vec::new(),
            create_journal_entry: false,
        };
        // Whether somebody has an address is told of those within reach only.
        let counted = "SELECT COALESCE(verdict, '') AS verdict, COUNT(*) AS count, COUNT(first) AS first, COUNT(second) AS second FROM (
                SELECT $1 AS verdict, CASE WHEN $2 THEN $3 END AS first, CASE WHEN $2 THEN $4 END AS second FROM person p
                WHERE ($5) LIMIT $6
             ) AS few GROUP BY 1";
        let [first, second] = [Recipients::Primary, Recipients::Secondary].map(|which| Expr::cust(address(which)));
        let (reach, matching) = (access::reach(actor), targeted_people::condition(targeted, actor));
        let parts = [email.verdict(actor), reach, first, second, matching, Expr::Constant(bound.into())];
        let mut found = Addresses::default();
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        for row in self.0.db().reader().query_all_raw(composed(self.0.db(), counted, parts)).await? {
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
const SHOWN: u32 = 500;

/// What a new email begins with.
fn blank(actor: &Actor) -> Typed {
    Typed {
        body: format!("Hello {{first name | there}},\n\n\n\n{}", actor.name),
        to: Recipients::Primary.name().to_owned(),
        journal: "yes".to_owned(),
        ..Typed::default()
    }
}

fn name(person: &Person) -> String {
    rows::list_name(&person.last_name, &person.first_name, person.middle_name.as_deref())
}

fn addressee(person: &Person) -> Addressee<'_> {
    Addressee {
        first: &person.first_name,
        middle: person.middle_name.as_deref().unwrap_or_default(),
        last: &person.last_name,
    }
}

/// The subject as it will be, whatever is wrong with the message, and the message, or what is wrong with one of them.
fn shown(typed: &Typed, person: &Person) -> Shown {
    let addressee = addressee(person);
    let (subject, body) = (Letter::read(&typed.subject), Letter::read(&typed.body.replace("\r\n", "\n")));
    let line = subject.as_ref().map_or_else(|_| typed.subject.clone(), |subject| subject.plain(&addressee));
    let html = match subject.and(body) {
        Ok(body) => body.html(&addressee, true),
        Err(wrong) => Markup::default().ours("<p class=\"problem\">").text(&wrong.to_string()).ours("</p>"),
    };
    let copy = person.copy_address.as_ref().map(|copy| format!(", copy to {copy}")).unwrap_or_default();
    let to = person.address.as_ref().map(|address| format!("{address}{copy}"));
    Shown { person_id: person.id, name: name(person), to, subject: line, html, opted_out: person.opted_out }
}
