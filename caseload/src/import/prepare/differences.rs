//! What a line changes of somebody, in words: `home campus: Main → Harbour`.

use model::ProgramStatus;
use serde_json::{Map, Value};

use crate::import::{prepare::look::shortened, rows::person_row::Record};

/// The most changes that are named.
const NAMED: usize = 4;

/// What differs.
pub fn between(before: &Record, after: &Record) -> String {
    let mut found = Vec::new();
    let mut note = |what: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            let shown = |text: Option<String>| {
                text.filter(|text| !text.is_empty()).map_or("none".to_owned(), |text| shortened(&text))
            };
            found.push(format!("{what}: {} → {}", shown(before), shown(after)));
        }
    };
    let yes = |flag: bool| Some(if flag { "yes" } else { "no" }.to_owned());
    let status = |status: Option<ProgramStatus>| status.map(|status| status.label().to_owned());
    note("last name", Some(before.last_name.clone()), Some(after.last_name.clone()));
    note("first name", Some(before.first_name.clone()), Some(after.first_name.clone()));
    note("middle name", before.middle_name.clone(), after.middle_name.clone());
    note("email", before.primary_email.clone(), after.primary_email.clone());
    note("secondary email", before.secondary_email.clone(), after.secondary_email.clone());
    note("birth date", before.birth_date.map(|date| date.to_string()), after.birth_date.map(|date| date.to_string()));
    note("type", before.student_type.clone(), after.student_type.clone());
    note("campus", before.home_campus.clone(), after.home_campus.clone());
    note("major", before.declared_major.clone(), after.declared_major.clone());
    note("start term", before.start_term.clone(), after.start_term.clone());
    note("program status", status(before.program_status), status(after.program_status));
    let reason = |of: &Record| of.change_reason.map(|reason| reason.label().to_owned());
    note("reason", reason(before), reason(after));
    note("activated", yes(before.activated), yes(after.activated));
    note("opted out of email", yes(before.email_opt_out), yes(after.email_opt_out));
    for key in after.extra.keys().chain(before.extra.keys().filter(|key| !after.extra.contains_key(*key))) {
        note(&shortened(key), extra(&before.extra, key), extra(&after.extra, key));
    }
    if before.coach_id != after.coach_id {
        found.push("coach".to_owned());
    }
    let more = found.len().saturating_sub(NAMED);
    found.truncate(NAMED);
    match more {
        0 => found.join(", "),
        more => format!("{}, and {more} more", found.join(", ")),
    }
}

fn extra(of: &Map<String, Value>, key: &str) -> Option<String> {
    of.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
