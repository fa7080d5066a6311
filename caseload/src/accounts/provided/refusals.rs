//! Why somebody does not come in whom a provider has let in.

use model::{Code, FieldError, Problem};

pub(super) fn nobody() -> Problem {
    no_account("There is no Docket account for you. Ask your Docket administrator.")
}

pub(super) fn somebody_elses() -> Problem {
    no_account(
        "The account with your name or address already belongs to another sign-in there. Ask your Docket administrator.",
    )
}

pub(super) fn last_resort() -> Problem {
    no_account("The account with your name or address is the one for emergencies, which opens with its password alone.")
}

pub(super) fn not_set_up() -> Problem {
    no_account("Docket has no administrator yet. Wait until it is set up.")
}

pub(super) fn not_named() -> Problem {
    no_account("The provider does not say who you are in a way that Docket can keep.")
}

pub(super) fn at_once() -> Problem {
    no_account("Two sign-ins of yours came at the same time. Try again.")
}

pub(super) fn not_made(errors: &[FieldError]) -> Problem {
    let why: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let detail = format!("An account could not be made for you. Tell your Docket administrator: {}", why.join(" "));
    no_account(&detail)
}

pub(super) fn without_role() -> Problem {
    let detail =
        "You are signed in there, but have no role in Docket. Ask whoever looks after your college’s accounts.";
    Problem::new(403, Code::NO_ROLE_GIVEN, "You have no role in Docket", detail)
}

pub(super) fn disabled() -> Problem {
    let detail = "Ask your Docket administrator.";
    Problem::new(403, Code::ACCOUNT_DISABLED, "Your account is disabled", detail)
}

fn no_account(detail: &str) -> Problem {
    Problem::new(403, Code::NO_ACCOUNT_HERE, "You have no account in Docket", detail)
}
