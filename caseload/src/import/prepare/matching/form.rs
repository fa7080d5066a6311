//! A matching as the form of its page sends it: `f3` is the field of the fourth column, `d3` how its dates are written, `m3.0` what
//! the first of its values means, and `r3.0` the reason that goes with it.

use model::{
    Problem, ProgramStatus,
    import::{DateForm, EXTRA, LEFT_OUT, Separator},
};

use crate::import::{
    prepare::{
        content,
        matching::{KeptLine, Matching},
        profile::Profile,
    },
    rows::{field::Field, mapping::Keep},
};

/// What the field of the new people's status is called in the form.
pub const NEW_STATUS: &str = "newStatus";
/// Which of several lines of a person counts, and by which column.
const KEEP: &str = "keep";
const KEEP_BY: &str = "keepBy";

/// What stands between the cells.
const SEPARATOR: &str = "separator";

/// The separator that was chosen.
pub fn separator(pairs: &[(String, String)]) -> Result<Option<Separator>, Problem> {
    let chosen = pairs.iter().rfind(|(key, _)| key == SEPARATOR).map(|(_, chosen)| chosen);
    chosen.map(|chosen| chosen.parse().map_err(|_| unknown(SEPARATOR))).transpose()
}

/// Takes over what was chosen; whatever the form does not speak of stays.
pub fn take(matching: &mut Matching, profile: &Profile, pairs: &[(String, String)]) -> Result<(), Problem> {
    for (key, value) in pairs {
        if key == NEW_STATUS {
            matching.new_status = Some(status(value)?);
            continue;
        }
        let Some((kind, rest)) = key.split_at_checked(1) else { continue };
        let (place, of_value) = rest.split_once('.').map_or((rest, None), |(place, of)| (place, of.parse().ok()));
        let Some(column) = place.parse().ok().and_then(|place: usize| profile.columns.get(place)) else { continue };
        if column.unusable.is_some() {
            continue;
        }
        let name = column.name.clone();
        match (kind, of_value) {
            ("f", None) => drop(matching.columns.insert(name, field(key, value)?)),
            ("d", None) => drop(matching.dates.insert(name, dates(key, value)?)),
            ("m", Some(number)) => {
                let number: usize = number;
                let text = column.values.get(number).ok_or_else(|| unknown(key))?.clone();
                matching.meanings.entry(name).or_default().insert(text, meaning(key, value)?);
            }
            ("r", Some(number)) => {
                let number: usize = number;
                let text = column.values.get(number).ok_or_else(|| unknown(key))?.clone();
                matching.reasons.entry(name).or_default().insert(text, reason(key, value)?);
            }
            _ => {}
        }
    }
    if let Some((_, how)) = pairs.iter().rfind(|(key, _)| key == KEEP) {
        matching.keep = kept_line(profile, how, pairs)?;
    }
    forget_what_is_of_other_fields(matching);
    matching.complete(profile);
    Ok(())
}

/// What the values of a column mean is of the field that it was matched to when that was said.
fn forget_what_is_of_other_fields(matching: &mut Matching) {
    let fields = matching.columns.clone();
    matching.meanings.retain(|column, meanings| {
        let Some(field) = fields.get(column).and_then(|key| Field::named(key)) else { return false };
        let choices = content::choices(field);
        meanings.retain(|_, means| means.is_empty() || choices.iter().any(|(name, _)| name == means));
        // Nothing was said of them while the column was something else.
        meanings.values().any(|means| !means.is_empty()) && !choices.is_empty()
    });
    forget_idle_reasons(matching);
    matching.dates.retain(|column, _| fields.get(column).is_some_and(|key| key == Field::BirthDate.name()));
}

/// A reason goes with what a value means, and only where that needs one.
fn forget_idle_reasons(matching: &mut Matching) {
    let mut reasons = matching.reasons.clone();
    for (column, reasons) in &mut reasons {
        reasons.retain(|value, reason| !reason.is_empty() && matching.reason_of(column, value).is_some());
    }
    reasons.retain(|_, reasons| !reasons.is_empty());
    matching.reasons = reasons;
}

fn kept_line(profile: &Profile, how: &str, pairs: &[(String, String)]) -> Result<Option<KeptLine>, Problem> {
    let keep = match how {
        "" => return Ok(None),
        how => [Keep::Latest, Keep::Most].into_iter().find(|keep| keep.name() == how).ok_or_else(|| unknown(KEEP))?,
    };
    let by = pairs.iter().rfind(|(key, _)| key == KEEP_BY).and_then(|(_, place)| place.parse::<usize>().ok());
    let column = profile.usable().find(|(place, _)| Some(*place) == by).map(|(_, column)| column.name.clone());
    Ok(Some(KeptLine { column: column.unwrap_or_default(), keep }))
}

fn field(key: &str, value: &str) -> Result<String, Problem> {
    let is_known = value == LEFT_OUT || value == EXTRA || Field::named(value).is_some();
    if is_known { Ok(value.to_owned()) } else { Err(unknown(key)) }
}

fn dates(key: &str, value: &str) -> Result<DateForm, Problem> {
    DateForm::ALL.into_iter().find(|form| form.name() == value).ok_or_else(|| unknown(key))
}

fn meaning(key: &str, value: &str) -> Result<String, Problem> {
    let all = [Field::ProgramStatus, Field::ChangeReason].into_iter().flat_map(content::choices);
    let is_known = value.is_empty() || all.into_iter().any(|(name, _)| name == value);
    if is_known { Ok(value.to_owned()) } else { Err(unknown(key)) }
}

fn reason(key: &str, value: &str) -> Result<String, Problem> {
    let is_known = value.is_empty() || content::choices(Field::ChangeReason).iter().any(|(name, _)| *name == value);
    if is_known { Ok(value.to_owned()) } else { Err(unknown(key)) }
}

fn status(value: &str) -> Result<ProgramStatus, Problem> {
    let status = ProgramStatus::ALL.iter().find(|status| status.name() == value && !status.needs_reason());
    status.copied().ok_or_else(|| unknown(NEW_STATUS))
}

fn unknown(key: &str) -> Problem {
    Problem::field(key, "invalid", "Choose one of the options.")
}
