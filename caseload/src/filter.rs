//! The one compiler of the people filter. The list, every count, the selection and the people a task treats all come from
//! here, so they cannot disagree.

use model::{PeopleFilter, Scope};
use sea_orm::Value;
use uuid::Uuid;

use crate::{
    Actor, access,
    binds::Binds,
    fold::{fold, prefix_end},
};

/// The condition that the person `p` matches the filter and may be seen by the actor.
pub fn compile(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    // Anything else narrows better than a status does, and by an index in the order of lists.
    let others = PeopleFilter { program_status: Vec::new(), ..filter.clone() };
    let all = scope_of(filter, actor) == Scope::All && actor.role.reaches_everyone();
    compile_by(all && others.is_everyone(), filter, actor, binds)
}

/// The same for walking along many people in the order of a list, which that of the index over the status is not.
pub fn compile_walk(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    compile_by(false, filter, actor, binds)
}

fn compile_by(status_index: bool, filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    let status = if status_index { "p.program_status" } else { "{not by}p.program_status" };
    let mut all = vec![scope(filter, actor, binds)];
    if filter.program_status.is_empty() {
        // Only students have a status, so that a filter on it says the same without a look at the row.
        all.push("p.student".to_owned());
    }
    fn any<V: Into<Value>>(column: &str, values: Vec<V>, binds: &mut Binds) -> Option<String> {
        (!values.is_empty()).then(|| format!("{column} IN ({})", binds.list(values)))
    }
    all.extend(any(status, filter.program_status.iter().map(|s| s.name()).collect(), binds));
    all.extend(any("p.coach_id", filter.coach.clone(), binds));
    all.extend(any("p.home_campus", filter.home_campus.clone(), binds));
    all.extend(any("p.declared_major", filter.major.clone(), binds));
    all.extend(any("p.start_term", filter.start_term.clone(), binds));
    all.extend(search(&filter.q, binds));
    all.join(" AND ")
}

/// The same, without these people.
pub fn compile_without(filter: &PeopleFilter, exclude: &[Uuid], actor: &Actor, binds: &mut Binds) -> String {
    without(compile(filter, actor, binds), exclude, binds)
}

/// A condition for the person `p`, without these people.
pub fn without(matching: String, exclude: &[Uuid], binds: &mut Binds) -> String {
    match exclude {
        [] => matching,
        exclude => format!("{matching} AND p.id NOT IN ({})", binds.list(exclude.iter().copied())),
    }
}

/// The scope in force: the one asked for, or the actor's usual one.
pub fn scope_of(filter: &PeopleFilter, actor: &Actor) -> Scope {
    let usual = if actor.role.reaches_everyone() { Scope::All } else { Scope::Caseload };
    filter.scope.unwrap_or(usual)
}

fn scope(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    match scope_of(filter, actor) {
        Scope::Caseload => format!("p.coach_id = {}", binds.add(actor.person_id)),
        Scope::Watchlist => access::watched(actor, binds),
        Scope::All => access::reach(actor, binds),
    }
}

/// Ranges on folded keys rather than LIKE: they use the indexes on both databases, and `%` is a letter like any other.
fn search(text: &str, binds: &mut Binds) -> Option<String> {
    let from = fold(text);
    if from.is_empty() {
        // Nothing but punctuation was typed: nobody's name begins with it.
        return (!text.trim().is_empty()).then(|| "FALSE".to_owned());
    }
    let few_letters = from.chars().count() < model::filter::LETTERS_FOR_ALL;
    let (from, end) = (binds.add(from.clone()), binds.add(prefix_end(&from)));
    if few_letters {
        return Some(format!("p.sort_key >= {from} AND p.sort_key < {end}"));
    }
    // As a union of ids, because SQLite would otherwise walk the whole list in order when few match.
    let range = |key: &str| format!("SELECT id FROM person WHERE {key} >= {from} AND {key} < {end}");
    let keys = ["sort_key", "given_key", "school_key", "email_key"];
    Some(format!("p.id IN ({})", keys.map(range).join(" UNION ")))
}
