//! What a server function answers when it does not do what was asked. Only a [`Problem`] crosses from the server to the
//! page; whatever goes wrong on the way becomes one here, in words for people.

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use model::{Code, Problem};
use serde::{Deserialize, Serialize};

/// A refused call of a server function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal(pub Problem);

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Refusal(problem)
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        Refusal(match error {
            ServerFnErrorErr::Request(_) => Problem::new(
                503,
                Code::UNREACHABLE,
                "Docket does not answer",
                "The connection was lost. Reload the page and check whether your last change was saved.",
            ),
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                Problem::bad_request(Code::UNREADABLE, "The form was incomplete. Go back and try again.")
            }
            _ => Problem::internal(),
        })
    }
}

impl Refusal {
    /// Adds what was typed, so that a page that comes back without scripts still has it (see [`Refusal::given`]).
    pub fn keeping(mut self, fields: &[(&str, &str)]) -> Self {
        for (field, value) in fields {
            self.0 = self.0.with(&format!("given.{field}"), *value);
        }
        self
    }

    /// What was typed into a field of the form that was refused.
    pub fn given(&self, field: &str) -> Option<String> {
        self.0.more.get(&format!("given.{field}"))?.as_str().map(str::to_owned)
    }
}

/// What was wrong with a field of the form that was refused, if any was.
pub fn wrong(refusal: Option<&Refusal>, field: &str) -> Option<String> {
    refusal.and_then(|refusal| refusal.0.message_for(field)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_survives_the_way_back() {
        let sent = Refusal(Problem::internal()).keeping(&[("comment", "told us in May")]);
        let back = Refusal::de(sent.ser());
        assert_eq!(back.given("comment").as_deref(), Some("told us in May"));
        assert_eq!(back.given("reason"), None);
    }
}
