//! Why lines are unreadable, alike reasons together: what differs from line to line stands between quotes, or is a number.

use std::collections::HashMap;

use model::import::UnreadableCause;

/// The most causes that are told apart.
const CAUSES: usize = 12;

/// The causes so far.
#[derive(Default)]
pub struct UnreadableCauses {
    of: HashMap<String, UnreadableCause>,
    /// Lines of causes beyond those that are told apart.
    others: Option<UnreadableCause>,
}

impl UnreadableCauses {
    pub fn note(&mut self, line: u64, reason: &str) {
        let kind = kind(reason);
        if let Some(cause) = self.of.get_mut(&kind) {
            cause.lines += 1;
        } else if self.of.len() < CAUSES {
            self.of.insert(
                kind,
                UnreadableCause {
                    lines: 1,
                    first: line,
                    reason: reason.to_owned(),
                    is_of_matching: false,
                    unknown: None,
                },
            );
        } else {
            let others = UnreadableCause {
                lines: 0,
                first: line,
                reason: "Other reasons".to_owned(),
                is_of_matching: false,
                unknown: None,
            };
            self.others.get_or_insert(others).lines += 1;
        }
    }

    /// The most frequent first.
    pub fn into_list(self) -> Vec<UnreadableCause> {
        let mut causes: Vec<UnreadableCause> = self.of.into_values().collect();
        causes.sort_by_key(|cause| (std::cmp::Reverse(cause.lines), cause.first));
        causes.extend(self.others);
        causes
    }
}

/// What is alike in reasons of one kind.
fn kind(reason: &str) -> String {
    let mut kind = String::new();
    let mut quotes = 0_u32;
    for c in reason.chars() {
        match c {
            '“' => quotes += 1,
            '”' => quotes = quotes.saturating_sub(1),
            _ if quotes > 0 || c.is_ascii_digit() => {}
            _ => kind.push(c),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_reasons_are_one_cause_and_their_number_has_an_end() {
        let mut causes = UnreadableCauses::default();
        causes.note(2, "“A-1” is already in line 7");
        causes.note(9, "“A-2” is already in line 12");
        causes.note(3, "email: “x” is not an email address");
        (4..40).for_each(|line| causes.note(line, &"x".repeat(usize::try_from(line).unwrap())));
        let causes = causes.into_list();
        assert_eq!(causes.len(), CAUSES + 1);
        assert_eq!((causes[0].lines, causes[0].first), (2, 2));
        assert_eq!(causes.iter().map(|cause| cause.lines).sum::<u64>(), 39);
    }
}
