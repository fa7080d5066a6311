//! The ids of people who come by the thousand: ordered by their time, so that an index grows at its end, and without a
//! random source, because a school id is as good a one.

use model::{Instant, PersonId, SchoolId};
use sha2::{Digest, Sha256};
use uuid::Builder;

/// A UUID of version 7 for a person who comes at `now`.
pub fn for_person(school_id: &SchoolId, now: Instant) -> PersonId {
    let digest: [u8; 32] = Sha256::digest(school_id.as_str()).into();
    let mut random = [0; 10];
    // From the end: the beginning decides what name is invented, and an id should give nothing away.
    random.copy_from_slice(&digest[22..]);
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default();
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_differ() {
        let at = |millis| Instant::from_timestamp_millis(millis).unwrap();
        let id = for_person(&SchoolId::made_up(1, 1), at(1_700_000_000_000));
        assert_eq!(id.uuid().get_version_num(), 7);
        assert!(id < for_person(&SchoolId::made_up(1, 0), at(1_700_000_000_001)));
        assert_ne!(id, for_person(&SchoolId::made_up(1, 2), at(1_700_000_000_000)));
    }
}
