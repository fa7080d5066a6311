//! The one compiler of the people filter. The list, every count, the selection and the people a task treats all come from
//! here, so they cannot disagree.

use model::{PeopleFilter, PersonId, Scope};
use sea_orm::Value;

use crate::{
    Actor, access,
    binds::{Binds, Many},
    people::fold::{fold, prefix_end},
};

/// The condition that the person `p` matches the filter and may be seen by the actor, for statements that count them or list
/// their ids. SQLite takes them from the index of what narrows most, and asks the other indexes for each id; it looks at nobody.
pub fn compile(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    let (mut first, mut rest) = (None, Vec::new());
    for part in parts(filter, actor, binds) {
        match first {
            None => first = Some(part.among),
            Some(_) => rest.push(part.beside),
        }
    }
    first.into_iter().chain(rest).collect::<Vec<_>>().join(" AND ")
}

/// The same for statements that read what they find, of whom there are not many: SQLite looks nobody else up.
pub fn compile_rows(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    format!("{{sqlite:p.id IN (SELECT p.id FROM person p WHERE }}{}{{sqlite:)}}", compile(filter, actor, binds))
}

/// The same for walking along many people in the order of a list, until enough are found.
pub fn compile_walk(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> String {
    parts(filter, actor, binds).into_iter().map(|part| part.beside).collect::<Vec<_>>().join(" AND ")
}

/// One condition for the person `p`, in two forms.
struct FilterPart {
    /// As what they are found by.
    among: String,
    /// As what is asked of somebody who was found by something else.
    beside: String,
}

/// A filter that has an index of its own, in which SQLite keeps the people of each value by id.
fn indexed<V: Into<Value>>(
    column: &str,
    index: &str,
    values: impl IntoIterator<Item = V>,
    binds: &mut Binds,
) -> FilterPart {
    let any = format!("{column} IN ({})", binds.list(values));
    FilterPart { among: format!("p.{any}"), beside: asked_by(&any, index) }
}

/// Asks an index of SQLite for one id, so that the row of the person need not be read.
fn asked_by(condition: &str, index: &str) -> String {
    format!(
        "{{postgres:p.{condition}}}{{sqlite:EXISTS (
            SELECT 1 FROM person k INDEXED BY {index} WHERE k.id = p.id AND k.{condition})}}"
    )
}

/// Every condition, what usually narrows most first.
fn parts(filter: &PeopleFilter, actor: &Actor, binds: &mut Binds) -> Vec<FilterPart> {
    let either = |condition: String| FilterPart { among: condition.clone(), beside: condition };
    let mine = |binds: &mut Binds| indexed("coach_id", "person_coach", [actor.person_id], binds);
    let mut all = Vec::new();
    let scope = scope_of(filter, actor);
    all.extend(search(&filter.q, scope, actor, binds).map(either));
    match scope {
        // Of whoever is watched beyond reach, a filter must not find out what no row says.
        Scope::Watchlist if filter.asks_for_facts() => {
            all.push(either(access::watched(actor, binds)));
            all.push(either(access::reach(actor, binds)));
        }
        Scope::Watchlist => all.push(either(access::watched(actor, binds))),
        Scope::Caseload => all.push(mine(binds)),
        Scope::All if !actor.role.reaches_everyone() => all.push(mine(binds)),
        Scope::All => {}
    }
    fn any<V: Into<Value> + Clone>(column: &str, index: &str, values: &[V], binds: &mut Binds) -> Option<FilterPart> {
        (!values.is_empty()).then(|| indexed(column, index, values.iter().cloned(), binds))
    }
    all.extend(any("coach_id", "person_coach", &filter.coach, binds));
    all.extend(any("declared_major", "person_declared_major", &filter.major, binds));
    all.extend(any("start_term", "person_start_term", &filter.start_term, binds));
    all.extend(any("home_campus", "person_home_campus", &filter.home_campus, binds));
    let statuses: Vec<&str> = filter.program_status.iter().map(|status| status.name()).collect();
    match any("program_status", "person_program_status", &statuses, binds) {
        // Only students have a status, so that a filter on it says the same without a look at the row.
        Some(status) => all.push(status),
        None => all.push(FilterPart { among: "p.student".to_owned(), beside: asked_by("student", "person_student") }),
    }
    all
}

/// The same, without these people.
pub fn compile_without(filter: &PeopleFilter, exclude: &[PersonId], actor: &Actor, binds: &mut Binds) -> String {
    without(compile(filter, actor, binds), exclude, binds)
}

/// A condition for the person `p`, without these people.
pub fn without(matching: String, exclude: &[PersonId], binds: &mut Binds) -> String {
    match exclude {
        [] => matching,
        exclude => format!("{matching} AND p.id NOT IN ({})", binds.many(&Many::People(exclude))),
    }
}

/// The scope in force: the one asked for, or the actor's usual one.
pub fn scope_of(filter: &PeopleFilter, actor: &Actor) -> Scope {
    let usual = if actor.role.reaches_everyone() { Scope::All } else { Scope::Caseload };
    filter.scope.unwrap_or(usual)
}

/// Ranges on folded keys rather than LIKE: they use the indexes on both databases, and `%` is a letter like any other.
fn search(text: &str, scope: Scope, actor: &Actor, binds: &mut Binds) -> Option<String> {
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
    let range = |key: &&str| format!("SELECT id FROM person WHERE {key} >= {from} AND {key} < {end}");
    let any = |keys: &[&str]| format!("p.id IN ({})", keys.iter().map(range).collect::<Vec<_>>().join(" UNION "));
    let (names, others) = (["sort_key", "given_key"], ["school_key", "email_key"]);
    Some(match scope {
        // Whoever is watched beyond reach is known by name alone.
        Scope::Watchlist if !actor.role.reaches_everyone() => {
            format!("({} OR {} AND {})", any(&names), access::reach(actor, binds), any(&others))
        }
        Scope::Watchlist | Scope::Caseload | Scope::All => any(&[names, others].concat()),
    })
}
