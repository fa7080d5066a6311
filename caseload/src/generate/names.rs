//! Names that look like those of a student body: a few thousand first and last names of eight languages, accents included.

use fake::locales::{CY_GB, DE_DE, Data, EN, FR_FR, IT_IT, NL_NL, PT_BR, PT_PT};

use crate::people::fold::fold;

/// First and last names of one language.
type Lists = (&'static [&'static str], &'static [&'static str]);

/// A language stands here as often as its names should turn up.
const LANGUAGES: [Lists; 16] = [
    lists::<EN>(),
    lists::<EN>(),
    lists::<EN>(),
    lists::<EN>(),
    lists::<EN>(),
    lists::<EN>(),
    lists::<EN>(),
    lists::<CY_GB>(),
    lists::<DE_DE>(),
    lists::<FR_FR>(),
    lists::<FR_FR>(),
    lists::<IT_IT>(),
    lists::<NL_NL>(),
    lists::<PT_BR>(),
    lists::<PT_BR>(),
    lists::<PT_PT>(),
];

const fn lists<L: Data>() -> Lists {
    (L::NAME_FIRST_NAME, L::NAME_LAST_NAME)
}

/// An invented name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonName {
    pub first: String,
    pub last: String,
}

impl PersonName {
    /// The name that random bits stand for.
    pub fn pick(bits: u64) -> PersonName {
        let (firsts, lasts) = LANGUAGES[(bits % 16) as usize];
        let pick = |names: &[&str], bits: u64| names[(bits % names.len() as u64) as usize].to_owned();
        PersonName { first: pick(firsts, bits >> 4 & 0x3fff_ffff), last: pick(lasts, bits >> 34) }
    }

    /// An address that belongs to nobody, and to nobody else here as long as school ids differ in letters and digits.
    pub fn address(&self, school_id: &str) -> String {
        let part = |text: &str| -> String {
            let folded = fold(text);
            folded.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
        };
        format!("{}.{}.{}@example.org", part(&self.first), part(&self.last), part(school_id))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_vary_and_some_have_accents() {
        let names: Vec<PersonName> =
            (0..20_000_u64).map(|n| PersonName::pick(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let firsts: BTreeSet<_> = names.iter().map(|name| &name.first).collect();
        let lasts: BTreeSet<_> = names.iter().map(|name| &name.last).collect();
        assert!(firsts.len() > 1_000 && lasts.len() > 500, "{} {}", firsts.len(), lasts.len());
        assert!(names.iter().any(|name| !name.last.is_ascii()) && names.iter().any(|name| name.last.contains(' ')));
    }

    #[test]
    fn addresses_are_plain() {
        let name = PersonName { first: "José María".to_owned(), last: "d’Ávila".to_owned() };
        assert_eq!(name.address("G7-0000001"), "jose-maria.davila.g7-0000001@example.org");
    }
}
