//! Why the directory is refused something.

use model::{AccountId, Code, Conflict, FieldError, Problem};
use sea_orm::DbErr;

use crate::Error;

pub(super) fn no_user() -> Problem {
    Problem::new(404, Code::NOT_FOUND, "Not found", "There is no user with this id.")
}

pub(super) fn taken(user_name: &str) -> Problem {
    let user_name = model::enum_words::quoted(user_name);
    Problem::conflict(Conflict::TAKEN, format!("There is already an account with the userName {user_name}."))
}

pub(super) fn last_resort() -> Problem {
    let detail = "This is the account for emergencies, which no directory makes, takes over or changes.";
    Problem::conflict(Conflict::TAKEN, detail)
}

pub(super) fn not_set_up() -> Problem {
    Problem::forbidden("Docket has no administrator yet. Set it up first.")
}

pub(super) fn changed_since() -> Problem {
    let detail = "It has changed since this version. Read it again.";
    Problem::new(412, Conflict::CHANGED_SINCE.code(), Conflict::CHANGED_SINCE.title(), detail)
}

/// More than the directory may have, by the name of the setting.
pub(super) fn too_many(what: &str, most: u32, setting: &str) -> Problem {
    let detail = format!("There are {} {what}, which is the limit of {setting}.", model::grouped(u64::from(most)));
    let problem = Problem::new(409, Code::LIMIT_REACHED, "That is too many", detail);
    problem.with("limit", setting).with("most", u64::from(most))
}

/// What is wrong with an account that cannot be made, in the names that the directory has for it.
pub(super) fn not_made(problem: Problem) -> Problem {
    if problem.errors.iter().any(|error| error.code == "taken") {
        return Problem::conflict(Conflict::TAKEN, problem.detail);
    }
    let renamed = |error: FieldError| {
        let field = if error.field == "username" { "userName" } else { &error.field };
        FieldError::new(field, &error.code, format!("{field}: {}", error.message))
    };
    Problem::fields(problem.errors.into_iter().map(renamed).collect())
}

pub(super) fn no_group() -> Problem {
    Problem::new(404, Code::NOT_FOUND, "Not found", "There is no group with this id.")
}

pub(super) fn group_taken(name: &str) -> Problem {
    let name = model::enum_words::quoted(name);
    Problem::conflict(Conflict::TAKEN, format!("There is already a group with the displayName {name}."))
}

/// What is said when the database refuses a name that nobody had a moment ago.
pub(super) fn named_meanwhile(error: DbErr, name: &str) -> Error {
    match queue::is_refusal(&error) {
        true => group_taken(name).into(),
        false => error.into(),
    }
}

pub(super) fn no_member(id: AccountId) -> Problem {
    Problem::field("members", "unknown", format!("members: there is no user with the id {id}."))
}
