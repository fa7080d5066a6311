//! Names and addresses for people whose file has none, so that an anonymised data set can be searched, sorted and mailed
//! like a real one. They are marked as invented, and the addresses are in a domain that nobody owns (RFC 2606).

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::generate::names::PersonName;
use crate::import::rows::person_row::Record;

/// Gives a person without a name one, always the same for the same school id. Somebody who has a name keeps it, so that
/// neither a real name nor one from an older list is replaced.
pub fn name(person: &mut Record) {
    if !person.last_name.is_empty() {
        return;
    }
    let name = PersonName::pick(bits(person.school_id.as_str()));
    person.primary_email = Some(name.address(person.school_id.as_str()));
    person.first_name = name.first;
    person.last_name = name.last;
    person.extra.insert("Invented".to_owned(), Value::Bool(true));
}

/// A digest and not a seeded generator: it is the same in every version of every library.
fn bits(school_id: &str) -> u64 {
    Sha256::digest(school_id).iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_id_gives_the_same_name_and_another_another() {
        let invented = |id: &str| {
            let mut person = Record::new(id.parse().unwrap());
            name(&mut person);
            person
        };
        assert_eq!(invented("11391"), invented("11391"));
        assert_ne!(invented("11391").primary_email, invented("11392").primary_email);
        let known = Record { last_name: "García".to_owned(), ..Record::new("11391".parse().unwrap()) };
        let mut named = known.clone();
        name(&mut named);
        assert_eq!(named, known);
    }
}
