//! Where an email is written: how one person will see it, who gets it, and a test to oneself.

mod drafts;
mod test_mail;

use std::collections::BTreeMap;

pub use drafts::forget;
use model::{
    Markup, PersonId, Problem, Selection, SelectionToken, SkipReason, Target,
    action::{Email, Recipients},
    desk::{Addresses, Desk, Shown, Typed},
    letter::{Addressee, Letter},
    submission::FROZEN_AT_PREVIEW,
};
use sea_orm::{ConnectionTrait, FromQueryResult};

use crate::{
    Actor, Caseload, Result, access,
    actions::{
        email::{address, second_address},
        rules::Rules,
    },
    binds::Binds,
    people::list::rows,
    people::members,
};

#[derive(FromQueryResult)]
struct Person {
    id: PersonId,
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
    address: Option<String>,
    copy_address: Option<String>,
}

impl Caseload {
    /// What is to be known for writing to the people of a selection. `person`: whose letter is shown, or the first one's.
    pub async fn email_desk(&self, actor: &Actor, selection: SelectionToken, person: Option<PersonId>) -> Result<Desk> {
        actor.require(model::Permission::Email)?;
        let (draft, saved) = self.email_draft(actor).await?.unzip();
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
            letter: letter.map(|person| shown(&typed, person)),
            addresses: self.addresses(actor, &members, typed.recipients()).await?,
            templates: self.email_templates(actor).await?,
            people: people.into_iter().map(|person| (person.id, name(&person))).collect(),
            from: self.shown_sender(actor),
            reply_to: own.clone().unwrap_or_else(|| self.mail().settings().from.email.to_string()),
            has_own_address: own.is_some(),
            saved,
            next: queue::new_id(),
            typed,
        })
    }

    /// The letter to one person of what has been typed.
    pub async fn email_letter(&self, actor: &Actor, typed: &Typed, person: PersonId) -> Result<Shown> {
        actor.require(model::Permission::Email)?;
        self.reached(actor, person).await?;
        let picked = Selection::Picked { ids: vec![person] };
        let found = self.addressees(actor, &picked, typed.recipients(), None).await?;
        let person = found.first().ok_or_else(|| Problem::not_found("person"))?;
        Ok(shown(typed, person))
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
        person: Option<PersonId>,
    ) -> Result<Vec<Person>> {
        let target = match selection {
            Selection::Picked { ids } => Target::People(ids.clone()),
            Selection::Matching { filter, exclude } => {
                Target::Query { filter: filter.clone(), exclude: exclude.clone() }
            }
        };
        let members = self.members(actor, target).await?;
        let few = match members.filter() {
            Some(filter) => self.people_total(actor, filter).await?.exact,
            None => true,
        };
        let mut binds = Binds::default();
        let (matching, not_by) = match few {
            true => (binds.condition(members::condition(&members, actor)), "{not by}"),
            false => (binds.condition(members::walk_condition(&members, actor)), ""),
        };
        let reach = binds.condition(crate::access::reach(actor));
        let first = person.map_or("0".to_owned(), |id| format!("CASE WHEN p.id = {} THEN 0 ELSE 1 END", binds.add(id)));
        let order = if person.is_some() { format!("{first}, p.sort_key") } else { format!("{not_by}p.sort_key") };
        let sql = format!(
            "SELECT p.id, p.first_name, p.middle_name, p.last_name, {} AS address, {} AS copy_address FROM person p
             WHERE {matching} AND {reach} ORDER BY {order} LIMIT {SHOWN}",
            address(recipients),
            second_address(recipients)
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
        let matching = binds.condition(members::condition(members, actor));
        let email = Email {
            subject: String::new(),
            body: String::new(),
            recipients,
            cc: Vec::new(),
            create_journal_entry: false,
        };
        let (verdict, reach) = (binds.put(email.verdict(actor)), binds.condition(access::reach(actor)));
        // Whether somebody has an address is told of those within reach only.
        let told = |which| format!("CASE WHEN {reach} THEN {} END", address(which));
        let sql = format!(
            "SELECT COALESCE(verdict, '') AS verdict, COUNT(*) AS count, COUNT(first) AS first, COUNT(second) AS second FROM (
                SELECT {verdict} AS verdict, {} AS first, {} AS second FROM person p WHERE {matching} LIMIT {bound}
             ) AS few GROUP BY 1",
            told(Recipients::Primary),
            told(Recipients::Secondary)
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
    Shown { person_id: person.id, name: name(person), to, subject: line, html }
}
