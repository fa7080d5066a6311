//! What a line changes of somebody: each field with what it was and what it becomes, what matters most first.

use model::import::FieldChange;
use serde_json::{Map, Value};

use crate::import::{
    prepare::look::{shortened, shortened_to},
    rows::{field::Field, person_row::Record},
};

/// The most changes that are told of a line.
pub const TOLD: usize = 12;

/// So many characters of a value: an address can be read to its end.
const LONGEST: usize = 120;

/// What differs: first the status and whether somebody is written to, then what is emptied, then all else.
pub fn between(before: &Record, after: &Record) -> Vec<FieldChange> {
    let mut found = Vec::new();
    let mut note = |field: &str, before: Option<&str>, after: Option<&str>, empties: bool| {
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        if before != after {
            let is_emptied = empties && after.is_empty();
            let [before, after] = [before, after].map(|value| shortened_to(LONGEST, value));
            found.push(FieldChange { field: shortened(field), before, after, is_emptied });
        }
    };
    let yes = |flag: bool| Some(if flag { "yes" } else { "no" });
    let date = |of: &Record| of.birth_date.map(|date| date.to_string());
    let status = |of: &Record| of.program_status.map(|status| status.label());
    note(Field::ProgramStatus.label(), status(before), status(after), true);
    // A status takes its reason with it.
    let reason = |of: &Record| of.change_reason.map(|reason| reason.label());
    note(Field::ChangeReason.label(), reason(before), reason(after), false);
    note(Field::Activated.label(), yes(before.activated), yes(after.activated), false);
    note(Field::EmailOptOut.label(), yes(before.email_opt_out), yes(after.email_opt_out), false);
    for field in [
        Field::PrimaryEmail,
        Field::SecondaryEmail,
        Field::LastName,
        Field::FirstName,
        Field::MiddleName,
        Field::StudentType,
        Field::HomeCampus,
        Field::DeclaredMajor,
        Field::StartTerm,
    ] {
        note(field.label(), text(before, field), text(after, field), true);
    }
    note(Field::BirthDate.label(), date(before).as_deref(), date(after).as_deref(), true);
    if before.coach_id != after.coach_id {
        let named = |is_there: bool, word| is_there.then_some(word);
        note(
            "Coach",
            named(before.coach_id.is_some(), "assigned"),
            named(after.coach_id.is_some(), "another one"),
            true,
        );
    }
    for key in after.extra.keys().chain(before.extra.keys().filter(|key| !after.extra.contains_key(*key))) {
        let [before, after] = [before, after].map(|of| extra(&of.extra, key));
        note(key, before.as_deref(), after.as_deref(), true);
    }
    let is_foremost = |change: &FieldChange| {
        [Field::ProgramStatus, Field::ChangeReason, Field::Activated, Field::EmailOptOut]
            .iter()
            .any(|field| field.label() == change.field)
    };
    found.sort_by_key(|change| (!is_foremost(change), !change.is_emptied));
    found
}

/// A field that is a line of text.
fn text(of: &Record, field: Field) -> Option<&str> {
    match field {
        Field::PrimaryEmail => of.primary_email.as_deref(),
        Field::SecondaryEmail => of.secondary_email.as_deref(),
        Field::LastName => Some(&of.last_name),
        Field::FirstName => Some(&of.first_name),
        Field::MiddleName => of.middle_name.as_deref(),
        Field::StudentType => of.student_type.as_deref(),
        Field::HomeCampus => of.home_campus.as_deref(),
        Field::DeclaredMajor => of.declared_major.as_deref(),
        Field::StartTerm => of.start_term.as_deref(),
        Field::SchoolId
        | Field::BirthDate
        | Field::Coach
        | Field::ProgramStatus
        | Field::ChangeReason
        | Field::Activated
        | Field::EmailOptOut => None,
    }
}

fn extra(of: &Map<String, Value>, key: &str) -> Option<String> {
    of.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
