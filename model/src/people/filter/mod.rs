//! The filter of the people list: its fields, and its faces in a URL. `caseload/src/people/filter.rs` is the only place that turns it
//! into SQL, so that the list, the count in a dialog and the people treated are always the same.

pub mod extra_fields;

use std::{borrow::Cow, collections::HashSet, str::FromStr};

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::{
    Cursor, ListLook, PersonId, Problem, ProgramStatus, Sort,
    enum_words::{self, Reader, Word, words},
    length::within,
};

use extra_fields::ExtraFields;

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

/// One page of the people list: which people, in which order, from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeopleQuery {
    pub filter: PeopleFilter,
    /// `None` means by name.
    pub sort: Option<Sort>,
    /// Rows on a page; 25 when absent, at most [`MAX_LIMIT`].
    pub limit: Option<u32>,
    /// Where the page begins: `next` of the page before.
    pub after: Option<Cursor>,
}

/// The most rows on a page.
pub const MAX_LIMIT: u32 = 200;

impl PeopleQuery {
    /// Reads the pairs of a query string. Empty values count as absent; an unknown key or a bad value is refused by name.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        reader: Reader,
    ) -> Result<Self, Problem> {
        let mut query = PeopleQuery::default();
        for (key, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
            let filter = &mut query.filter;
            match key {
                "scope" => filter.scope = Some(parse(key, value, reader)?),
                "q" => filter.q = value.to_owned(),
                "programStatus" => filter.program_status.push(parse(key, value, reader)?),
                "coach" => filter.coach.push(coach(value, reader)?),
                "homeCampus" => filter.home_campus.push(value.to_owned()),
                "major" => filter.major.push(value.to_owned()),
                "startTerm" => filter.start_term.push(value.to_owned()),
                "studentType" => filter.student_type.push(value.to_owned()),
                "activated" => filter.activated = Some(parse(key, value, reader)?),
                "email" => filter.email = Some(parse(key, value, reader)?),
                "sinceFrom" => filter.since_from = Some(day(key, value)?),
                "sinceTo" => filter.since_to = Some(day(key, value)?),
                "sort" => query.sort = Some(Sort::parse(value, reader)?),
                "limit" => query.limit = Some(limit(value)?),
                "after" => query.after = Some(Cursor::read(value)?),
                other => {
                    if let Some(name) = extra_fields::named(other) {
                        filter.extra.entry(name.to_owned()).or_default().push(value.to_owned());
                        continue;
                    }
                    return Err(Problem::field(
                        other,
                        "unknown",
                        format!("There is no filter called {}.", enum_words::quoted(other)),
                    ));
                }
            }
        }
        query.filter = query.filter.checked()?;
        Ok(query)
    }

    /// Reads the query string of a saved view, without `?`. How its list looks is none of it.
    pub fn from_query(text: &str) -> Result<Self, Problem> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).unwrap_or_default();
        let asked = pairs.iter().filter(|(key, _)| !ListLook::KEYS.contains(&key.as_str()));
        PeopleQuery::from_pairs(asked.map(|(key, value)| (key.as_str(), value.as_str())), Reader::Person)
    }

    /// The query as a query string, without `?`.
    pub fn to_query(&self) -> String {
        let mut pairs = self.filter.pairs();
        pairs.extend(self.sort.map(|sort| ("sort".into(), sort.to_string())));
        pairs.extend(self.limit.map(|limit| ("limit".into(), limit.to_string())));
        pairs.extend(self.after.as_ref().map(|after| ("after".into(), after.as_str().to_owned())));
        encode(&pairs)
    }
}

/// Parameters whose values are alternatives, so that each of them is meant.
const SEVERAL: [&str; 9] =
    ["programStatus", "coach", "homeCampus", "major", "startTerm", "studentType", "status", "state", "only"];

fn is_several(name: &str) -> bool {
    SEVERAL.contains(&name) || extra_fields::named(name).is_some()
}

/// Refuses a parameter that is there more than once and has one value: which of the two was meant nobody can know.
pub fn once<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    match names.into_iter().find(|name| !is_several(name) && !seen.insert(*name)) {
        Some(twice) => {
            let message = format!("{} is given more than once. Send it once.", enum_words::quoted(twice));
            Err(Problem::field(twice, "duplicate", message))
        }
        None => Ok(()),
    }
}

/// A page size from a query string.
pub fn limit(value: &str) -> Result<u32, Problem> {
    match value.parse() {
        Ok(limit @ 1..=MAX_LIMIT) => Ok(limit),
        _ => Err(Problem::field("limit", "out_of_range", format!("Choose a page size from 1 to {MAX_LIMIT}."))),
    }
}

