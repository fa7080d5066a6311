//! From a target, as somebody gave it, to who is meant: people by name, or everybody who matches.

use model::{PeopleFilter, Problem, Scope, Selection, Target, selection::MAX_PICKED};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Actor, Caseload, Result};

/// Who an action is aimed at. Kept in previews and in the spec of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
pub enum Members {
    /// These, whether they exist or not.
    Listed {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ids: Vec<Uuid>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        school_ids: Vec<String>,
    },
    /// Everybody who matches at the time of the freeze, but not these.
    Matching {
        filter: PeopleFilter,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<Uuid>,
    },
}

impl Members {
    /// Whether this is everyone within reach, with nothing to narrow it.
    pub fn is_everyone(&self) -> bool {
        matches!(self, Members::Matching { filter, exclude } if exclude.is_empty() && filter.is_everyone())
    }

    /// The filter, when it is one.
    pub fn filter(&self) -> Option<&PeopleFilter> {
        match self {
            Members::Matching { filter, .. } => Some(filter),
            Members::Listed { .. } => None,
        }
    }
}

impl Caseload {
    /// Who is meant by a target. An empty list is nobody, never everybody.
    pub(crate) async fn members(&self, actor: &Actor, target: Target) -> Result<Members> {
        let members = match target {
            Target::People(ids) => Members::Listed { ids: tidy("personIds", ids)?, school_ids: Vec::new() },
            Target::SchoolIds(given) => {
                if given.iter().any(|id| model::text::has_control(id)) {
                    return Err(
                        Problem::field("schoolIds", "invalid", "A school id has characters that none has.").into()
                    );
                }
                let given = given.iter().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
                Members::Listed { ids: Vec::new(), school_ids: tidy("schoolIds", given)? }
            }
            Target::Query { filter, exclude } => {
                Members::Matching { filter: filter.checked()?, exclude: tidy("exclude", exclude)? }
            }
            Target::Everyone => {
                let filter = PeopleFilter { scope: Some(Scope::All), ..PeopleFilter::default() };
                Members::Matching { filter, exclude: Vec::new() }
            }
            Target::Selection(token) => match self.load_selection(actor, token).await? {
                Selection::Picked { ids } => Members::Listed { ids, school_ids: Vec::new() },
                Selection::Matching { filter, exclude } => Members::Matching { filter, exclude },
            },
        };
        Ok(members)
    }
}

/// Sorted, without repetitions, and no more than [`MAX_PICKED`].
fn tidy<T: Ord>(field: &str, mut values: Vec<T>) -> Result<Vec<T>> {
    values.sort();
    values.dedup();
    if values.len() > MAX_PICKED {
        let message = format!("List at most {} people, or select them by a filter.", model::grouped(MAX_PICKED as u64));
        return Err(Problem::field(field, "too_many", message).into());
    }
    Ok(values)
}
