//! The filter of the people list: its fields, and its faces in a URL. `caseload/src/people/filter.rs` is the only place that turns it
//! into SQL, so that the list, the count in a dialog and the people treated are always the same.

pub mod query;

use std::borrow::Cow;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::{
    PersonId, Problem, ProgramStatus,
    enum_words::words,
    extra_fields::{self, ExtraFields},
    length::within,
};

words! {
    /// Whose people are looked at.
    Scope {
        /// Those whose coach the viewer is.
        Caseload = "caseload", "My caseload";
        /// Those the viewer watches; watching grants no reach.
        Watchlist = "watchlist", "Watch list";
        /// All within reach.
        All = "all", "Everyone";
    }
}

words! {
    /// A field of the filter whose values are found in the data.
    FilterField {
        Coach = "coach", "Coach";
        HomeCampus = "homeCampus", "Campus";
        Major = "major", "Major";
        StartTerm = "startTerm", "Start term";
        StudentType = "studentType", "Student type";
    }
}

words! {
    /// Whether somebody has an email address.
    HasEmail {
        Yes = "yes", "Has an address";
        No = "no", "No address";
    }
}

words! {
    /// Whether somebody is activated.
    IsActivated {
        Yes = "yes", "Activated";
        No = "no", "Not activated";
    }
}

/// Which people. Values within a field are alternatives; fields narrow each other. The default is everybody in the scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams, utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PeopleFilter {
    /// When absent the viewer's default scope: their caseload for coaches, everyone for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The beginning of a name (either way round), a school id or an email address; case and accents do not count. Fewer
    /// than three letters ([`LETTERS_FOR_ALL`]) are looked for in last names only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub q: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub program_status: Vec<ProgramStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coach: Vec<PersonId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub home_campus: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub major: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start_term: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub student_type: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activated: Option<IsActivated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<HasEmail>,
    /// The first day on which the present status may have begun, in the time zone of whoever asks, or UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_from: Option<NaiveDate>,
    /// The last such day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_to: Option<NaiveDate>,
    /// What an import keeps beyond the fields above: by the name of such a field its values, each as it was imported. At most
    /// 5 fields with 20 values each.
    #[cfg_attr(feature = "openapi", param(ignore))]
    #[serde(skip_serializing_if = "ExtraFields::is_empty")]
    pub extra: ExtraFields,
}

/// From so many letters on a search looks at first names, school ids and addresses too; below, nearly everybody would match.
pub const LETTERS_FOR_ALL: usize = 3;

/// The longest search text or value, in characters, and the most values of one field.
const MAX_TEXT: usize = 200;
const MAX_BYTES: usize = 4 * MAX_TEXT;
const MAX_VALUES: usize = 200;

impl PeopleFilter {
    /// Whether it is everyone within reach: nothing narrows it. A watch list is a choice of its own.
    pub fn is_everyone(&self) -> bool {
        self.scope != Some(Scope::Watchlist) && *self == PeopleFilter { scope: self.scope, ..PeopleFilter::default() }
    }

    /// Whether it asks for more of somebody than what they are called.
    pub fn asks_for_facts(&self) -> bool {
        let by_name = PeopleFilter { scope: self.scope, q: self.q.clone(), ..PeopleFilter::default() };
        *self != by_name
    }

    /// The filter as the pairs of a query string, in a fixed order.
    pub fn pairs(&self) -> Vec<(Cow<'static, str>, String)> {
        let of_extra = |(name, values): (&String, &Vec<String>)| {
            let key = extra_fields::key(name);
            values.iter().map(|value| (Cow::from(key.clone()), value.clone())).collect::<Vec<_>>()
        };
        let known = self.known_pairs().into_iter().map(|(key, value)| (Cow::from(key), value));
        known.chain(self.extra.iter().flat_map(of_extra)).collect()
    }

    /// Those of the fields that everybody has.
    fn known_pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        pairs.extend(self.scope.map(|scope| ("scope", scope.to_string())));
        if !self.q.is_empty() {
            pairs.push(("q", self.q.clone()));
        }
        pairs.extend(self.program_status.iter().map(|value| ("programStatus", value.to_string())));
        pairs.extend(self.coach.iter().map(|value| ("coach", value.to_string())));
        pairs.extend(self.home_campus.iter().map(|value| ("homeCampus", value.clone())));
        pairs.extend(self.major.iter().map(|value| ("major", value.clone())));
        pairs.extend(self.start_term.iter().map(|value| ("startTerm", value.clone())));
        pairs.extend(self.student_type.iter().map(|value| ("studentType", value.clone())));
        pairs.extend(self.activated.map(|value| ("activated", value.to_string())));
        pairs.extend(self.email.map(|value| ("email", value.to_string())));
        pairs.extend(self.since_from.map(|day| ("sinceFrom", day.to_string())));
        pairs.extend(self.since_to.map(|day| ("sinceTo", day.to_string())));
        pairs
    }

    /// The filter as a query string, without `?`.
    pub fn to_query(&self) -> String {
        encode(&self.pairs())
    }

    /// Trimmed, bounded and without repetitions; refuses what is out of bounds by name.
    pub fn checked(mut self) -> Result<Self, Problem> {
        within::<MAX_BYTES>(&self.q).map_err(|too_long| too_long.of("q"))?;
        self.q = self.q.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.q.chars().count() > MAX_TEXT {
            return Err(Problem::field("q", "too_long", format!("Search for at most {MAX_TEXT} characters.")));
        }
        let texts = [
            ("q", "search", std::slice::from_ref(&self.q)),
            ("homeCampus", "campus", &self.home_campus),
            ("major", "major", &self.major),
            ("startTerm", "start term", &self.start_term),
            ("studentType", "student type", &self.student_type),
        ];
        for (field, word, values) in texts {
            if values.iter().any(|value| value.len() > MAX_BYTES || value.chars().count() > MAX_TEXT) {
                let message = format!("Each {word} can have at most {MAX_TEXT} characters.");
                return Err(Problem::field(field, "too_long", message));
            }
            if values.iter().any(|value| crate::enum_words::has_control(value)) {
                return Err(Problem::field(field, "invalid", "Remove the characters that cannot be searched for."));
            }
        }
        fn tidy<T: Ord>(field: &str, values: &mut Vec<T>) -> Result<(), Problem> {
            if values.len() > MAX_VALUES {
                return Err(Problem::field(field, "too_many", format!("Choose at most {MAX_VALUES} values.")));
            }
            values.sort();
            values.dedup();
            Ok(())
        }
        tidy("programStatus", &mut self.program_status)?;
        tidy("coach", &mut self.coach)?;
        for (field, values) in [
            ("homeCampus", &mut self.home_campus),
            ("major", &mut self.major),
            ("startTerm", &mut self.start_term),
            ("studentType", &mut self.student_type),
        ] {
            values.retain(|value| !value.is_empty());
            tidy(field, values)?;
        }
        self.extra = extra_fields::checked(self.extra)?;
        if self.since_from.zip(self.since_to).is_some_and(|(from, to)| from > to) {
            return Err(Problem::field("sinceTo", "out_of_range", "The end date is before the start date."));
        }
        Ok(self)
    }
}

fn encode(pairs: &[(Cow<'static, str>, String)]) -> String {
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}
