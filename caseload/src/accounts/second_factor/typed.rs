//! What somebody typed where a code is asked for.

use super::recovery::LETTERS;
use crate::accounts::passwords::clear_letters::CLEAR;

/// Longer than any code with all that people put between its letters, in bytes.
const LONGEST: usize = 40;
/// The digits of an app's code.
const DIGITS: usize = 6;

/// A code by what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypedCode {
    App(String),
    Recovery(String),
    Neither,
}

impl TypedCode {
    pub fn read(text: &str) -> TypedCode {
        if text.len() > LONGEST {
            return TypedCode::Neither;
        }
        let code: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let code = code.to_ascii_lowercase();
        if code.len() == DIGITS && code.bytes().all(|byte| byte.is_ascii_digit()) {
            return TypedCode::App(code);
        }
        match code.len() == LETTERS && code.bytes().all(|byte| CLEAR.contains(&byte)) {
            true => TypedCode::Recovery(code),
            false => TypedCode::Neither,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let app = |code: &str| TypedCode::App(code.to_owned());
        let recovery = |code: &str| TypedCode::Recovery(code.to_owned());
        assert_eq!(TypedCode::read(" 482 913 "), app("482913"));
        assert_eq!(TypedCode::read("482-913"), app("482913"));
        assert_eq!(TypedCode::read("K7DM 2vqx"), recovery("k7dm2vqx"));
        assert_eq!(TypedCode::read("k7dm-2vqx"), recovery("k7dm2vqx"));
        let long = "4".repeat(1_000);
        for other in ["", "48291", "4829133", "k7dm-2vq0", "k7dm-2vqxx", "４８２９１３", &long] {
            assert_eq!(TypedCode::read(other), TypedCode::Neither, "{other}");
        }
    }
}
