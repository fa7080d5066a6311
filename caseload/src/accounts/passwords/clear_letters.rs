//! Letters and digits that somebody reads from paper, or hears.

/// What nobody takes for something else, on paper or read aloud: without 0 and o, 1, l and i.
pub(crate) const CLEAR: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// So many of them that nobody can guess, in groups of four; twenty are 99 bits.
pub(crate) fn drawn(letters: usize) -> String {
    let mut drawn = u128::from_be_bytes(queue::secret_bytes());
    let mut text = String::new();
    for place in 0..letters {
        if place > 0 && place % 4 == 0 {
            text.push('-');
        }
        let letter = usize::try_from(drawn % CLEAR.len() as u128).unwrap_or_default();
        text.push(char::from(CLEAR[letter]));
        drawn /= CLEAR.len() as u128;
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::drawn;

    #[test]
    fn what_is_read_aloud_has_no_letter_that_is_taken_for_another() {
        let made: Vec<String> = (0..200).map(|_| drawn(20)).collect();
        assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len());
        let used: BTreeSet<char> = made.iter().flat_map(|password| password.chars()).collect();
        assert_eq!(
            used.into_iter().collect::<String>(),
            "-23456789abcdefghjkmnpqrstuvwxyz",
            "each of them, and no other"
        );
        assert!(made.iter().all(|password| password.split('-').map(str::len).eq([4; 5])), "{made:?}");
    }
}
