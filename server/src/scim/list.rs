//! What a list is asked for, and how it is answered.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;
use caseload::directory::{DirectoryBounds, Slice};
use model::Problem;
use serde_json::{Value, json};

use super::{
    answers::{answer, refused},
    filter::{self, FilterTerm},
};
use crate::{state::AppState, web::problem::ProblemAnswer};

const LIST: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/// Which of all are wanted, and what of each.
#[derive(Debug, Default)]
pub struct Listed {
    pub terms: Vec<FilterTerm>,
    pub slice: Slice,
    pub shown: WantedMembers,
}

/// Which members of a resource are wanted, in small letters; all, unless some are named.
#[derive(Debug, Default)]
pub struct WantedMembers {
    only: Vec<String>,
    without: Vec<String>,
}

impl FromRequestParts<AppState> for Listed {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ProblemAnswer> {
        Ok(read(parts.uri.query().unwrap_or_default(), &state.directory.bounds)?)
    }
}

fn read(query: &str, bounds: &DirectoryBounds) -> Result<Listed, Problem> {
    let (mut listed, mut start, mut count) = (Listed::default(), 1, u64::from(bounds.page));
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match &*name.to_lowercase() {
            "filter" if !value.trim().is_empty() => listed.terms = filter::terms(&value, bounds.filter as usize)?,
            "startindex" => start = number("startIndex", &value)?.max(1).unsigned_abs(),
            "count" => count = number("count", &value)?.max(0).unsigned_abs().min(count),
            "attributes" => listed.shown.only = names(&value),
            "excludedattributes" => listed.shown.without = names(&value),
            _ => {}
        }
    }
    listed.slice = Slice { skip: start - 1, most: count };
    Ok(listed)
}

fn number(name: &str, value: &str) -> Result<i64, Problem> {
    // Further than anybody's list goes, and within what both databases count.
    let read = value.trim().parse::<i64>().ok().map(|number| number.min(i64::from(i32::MAX)));
    read.ok_or_else(|| refused("invalidValue", format!("{name}: a whole number is needed.")))
}

/// The outermost names of attributes with commas between.
fn names(list: &str) -> Vec<String> {
    let name = |name: &str| filter::plain(name.trim()).split('.').next().unwrap_or_default().to_lowercase();
    list.split(',').map(name).filter(|name| !name.is_empty()).collect()
}

impl WantedMembers {
    /// Whether a member is wanted.
    pub fn shows(&self, member: &str) -> bool {
        let (member, is_in) =
            (member.to_lowercase(), |list: &[String], member: &str| list.iter().any(|one| one == member));
        ["id", "schemas", "meta"].contains(&&*member)
            || (self.only.is_empty() || is_in(&self.only, &member)) && !is_in(&self.without, &member)
    }

    /// A resource with what is wanted of it.
    pub fn of(&self, resource: impl serde::Serialize) -> Value {
        let mut value = serde_json::to_value(resource).unwrap_or_default();
        if let Some(members) = value.as_object_mut() {
            members.retain(|name, _| self.shows(name));
        }
        value
    }
}

/// The answer to a list.
pub fn list(total: u64, slice: Slice, resources: Vec<Value>) -> Response {
    let body = json!({
        "schemas": [LIST],
        "totalResults": total,
        "startIndex": slice.skip + 1,
        "itemsPerPage": resources.len(),
        "Resources": resources,
    });
    answer(axum::http::StatusCode::OK, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(query: &str) -> Slice {
        read(query, &DirectoryBounds { page: 50, ..DirectoryBounds::default() }).unwrap().slice
    }

    #[test]
    fn a_page_begins_at_one_and_has_no_more_than_it_may() {
        assert_eq!(slice(""), Slice { skip: 0, most: 50 });
        assert_eq!(slice("startIndex=11&count=10"), Slice { skip: 10, most: 10 });
        assert_eq!(slice("startIndex=0&count=-1"), Slice { skip: 0, most: 0 });
        assert_eq!(slice("count=1000"), Slice { skip: 0, most: 50 });
        assert!(read("count=ten", &DirectoryBounds::default()).is_err());
    }

    #[test]
    fn what_nobody_wants_is_left_out_and_the_id_never_is() {
        let of = |query: &str| read(query, &DirectoryBounds::default()).unwrap().shown;
        let group = json!({ "id": "7", "schemas": [], "displayName": "Deans", "members": [] });
        let names = |shown: &WantedMembers| shown.of(&group).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&of("excludedAttributes=members")), ["displayName", "id", "schemas"]);
        assert_eq!(names(&of("attributes=displayName,members.value")), ["displayName", "id", "members", "schemas"]);
    }
}
