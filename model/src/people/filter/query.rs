//! One page of the people list, and how an address says it.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::{
    Cursor, ListLook, PersonId, Problem, Sort,
    enum_words::{self, Reader},
    extra_fields,
    parameters::{limit, parse},
    people::filter::{PeopleFilter, encode},
};

/// One page of the people list: which people, in which order, from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeopleQuery {
    pub filter: PeopleFilter,
    /// `None` means by name.
    pub sort: Option<Sort>,
    /// Rows on a page; 25 when absent, at most [`MAX_LIMIT`](crate::parameters::MAX_LIMIT).
    pub limit: Option<u32>,
    /// Where the page begins: `next` of the page before.
    pub after: Option<Cursor>,
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PersonColumn, ProgramStatus,
        people::filter::{HasEmail, IsActivated, Scope},
    };

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
