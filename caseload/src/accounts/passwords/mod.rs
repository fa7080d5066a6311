//! Passwords to be: whose they are, and which are too easy to guess. Whoever knows a person tries their name and the product's
//! first, then what others have chosen; all of these count as known.

use model::{Problem, account::PasswordState};
use zxcvbn::{Score, zxcvbn};

pub(crate) mod clear_letters;
pub mod hashing;
pub(crate) mod once;
pub mod own;
pub mod rule;

use crate::{Result, people::fold::fold};

/// The shortest password, in characters.
const SHORTEST: usize = 10;
/// The longest, in characters: looking at it is work, and beyond this it is no safer.
const LONGEST: usize = 200;
/// What is on the door.
const PRODUCT: &str = "docket";
/// Shorter words of a name are parts of many others, in characters.
const SHORTEST_WORD: usize = 3;

/// A password to be.
#[derive(Clone)]
pub enum NewPassword {
    /// Chosen by its owner, or by whoever keeps the machine; refused if it is easy to guess.
    Chosen(String),
    /// Made up for somebody else: it opens one session, in which it has to be changed.
    ForOnce(String),
    /// None: its owner is let in by a provider.
    Nothing,
    /// Made up for a demo, and shown to whoever opens the sign-in page.
    Shown(String),
}

/// Whose password it is, which nobody can learn from here.
impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NewPassword::Chosen(_) => "Chosen(…)",
            NewPassword::ForOnce(_) => "ForOnce(…)",
            NewPassword::Nothing => "Nothing",
            NewPassword::Shown(_) => "Shown(…)",
        })
    }
}

/// A password that may be kept: the only form in which one reaches the table.
pub struct HashedPassword {
    pub hash: String,
    pub state: PasswordState,
}

impl NewPassword {
    /// Checks and hashes it. `username` and `name` are those of its owner.
    pub async fn hashed(self, username: &str, name: &str) -> Result<HashedPassword> {
        let (text, state) = match self {
            NewPassword::Chosen(text) => {
                let (username, name) = (username.to_owned(), name.to_owned());
                // As much work as a page; not on the threads that answer requests.
                let judged = tokio::task::spawn_blocking(move || check(&text, &username, &name).map(|()| text));
                (judged.await.map_err(|error| crate::Error::Internal(error.to_string()))??, PasswordState::Own)
            }
            NewPassword::Nothing => {
                return Ok(HashedPassword { hash: String::new(), state: PasswordState::Missing });
            }
            NewPassword::ForOnce(text) => (text, PasswordState::Once),
            NewPassword::Shown(text) => (text, PasswordState::Own),
        };
        Ok(HashedPassword { hash: hashing::KNOWN.hash(text).await?, state })
    }
}

/// Refuses what is too short, too long, or among the first that anybody would try.
fn check(password: &str, username: &str, name: &str) -> Result<(), Problem> {
    let length = password.trim().chars().take(LONGEST + 1).count();
    if length < SHORTEST {
        return Err(refused("too_short", format!("Use at least {SHORTEST} characters.")));
    }
    if length > LONGEST {
        return Err(refused("too_long", format!("Use at most {LONGEST} characters.")));
    }
    let known = known(username, name);
    let words: Vec<&str> = known.iter().map(String::as_str).collect();
    let left = spellings(password).map(|spelled| without(password, &spelled, &known));
    match left.iter().all(|left| zxcvbn(left, &words).score() >= Score::Three) {
        true => Ok(()),
        false => {
            let message = "This password is easy to guess. Use a few unrelated words that have nothing to do with you or \
                           Docket.";
            Err(refused("guessable", message))
        }
    }
}

/// What everybody knows who knows the owner, in both ways of writing it, forwards and backwards.
fn known(username: &str, name: &str) -> Vec<String> {
    let texts = [username.to_lowercase(), name.to_lowercase(), fold(username), fold(name), PRODUCT.to_owned()];
    let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| word.chars().count() >= SHORTEST_WORD);
    words.flat_map(|word| [word.to_owned(), word.chars().rev().collect()]).collect()
}

/// A password in small letters: as it is, and with letters for the signs that stand for them, of which one stands for two.
fn spellings(password: &str) -> [String; 3] {
    let lower = password.to_lowercase();
    let spelled = |one: char| -> String {
        let letter = |sign| match sign {
            '0' => 'o',
            '1' | '!' | '|' => one,
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        };
        fold(&lower.chars().map(letter).collect::<String>())
    };
    [spelled('i'), spelled('l'), lower]
}

/// What is left of a password once what everybody knows is taken out of a spelling of it: that alone makes it hard to guess.
fn without(password: &str, spelled: &str, known: &[String]) -> String {
    match known.iter().any(|word| spelled.contains(word)) {
        true => known.iter().fold(spelled.to_owned(), |rest, word| rest.replace(word, "")),
        false => password.to_owned(),
    }
}

fn refused(code: &str, message: impl Into<String>) -> Problem {
    Problem::field("password", code, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(password: &str) -> Option<String> {
        check(password, "klund", "Katrin Sørlund").err().map(|problem| problem.errors[0].code.clone())
    }

    #[test]
    fn what_anybody_would_try_first_is_refused() {
        let first = [
            "password123",
            "Passw0rd2026!",
            "qwertyuiop",
            "1234567890",
            "aaaaaaaaaaaaaaaa",
            "letmein12345",
            "iloveyou2024",
            "KatrinSorlund",
            "katrin.sørlund",
            "klund-2026",
            "Docket2026!",
            "D0cket2026!",
            "D0ck3t-2026",
            "tekcod2026!",
            "K4trin-S0rlund",
            "S0rlund.Katr1n",
            "dnulros-nirtak",
            "klund@docket",
            "docketdocketdocket",
        ];
        for password in first {
            assert_eq!(code(password).as_deref(), Some("guessable"), "{password}");
        }
        assert_eq!(code("short").as_deref(), Some("too_short"));
        assert_eq!(code(&"x".repeat(100_000)).as_deref(), Some("too_long"));
    }

    #[test]
    fn what_nobody_would_try_is_taken() {
        for password in [
            "slate-fern-07",
            "correct horse battery",
            "xk9#Tq2!vLp",
            "grün Ofen sieben Möwe",
            "Katrin hears violet kettles",
        ] {
            assert_eq!(code(password), None, "{password}");
        }
    }

    #[test]
    fn a_password_stands_in_no_log() {
        assert_eq!(format!("{:?}", NewPassword::Chosen("slate-fern-07".to_owned())), "Chosen(…)");
    }
}
