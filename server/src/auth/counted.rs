//! Sign-ins as they are counted: by their way and what became of them, for whoever watches that many fail.

use metrics::{counter, describe_counter};

const SIGN_INS: &str = "docket_sign_ins_total";

/// Says what is counted. Called once a recorder is installed.
pub fn describe() {
    describe_counter!(
        SIGN_INS,
        "Sign-ins, by way (password, second_factor, passkey, or the name of a provider) and outcome."
    );
}

/// One came to its end.
pub fn sign_in(way: &str, came_in: bool) {
    let outcome = if came_in { "in" } else { "refused" };
    counter!(SIGN_INS, "way" => way.to_owned(), "outcome" => outcome).increment(1);
}
