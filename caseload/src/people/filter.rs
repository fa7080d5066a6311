//! The one compiler of the people filter. The list, every count, the selection and the people a task treats all come from
//! here, so they cannot disagree.

use chrono::{NaiveDate, TimeDelta, TimeZone};
use chrono_tz::Tz;
use model::{
    Instant, PeopleFilter, PersonId, Scope,
    filter::{HasEmail, IsActivated},
};
use sea_orm::{
    Value,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, access,
    entity::people::{
        person::{Column, P},
        person_extra,
    },
    people::fold::{fold, prefix_end},
    statement::{ValueList, asked_by, looked_up_first, sql},
};

/// The condition that the person `p` matches the filter and may be seen by the actor, for statements that count them or list
/// their ids. SQLite takes them from the index of what narrows most, and asks the other indexes for each id; it looks at nobody.
pub fn compile(filter: &PeopleFilter, actor: &Actor) -> Expr {
    let (mut first, mut rest) = (None, Vec::new());
    for part in parts(filter, actor) {
        match first {
            None => first = Some(part.among),
            Some(_) => rest.push(part.beside),
        }
    }
    all_of(first.into_iter().chain(rest))
}

/// The same for statements that read what they find, of whom there are not many: SQLite looks nobody else up.
pub fn compile_rows(filter: &PeopleFilter, actor: &Actor) -> Expr {
    looked_up_first(compile(filter, actor))
}

/// The same for walking along many people in the order of a list, until enough are found.
pub fn compile_walk(filter: &PeopleFilter, actor: &Actor) -> Expr {
    all_of(parts(filter, actor).into_iter().map(|part| part.beside))
}

fn all_of(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    conditions.into_iter().reduce(|all, next| all.and(next)).unwrap_or_else(|| Expr::cust("TRUE"))
}

/// One condition for the person `p`, in two forms.
struct FilterPart {
    /// As what they are found by.
    among: Expr,
    /// As what is asked of somebody who was found by something else.
    beside: Expr,
}

/// A filter that has an index of its own, in which SQLite keeps the people of each value by id.
fn indexed<V: Into<Value>>(column: Column, index: &str, values: impl IntoIterator<Item = V>) -> FilterPart {
    let values: Vec<Value> = values.into_iter().map(Into::into).collect();
    let any = Expr::col(column).is_in(values.clone());
    FilterPart { among: P.col(column).is_in(values), beside: asked_by(any, index) }
}

/// A filter by an extra field: its index finds the people of a value, and its key the value of somebody.
fn by_extra_field(name: &str, values: &[String]) -> FilterPart {
    let is = |column| Expr::col(("x", column));
    let so = || is(person_extra::Column::Name).eq(name).and(is(person_extra::Column::Value).is_in(values.to_vec()));
    FilterPart {
        among: sql("p.id IN (SELECT x.person_id FROM person_extra x WHERE $1)", [so()]),
        beside: sql("EXISTS (SELECT 1 FROM person_extra x WHERE x.person_id = p.id AND $1)", [so()]),
    }
}

/// Every condition, what usually narrows most first.
fn parts(filter: &PeopleFilter, actor: &Actor) -> Vec<FilterPart> {
    let either = |condition: Expr| FilterPart { among: condition.clone(), beside: condition };
    let mine = || indexed(Column::CoachId, "person_coach", [actor.person_id]);
    let mut all = Vec::new();
    let scope = scope_of(filter, actor);
    all.extend(search(&filter.q, scope, actor).map(either));
    match scope {
        // Of whoever is watched beyond reach, a filter must not find out what no row says.
        Scope::Watchlist if filter.asks_for_facts() => {
            all.push(either(access::watched(actor)));
            all.push(either(access::reach(actor)));
        }
        Scope::Watchlist => all.push(either(access::watched(actor))),
        Scope::Caseload => all.push(mine()),
        Scope::All if !actor.role.reaches_everyone() => all.push(mine()),
        Scope::All => {}
    }
    fn any<V: Into<Value> + Clone>(column: Column, index: &str, values: &[V]) -> Option<FilterPart> {
        (!values.is_empty()).then(|| indexed(column, index, values.iter().cloned()))
    }
    all.extend(any(Column::CoachId, "person_coach", &filter.coach));
    all.extend(any(Column::DeclaredMajor, "person_declared_major", &filter.major));
    all.extend(any(Column::StartTerm, "person_start_term", &filter.start_term));
    all.extend(any(Column::HomeCampus, "person_home_campus", &filter.home_campus));
    all.extend(any(Column::StudentType, "person_student_type", &filter.student_type));
    all.extend(filter.extra.iter().map(|(name, values)| by_extra_field(name, values)));
    let statuses: Vec<&str> = filter.program_status.iter().map(|status| status.name()).collect();
    match any(Column::ProgramStatus, "person_program_status", &statuses) {
        // Only students have a status, so that a filter on it says the same without a look at the row.
        Some(status) => all.push(status),
        None => all.push(FilterPart {
            among: P.col(Column::Student),
            beside: asked_by(Expr::col(Column::Student), "person_student"),
        }),
    }
    all.extend(facts(filter, actor).into_iter().map(either));
    all
}