/// A value from a query string or form, refused under its key with the choices as the reader knows them.
pub fn parse<T: Word + FromStr<Err = String>>(key: &str, value: &str, reader: Reader) -> Result<T, Problem> {
    value.parse().map_err(|why| {
        let message = match reader {
            Reader::Person => {
                let choices: Vec<_> = T::EACH.iter().map(|choice| choice.called(reader)).collect();
                enum_words::no_choice(value, &choices)
            }
            Reader::Program => format!("{key}: {why}."),
        };
        Problem::field(key, "invalid", message)
    })
}

/// A day, as browsers and programs write it.
fn day(key: &str, value: &str) -> Result<NaiveDate, Problem> {
    // What databases keep as days: nobody means the year 99999.
    let day = value.parse().ok().filter(|day: &NaiveDate| (1900..=2999).contains(&day.year()));
    day.ok_or_else(|| {
        let given = enum_words::quoted(value);
        Problem::field(key, "invalid", format!("{given} is not a date. Write it like 2026-08-31."))
    })
}

/// The id of a coach.
fn coach(value: &str, reader: Reader) -> Result<PersonId, Problem> {
    value.parse().map_err(|_| {
        let given = enum_words::quoted(value);
        let message = match reader {
            Reader::Person => format!("There is no coach {given}. Choose one from the filter."),
            Reader::Program => format!("coach: {given} is not the ID of a person."),
        };
        Problem::field("coach", "invalid", message)
    })
}

fn encode(pairs: &[(Cow<'static, str>, String)]) -> String {
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PersonColumn;

    #[test]
    fn a_query_survives_its_url() {
        let query = PeopleQuery {
            filter: PeopleFilter {
                scope: Some(Scope::All),
                q: "o’sullivan & co".into(),
                program_status: vec![ProgramStatus::Active, ProgramStatus::NoShow],
                coach: vec![PersonId::from_u128(7)],
                home_campus: vec!["East Anglian Region".into()],
                major: vec!["AAA".into(), "BBB".into()],
                start_term: vec!["2013J".into()],
                student_type: vec!["Transfer".into()],
                activated: Some(IsActivated::No),
                email: Some(HasEmail::Yes),
                since_from: "2026-08-01".parse().ok(),
                since_to: "2026-08-31".parse().ok(),
                extra: [("IMD band".to_owned(), vec!["10-20".to_owned(), "20-30%".to_owned()])].into(),
            },
            sort: Some(Sort::by(PersonColumn::SchoolId).reversed()),
            limit: Some(50),
            after: Some(Cursor::after("abc")),
        };
        let text = query.to_query();
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&text).unwrap();
        let read =
            PeopleQuery::from_pairs(pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())), Reader::Program).unwrap();
        assert_eq!(read, query);
    }

    #[test]
    fn of_one_value_there_is_one() {
        assert_eq!(once(["limit", "q", "limit"]).unwrap_err().errors[0].field, "limit");
        assert!(once(["programStatus", "q", "programStatus", "state", "state"]).is_ok());
        assert!(once(["extra.cohort", "extra.cohort"]).is_ok());
    }

    #[test]
    fn an_unknown_filter_is_refused_by_name() {
        let problem = PeopleQuery::from_pairs([("campus", "Main")], Reader::Program).unwrap_err();
        assert_eq!((problem.status, problem.errors[0].field.as_str()), (400, "campus"));
        let problem = PeopleQuery::from_pairs([("extra.", "a")], Reader::Program).unwrap_err();
        assert_eq!(problem.errors[0].field, "extra.");
        let problem = PeopleQuery::from_pairs([("limit", "0")], Reader::Program).unwrap_err();
        assert_eq!(problem.errors[0].field, "limit");
    }

    #[test]
    fn people_are_told_choices_as_pages_show_them_and_programs_as_they_send_them() {
        let said = |pair, reader| PeopleQuery::from_pairs([pair], reader).unwrap_err().errors[0].message.clone();
        let nobody = ("coach", "Nobody");
        assert_eq!(said(nobody, Reader::Person), "There is no coach “Nobody”. Choose one from the filter.");
        assert_eq!(said(nobody, Reader::Program), "coach: “Nobody” is not the ID of a person.");
        let ours = ("scope", "ours");
        assert_eq!(
            said(ours, Reader::Person),
            "“ours” is not a choice here. Choose My caseload, Watch list or Everyone."
        );
        assert_eq!(said(ours, Reader::Program), "scope: “ours” is not one of caseload, watchlist, all.");
    }
}
