//! The address of the tasks page: whose tasks, in which states, from where.

use model::{Problem, TaskQuery, TaskState, enum_words, parameters, task::TaskScope};

use crate::url;

/// The tabs: states that staff look for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    All,
    Open,
    NeedALook,
    Done,
    Cancelled,
}

impl Group {
    pub const ALL: [Group; 5] = [Group::All, Group::Open, Group::NeedALook, Group::Done, Group::Cancelled];

    /// The name in the address; none for all.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Group::All => None,
            Group::Open => Some("open"),
            Group::NeedALook => Some("look"),
            Group::Done => Some("done"),
            Group::Cancelled => Some("cancelled"),
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Group::All => "All",
            Group::Open => "Unfinished",
            Group::NeedALook => "Problems",
            Group::Done => "Done",
            Group::Cancelled => "Cancelled",
        }
    }

    /// Its states; none means every state.
    pub fn states(self) -> Vec<TaskState> {
        use TaskState::*;
        match self {
            Group::All => Vec::new(),
            Group::Open => vec![Unapproved, Scheduled, Held, Waiting, Retrying, Running],
            Group::NeedALook => vec![DoneWithProblems, Failed, CouldNotStart],
            Group::Done => vec![Done, DoneWithProblems],
            Group::Cancelled => vec![Cancelled, Abandoned, Declined],
        }
    }

    /// That of an address.
    pub fn of(search: &str) -> Group {
        let named = url::value(search, "show");
        Group::ALL.into_iter().find(|group| group.name() == named.as_deref()).unwrap_or(Group::All)
    }
}

/// Whose tasks there are to ask for, how that is called, and its name in the address.
pub const SCOPES: [(TaskScope, &str, Option<&str>); 2] =
    [(TaskScope::Mine, "My tasks", None), (TaskScope::All, "All staff", Some("all"))];

/// Whose tasks an address asks for.
pub fn scope(search: &str) -> TaskScope {
    match url::value(search, "scope").as_deref() {
        Some("all") => TaskScope::All,
        _ => TaskScope::Mine,
    }
}

/// The query in a query string.
pub fn query(search: &str) -> Result<TaskQuery, Problem> {
    let unknown = |key: &str, known: bool, choices: &[&str]| match url::value(search, key) {
        Some(value) if !known => Err(Problem::field(key, "invalid", enum_words::no_choice(&value, choices))),
        _ => Ok(()),
    };
    let pairs = url::pairs(search);
    parameters::once(pairs.iter().map(|(key, _)| key.as_str()))?;
    for (key, _) in pairs {
        let known = ["show", "scope", "kind", "limit", url::AFTER].contains(&key.as_str());
        if !known {
            return Err(Problem::field(
                &key,
                "unknown",
                format!("There is no filter called {}.", enum_words::quoted(&key)),
            ));
        }
    }
    let (show, whose) = (url::value(search, "show"), url::value(search, "scope"));
    unknown("show", Group::ALL.iter().any(|group| group.name() == show.as_deref()), &Group::ALL.map(Group::label))?;
    unknown("scope", matches!(whose.as_deref(), Some("mine" | "all")), &SCOPES.map(|(_, label, _)| label))?;
    Ok(TaskQuery {
        states: Group::of(search).states(),
        kind: url::value(search, "kind"),
        scope: scope(search),
        limit: url::value(search, "limit").map(|text| parameters::limit(&text)).transpose()?,
        after: url::after(search)?,
    })
}

/// Whether a task belongs to a list of these states.
pub fn belongs(group: Group, state: TaskState) -> bool {
    group == Group::All || group.states().contains(&state)
}

#[cfg(test)]
mod tests {
    use model::Cursor;

    use super::*;

    #[test]
    fn every_state_has_its_tab() {
        for &state in TaskState::ALL {
            assert!(Group::ALL[1..].iter().any(|&group| belongs(group, state)), "{state}");
        }
    }

    #[test]
    fn an_address_is_a_query() {
        let query = query("show=look&scope=all&after=x").unwrap();
        assert_eq!((query.states.len(), query.scope, query.after), (3, TaskScope::All, Some(Cursor::after("x"))));
        assert_eq!(super::query("show=nonsense").unwrap_err().errors[0].field, "show");
        let ours = super::query("scope=ours").unwrap_err().errors.remove(0);
        assert_eq!(
            (ours.field.as_str(), ours.message.as_str()),
            ("scope", "“ours” is not a choice here. Choose My tasks or All staff.")
        );
        assert_eq!(super::query("state=FAILED").unwrap_err().errors[0].field, "state");
        assert_eq!(super::query("show=done&show=open").unwrap_err().errors[0].field, "show");
        assert!(super::query("").is_ok());
    }
}