/// What no index knows and is asked of each person who was found.
fn facts(filter: &PeopleFilter, actor: &Actor) -> Vec<Expr> {
    let mut all = Vec::new();
    all.extend(filter.activated.map(|wanted| match wanted {
        IsActivated::Yes => P.col(Column::Activated),
        IsActivated::No => P.col(Column::Activated).not(),
    }));
    all.extend(filter.email.map(|wanted| match wanted {
        HasEmail::Yes => P.col(Column::PrimaryEmail).is_not_null(),
        HasEmail::No => P.col(Column::PrimaryEmail).is_null(),
    }));
    // Days are those of whoever asks.
    let zone = actor.time_zone().unwrap_or(chrono_tz::UTC);
    let from = filter.since_from.and_then(|day| begin_of(day, zone));
    let until = filter.since_to.and_then(|day| begin_of(day.succ_opt()?, zone));
    all.extend(from.map(|from| P.col(Column::StatusDate).gte(from)));
    all.extend(until.map(|until| P.col(Column::StatusDate).lt(until)));
    all
}

/// When a day begins in a time zone; where a clock is put forward over midnight, an hour later.
fn begin_of(day: NaiveDate, zone: Tz) -> Option<Instant> {
    let midnight = day.and_hms_opt(0, 0, 0)?;
    let begins = zone.from_local_datetime(&midnight).earliest();
    let begins = begins.or_else(|| zone.from_local_datetime(&(midnight + TimeDelta::hours(1))).earliest());
    begins.map(|begins| begins.to_utc())
}

/// The same, without these people.
pub fn compile_without(filter: &PeopleFilter, exclude: &[PersonId], actor: &Actor) -> Expr {
    without(compile(filter, actor), exclude)
}

/// A condition for the person `p`, without these people.
pub fn without(matching: Expr, exclude: &[PersonId]) -> Expr {
    match exclude {
        [] => matching,
        exclude => matching.and(sql("p.id NOT IN ($1)", [ValueList::People(exclude).query()])),
    }
}

/// The scope in force: the one asked for, or the actor's default.
pub fn scope_of(filter: &PeopleFilter, actor: &Actor) -> Scope {
    let default = if actor.role.reaches_everyone() { Scope::All } else { Scope::Caseload };
    filter.scope.unwrap_or(default)
}

/// Ranges on folded keys rather than LIKE: they use the indexes on both databases, and `%` is a letter like any other.
fn search(text: &str, scope: Scope, actor: &Actor) -> Option<Expr> {
    let from = fold(text);
    if from.is_empty() {
        // Nothing but punctuation was typed: nobody's name begins with it.
        return (!text.trim().is_empty()).then(|| Expr::cust("FALSE"));
    }
    let few_letters = from.chars().count() < model::filter::LETTERS_FOR_ALL;
    let end = prefix_end(&from);
    let range = |key: Expr| key.clone().gte(from.as_str()).and(key.lt(end.as_str()));
    if few_letters {
        return Some(range(P.col(Column::SortKey)));
    }
    // As a union of ids, because SQLite would otherwise walk the whole list in order when few match.
    let found = |key: &Column| sql("SELECT id FROM person WHERE $1", [range(Expr::col(*key))]);
    let any = |keys: &[Column]| {
        let all = keys.iter().map(found).reduce(|all, next| sql("$1 UNION $2", [all, next]));
        sql("p.id IN ($1)", all)
    };
    let (names, others) = ([Column::SortKey, Column::GivenKey], [Column::SchoolKey, Column::EmailKey]);
    Some(match scope {
        // Whoever is watched beyond reach is known by name alone.
        Scope::Watchlist if !actor.role.reaches_everyone() => any(&names).or(access::reach(actor).and(any(&others))),
        Scope::Watchlist | Scope::Caseload | Scope::All => any(&[names, others].concat()),
    })
}
